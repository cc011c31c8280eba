// The tree that is shown beside a captured one: built now over the same boxes.
#pragma once

#include "bv/tree/metrics.hpp"
#include "bv/tree/snapshot.hpp"
#include "bv/tree/tree_options.hpp"
#include "capture/shown_frame.hpp"

namespace lab::scenes {

enum class Beside : unsigned char { Nothing, Rebuilt, Binned, Agglomerative, Inserted };

struct TreeBeside {
    bv::TreeSnapshot tree;  ///< At the place where it is drawn; empty if there is none.
    bv::TreeMetrics metrics;
};

/// Everything in a frame that has a place: its trees and the boxes of its bodies.
[[nodiscard]] bv::Aabb bounds_of(const capture::ShownFrame& shown);
/// A tree over the boxes of all captured leaves, moved behind or beside `bounds`. `options` are those of a
/// tree whose boxes are inserted one by one.
[[nodiscard]] TreeBeside tree_beside(const capture::ShownFrame& shown, const bv::Aabb& bounds, Beside beside,
                                     const bv::TreeOptions& options);

}  // namespace lab::scenes
