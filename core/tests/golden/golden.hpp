// Compares digests and numbers with those stored in golden/numbers.txt, for the tests named test_golden*.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "bv/query/collide.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/query_stats.hpp"
#include "bv/tree/snapshot.hpp"

namespace bv::test {

/// FNV-1a over the bits of the values added.
class Digest {
  public:
    void bits(std::uint64_t value) {
        for (int i = 0; i < 8; ++i) {
            hash_ = (hash_ ^ (value & 0xffu)) * 0x100000001b3u;
            value >>= 8;
        }
    }
    void number(float value) {
        std::uint32_t word = 0;
        std::memcpy(&word, &value, sizeof word);
        bits(word);
    }
    void vector(const glm::vec3& v) {
        for (int k = 0; k < 3; ++k)
            number(v[k]);
    }
    void box(const Aabb& b) {
        vector(b.min);
        vector(b.max);
    }
    void shape(const TreeSnapshot& tree) {
        for (const auto* row : {&tree.parents, &tree.first_child, &tree.child_count, &tree.source_nodes,
                                &tree.first_payload, &tree.payload_count})
            for (const std::uint32_t value : *row)
                bits(value);
        for (const std::uint64_t payload : tree.payloads)
            bits(payload);
    }
    void snapshot(const TreeSnapshot& tree) {
        shape(tree);
        for (const auto* row : {&tree.boxes, &tree.payload_boxes})
            for (const Aabb& b : *row)
                box(b);
    }
    void stats(const QueryStats& s) {
        for (const std::uint32_t value : {s.nodes_visited, s.boxes_tested, s.leaves_tested, s.hits})
            bits(value);
    }
    void stats(const CollideStats& s) {
        for (const std::uint32_t value : {s.box_pairs, s.triangle_pairs, s.hits, s.from_cache ? 1u : 0u})
            bits(value);
    }
    void hit(const MeshRayResult& r) {
        stats(r.stats);
        if (!r.hit) return;
        bits(r.hit->triangle);
        for (const float value : {r.hit->t, r.hit->u, r.hit->v})
            number(value);
    }
    void hit(const std::optional<RayHit>& r) {
        bits(r.has_value() ? 1 : 0);
        if (!r) return;
        for (const float value : {r->t, r->t_enter, r->t_exit, r->u, r->v})
            number(value);
        vector(r->point);
        vector(r->normal);
        bits(static_cast<std::uint64_t>(r->feature + 1));
    }
    [[nodiscard]] std::string text() const {
        char out[24];
        std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(hash_));
        return out;
    }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

inline constexpr const char* kFile = BV_GOLDEN_DIR "/numbers.txt";

/// The file's lines by name; rewrites them, sorted, on request.
class Golden : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        std::ifstream in(kFile);
        for (std::string line; std::getline(in, line);) {
            const std::size_t space = line.find(' ');
            if (line.empty() || line[0] == '#' || space == std::string::npos) continue;
            stored()[line.substr(0, space)] = line.substr(space + 1);
        }
    }
    static void TearDownTestSuite() {
        if (!writing()) return;
        std::ofstream out(kFile);
        out << "# Written by `BV_GOLDEN=write test_golden`.\n";
        for (const auto& [name, value] : stored())
            out << name << ' ' << value << '\n';
    }
    static void expect(const std::string& name, const std::string& value) {
        if (writing()) {
            stored()[name] = value;
            return;
        }
        EXPECT_EQ(stored()[name], value)
            << name << ": if the change is intended, run again with BV_GOLDEN=write";
    }
    static void expect(const std::string& name, const Digest& digest) { expect(name, digest.text()); }
    /// Expects equality to five digits.
    static void expect(const std::string& name, const std::vector<double>& values) {
        if (writing()) {
            std::ostringstream out;
            out.precision(9);
            for (const double value : values)
                out << (&value == values.data() ? "" : " ") << value;
            stored()[name] = out.str();
            return;
        }
        std::istringstream in(stored()[name]);
        for (const double value : values) {
            double expected = std::numeric_limits<double>::quiet_NaN();
            in >> expected;
            EXPECT_NEAR(value, expected, 1e-5 * std::abs(expected) + 1e-30)
                << name << ": if the change is intended, run again with BV_GOLDEN=write";
        }
    }

  private:
    static std::map<std::string, std::string>& stored() {
        static std::map<std::string, std::string> lines;
        return lines;
    }
    static bool writing() {
        const char* const mode = std::getenv("BV_GOLDEN");
        return mode != nullptr && std::string(mode) == "write";
    }
};

}  // namespace bv::test
