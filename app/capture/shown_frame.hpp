// One frame of a capture, ready to be shown: its trees as snapshots with their metrics, and the
// defects in them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "bv/tree/metrics.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_tree.hpp"

namespace lab::capture {

struct ShownTree {
    std::string id;  ///< The engine's name for it, made unique in the frame.
    io::CaptureSnapshot snapshot;
    std::vector<std::uint64_t> node_ids;  ///< The engine's, by node of the snapshot.
    std::vector<bv::Aabb> orphans;  ///< Boxes of the first 200 nodes that are not reached from the root.
    bv::TreeMetrics metrics;

    /// The inverse of `node_ids`: for an id of several nodes, the first. O(n).
    [[nodiscard]] std::unordered_map<std::uint64_t, std::uint32_t> places() const;
};

struct ShownFrame {
    io::CaptureFrame frame;
    std::vector<ShownTree> trees;  ///< One for each of `frame.trees`.
};

[[nodiscard]] ShownTree shown_tree(const io::CaptureTree& tree, const io::ProxiesById& proxies);
/// The same for a single tree of the frame.
[[nodiscard]] ShownTree shown_tree(const io::CaptureTree& tree, const io::CaptureFrame& frame);
/// What commands call the tree, apart from a number that makes it unique.
[[nodiscard]] std::string shown_id(const io::CaptureTree& tree);
[[nodiscard]] ShownFrame shown_frame(io::CaptureFrame frame);

/// What `capture.node` holds for a node: its number, after the tree's id if the frame has several. `tree`:
/// its id, or what the engine calls it.
[[nodiscard]] std::string node_name(const ShownFrame& shown, const std::string& tree, std::uint64_t node);

/// Counts the bodies whose box is inverted or not finite, and names the first few; empty without any.
[[nodiscard]] std::string bad_boxes_note(const io::CaptureFrame& frame);

/// The place in `frames` of the last one whose number is at most `number`; 0 if there is none.
[[nodiscard]] std::size_t place_of_frame(const std::vector<io::CaptureFrameEntry>& frames,
                                         std::uint64_t number);

/// What an integer setting up to `max` holds for each frame of a capture: its number, or, if the last one is
/// larger than `max`, the count of frames before it.
class FrameSetting {
  public:
    FrameSetting(const io::CaptureFile& file, int max);
    [[nodiscard]] bool holds_counts() const { return holds_counts_; }
    [[nodiscard]] int at_place(std::size_t place) const;
    /// The value for the frame that `place_of_frame` finds.
    [[nodiscard]] int of_number(std::uint64_t number) const;
    [[nodiscard]] std::size_t place_of(int value) const;

  private:
    const io::CaptureFile& file_;
    std::uint64_t max_;
    bool holds_counts_ = false;
};

}  // namespace lab::capture
