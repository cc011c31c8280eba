// Up to 64 rays of the same octant through a wide mesh tree at once: part of mesh_wide_avx2.cpp.
//
// The eight boxes of a node are first tested against the interval of all rays, nearest child on top of the
// stack. When a child is popped, its box is tested against the rays that reached its node, eight in the lanes
// of a register and with the hits found by then; a leaf's triangles are tested in the same way, one triangle
// against eight rays. Where few rays remain they go on one by one. Every test rounds as that of a single ray
// does, and ties in t go to the lowest triangle number, so the hits are the same. Sources: Wald 2001
// (packets), Reshetov 2005 (interval tests), Barringer 2014 (streams).

using detail::Bvh8PacketEntry;

/// All ones in the lanes of the lowest eight bits.
BV_WIDE_INLINE __m256 lanes_of(std::uint64_t bits) noexcept {
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i all = _mm256_set1_epi32(static_cast<int>(bits & 0xffu));
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(all, each), each));
}
BV_WIDE_INLINE __m256 row(const float* of, std::size_t g) noexcept {
    return _mm256_load_ps(of + 8 * g);
}
/// The rows of an 8 x 8 matrix become its columns.
BV_WIDE_INLINE void transpose(__m256 (&row)[8]) noexcept {
    __m256 pair[8], quad[8];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        pair[2 * i] = _mm256_unpacklo_ps(row[2 * i], row[2 * i + 1]);
        pair[2 * i + 1] = _mm256_unpackhi_ps(row[2 * i], row[2 * i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) {
        quad[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
        quad[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xee);
        quad[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        quad[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xee);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        row[i] = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x20);
        row[i + 4] = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x31);
    }
}
BV_WIDE_INLINE float least_lane(__m256 a) noexcept {
    __m128 four = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    four = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(four, _mm_movehdup_ps(four)));
}
BV_WIDE_INLINE float greatest_lane(__m256 a) noexcept {
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    four = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
}
BV_WIDE_INLINE __m256 abs_of(__m256 a) noexcept {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

struct Packet {
    static constexpr std::size_t kRays = detail::kPacketRays, kLanes = 8;

    alignas(32) float origin[3][kRays];
    alignas(32) float inverse[3][kRays];
    alignas(32) float along[3][kRays];  ///< Fast: the direction. Watertight: the shear.
    alignas(32) float start[kRays];
    alignas(32) float scale[kRays];
    alignas(32) float t[kRays];  ///< That of the best hit, or the end of the ray.
    alignas(32) float u[kRays];
    alignas(32) float v[kRays];
    alignas(32) std::uint32_t id[kRays];
    const Ray* rays;
    const Aabb bounds;       ///< Bounds of the mesh.
    MeshRay first;           ///< The others have its signs and, if Watertight, its dominant axis.
    std::size_t count = 0;   ///< How many of the given rays, from the first, may travel together.
    std::uint64_t open = 0;  ///< Rays that may still find a hit.
    float farthest = 0.0f;   ///< No ray's t is greater.
    /// Bounds over all rays, per axis. The first of `from` gives the least distances.
    __m256 from[3][2], lowest[3], highest[3];
    __m256 first_start;
    std::size_t near_at[3], far_at[3];  ///< Offsets of the byte rows in a node.
    __m256 slack[3];                    ///< Watertight: no smaller than that of any ray.
    bool narrow = false;                ///< Origins and directions are close to each other.

    /// `mesh`: its bounds. Lanes without a ray repeat the first.
    BV_WIDE_TARGET Packet(const Ray* given, std::size_t number, const Aabb& mesh, RayMode mode) noexcept
        : rays(given), bounds(mesh), first(given[0], mode, mesh) {
        static_assert(sizeof(Ray) == 8 * sizeof(float), "loaded as one row");
        const std::size_t groups = (number + kLanes - 1) / kLanes;
        __m256 low[7], high[7];  // origin, inverse, t_min; then the range of directions
        __m256 slow[3], fast[3];
        bool whole = true;
        std::size_t g = 0;
        for (; g < groups && whole; ++g) {
            __m256 r[8];
            for (std::size_t i = 0; i < kLanes; ++i)
                r[i] = _mm256_loadu_ps(&given[8 * g + i < number ? 8 * g + i : 0].origin.x);
            transpose(r);
            __m256 alike = likeness(r, mode);
            const auto bits = static_cast<std::uint32_t>(_mm256_movemask_ps(alike));
            const std::size_t lanes = std::min<std::size_t>(_tzcnt_u32(~bits), number - 8 * g);
            count += lanes;
            whole = lanes == kLanes;
            if (!whole) {
                alike = lanes_of((1u << lanes) - 1);
                for (int i = 0; i < 8; ++i)
                    r[i] = _mm256_blendv_ps(_mm256_broadcast_ss(&given[0].origin.x + i), r[i], alike);
            }
            store(g, r, mode);
            const __m256 values[7] = {
                r[0], r[1], r[2], row(inverse[0], g), row(inverse[1], g), row(inverse[2], g), row(start, g)};
            for (int i = 0; i < 7; ++i) {
                low[i] = g == 0 ? values[i] : _mm256_min_ps(low[i], values[i]);
                high[i] = g == 0 ? values[i] : _mm256_max_ps(high[i], values[i]);
            }
            for (int k = 0; k < 3; ++k) {
                slow[k] = g == 0 ? r[3 + k] : _mm256_min_ps(slow[k], r[3 + k]);
                fast[k] = g == 0 ? r[3 + k] : _mm256_max_ps(fast[k], r[3 + k]);
            }
        }
        if (count == 0) return;
        open = count == kRays ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        used_ = g;
        update_farthest();
        first_start = _mm256_set1_ps(least_lane(low[6]));
        float turn = 0.0f, longest = 0.0f, shift = 0.0f, farthest_corner = 0.0f, size = 0.0f;
        for (std::size_t k = 0; k < 3; ++k) {
            const float from_low = least_lane(low[k]), from_high = greatest_lane(high[k]);
            const float d_low = least_lane(slow[k]), d_high = greatest_lane(fast[k]);
            shift = std::max(shift, from_high - from_low);
            const auto axis = static_cast<int>(k);
            size = std::max(size, mesh.max[axis] - mesh.min[axis]);
            farthest_corner =
                std::max(farthest_corner, std::max(mesh.max[axis] - from_low, from_high - mesh.min[axis]));
            turn = std::max(turn, d_high - d_low);
            longest = std::max(longest, std::max(std::abs(d_low), std::abs(d_high)));
            const bool down = first.negative[k];
            from[k][0] = _mm256_set1_ps(down ? from_low : from_high);
            from[k][1] = _mm256_set1_ps(down ? from_high : from_low);
            lowest[k] = _mm256_set1_ps(least_lane(low[3 + k]));
            highest[k] = _mm256_set1_ps(greatest_lane(high[3 + k]));
            const std::size_t lo = offsetof(Bvh8Node, lo) + 8 * k, hi = offsetof(Bvh8Node, hi) + 8 * k;
            near_at[k] = down ? hi : lo;
            far_at[k] = down ? lo : hi;
        }
        for (std::size_t k = 0; k < 3; ++k)
            slack[k] = _mm256_set1_ps(
                std::copysign(farthest_corner * MeshRay::kSlack, first.negative[k] ? -1.0f : 1.0f));
        constexpr float kNarrow = 0.125f;
        narrow = turn <= kNarrow * longest && shift <= kNarrow * size;
    }

    /// The lanes whose rays single precision can handle, none about parallel to a coordinate plane, and that
    /// are like the first ray. `r`: the transposed rays.
    BV_WIDE_INLINE __m256 likeness(const __m256 (&r)[8], RayMode mode) const noexcept {
        // Their reciprocals times `kFarthestApart` are finite: see MeshRay::has_flat.
        const __m256 least_part = _mm256_set1_ps(0x1p-86f);
        const __m256 x = abs_of(r[3]), y = abs_of(r[4]), z = abs_of(r[5]);
        const __m256 longest = _mm256_max_ps(x, _mm256_max_ps(y, z));
        __m256 good = _mm256_cmp_ps(x, least_part, _CMP_GE_OQ);
        good = _mm256_and_ps(good, _mm256_cmp_ps(y, least_part, _CMP_GE_OQ));
        good = _mm256_and_ps(good, _mm256_cmp_ps(z, least_part, _CMP_GE_OQ));
        good = _mm256_and_ps(good, _mm256_cmp_ps(longest, _mm256_set1_ps(detail::kShortestRay), _CMP_GE_OQ));
        good = _mm256_and_ps(good, _mm256_cmp_ps(longest, _mm256_set1_ps(detail::kLongestRay), _CMP_LE_OQ));
        const __m256 farthest_origin = _mm256_set1_ps(detail::kFarthestInSingle);
        for (int k = 0; k < 3; ++k) {
            good = _mm256_and_ps(good, _mm256_cmp_ps(abs_of(r[k]), farthest_origin, _CMP_LE_OQ));
            const __m256 sign = _mm256_set1_ps(first.negative[k] ? -1.0f : 1.0f);
            good = _mm256_andnot_ps(_mm256_xor_ps(r[3 + k], sign), good);  // looks at signs only
        }
        const __m256 infinity = _mm256_set1_ps(std::numeric_limits<float>::infinity());
        good = _mm256_and_ps(good, _mm256_cmp_ps(r[7], infinity, _CMP_LT_OQ));
        good = _mm256_and_ps(good, _mm256_cmp_ps(r[6], _mm256_max_ps(r[7], _mm256_setzero_ps()), _CMP_GE_OQ));
        if (mode == RayMode::Fast) return good;
        const __m256 not_x = _mm256_cmp_ps(x, longest, _CMP_NEQ_OQ),
                     not_y = _mm256_cmp_ps(y, longest, _CMP_NEQ_OQ);
        if (first.kz == 0) return _mm256_andnot_ps(not_x, good);
        good = _mm256_and_ps(good, not_x);
        return first.kz == 1 ? _mm256_andnot_ps(not_y, good) : _mm256_and_ps(good, not_y);
    }
    /// As `MeshRay` prepares one ray.
    BV_WIDE_INLINE void store(std::size_t g, const __m256 (&r)[8], RayMode mode) noexcept {
        const __m256 longest = _mm256_max_ps(abs_of(r[3]), _mm256_max_ps(abs_of(r[4]), abs_of(r[5])));
        const __m256i exponent = _mm256_srli_epi32(_mm256_castps_si256(longest), 23);
        const __m256 factor =
            _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_sub_epi32(_mm256_set1_epi32(254), exponent), 23));
        const __m256 one = _mm256_set1_ps(1.0f);
        for (int k = 0; k < 3; ++k) {
            _mm256_store_ps(origin[k] + 8 * g, r[k]);
            _mm256_store_ps(inverse[k] + 8 * g, _mm256_div_ps(one, r[3 + k]));
            if (mode == RayMode::Fast) _mm256_store_ps(along[k] + 8 * g, _mm256_mul_ps(r[3 + k], factor));
        }
        if (mode == RayMode::Watertight) {
            _mm256_store_ps(along[0] + 8 * g, _mm256_div_ps(r[3 + first.kx], r[3 + first.kz]));
            _mm256_store_ps(along[1] + 8 * g, _mm256_div_ps(r[3 + first.ky], r[3 + first.kz]));
            _mm256_store_ps(along[2] + 8 * g, _mm256_div_ps(row(inverse[first.kz], g), factor));
        }
        _mm256_store_ps(start + 8 * g, _mm256_max_ps(r[7], _mm256_setzero_ps()));
        _mm256_store_ps(scale + 8 * g, factor);
        _mm256_store_ps(t + 8 * g, r[6]);
        _mm256_store_si256(reinterpret_cast<__m256i*>(id + 8 * g), _mm256_set1_epi32(-1));
    }

    BV_WIDE_INLINE void update_farthest() noexcept {
        __m256 all = row(t, 0);
        for (std::size_t g = 1; g < used_; ++g)
            all = _mm256_max_ps(all, row(t, g));
        farthest = greatest_lane(all);
    }
    [[nodiscard]] BV_WIDE_INLINE MeshHit hit(std::size_t i) const noexcept {
        return {t[i], u[i], v[i], id[i]};
    }
    BV_WIDE_INLINE void keep(std::size_t i, const MeshHit& hit) noexcept {
        t[i] = hit.t;
        u[i] = hit.u;
        v[i] = hit.v;
        id[i] = hit.triangle;
    }

    template <RayMode kMode>
    BV_WIDE_INLINE __m256 nearer(__m256 plane, std::size_t k) const noexcept {
        return kMode == RayMode::Watertight ? _mm256_sub_ps(plane, slack[k]) : plane;
    }
    template <RayMode kMode>
    BV_WIDE_INLINE __m256 farther(__m256 plane, std::size_t k) const noexcept {
        return kMode == RayMode::Watertight ? _mm256_add_ps(plane, slack[k]) : plane;
    }

    /// Pushes the children that any ray may hit, farthest first. The bounds are those of each ray's own
    /// computation, since rounding keeps the order of numbers.
    template <RayMode kMode>
    BV_WIDE_INLINE std::size_t push_children(const detail::Bvh8View& tree, std::uint32_t number,
                                             std::uint64_t reached, Bvh8PacketEntry* stack,
                                             std::size_t top) const noexcept {
        const Bvh8Node& node = tree.nodes[number];
        __m256 enter = first_start;
        __m256 leave = _mm256_set1_ps(farthest);
#pragma GCC unroll 3
        for (std::size_t k = 0; k < 3; ++k) {
            const __m256 at = _mm256_broadcast_ss(&node.origin[k]);
            const __m256 step = _mm256_broadcast_ss(&node.step[k]);
            const __m256 near = nearer<kMode>(
                _mm256_sub_ps(_mm256_fmadd_ps(steps(node, near_at[k]), step, at), from[k][0]), k);
            const __m256 far = farther<kMode>(
                _mm256_sub_ps(_mm256_fmadd_ps(steps(node, far_at[k]), step, at), from[k][1]), k);
            enter = _mm256_max_ps(
                _mm256_min_ps(_mm256_mul_ps(near, lowest[k]), _mm256_mul_ps(near, highest[k])), enter);
            leave = _mm256_min_ps(
                _mm256_max_ps(_mm256_mul_ps(far, lowest[k]), _mm256_mul_ps(far, highest[k])), leave);
        }
        leave = _mm256_mul_ps(leave, _mm256_set1_ps(MeshRay::kFarScale));
        const __m256 hits = _mm256_cmp_ps(enter, leave, _CMP_LE_OQ);
        const auto mask = static_cast<std::uint32_t>(_mm256_movemask_ps(hits)) & node.used;
        if (mask == 0) return top;
        const __m256i slots = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        alignas(32) std::uint32_t keys[8];
        _mm256_store_si256(
            reinterpret_cast<__m256i*>(keys),
            _mm256_or_si256(_mm256_and_si256(_mm256_castps_si256(enter), _mm256_set1_epi32(~7)), slots));
        const std::size_t bottom = top;
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            const std::uint32_t key = keys[_tzcnt_u32(left)];
            std::size_t at = top++;
            for (; at > bottom && stack[at - 1].key < key; --at)
                stack[at] = stack[at - 1];
            stack[at] = {reached, number, key};
        }
        prefetch(tree, node.child[stack[top - 1].key & 7u]);
        return top;
    }

    /// The rays of `reached` that hit the box of the node's child `slot`.
    template <RayMode kMode>
    BV_WIDE_INLINE std::uint64_t box_hits(const Bvh8Node& node, std::uint32_t slot,
                                          std::uint64_t reached) const noexcept {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&node);
        __m256 near[3], far[3];
        for (std::size_t k = 0; k < 3; ++k) {
            // A step count times a power of two is exact.
            const float before = node.origin[k] + static_cast<float>(bytes[near_at[k] + slot]) * node.step[k];
            const float behind = node.origin[k] + static_cast<float>(bytes[far_at[k] + slot]) * node.step[k];
            near[k] = _mm256_set1_ps(before);
            far[k] = _mm256_set1_ps(behind);
        }
        std::uint64_t result = 0;
        for (std::size_t g = 0; g < used_; ++g) {
            if (((reached >> (8 * g)) & 0xffu) == 0) continue;
            __m256 enter = _mm256_load_ps(start + 8 * g);
            __m256 leave = _mm256_load_ps(t + 8 * g);
#pragma GCC unroll 3
            for (std::size_t k = 0; k < 3; ++k) {
                const __m256 at = _mm256_load_ps(origin[k] + 8 * g);
                const __m256 per = _mm256_load_ps(inverse[k] + 8 * g);
                const __m256 in = nearer<kMode>(_mm256_sub_ps(near[k], at), k);
                const __m256 out = farther<kMode>(_mm256_sub_ps(far[k], at), k);
                enter = _mm256_max_ps(_mm256_mul_ps(in, per), enter);
                leave = _mm256_min_ps(_mm256_mul_ps(out, per), leave);
            }
            leave = _mm256_mul_ps(leave, _mm256_set1_ps(MeshRay::kFarScale));
            const int hits = _mm256_movemask_ps(_mm256_cmp_ps(enter, leave, _CMP_LE_OQ));
            result |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(hits)) << (8 * g);
        }
        return result & reached;
    }

    /// Keeps the hits of the lanes in `good` that come before the best ones.
    BV_WIDE_INLINE void accept(std::size_t g, __m256 good, __m256 at, __m256 hit_u, __m256 hit_v,
                               std::uint32_t triangle) noexcept {
        const __m256 best = _mm256_load_ps(t + 8 * g);
        const __m256i ids = _mm256_load_si256(reinterpret_cast<const __m256i*>(id + 8 * g));
        const __m256i own = _mm256_set1_epi32(static_cast<int>(triangle));
        const __m256 lower = _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_min_epu32(own, ids), own));
        const __m256 tied = _mm256_and_ps(_mm256_cmp_ps(at, best, _CMP_EQ_OQ), lower);
        good = _mm256_and_ps(good, _mm256_or_ps(_mm256_cmp_ps(at, best, _CMP_LT_OQ), tied));
        at = _mm256_add_ps(at, _mm256_setzero_ps());  // no negative zero
        _mm256_store_ps(t + 8 * g, _mm256_blendv_ps(best, at, good));
        _mm256_store_ps(u + 8 * g, _mm256_blendv_ps(_mm256_load_ps(u + 8 * g), hit_u, good));
        _mm256_store_ps(v + 8 * g, _mm256_blendv_ps(_mm256_load_ps(v + 8 * g), hit_v, good));
        _mm256_store_si256(reinterpret_cast<__m256i*>(id + 8 * g),
                           _mm256_blendv_epi8(ids, own, _mm256_castps_si256(good)));
    }
    [[nodiscard]] std::size_t used() const noexcept {
        return used_;
    }

  private:
    std::size_t used_ = 0;  ///< Groups of eight.
};

