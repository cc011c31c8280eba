// The result of an insertion, put together in registers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "bv/tree/tree_status.hpp"

namespace bv::detail {

/// `{status, id}`, for every return from an insertion. Left alone, g++ writes the parts to the stack one by
/// one and reads them back as words, which waits until every store of the insertion is done; so does a return
/// that shares its code with another.
[[nodiscard]] inline InsertResult insert_result(TreeStatus status, ProxyId id) noexcept {
    InsertResult result{status, id};
    if constexpr (std::endian::native == std::endian::little) {
        static_assert(std::is_trivially_copyable_v<InsertResult> && sizeof(InsertResult) == 16 &&
                      offsetof(InsertResult, id) == 8 && offsetof(ProxyId, index) == 0);
        const std::uint64_t words[2] = {static_cast<std::uint64_t>(status),
                                        id.index | std::uint64_t{id.generation} << 32};
        std::memcpy(static_cast<void*>(&result), &words[0], 8);
        std::memcpy(reinterpret_cast<char*>(&result) + 8, &words[1], 8);
    }
    return result;
}

[[nodiscard]] inline InsertResult inserted(ProxyId id) noexcept {
    return insert_result(TreeStatus::Ok, id);
}
[[nodiscard]] inline InsertResult not_inserted(TreeStatus why) noexcept {
    return insert_result(why, {});
}

}  // namespace bv::detail
