#include "sandbox/tree_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/box_list.hpp"
#include "io/tree_file.hpp"
#include "sandbox/report.hpp"

namespace lab {
namespace {

using NamedTree = std::pair<std::string, bv::TreeSnapshot>;

/// The tree of that id, or else the first one that has nodes.
const NamedTree* find_tree(const FrameResults& results, const std::string& id) {
    const auto at = std::find_if(results.trees.begin(), results.trees.end(), [&](const NamedTree& tree) {
        return id.empty() ? !tree.second.empty() : tree.first == id;
    });
    return at == results.trees.end() ? nullptr : &*at;
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

std::optional<io::FileError> write_boxes(const TreeFileRequest& request, const FrameResults& results,
                                         const NamedTree& tree) {
    if (!io::is_box_list_name(request.path))
        return io::FileError{request.path, "", "the end of the name does not say what to write",
                             "Choose a name that ends in .txt or .csv"};
    const std::vector<bv::Aabb> boxes = boxes_in_order(tree.second);
    return io::write_box_list(request.path, boxes,
                              fmt::format("{} boxes of tree '{}' in scene '{}', frame {}\nminx miny minz "
                                          "maxx maxy maxz",
                                          boxes.size(), tree.first, results.scene_id, results.frame));
}

}  // namespace

std::optional<io::FileError> write_tree_file(const TreeFileRequest& request, const Sandbox& sandbox) {
    using What = TreeFileRequest::What;
    sandbox.lay_trees_open();
    const FrameResults& results = sandbox.results();
    const NamedTree* tree = find_tree(results, request.tree);
    if (request.what == What::Metrics) {
        std::vector<io::ReportTree> rows = report_trees(results);
        if (!request.tree.empty())
            std::erase_if(rows, [&](const auto& row) { return row.id != request.tree; });
        if (rows.empty()) return no_tree(request, results);
        return io::write_metrics(request.path, rows, results.scene_id);
    }
    if (!tree || tree->second.empty()) return no_tree(request, results);
    if (request.what == What::Boxes) return write_boxes(request, results, *tree);
    if (request.what == What::Snapshot) return io::write_tree_file(request.path, tree->second);
    return io::write_tree_export(request.path, tree->second, tree->first);
}

}  // namespace lab
