// Trees in and out: snapshots in a binary form that comes back bit for bit (.bvtree), the tree for other
// programs (JSON, Graphviz), and its numbers (CSV, JSON).
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bv/tree/snapshot.hpp"
#include "io/file_error.hpp"
#include "io/sessions/report.hpp"

namespace lab::io {

/// Reads a snapshot that `write_tree_file` or another program wrote: .bvtree, or for a name that ends in
/// .json what `write_tree_export` writes (both in bv/tree/FORMAT.md). Refuses, with the byte, a file that is
/// not a tree or exceeds io/limits.hpp. Accepts boxes that do not contain their children: such a tree is the
/// one that needs debugging; see `bv::loose_nodes`.
Result<bv::TreeSnapshot> read_tree_file(const std::filesystem::path& path);
/// Atomic, like all writers here. The name must end in .bvtree, so that it can be opened again.
std::optional<FileError> write_tree_file(const std::filesystem::path& path, const bv::TreeSnapshot& tree);

/// Every node with its box, parent, children, depth and payloads, one node a line.
std::string tree_json_text(const bv::TreeSnapshot& tree, std::string_view id);
/// The inverse. Refuses, with the JSON path, what is no such tree. Not in that form, and thus lost: OBBs and
/// the nodes' numbers in the original tree.
Result<bv::TreeSnapshot> parse_tree_json(std::string_view text, const std::string& path);
/// For the `dot` program: inner nodes are ellipses with their share of the root's surface, leaves are boxes
/// with their payloads.
std::string tree_dot_text(const bv::TreeSnapshot& tree, std::string_view id);
/// JSON for a name that ends in .json, Graphviz for .dot or .gv; another name is refused.
std::optional<FileError> write_tree_export(const std::filesystem::path& path, const bv::TreeSnapshot& tree,
                                           std::string_view id);

/// One row for each tree, with a heading. The histogram of the leaves' depths is one field, its counts
/// separated by blanks.
std::string metrics_csv_text(std::span<const ReportTree> trees);
std::string metrics_json_text(std::span<const ReportTree> trees, std::string_view scene);
/// CSV for a name that ends in .csv, JSON for .json; another name is refused.
std::optional<FileError> write_metrics(const std::filesystem::path& path, std::span<const ReportTree> trees,
                                       std::string_view scene);

}  // namespace lab::io
