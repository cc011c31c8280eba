// Strong ids: an index that cannot be mistaken for another kind of index.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace bv {

/// A 32-bit index of one kind. Default-constructed it is invalid and refers to nothing.
template <class Tag>
struct Id {
    static constexpr std::uint32_t kInvalid = 0xffffffffu;
    std::uint32_t value = kInvalid;

    [[nodiscard]] constexpr bool valid() const noexcept { return value != kInvalid; }
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer in the 0 of <=>.
    friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

/// Index of a node in the storage of one tree.
using NodeIndex = Id<struct NodeTag>;
/// A body of a simulation. The library only passes it through.
using BodyId = Id<struct BodyTag>;

/// A leaf of a dynamic tree. The generation detects the id of a removed leaf after its slot is reused.
/// Aligned so that it is passed in one register: assembling it from two halves would stall on earlier stores.
struct alignas(8) ProxyId {
    static constexpr std::uint32_t kInvalid = 0xffffffffu;
    std::uint32_t index = kInvalid;
    std::uint32_t generation = 0;

    [[nodiscard]] constexpr bool valid() const noexcept { return index != kInvalid; }
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer in the 0 of <=>.
    friend constexpr auto operator<=>(const ProxyId&, const ProxyId&) = default;
};

}  // namespace bv

template <class Tag>
struct std::hash<bv::Id<Tag>> {
    std::size_t operator()(const bv::Id<Tag>& id) const noexcept {
        return std::hash<std::uint32_t>{}(id.value);
    }
};
