// The result of an insertion, put together in a register.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "bv/tree/tree_status.hpp"

namespace bv::detail {

/// `{TreeStatus::Ok, id}`. g++ writes status and index to the stack and reads them back as one word, which
/// waits until every store of the insertion is done.
[[nodiscard]] inline InsertResult inserted(ProxyId id) noexcept {
    InsertResult result{TreeStatus::Ok, id};
    if constexpr (std::endian::native == std::endian::little) {
        static_assert(std::is_trivially_copyable_v<InsertResult> && offsetof(InsertResult, id) == 4 &&
                      offsetof(ProxyId, index) == 0 && static_cast<int>(TreeStatus::Ok) == 0);
        const std::uint64_t word = std::uint64_t{id.index} << 32;
        std::memcpy(static_cast<void*>(&result), &word, sizeof word);
    }
    return result;
}

}  // namespace bv::detail
