// The dynamic tree, snapshots, their metrics and serialization, in the table.
#include <algorithm>
#include <cstring>

#include "bv/assert.hpp"
#include "bv/function_ref.hpp"
#include "bv/progress.hpp"
#include "bv/tasks.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/morton.hpp"
#include "bv/tree/operation_log.hpp"
#include "bv/tree/pair_cache.hpp"
#include "bv/tree/tree_io.hpp"
#include "bv/tree/wide_tree.hpp"
#include "table.hpp"
#include "tree_samples.hpp"

namespace bv::test {
namespace {

using glm::vec3;

std::vector<Row> dynamic_changes() {
    std::vector<Row> rows;
    rows.push_back(no_nan(
        {"DynamicTree::insert(Aabb, uint64_t)", "DynamicTree::insert(Aabb, uint64_t, Recording)",
         "DynamicTree::move(ProxyId, Aabb, vec3)", "DynamicTree::move(ProxyId, Aabb, vec3, Recording)",
         "DynamicTree::update()", "DynamicTree::update(Recording)", "DynamicTree::size()",
         "DynamicTree::empty()", "DynamicTree::bounds()", "DynamicTree::height()",
         "DynamicTree::memory_bytes()", "DynamicTree::snapshot()", "DynamicTree::validate()"},
        [](const Aabb& box, std::uint64_t data) {
            DynamicTree tree;
            give_box(tree, box, data, [&](ProxyId id, const Aabb& b) { return tree.move(id, b).status; });
            Recording trace;
            DynamicTree traced;
            const InsertResult added = traced.insert(box, data, trace);
            require(added.status == (is_accepted(box) ? TreeStatus::Ok : TreeStatus::NotFinite),
                    "the status with a trace");
            const ProxyId id = traced.insert(Aabb{vec3(0.0f), vec3(1.0f)}, 1, trace).id;
            require(traced.move(id, box, vec3(0.0f), trace).status == added.status,
                    "the status of a move with a trace");
            traced.update(trace);
            require(!traced.empty() && traced.height() < 3 && traced.memory_bytes() > 0, "a broken tree");
            require(!check_snapshot(tree.snapshot()), "a broken snapshot");
            return std::tuple(tree.bounds(), tree.snapshot());
        }));
    rows.push_back(no_nan({"DynamicTree::move(ProxyId, Aabb, vec3)", "DynamicTree::fat_box(ProxyId)",
                           "DynamicTree::tight_box(ProxyId)"},
                          [](const Aabb& box, const vec3& displacement) {
                              std::vector<Aabb> fat;
                              for (const Margin margin :
                                   {Margin::None, Margin::Fixed, Margin::Relative, Margin::AlongVelocity}) {
                                  TreeOptions options;
                                  options.margin = margin;
                                  DynamicTree tree(options);
                                  const ProxyId id = fill(tree)[5];
                                  const bool ok = tree.move(id, box, displacement).status == TreeStatus::Ok;
                                  require(ok == (is_accepted(box) && is_finite_argument(displacement)),
                                          "the status");
                                  require(!ok || tree.tight_box(id) == box, "the tight box");
                                  require(tree.fat_box(id).is_finite(), "a fat box that is not finite");
                                  require(!tree.validate(), "a broken tree");
                                  fat.push_back(tree.fat_box(id));
                              }
                              return fat;
                          }));
    rows.push_back(no_nan(
        {"DynamicTree::remove(ProxyId)", "DynamicTree::remove(ProxyId, Recording)",
         "DynamicTree::contains(using)", "DynamicTree::set_categories(ProxyId, Categories)",
         "DynamicTree::categories(ProxyId)", "DynamicTree::fat_box(ProxyId)",
         "DynamicTree::tight_box(ProxyId)", "DynamicTree::user_data(ProxyId)",
         "DynamicTree::leaf_node(ProxyId)", "DynamicTree::proxy_at(using)", "DynamicTree::proxy_slots(using)",
         "DynamicTree::move(ProxyId, Aabb, vec3)", "ProxyId::valid()", "Id::valid()"},
        [](const ProxyId& id, const Categories& categories, std::uint32_t slot) {
            DynamicTree tree = filled_tree(), other = filled_tree();
            const bool is_present = tree.contains(id);
            require(tree.fat_box(id).is_empty() != is_present && tree.tight_box(id).is_empty() != is_present,
                    "the box of a stale id");
            require(tree.leaf_node(id).valid() == is_present, "the leaf of a stale id");
            require(
                tree.set_categories(id, categories) == (is_present ? TreeStatus::Ok : TreeStatus::StaleId),
                "set_categories");
            require(tree.categories(id).bits == (is_present ? categories.bits : 0u), "categories");
            require(tree.proxy_at(slot).valid() == (slot < tree.proxy_slots()), "proxy_at");
            require(!id.valid() == (id.index == ProxyId::kInvalid), "valid");
            require((tree.move(id, crowd()[0]).status == TreeStatus::Ok) == is_present, "the status of move");
            Recording trace;
            require((other.remove(id, trace) == TreeStatus::Ok) == is_present,
                    "the status of remove with a trace");
            DynamicTree fresh;
            give_id(fresh, id);
        }));
    rows.push_back(
        no_nan({"DynamicTree::insert_all(span<Aabb>, span<uint64_t>, span<ProxyId>)"}, [](const Aabb& box) {
            std::vector<Aabb> boxes = crowd();
            boxes[7] = box;
            const std::vector<std::uint64_t> data(boxes.size(), ~0ull);
            std::vector<ProxyId> ids(boxes.size());
            DynamicTree tree;
            require(tree.insert_all(boxes, data, ids) ==
                        (is_accepted(box) ? TreeStatus::Ok : TreeStatus::NotFinite),
                    "the status");
            require(tree.size() == (is_accepted(box) ? boxes.size() : 0) && !tree.validate(),
                    "a broken tree");
            require(ids[3].valid() == is_accepted(box), "ids");
        }));
    rows.push_back(no_nan(
        {"DynamicTree::DynamicTree(TreeOptions)", "DynamicTree::options()",
         "DynamicTree::set_options(TreeOptions)", "DynamicTree::reinsert_worst(uint32_t)",
         "DynamicTree::rebuild(Builder)", "DynamicTree::rebuild(Builder, Recording)", "DynamicTree::clear()"},
        [](const TreeOptions& options, std::uint32_t count) {
            for (int i = 0; i < 5; ++i) {
                TreeOptions changed = options;
                changed.upkeep = static_cast<Upkeep>(i);
                changed.insertion = static_cast<Insertion>(i % 3);
                changed.balancing = static_cast<Balancing>(i % 3);
                changed.margin = static_cast<Margin>(i % 4);
                DynamicTree tree(changed);
                const std::vector<ProxyId> ids = fill(tree);
                for (int step = 0; step < 3; ++step) {
                    tree.move(ids[static_cast<std::size_t>(step)], {vec3(3.0f), vec3(4.0f)}, vec3(1.0f));
                    tree.update();
                }
                tree.set_options(changed);
                require(std::memcmp(&tree.options().margin_m, &changed.margin_m, 4) == 0, "options");
                tree.reinsert_worst(count);
                require(!tree.validate() && tree.bounds().is_finite(), "a broken tree");
                Recording trace;
                tree.rebuild(static_cast<Builder>(i));
                tree.rebuild(static_cast<Builder>(i), trace);
                require(!tree.validate() && tree.bounds().is_finite(), "a broken tree");
                tree.clear();
                require(tree.empty() && tree.bounds().is_empty(), "not empty");
            }
        }));
    // Boxes at the end of the float range in every builder.
    rows.push_back(no_nan({"DynamicTree::rebuild(Builder)"}, [](const Aabb& a, const Aabb& b) {
        DynamicTree tree = filled_tree();
        tree.insert(a, 1);
        tree.insert(b, 2);
        for (int i = 0; i < 5; ++i) {
            tree.rebuild(static_cast<Builder>(i));
            require(!tree.validate() && tree.bounds().is_finite(), "a broken tree");
        }
        return tree.snapshot();
    }));
    rows.push_back(no_nan(
        {"DynamicTree::set_log(OperationLog*)", "DynamicTree::undo()", "DynamicTree::redo()",
         "OperationLog::OperationLog(size_t)", "OperationLog::size()", "OperationLog::position()",
         "OperationLog::dropped()", "OperationLog::operator[](size_t)"},
        [](const Aabb& box, std::size_t capacity) {
            OperationLog log(capacity);
            DynamicTree tree;
            tree.set_log(&log);
            fill(tree);
            tree.insert(box, 9);
            const std::size_t size = tree.size();
            require(log.size() > 0 && log.position() == log.size(), "nothing logged");
            require(log.size() <= std::max<std::size_t>(capacity, 1), "more entries than the capacity");
            require(capacity > 100 || log.size() + log.dropped() >= 20, "dropped");
            std::vector<double> areas;
            for (std::size_t i = 0; i < log.size(); ++i) {
                areas.push_back(log[i].area_before);
                areas.push_back(log[i].area_after);
            }
            std::size_t steps = 0;
            while (tree.undo())
                require(!tree.validate() && ++steps < 1000, "a broken tree after undo");
            while (tree.redo())
                require(!tree.validate(), "a broken tree after redo");
            require(tree.size() == size, "not as before");
            return areas;
        }));
    return rows;
}

std::vector<Row> dynamic_queries() {
    std::vector<Row> rows;
    rows.push_back(empty_stays_empty(
        {"DynamicTree::query(Aabb, Visitor)", "DynamicTree::query(Aabb, Visitor, Recording)",
         "DynamicTree::query(Aabb, Categories, Visitor)", "DynamicTree::query_fat(Aabb, Visitor)",
         "DynamicTree::query_if(Test, Visitor, optional<Categories>)",
         "DynamicTree::query_volume(Volume, Visitor, optional<Categories>)"},
        [](const Aabb& box, const Categories& filter) {
            static const DynamicTree tree = filled_tree();
            const auto ignore = [](ProxyId, std::uint64_t) {};
            Recording trace;
            std::uint32_t expected = 0;
            for (const Aabb& b : crowd())
                expected += !is_empty_argument(box) && box.min.x <= b.max.x && b.min.x <= box.max.x &&
                                    box.min.y <= b.max.y && b.min.y <= box.max.y && box.min.z <= b.max.z &&
                                    b.min.z <= box.max.z
                                ? 1
                                : 0;
            const QueryStats stats = tree.query(box, ignore);
            require(stats.hits == expected, "not the boxes that overlap");
            require(tree.query(box, ignore, trace).hits == expected, "a different result with a trace");
            require(tree.query_volume(box, ignore).hits == expected, "a different result of query_volume");
            require(tree.query(box, filter, ignore).hits == (filter.bits ? expected : 0u), "categories");
            require(tree.query_fat(box, ignore).hits >= expected, "fat boxes");
            require(tree.query_if([](const Aabb&) { return true; }, ignore, filter).hits ==
                        (filter.bits ? 20u : 0u),
                    "query_if");
            return stats;
        }));
    const auto volumes = [](auto volume) {
        using V = decltype(volume);
        return empty_stays_empty(
            {"DynamicTree::query_volume(Volume, Visitor, optional<Categories>)"}, [](const V& v) {
                static const DynamicTree tree = filled_tree();
                std::uint32_t expected = 0;
                for (const Aabb& b : crowd())
                    expected += overlap(v, b) ? 1 : 0;
                const QueryStats stats = tree.query_volume(v, [](ProxyId, std::uint64_t) {});
                require(stats.hits == expected, "not the boxes that overlap");
                return stats;
            });
    };
    append(rows, {volumes(Sphere{}), volumes(Obb{}), volumes(Capsule{}), volumes(Triangle{})});
    rows.push_back(empty_stays_empty(
        {"DynamicTree::raycast(Ray, Visitor)", "DynamicTree::raycast(Ray, Visitor, Recording)"},
        [](const Ray& ray) {
            static const DynamicTree tree = filled_tree();
            std::uint32_t expected = 0;
            for (const Aabb& b : crowd())
                expected += raycast(ray, b) ? 1 : 0;
            Recording trace;
            const QueryStats stats = tree.raycast(ray, [&](ProxyId, std::uint64_t, float t) {
                require(t >= ray.t_begin() && t <= ray.t_max, "off the ray");
                return kEnd;
            });
            require(stats.hits == expected, "not the boxes that the ray hits");
            require(tree.raycast(ray, kKeepAll, trace).hits == expected, "a different result with a trace");
            return stats;
        }));
    // Results of a visitor.
    rows.push_back(no_nan(
        {"DynamicTree::raycast(Ray, Visitor)", "WideTree::raycast(Ray, Visitor)",
         "DynamicTree::closest(vec3, float, Visitor)", "DynamicTree::cast_box(Aabb, vec3, Visitor)"},
        [](float answer) {
            static const DynamicTree tree = filled_tree();
            static const WideTree wide = filled_wide_tree();
            const auto visitor = [&](ProxyId, std::uint64_t, float) { return answer; };
            const Ray ray{{-5.0f, 0.5f, 0.0f}, {1, 0, 0}};
            require(tree.raycast(ray, visitor).hits > 0 && wide.raycast(ray, visitor).hits > 0, "no hit");
            require(tree.closest(vec3(0.0f), kEnd, visitor).hits > 0, "nothing near");
            require(tree.cast_box({vec3(-5.0f), vec3(-4.0f)}, vec3(9.0f), visitor).hits > 0, "nothing met");
        }));
    rows.push_back(empty_stays_empty(
        {"DynamicTree::query_frustum(span<Plane>, Visitor, optional<Categories>)"}, [](const Plane& plane) {
            static const DynamicTree tree = filled_tree();
            return tree.query_frustum(std::array{plane}, [](ProxyId, std::uint64_t) {});
        }));
    rows.push_back(empty_stays_empty(
        {"DynamicTree::cast_box(Aabb, vec3, Visitor)"}, [](const Aabb& box, const vec3& displacement) {
            static const DynamicTree tree = filled_tree();
            return tree.cast_box(box, displacement, [](ProxyId, std::uint64_t, float t) {
                require(t >= 0.0f && t <= 1.0f, "beyond the displacement");
                return kEnd;
            });
        }));
    rows.push_back(
        empty_stays_empty({"DynamicTree::closest(vec3, float, Visitor)"}, [](const vec3& p, float limit_sq) {
            static const DynamicTree tree = filled_tree();
            return tree.closest(p, limit_sq, [&](ProxyId, std::uint64_t, float d) {
                require(d >= 0.0f && d <= limit_sq, "beyond the limit");
                return kEnd;
            });
        }));
    rows.push_back(no_nan({"DynamicTree::k_nearest(vec3, span<Neighbor>)"}, [](const vec3& p) {
        static const DynamicTree tree = filled_tree();
        std::vector<Neighbor> out(25);
        const std::size_t count = tree.k_nearest(p, out);
        require(count == (is_finite_argument(p) ? 20u : 0u), "how many");
        return out;
    }));
    rows.push_back(no_nan(
        {"DynamicTree::for_each_pair(Visitor)", "DynamicTree::for_each_pair(Visitor, Recording)",
         "DynamicTree::for_each_pair(DynamicTree, Visitor)", "PairCache::update(DynamicTree)",
         "PairCache::clear()", "PairCache::touching()", "PairCache::began()", "PairCache::ended()",
         "PairCache::queried()"},
        [](const Aabb& box) {
            DynamicTree tree = filled_tree();
            PairCache cache;
            cache.update(tree);
            const std::size_t before = cache.touching().size();
            tree.insert(box, 1);
            cache.update(tree);
            const auto ignore = [](ProxyId, ProxyId) {};
            Recording trace;
            const std::uint32_t pairs = tree.for_each_pair(ignore).hits;
            require(tree.for_each_pair(ignore, trace).hits == pairs, "a different result with a trace");
            require(cache.touching().size() == pairs && cache.ended().empty(), "the cache");
            require(cache.began().size() == pairs - before, "what began");
            require(cache.queried() == (is_accepted(box) ? 1u : 0u), "searched");
            static const DynamicTree other = filled_tree();
            require(tree.for_each_pair(other, ignore).hits >= 20, "pairs of two trees");
            cache.clear();
            require(cache.touching().empty(), "not cleared");
        }));
    return rows;
}

/// A tree of one root and two leaves, written by hand.
TreeSnapshot small_snapshot() {
    TreeSnapshot s;
    const Aabb a{vec3(-1.0f), vec3(0.0f)}, b{vec3(0.5f), vec3(2.0f)};
    s.boxes = {merge(a, b), a, b};
    s.parents = {TreeSnapshot::kNone, 0, 0};
    s.first_child = {1, TreeSnapshot::kNone, TreeSnapshot::kNone};
    s.child_count = {2, 0, 0};
    s.depths = {0, 1, 1};
    s.source_nodes = {0, 1, 2};
    s.first_payload = {0, 0, 1};
    s.payload_count = {0, 1, 2};
    s.payloads = {7, 8, 9};
    s.payload_boxes = {a, b, b};
    s.obbs = {{vec3(0.5f), vec3(1.5f), glm::mat3(1.0f)},
              {vec3(-0.5f), vec3(0.5f), glm::mat3(1.0f)},
              {vec3(1.25f), vec3(0.75f), glm::mat3(1.0f)}};
    return s;
}

}  // namespace

template <>
struct Sample<TreeSnapshot> {
    static TreeSnapshot of(int) { return small_snapshot(); }
};
template <>
struct Sample<BspOptions> {
    static BspOptions of(int) { return {}; }
};

namespace {

std::vector<Row> snapshot_rows() {
    std::vector<Row> rows;
    rows.push_back(no_nan(
        {"check_snapshot(TreeSnapshot, SnapshotCheck)", "snapshot_to_bytes(TreeSnapshot)",
         "snapshot_from_bytes(span<uint8_t>, SnapshotCheck)", "loose_nodes(TreeSnapshot, size_t)",
         "measure(TreeSnapshot, MetricOptions)", "sibling_overlap(TreeSnapshot, uint32_t)",
         "dead_space(TreeSnapshot, uint32_t)", "node_heights(TreeSnapshot)", "TreeSnapshot::size()",
         "TreeSnapshot::empty()", "TreeSnapshot::is_leaf(uint32_t)"},
        [](const TreeSnapshot& tree) {
            std::tuple<TreeMetrics, std::vector<double>, LooseNodes, SnapshotResult> result;
            for (const SnapshotCheck check : {SnapshotCheck::Structure, SnapshotCheck::Sound}) {
                const auto wrong = check_snapshot(tree, check);
                const SnapshotResult read = snapshot_from_bytes(snapshot_to_bytes(tree), check);
                require(read.tree.has_value() == !wrong, "two answers");
                require(!read.tree || *read.tree == tree, "a different tree after writing and reading");
                std::get<3>(result) = read;
                if (wrong) continue;
                require(is_finite_argument(tree.boxes) && is_finite_argument(tree.payload_boxes) &&
                            is_finite_argument(tree.obbs),
                        "a tree that is not finite passes");
                MetricOptions options;
                options.epo = MeasureEpo::Yes;
                options.random_rays = options.random_boxes = 8;
                std::get<0>(result) = measure(tree, options);
                for (std::uint32_t node = 0; node < tree.size(); ++node) {
                    std::get<1>(result).push_back(sibling_overlap(tree, node));
                    std::get<1>(result).push_back(dead_space(tree, node));
                    require(tree.is_leaf(node) == (node != 0), "a leaf");
                }
                require(!tree.empty() && node_heights(tree) == std::vector<std::uint32_t>{1, 0, 0},
                        "heights");
                std::get<2>(result) = loose_nodes(tree, 10);
                require(check != SnapshotCheck::Sound || std::get<2>(result).count <= 2, "loose");
            }
            return result;
        }));
    rows.push_back(no_nan({"measure(TreeSnapshot, MetricOptions)"}, [](const MetricOptions& options) {
        MetricOptions all = options;
        all.epo = MeasureEpo::Yes;
        all.random_rays = all.random_boxes = 8;
        const TreeMetrics m = measure(filled_tree().snapshot(), all);
        require(m.sah >= 0.0 && m.epo >= 0.0, "a negative cost");
        return m;
    }));
    rows.push_back(no_nan({"loose_nodes(TreeSnapshot, size_t)"}, [](std::size_t max_nodes) {
        TreeSnapshot loose = small_snapshot();
        loose.boxes[0] = loose.boxes[1];
        const LooseNodes found = loose_nodes(loose, max_nodes);
        require(found.count == 1 && found.first.size() == std::min<std::size_t>(max_nodes, 1), "how many");
        return found;
    }));
    rows.push_back(no_nan({"boxes_to_text(span<Aabb>)", "boxes_from_text(string_view)"}, [](const Aabb& box) {
        const BoxList list = boxes_from_text(boxes_to_text({&box, 1}));
        require(list.error.has_value() == !is_accepted(box), "a box that is not finite is read");
        require(list.error || (list.boxes.size() == 1 && list.boxes[0] == box),
                "a different box after writing and reading");
        return list;
    }));
    rows.push_back(without_numbers(
        {"boxes_from_text(string_view)", "snapshot_from_bytes(span<uint8_t>, SnapshotCheck)"}, [] {
            for (const char* text :
                 {"nan 0 0 1 1 1", "-inf 0 0 1 1 1", "0 0 0 inf 1 1", "0 0 0 1e39 1 1", "0 0 0 1e-50 1 1",
                  "0 0 0 1e99999999999999999999 1 1", "0x1p3 0 0 1 1 1"}) {
                const BoxList list = boxes_from_text(text);
                for (const Aabb& box : list.boxes)
                    EXPECT_TRUE(is_accepted(box)) << text;
            }
            // Every byte of a serialized tree replaced by others, and the bytes truncated anywhere.
            const std::vector<std::uint8_t> bytes = snapshot_to_bytes(small_snapshot());
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                EXPECT_FALSE(snapshot_from_bytes(std::span(bytes).first(i)).tree);
                for (const int value : {0x00, 0x7f, 0x80, 0xff}) {
                    std::vector<std::uint8_t> changed = bytes;
                    changed[i] = static_cast<std::uint8_t>(value);
                    for (const SnapshotCheck check : {SnapshotCheck::Structure, SnapshotCheck::Sound}) {
                        const SnapshotResult read = snapshot_from_bytes(changed, check);
                        if (read.tree) {
                            EXPECT_FALSE(check_snapshot(*read.tree, check)) << i;
                        }
                    }
                }
            }
        }));
    return rows;
}

}  // namespace

