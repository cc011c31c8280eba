#include "io/trees/tree_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "bv/tree/tree_io.hpp"
#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/json_reader.hpp"
#include "io/limits.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/text/printable.hpp"
#include "io/trees/tree_json.hpp"

namespace lab::io {
namespace {

using Json = nlohmann::ordered_json;

bool ends_in(const std::filesystem::path& path, std::string_view extension) {
    return same_word(path.extension().string(), extension);
}

std::string json_string(std::string_view text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A word in double quotes for Graphviz.
std::string dot_string(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : printable(text)) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

/// A field of a table: in quotes where it would otherwise fall apart.
std::string csv_field(std::string_view text) {
    if (text.find_first_of(",;\"\n\r") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

template <class... Values>
void add(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

void add_vector(std::string& text, const glm::vec3& v) {
    // Without a format fmt prints the shortest digits that read back as the same number, but many readers of
    // JSON take `-0` for an integer, which has no sign.
    for (int k = 0; k < 3; ++k) {
        text += k == 0 ? '[' : ',';
        if (v[k] == 0.0f && std::signbit(v[k]))
            text += "-0.0";
        else
            add(text, "{}", v[k]);
    }
    text += ']';
}

bv::Aabb read_box(const JsonReader& in) {
    bv::Aabb box;
    const auto corner = [](const JsonReader& list) {
        glm::vec3 v(0.0f);
        const std::vector<JsonReader> items = list.items(3);
        if (items.size() != 3) list.refuse("should be a list of 3 numbers");
        for (std::size_t k = 0; k < items.size(); ++k)
            v[static_cast<int>(k)] = items[k].real(-3.5e38, 3.5e38);
        return v;
    };
    box.min = corner(in.at("min"));
    box.max = corner(in.at("max"));
    return box;
}

/// One node of the list; its place there is its number.
void read_node(const JsonReader& in, std::uint32_t number, bv::TreeSnapshot& tree) {
    in.expect_only({"node", "parent", "depth", "min", "max", "children", "payloads"});
    if (in.good() && in.at("node").whole32() != number)
        in.at("node").refuse("should be its position in the list");
    const std::vector<JsonReader> children = in.at("children").items(limits::kTreeNodes);
    const std::vector<JsonReader> payloads =
        in.has("payloads") ? in.at("payloads").items(limits::kTreeNodes) : std::vector<JsonReader>();
    const std::uint32_t first = children.empty() ? bv::TreeSnapshot::kNone : children[0].whole32();
    for (std::size_t k = 1; k < children.size() && in.good(); ++k)
        if (children[k].whole32() != first + k)
            children[k].refuse("should be the number after the previous one");
    tree.boxes.push_back(read_box(in));
    tree.parents.push_back(in.has("parent") ? in.at("parent").whole32() : bv::TreeSnapshot::kNone);
    tree.first_child.push_back(first);
    tree.child_count.push_back(static_cast<std::uint32_t>(children.size()));
    tree.depths.push_back(in.at("depth").whole32());
    tree.source_nodes.push_back(number);
    tree.first_payload.push_back(static_cast<std::uint32_t>(tree.payloads.size()));
    tree.payload_count.push_back(static_cast<std::uint32_t>(payloads.size()));
    for (const JsonReader& payload : payloads) {
        payload.expect_only({"id", "min", "max"});
        if (!payload.good()) return;
        tree.payloads.push_back(payload.at("id").whole(~std::uint64_t{0}));
        tree.payload_boxes.push_back(read_box(payload));
    }
}

/// Refuses a tree that is too large to be kept.
std::optional<std::string> too_large(const bv::TreeSnapshot& tree) {
    if (std::max(tree.size(), tree.payloads.size()) > limits::kTreeNodes)
        return fmt::format("has {} nodes and {} payloads; at most {} of each are read", tree.size(),
                           tree.payloads.size(), limits::kTreeNodes);
    return std::nullopt;
}

}  // namespace

Result<bv::TreeSnapshot> parse_tree_json(std::string_view text, const std::string& path) {
    constexpr const char* kAdvice = "Write it again with `export.tree`, or take another file";
    const auto refused = [&path](std::string what) { return FileError{path, "", std::move(what), kAdvice}; };
    Result<nlohmann::json> json = parse_json(text, path);
    if (!json) {
        FileError error = json.error();
        if (error.advice.empty()) error.advice = kAdvice;
        return error;
    }
    std::optional<std::string> problem;
    const JsonReader in(*json, "the file", problem);
    in.expect_only({"tree", "nodes"});
    bv::TreeSnapshot tree;
    if (in.good()) {
        (void)in.at("tree").text();
        std::uint32_t number = 0;
        for (const JsonReader& node : in.at("nodes").items(limits::kTreeNodes)) {
            read_node(node, number++, tree);
            if (problem) break;
        }
    }
    if (problem) return refused(*problem);
    if (tree.empty()) return refused("holds a tree without nodes");
    if (const auto broken = bv::check_snapshot(tree, bv::SnapshotCheck::Structure)) return refused(*broken);
    if (const auto large = too_large(tree)) return refused(*large);
    return tree;
}

Result<bv::TreeSnapshot> read_tree_file(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_whole_file(path, limits::kTreeBytes);
    if (!bytes) return bytes.error();
    if (ends_in(path, ".json")) return parse_tree_json(*bytes, path.string());
    bv::SnapshotResult read = bv::snapshot_from_bytes(
        {reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()}, bv::SnapshotCheck::Structure);
    const auto refused = [&](std::string what) {
        return FileError{path.string(), read.byte ? fmt::format("byte {}", *read.byte) : "", std::move(what),
                         "Write it again with `save.tree`, or take another file"};
    };
    if (!read.tree) return refused(read.error);
    if (read.tree->empty()) return refused("holds a tree without nodes");
    if (const auto large = too_large(*read.tree)) return refused(*large);
    return std::move(*read.tree);
}

std::optional<FileError> write_tree_file(const std::filesystem::path& path, const bv::TreeSnapshot& tree) {
    if (auto error = wrong_ending(FileKind::Tree, path)) return error;
    const std::vector<std::uint8_t> bytes = bv::snapshot_to_bytes(tree);
    return write_file_atomically(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string tree_json_text(const bv::TreeSnapshot& tree, std::string_view id) {
    std::string text;
    add(text, "{{\n  \"tree\": {},\n  \"nodes\": [", json_string(id));
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        add(text, "{}\n    {{\"node\":{},\"parent\":", i == 0 ? "" : ",", i);
        if (i == 0)
            text += "null";
        else
            add(text, "{}", tree.parents[i]);
        add(text, ",\"depth\":{},\"min\":", tree.depths[i]);
        add_vector(text, tree.boxes[i].min);
        text += ",\"max\":";
        add_vector(text, tree.boxes[i].max);
        text += ",\"children\":[";
        for (std::uint32_t k = 0; k < tree.child_count[i]; ++k)
            add(text, "{}{}", k == 0 ? "" : ",", tree.first_child[i] + k);
        text += ']';
        if (tree.is_leaf(i)) {
            text += ",\"payloads\":[";
            for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k) {
                const std::uint32_t p = tree.first_payload[i] + k;
                add(text, "{}{{\"id\":{},\"min\":", k == 0 ? "" : ",", tree.payloads[p]);
                add_vector(text, tree.payload_boxes[p].min);
                text += ",\"max\":";
                add_vector(text, tree.payload_boxes[p].max);
                text += '}';
            }
            text += ']';
        }
        text += '}';
    }
    return text + "\n  ]\n}\n";
}

std::string tree_dot_text(const bv::TreeSnapshot& tree, std::string_view id) {
    std::string text;
    add(text, "digraph {} {{\n  node [fontname=\"sans-serif\", fontsize=10];\n", dot_string(id));
    const double root = tree.empty() ? 0.0 : double{tree.boxes[0].surface_area()};
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (tree.is_leaf(i)) {
            add(text, "  n{} [shape=box, label=\"", i);
            for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k)
                add(text, "{}{}", k == 0 ? "" : " ", tree.payloads[tree.first_payload[i] + k]);
            text += "\"];\n";
        } else {
            const double share = root > 0.0 ? 100.0 * double{tree.boxes[i].surface_area()} / root : 0.0;
            add(text, "  n{} [label=\"{:.1f} %\"];\n", i, share);
        }
        if (i > 0) add(text, "  n{} -> n{};\n", tree.parents[i], i);
    }
    return text + "}\n";
}

std::optional<FileError> write_tree_export(const std::filesystem::path& path, const bv::TreeSnapshot& tree,
                                           std::string_view id) {
    if (auto error = wrong_ending(FileKind::TreeExport, path)) return error;
    const bool as_json = ends_in(path, ".json");
    return write_file_atomically(path, as_json ? tree_json_text(tree, id) : tree_dot_text(tree, id));
}

std::string metrics_csv_text(std::span<const ReportTree> trees) {
    std::string text =
        "id,leaves,nodes,height,optimal_height,max_balance,area_ratio,sah,epo,fatness,sibling_overlap,"
        "max_sibling_overlap,dead_space,mean_leaf_depth,nodes_per_ray,nodes_per_box,leaf_depths\n";
    for (const ReportTree& t : trees) {
        add(text, "{},{},{},{},{},{},{},{},{},", csv_field(t.id), t.leaves, t.nodes, t.height,
            t.optimal_height, t.max_balance, t.area_ratio, t.sah, t.epo ? fmt::format("{}", *t.epo) : "");
        add(text, "{},{},{},{},{},{},{},", t.fatness, t.sibling_overlap, t.max_sibling_overlap, t.dead_space,
            t.mean_leaf_depth, t.nodes_per_ray, t.nodes_per_box);
        for (std::size_t d = 0; d < t.leaf_depths.size(); ++d)
            add(text, "{}{}", d == 0 ? "" : " ", t.leaf_depths[d]);
        text += '\n';
    }
    return text;
}

std::string metrics_json_text(std::span<const ReportTree> trees, std::string_view scene) {
    Json json = {{"scene", scene}, {"trees", Json::array()}};
    for (const ReportTree& tree : trees)
        json["trees"].push_back(tree_json(tree));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<FileError> write_metrics(const std::filesystem::path& path, std::span<const ReportTree> trees,
                                       std::string_view scene) {
    if (auto error = wrong_ending(FileKind::Metrics, path)) return error;
    const bool as_json = ends_in(path, ".json");
    return write_file_atomically(path, as_json ? metrics_json_text(trees, scene) : metrics_csv_text(trees));
}

}  // namespace lab::io