struct W3 {
    __m256 x, y, z;
};
BV_WIDE_INLINE __m256 cross_term(__m256 a, __m256 b, __m256 c, __m256 d) noexcept {
    return _mm256_sub_ps(_mm256_mul_ps(a, b), _mm256_mul_ps(c, d));
}
BV_WIDE_INLINE __m256 dot(const W3& a, const W3& b) noexcept {
    return _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(a.x, b.x), _mm256_mul_ps(a.y, b.y)),
                         _mm256_mul_ps(a.z, b.z));
}
BV_WIDE_INLINE W3 splat(const float (&v)[3][4], int lane) noexcept {
    return {_mm256_broadcast_ss(&v[0][lane]), _mm256_broadcast_ss(&v[1][lane]),
            _mm256_broadcast_ss(&v[2][lane])};
}
BV_WIDE_INLINE V3 load(const float (&rows)[3][4]) noexcept {
    return {_mm_load_ps(rows[0]), _mm_load_ps(rows[1]), _mm_load_ps(rows[2])};
}
BV_WIDE_INLINE void store(float (&rows)[3][4], const V3& a) noexcept {
    _mm_store_ps(rows[0], a.x);
    _mm_store_ps(rows[1], a.y);
    _mm_store_ps(rows[2], a.z);
}