std::vector<Row> tree_rows() {
    std::vector<Row> rows;
    append(rows, dynamic_changes());
    append(rows, dynamic_queries());
    append(rows, moving_tree_rows());
    append(rows, snapshot_rows());
    return rows;
}

std::vector<Row> other_rows() {
    std::vector<Row> rows;
    rows.push_back(
        no_nan({"BuildProgress::set_range(float, float)", "BuildProgress::begin_part(float, float, uint64_t)",
                "BuildProgress::advance(uint64_t)", "BuildProgress::done()", "BuildProgress::cancel()",
                "BuildProgress::cancelled()", "BuildProgress::reset()"},
               [](float from, float to, std::uint64_t units) {
                   BuildProgress progress;
                   progress.set_range(from, to);
                   for (int part = 0; part < 2; ++part) {
                       progress.begin_part(0.0f, 0.5f, units);
                       require(progress.advance(units) && progress.advance(1), "cancelled");
                       require(progress.done() >= 0.0f && progress.done() <= 1.0f, "not between 0 and 1");
                       progress.reset();
                       require(progress.done() == 0.0f, "not reset");
                       progress.begin_part(from, to, units);
                       progress.advance(units);
                       require(progress.done() >= 0.0f && progress.done() <= 1.0f, "not between 0 and 1");
                   }
                   progress.cancel();
                   require(progress.cancelled() && !progress.advance(1), "not cancelled");
                   return progress.done();
               }));
    rows.push_back(no_nan({"Recording::Recording(size_t)", "Recording::events()", "Recording::dropped()",
                           "Recording::overflowed()", "Recording::clear()", "Recording::operator()(Event)",
                           "NoTrace::operator()(Event)"},
                          [](std::size_t capacity) {
                              Recording trace(capacity);
                              trace(AxisTested{});
                              for (int i = 0; i < 14; ++i)
                                  trace(SlabClipped{});
                              require(trace.events().size() + trace.dropped() == 15, "events lost");
                              require(trace.events().size() == std::min<std::size_t>(capacity, 15),
                                      "the capacity");
                              require(trace.overflowed() == (capacity < 15), "overflowed");
                              NoTrace{}(trace.events());
                              trace.clear();
                              require(trace.events().empty() && !trace.overflowed(), "not cleared");
                          }));
    rows.push_back(no_nan({"MortonGrid::MortonGrid(Aabb)", "MortonGrid::code(vec3)"},
                          [](const Aabb& bounds, const vec3& point) {
                              const std::uint32_t code = MortonGrid(bounds).code(point);
                              require(code < (1u << 30), "a code of more than 30 bits");
                              // Bits of axis k: all 0 in the lowest cell, all 1 in the highest.
                              for (int k = 0; k < 3; ++k) {
                                  const std::uint32_t bits = code & (0x09249249u << (2 - k));
                                  if (std::isnan(point[k]) || point[k] <= bounds.min[k])
                                      require(bits == 0, "not in the lowest cell");
                              }
                          }));
    rows.push_back(no_nan({"morton_code(uint32_t, uint32_t, uint32_t)"},
                          [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
                              if (std::max({x, y, z}) >= 1024) return;
                              std::uint32_t code = 0;
                              for (int bit = 0; bit < 10; ++bit)
                                  code |= ((x >> bit) & 1u) << (3 * bit + 2) |
                                          ((y >> bit) & 1u) << (3 * bit + 1) | ((z >> bit) & 1u) << (3 * bit);
                              require(morton_code(x, y, z) == code, "the bits interleaved");
                          }));
    rows.push_back(no_nan({"hash::operator()(bv::Id<Tag>)", "Id::valid()"}, [](const NodeIndex& id) {
        require(std::hash<NodeIndex>{}(id) == std::hash<std::uint32_t>{}(id.value), "the hash");
        require(id.valid() == (id.value != NodeIndex::kInvalid), "valid");
    }));
    rows.push_back(without_numbers(
        {"TaskRunner::concurrency()", "TaskRunner::run(size_t, Job)", "serial_tasks()",
         "set_assert_handler(AssertHandler)", "FunctionRef::FunctionRef(F)", "FunctionRef::operator()(Args)"},
        [] {
            std::size_t sum = 0;
            EXPECT_GE(serial_tasks().concurrency(), 1u);
            serial_tasks().run(4, [&](std::size_t i) { sum += i; });
            serial_tasks().run(0, [&](std::size_t) { sum += 100; });
            EXPECT_EQ(sum, 6u);
            const AssertHandler before = set_assert_handler(nullptr);
            set_assert_handler(before);
            auto twice = [](float x) { return 2.0f * x; };
            const FunctionRef<float(float)> ref(twice);
            EXPECT_TRUE(std::isnan(ref(std::numeric_limits<float>::quiet_NaN())));
        }));
    return rows;
}

}  // namespace bv::test
