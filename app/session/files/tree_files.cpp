#include "session/files/tree_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/file_kind.hpp"
#include "io/trees/box_list.hpp"
#include "io/trees/tree_file.hpp"
#include "session/report.hpp"

namespace lab {
namespace {

using NamedTree = std::pair<std::string, bv::TreeSnapshot>;

/// The tree of that id, or without an id the first with nodes; null if there is none.
std::shared_ptr<const NamedTree> find_tree(const Session& session, const std::string& id) {
    const FrameResults& results = session.results();
    if (results.bodies_tree_left_out && (id.empty() || id == "bodies")) {
        auto tree =
            std::make_shared<const NamedTree>("bodies", session.state().world.finder().engine().snapshot());
        if (!tree->second.empty()) return tree;
    }
    for (const NamedTree& tree : results.trees)
        if ((id.empty() || tree.first == id) && !tree.second.empty())
            return std::make_shared<const NamedTree>(tree);
    return nullptr;
}

io::FileError no_tree(const TreeFileRequest& request, const FrameResults& results) {
    std::string names;
    for (const auto& [id, tree] : results.trees)
        if (!tree.empty()) names += (names.empty() ? "" : ", ") + id;
    return {request.path, "",
            request.tree.empty() ? std::string("there is no tree to write")
                                 : fmt::format("there is no tree '{}' to write", request.tree),
            names.empty() ? std::string("Start a scene that has one") : "Trees now: " + names};
}

std::vector<bv::Aabb> boxes_in_order(const bv::TreeSnapshot& tree) {
    std::vector<std::size_t> order(tree.payloads.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return tree.payloads[a] < tree.payloads[b]; });
    std::vector<bv::Aabb> boxes;
    boxes.reserve(order.size());
    for (const std::size_t i : order)
        boxes.push_back(tree.payload_boxes[i]);
    return boxes;
}

std::optional<io::FileError> write_boxes(const std::string& path, const bv::TreeSnapshot& tree,
                                         std::string_view origin) {
    if (auto error = io::wrong_ending(io::FileKind::Boxes, path)) return error;
    const std::vector<bv::Aabb> boxes = boxes_in_order(tree);
    return io::write_box_list(
        path, boxes, fmt::format("{} boxes of {}\nminx miny minz maxx maxy maxz", boxes.size(), origin));
}

}  // namespace

FileWriter tree_file_writer(const TreeFileRequest& request, const Session& session) {
    using What = TreeFileRequest::What;
    const FrameResults& results = session.results();
    const std::string& path = request.path;
    if (request.what == What::Metrics) {
        std::vector<io::ReportTree> rows = report_trees(session);
        if (!request.tree.empty())
            std::erase_if(rows, [&](const auto& row) { return row.id != request.tree; });
        if (rows.empty()) return [error = no_tree(request, results)] { return error; };
        return [path, rows = std::move(rows), scene = std::string(results.scene_id)] {
            return io::write_metrics(path, rows, scene);
        };
    }
    const std::shared_ptr<const NamedTree> tree = find_tree(session, request.tree);
    if (!tree) return [error = no_tree(request, results)] { return error; };
    if (request.what == What::Snapshot)
        return [path, tree] { return io::write_tree_file(path, tree->second); };
    if (request.what == What::Structure)
        return [path, tree] { return io::write_tree_export(path, tree->second, tree->first); };
    if (tree->second.payloads.empty())
        return [error = io::FileError{
                    path, "", fmt::format("the leaves of tree '{}' hold no boxes to write", tree->first),
                    "`save.tree` writes its nodes"}] { return error; };
    return [path, tree,
            origin = fmt::format("tree '{}' in scene '{}', frame {}", tree->first, results.scene_id,
                                 results.frame)] { return write_boxes(path, tree->second, origin); };
}

}  // namespace lab