/// One block's triangles against the rays of `reached`, as `Kernel::test_fast` tests them against one ray.
BV_WIDE_TARGET void test_block_fast(Packet& p, const TriangleBlock& block, std::uint64_t reached) noexcept {
    struct alignas(16) Rows {
        float e1[3][4], e2[3][4], n[3][4];
    } rows;
    const V3 a4 = load(block.corner[0]);
    const V3 edge1 = sub(load(block.corner[1]), a4), edge2 = sub(load(block.corner[2]), a4);
    store(rows.e1, edge1);
    store(rows.e2, edge2);
    store(rows.n, cross(edge1, edge2));
    const __m256 zero = _mm256_setzero_ps(), minus = _mm256_set1_ps(-0.0f);
    for (int lane = 0; lane < 4 && block.id[lane] != MeshHit::kNone; ++lane) {
        const W3 a = splat(block.corner[0], lane), e1 = splat(rows.e1, lane), e2 = splat(rows.e2, lane),
                 n = splat(rows.n, lane);
        for (std::size_t g = 0; g < p.used(); ++g) {
            if (((reached >> (8 * g)) & 0xffu) == 0) continue;
            const W3 d{row(p.along[0], g), row(p.along[1], g), row(p.along[2], g)};
            const W3 c{_mm256_sub_ps(a.x, row(p.origin[0], g)), _mm256_sub_ps(a.y, row(p.origin[1], g)),
                       _mm256_sub_ps(a.z, row(p.origin[2], g))};
            const W3 r{cross_term(c.y, d.z, d.y, c.z), cross_term(c.z, d.x, d.z, c.x),
                       cross_term(c.x, d.y, d.x, c.y)};
            const __m256 det = dot(n, d);
            const __m256 sign = _mm256_and_ps(det, minus);
            const __m256 size = _mm256_xor_ps(det, sign);
            const __m256 u = _mm256_xor_ps(dot(r, e2), sign);
            const __m256 v = _mm256_xor_ps(dot(r, e1), _mm256_xor_ps(sign, minus));
            __m256 good =
                _mm256_and_ps(_mm256_cmp_ps(u, zero, _CMP_GE_OQ), _mm256_cmp_ps(v, zero, _CMP_GE_OQ));
            good = _mm256_and_ps(good, _mm256_cmp_ps(_mm256_add_ps(u, v), size, _CMP_LE_OQ));
            good = _mm256_and_ps(good, _mm256_cmp_ps(det, zero, _CMP_NEQ_UQ));
            good = _mm256_and_ps(good, lanes_of(reached >> (8 * g)));
            if (_mm256_movemask_ps(good) == 0) continue;
            const __m256 along = _mm256_xor_ps(dot(n, c), sign);
            const __m256 t = _mm256_mul_ps(_mm256_div_ps(along, size), row(p.scale, g));
            good = _mm256_and_ps(good, _mm256_cmp_ps(along, zero, _CMP_GE_OQ));
            good = _mm256_and_ps(good, _mm256_cmp_ps(t, row(p.start, g), _CMP_GE_OQ));
            if (_mm256_movemask_ps(good) == 0) continue;
            p.accept(g, good, t, _mm256_div_ps(u, size), _mm256_div_ps(v, size), block.id[lane]);
        }
    }
}

