// The picture of a frame in the scene capture.
#pragma once

#include <string>
#include <string_view>

#include "capture/shown_frame.hpp"
#include "results/frame_results.hpp"
#include "scenes/files/capture_beside.hpp"

namespace lab::scenes {

/// The bodies by tag, and those that were searched for on top. `draws_all` is off if only the latter are
/// wanted.
void put_captured_bodies(FrameResults& results, const capture::ShownFrame& shown, const std::string& wanted,
                         bool draws_all);
/// The first 200 queries of the engine in a frame.
void put_captured_queries(FrameResults& results, const io::CaptureFrame& frame);
/// The node with this name, see `capture::node_name`, with the nodes above it. A number alone marks that node
/// in every tree.
void put_marked_node(FrameResults& results, const capture::ShownFrame& shown, const std::string& node);
/// The nodes of a tree that break its invariants.
void put_broken_nodes(FrameResults& results, const capture::ShownTree& tree);
/// Names and measures of the captured tree and of the one beside it, above them. `bounds` are those of what
/// was captured.
void put_tree_names(FrameResults& results, const capture::ShownFrame& shown, const bv::Aabb& bounds,
                    std::string_view rival, const TreeBeside& beside);

}  // namespace lab::scenes
