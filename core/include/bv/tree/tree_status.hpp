// Results of operations on trees and broadphases, shared by all of them.
#pragma once

#include <cstdint>

#include "bv/ids.hpp"

namespace bv {

/// The status of an operation. Every status but Ok leaves the tree unchanged.
enum class TreeStatus : std::uint8_t {
    Ok,
    NotFinite,  ///< A box that is empty, infinite or NaN, or a displacement that is not finite.
    StaleId,    ///< The id is not, or no longer, in the tree.
    Busy,       ///< Called by a visitor during a traversal: a contract violation, also asserted.
    Full,       ///< 2^30 leaves.
};

struct InsertResult {
    TreeStatus status = TreeStatus::Ok;
    ProxyId id;  ///< Invalid unless status is Ok.
    explicit operator bool() const noexcept { return status == TreeStatus::Ok; }
    friend bool operator==(const InsertResult&, const InsertResult&) = default;
};

struct MoveResult {
    TreeStatus status = TreeStatus::Ok;
    bool fat_box_changed = false;  ///< The tight box left its fat box. False for trees without fat boxes.
    explicit operator bool() const noexcept { return status == TreeStatus::Ok; }
    friend bool operator==(const MoveResult&, const MoveResult&) = default;
    friend bool operator==(const MoveResult& result, TreeStatus expected) noexcept {
        return result.status == expected;
    }
};

}  // namespace bv