/// Lanes in which they are neither all at most 0 nor all at least 0.
BV_WIDE_INLINE __m256 outside(__m256 u, __m256 v, __m256 w) noexcept {
    const __m256 zero = _mm256_setzero_ps();
    return _mm256_and_ps(_mm256_cmp_ps(_mm256_min_ps(u, _mm256_min_ps(v, w)), zero, _CMP_LT_OQ),
                         _mm256_cmp_ps(_mm256_max_ps(u, _mm256_max_ps(v, w)), zero, _CMP_GT_OQ));
}
BV_WIDE_INLINE __m256 edge_in_double(__m256 a, __m256 b, __m256 c, __m256 d) noexcept {
    const __m128 low = edge_in_double(_mm256_castps256_ps128(a), _mm256_castps256_ps128(b),
                                      _mm256_castps256_ps128(c), _mm256_castps256_ps128(d));
    const __m128 high = edge_in_double(_mm256_extractf128_ps(a, 1), _mm256_extractf128_ps(b, 1),
                                       _mm256_extractf128_ps(c, 1), _mm256_extractf128_ps(d, 1));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

/// The same as `Kernel::test_watertight`.
BV_WIDE_TARGET void test_block_watertight(Packet& p, const TriangleBlock& block,
                                          std::uint64_t reached) noexcept {
    const int kx = p.first.kx, ky = p.first.ky, kz = p.first.kz;
    const __m256 zero = _mm256_setzero_ps();
    for (int lane = 0; lane < 4 && block.id[lane] != MeshHit::kNone; ++lane)
        for (std::size_t g = 0; g < p.used(); ++g) {
            if (((reached >> (8 * g)) & 0xffu) == 0) continue;
            const __m256 sx = row(p.along[0], g), sy = row(p.along[1], g), sz = row(p.along[2], g);
            __m256 x[3], y[3], z[3];
#pragma GCC unroll 3
            for (int i = 0; i < 3; ++i) {
                const auto& corner = block.corner[i];
                const __m256 at_x =
                    _mm256_sub_ps(_mm256_broadcast_ss(&corner[kx][lane]), row(p.origin[kx], g));
                const __m256 at_y =
                    _mm256_sub_ps(_mm256_broadcast_ss(&corner[ky][lane]), row(p.origin[ky], g));
                z[i] = _mm256_sub_ps(_mm256_broadcast_ss(&corner[kz][lane]), row(p.origin[kz], g));
                x[i] = _mm256_sub_ps(at_x, _mm256_mul_ps(sx, z[i]));
                y[i] = _mm256_sub_ps(at_y, _mm256_mul_ps(sy, z[i]));
            }
            __m256 u = cross_term(x[2], y[1], y[2], x[1]);
            __m256 v = cross_term(x[0], y[2], y[0], x[2]);
            __m256 w = cross_term(x[1], y[0], y[1], x[0]);
            const __m256 asked = lanes_of(reached >> (8 * g));
            if (_mm256_movemask_ps(_mm256_andnot_ps(outside(u, v, w), asked)) == 0) continue;
            u = edge_in_double(x[2], y[1], y[2], x[1]);
            v = edge_in_double(x[0], y[2], y[0], x[2]);
            w = edge_in_double(x[1], y[0], y[1], x[0]);
            const __m256 det = _mm256_add_ps(_mm256_add_ps(u, v), w);
            __m256 good = _mm256_andnot_ps(outside(u, v, w), _mm256_cmp_ps(det, zero, _CMP_NEQ_UQ));
            good = _mm256_and_ps(good, asked);
            if (_mm256_movemask_ps(good) == 0) continue;
            const __m256 sum = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(u, _mm256_mul_ps(z[0], sz)),
                                                           _mm256_mul_ps(v, _mm256_mul_ps(z[1], sz))),
                                             _mm256_mul_ps(w, _mm256_mul_ps(z[2], sz)));
            const __m256 t = _mm256_mul_ps(_mm256_div_ps(sum, det), row(p.scale, g));
            good = _mm256_and_ps(good, _mm256_cmp_ps(t, row(p.start, g), _CMP_GE_OQ));
            if (_mm256_movemask_ps(good) == 0) continue;
            p.accept(g, good, t, _mm256_div_ps(v, det), _mm256_div_ps(w, det), block.id[lane]);
        }
}

