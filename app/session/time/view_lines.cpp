#include "session/time/view_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "io/limits.hpp"
#include "session/commands/commands.hpp"

namespace lab {
namespace {

std::string camera_line(const Camera& camera) {
    std::string line = "camera.place";
    for (const float number : numbers_of(camera))
        line += fmt::format(" {}", number);
    return line;
}

/// Adds a command on bodies: the line `first`, and as many lines `further` as needed, so that a record can
/// read each of them back.
void add_lines(std::vector<std::string>& lines, std::string_view first, std::string_view further,
               const std::vector<bv::BodyId>& bodies) {
    std::string line(first);
    for (const bv::BodyId id : bodies) {
        const std::string word = fmt::format(" {}", id.value);
        if (line.size() + word.size() > io::limits::kTextBytes)
            lines.push_back(std::exchange(line, std::string(further)));
        line += word;
    }
    lines.push_back(std::move(line));
}

/// The commands that turn one selection into another. `other_rays`: the rays have been pinned anew.
void add_selection(std::vector<std::string>& lines, const Selection& from, const Selection& to,
                   bool other_rays, const TreeList& trees) {
    const auto place = [&trees](NodeHold hold) { return hold.follow(trees); };
    const auto is_same = [&place](const NodeHold& p, const NodeHold& q) {
        return p.holds() == q.holds() && place(p) == place(q);
    };
    const auto select_node = [&lines](const TreeNodeRef& node) {
        lines.push_back(fmt::format("select.node {} {}", quote_word(node.tree), node.node));
    };
    // By now, a leaf may hold other bodies than when it was selected.
    const auto add_bodies = [&lines, &to](const bv::TreeSnapshot& tree, std::uint32_t leaf) {
        const auto first = tree.payloads.begin() + tree.first_payload[leaf];
        if (std::equal(to.bodies.begin(), to.bodies.end(), first, first + tree.payload_count[leaf],
                       [](bv::BodyId id, std::uint64_t payload) { return id.value == payload; }))
            return;
        if (to.bodies.empty()) lines.back() += " none";
        for (const bv::BodyId id : to.bodies)
            lines.back() += fmt::format(" {}", id.value);
    };
    const std::optional<TreeNodeRef> node = place(to.node), isolated = place(to.isolated);
    bool same = to.bodies == from.bodies && to.triangle == from.triangle && to.ray == from.ray &&
                is_same(to.node, from.node) && !(to.ray && other_rays);
    if (!is_same(to.isolated, from.isolated)) {
        if (isolated) select_node(*isolated);
        lines.emplace_back(isolated ? "tree.isolate on" : "tree.isolate off");
        same = same && !isolated;
    }
    if (same) return;
    if (node) {
        select_node(*node);
        const bv::TreeSnapshot& tree = *lab::find_tree(trees, node->tree);
        if (node->tree == "bodies" && tree.is_leaf(node->node)) add_bodies(tree, node->node);
        return;
    }
    const bool none = to.bodies.empty();
    add_lines(lines, none ? "select none" : "select", "select add", to.bodies);
    if (to.triangle && to.contains(to.triangle->body))
        lines.push_back(fmt::format("select.triangle {} {}", to.triangle->body.value, to.triangle->triangle));
    if (to.ray) lines.push_back(fmt::format("select.ray {}", *to.ray));
}

}  // namespace

io::CameraNumbers numbers_of(const Camera& camera) {
    return {camera.target.x, camera.target.y,  camera.target.z,     camera.distance,
            camera.yaw_rad,  camera.pitch_rad, camera.framed_aspect};
}

void place_camera(Camera& camera, const io::CameraNumbers& numbers) {
    camera.target = {numbers[0], numbers[1], numbers[2]};
    camera.distance = numbers[3];
    camera.yaw_rad = numbers[4];
    camera.pitch_rad = numbers[5];
    camera.framed_aspect = numbers[6];
}

std::string hover_line(const View& view) {
    return view.hover_px ? fmt::format("hover {} {}", view.hover_px->x, view.hover_px->y) : "hover none";
}

std::vector<std::string> view_changes(const HeldView& from, const HeldView& to, const TreeList& trees) {
    std::vector<std::string> lines;
    const View &a = from.view, &b = to.view;
    if (b.rect != a.rect)
        lines.push_back(fmt::format("view.size {} {} {} {}", b.rect.size_px.x, b.rect.size_px.y,
                                    b.rect.min_px.x, b.rect.min_px.y));
    if (numbers_of(b.camera) != numbers_of(a.camera)) lines.push_back(camera_line(b.camera));
    if (b.hover_px != a.hover_px) lines.push_back(hover_line(b));
    for (const SettingSpec* row : to.settings.catalog().rows()) {
        if (row->effect != Effect::View) continue;
        const std::string value = to.settings.get_as_text(*row);
        if (value != from.settings.get_as_text(*row))
            lines.push_back("set " + quote_word(fmt::format("{}={}", row->id, value)));
    }
    if (to.hidden != from.hidden) {
        lines.emplace_back("show all");
        for (const bv::BodyId id : to.hidden)
            lines.push_back(fmt::format("hide {}", id.value));
    }
    const auto same_ray = [](const bv::Ray& p, const bv::Ray& q) {
        return p.origin == q.origin && p.direction == q.direction;
    };
    const bool other_rays = !std::equal(a.pinned_rays.begin(), a.pinned_rays.end(), b.pinned_rays.begin(),
                                        b.pinned_rays.end(), same_ray);
    if (other_rays) {
        lines.emplace_back("ray.clear");
        for (const bv::Ray& ray : b.pinned_rays)
            lines.push_back(fmt::format("ray.pin {} {} {} {} {} {}", ray.origin.x, ray.origin.y, ray.origin.z,
                                        ray.direction.x, ray.direction.y, ray.direction.z));
    }
    Selection selected = a.selection;
    if (to.clipboard && to.clipboard != from.clipboard && to.copied_now) {
        selected.clear();
        for (const Body& body : *to.clipboard)
            selected.bodies.push_back(body.state.id);
        add_lines(lines, "select", "select add", selected.bodies);
        lines.emplace_back("copy");
    }
    add_selection(lines, selected, b.selection, other_rays, trees);
    const bool forgets = to.times_forgotten != from.times_forgotten;
    if (forgets) lines.emplace_back("edit.forget");
    // A drag that ended or began in the past: the edits that follow belong together only with the latter.
    if (from.is_grouping && !to.is_grouping && !forgets) lines.emplace_back("edit.end");
    if (!to.fresh_group.empty() && (to.fresh_group != from.fresh_group || forgets))
        lines.push_back("edit.begin " + quote_word(to.fresh_group));
    return lines;
}

}  // namespace lab