template <RayMode kMode, bool kAny>
BV_WIDE_TARGET void walk_packet(const detail::Bvh8View& tree, Bvh8PacketEntry* stack, Packet& p) noexcept {
    /// Up to this many rays continue one by one.
    constexpr int kFew = 6;
    std::size_t top = p.push_children<kMode>(tree, 0, p.open, stack, 0);
    while (top != 0) {
        const Bvh8PacketEntry now = stack[--top];
        if (detail::bit_cast<float>(now.key & ~7u) > p.farthest * MeshRay::kFarScale) continue;
        const Bvh8Node& parent = tree.nodes[now.parent];
        const std::uint64_t rays = p.box_hits<kMode>(parent, now.key & 7u, now.rays & p.open);
        if (rays == 0) continue;
        const std::uint32_t word = parent.child[now.key & 7u];
        const bool leaf = (word & Bvh8Node::kLeaf) != 0;
        if (_mm_popcnt_u64(rays) <= (leaf ? 2 : kFew)) {
            for (std::uint64_t left = rays; left != 0; left &= left - 1) {
                const auto i = static_cast<std::size_t>(_tzcnt_u64(left));
                const MeshRay ray(p.rays[i], kMode, p.bounds);
                const Kernel<kMode, Planes::Fused> kernel(ray);
                detail::Bvh8Result result;
                result.best = p.hit(i);
                detail::walk_wide<Kernel<kMode, Planes::Fused>, kAny>(tree, kernel, result, word);
                p.keep(i, result.best);
            }
        } else if (leaf) {
            const std::uint32_t first = (word & ~Bvh8Node::kLeaf) >> 6;
            for (std::uint32_t b = first; b <= first + (word & 63u); ++b) {
                if constexpr (kMode == RayMode::Fast)
                    test_block_fast(p, tree.blocks[b], rays);
                else
                    test_block_watertight(p, tree.blocks[b], rays);
            }
        } else {
            top = p.push_children<kMode>(tree, word, rays, stack, top);
            continue;
        }
        if constexpr (kAny) {
            for (std::uint64_t left = rays; left != 0; left &= left - 1)
                if (p.id[_tzcnt_u64(left)] != MeshHit::kNone) p.open &= ~(left & (~left + 1));
            if (p.open == 0) return;
        } else {
            p.update_farthest();
        }
    }
}
