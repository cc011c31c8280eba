// The wide tree, what both dynamic trees have, and broadphases, in the table.
#include <algorithm>
#include <optional>

#include "bv/broadphase/broadphase.hpp"
#include "bv/broadphase/pair_rules.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/pair_cache.hpp"
#include "table.hpp"
#include "tree_samples.hpp"

namespace bv::test {
namespace {

using glm::vec3;

WideTree filled_like(const WideTree&) {
    return filled_wide_tree();
}
DynamicTree filled_like(const DynamicTree&) {
    return filled_tree();
}

/// What both dynamic trees have under the same names; `tree` is the class's name.
template <class Tree>
std::vector<Row> both_trees(const std::string& tree_name) {
    const auto named = [&](std::vector<std::string> functions) {
        for (std::string& f : functions)
            f = tree_name + "::" + f;
        return functions;
    };
    std::vector<Row> rows;
    rows.push_back(no_nan(
        named({"move_all(span<ProxyId>, span<Aabb>, span<vec3>)", "remove_all(span<ProxyId>)", "rebuild()",
               "rebuild(Recording)", "tight_box(ProxyId)"}),
        [](const Aabb& box, const vec3& displacement, const ProxyId& id) {
            Tree tree = filled_like(Tree{});
            const bool is_present = tree.contains(id);
            const std::array ids{ProxyId{2, 0}, id};
            const TreeStatus moved =
                tree.move_all(ids, std::array{crowd()[3], box}, std::array{vec3(0.0f), displacement}).status;
            const bool ok = is_present && is_accepted(box) && is_finite_argument(displacement);
            require((moved == TreeStatus::Ok) == ok, "the status of move_all");
            require(ok == (id.index == 2 || tree.tight_box(ProxyId{2, 0}) == crowd()[3]), "moved in part");
            require(!tree.validate() && tree.rebuild() == TreeStatus::Ok, "a broken tree");
            require((tree.remove_all(ids) == TreeStatus::Ok) == is_present, "the status of remove_all");
            Recording trace;
            require(tree.rebuild(trace) == TreeStatus::Ok && !tree.validate(), "a broken tree");
            return tree.snapshot();
        }));
    rows.push_back(empty_stays_empty(named({"raycast_nearest(Ray)"}), [](const Ray& ray) {
        static const Tree tree = filled_like(Tree{});
        const std::optional<ProxyRayHit> first = tree.raycast_nearest(ray);
        std::optional<float> expected;
        for (const Aabb& b : crowd())
            if (const auto hit = raycast(ray, b)) expected = std::min(expected.value_or(hit->t), hit->t);
        require(first.has_value() == expected.has_value() && (!first || first->t == *expected),
                "not the nearest box");
        return first;
    }));
    return rows;
}

std::vector<Row> wide_changes() {
    std::vector<Row> rows;
    rows.push_back(no_nan(
        {"WideTree::insert(Aabb, uint64_t, Recording)", "WideTree::move(ProxyId, Aabb, vec3)",
         "WideTree::move(ProxyId, Aabb, vec3, Recording)", "WideTree::update(Recording)",
         "WideTree::remove(ProxyId, Recording)", "WideTree::fat_box(ProxyId)", "WideTree::tight_box(ProxyId)",
         "WideTree::height()"},
        [](const Aabb& box, const vec3& displacement) {
            WideTree tree = filled_wide_tree();
            Recording trace;
            const TreeStatus expected = is_accepted(box) ? TreeStatus::Ok : TreeStatus::NotFinite;
            require(tree.insert(box, 1, trace).status == expected, "the status of insert with a trace");
            const bool ok = is_accepted(box) && is_finite_argument(displacement);
            const ProxyId id{5, 0};
            require((tree.move(id, box, displacement).status == TreeStatus::Ok) == ok, "the status of move");
            require((tree.move(id, box, displacement, trace).status == TreeStatus::Ok) == ok,
                    "the status of move with a trace");
            require(tree.tight_box(id) == (ok ? box : crowd()[5]), "the box");
            require(tree.fat_box(id) == tree.tight_box(id), "a margin");
            tree.update(trace);
            require(!tree.validate() && tree.height() == 1 && tree.bounds().is_finite(), "a broken tree");
            require(tree.remove(id, trace) == TreeStatus::Ok && !tree.validate(), "remove with a trace");
            return tree.snapshot();
        }));
    rows.push_back(no_nan(
        {"WideTree::set_categories(ProxyId, Categories)", "WideTree::categories(ProxyId)",
         "WideTree::leaf_node(ProxyId)", "WideTree::proxy_at(uint32_t)", "WideTree::proxy_slots()"},
        [](const ProxyId& id, const Categories& categories, std::uint32_t slot) {
            WideTree tree = filled_wide_tree();
            const bool is_present = tree.contains(id);
            require(
                tree.set_categories(id, categories) == (is_present ? TreeStatus::Ok : TreeStatus::StaleId),
                "set_categories");
            require(tree.categories(id).bits == (is_present ? categories.bits : 0u), "categories");
            require(tree.leaf_node(id).valid() == is_present, "the block of a stale id");
            require(tree.proxy_at(slot).valid() == (slot < tree.proxy_slots()), "proxy_at");
            require(!tree.validate(), "a broken tree");
        }));
    rows.push_back(no_nan({"WideTree::options()", "WideTree::set_options(WideTreeOptions)"},
                          [](const WideTreeOptions& options) {
                              WideTree tree = filled_wide_tree();
                              tree.set_options(options);
                              require(tree.options().rebuild_growth >= 1.0f,
                                      "a growth that rebuilds always or never");
                              tree.update();
                              require(!tree.validate(), "a broken tree");
                          }));
    return rows;
}

std::vector<Row> wide_queries() {
    std::vector<Row> rows;
    rows.push_back(empty_stays_empty(
        {"WideTree::query(Aabb, Categories, Visitor)", "WideTree::query_fat(Aabb, Visitor)",
         "WideTree::query_if(Test, Visitor, optional<Categories>)",
         "WideTree::query_volume(Volume, Visitor, optional<Categories>)"},
        [](const Aabb& box, const Categories& filter) {
            static const WideTree tree = filled_wide_tree();
            static const DynamicTree reference = filled_tree();
            const auto ignore = [](ProxyId, std::uint64_t) {};
            const QueryStats stats = tree.query_fat(box, ignore);
            require(stats.hits == reference.query(box, ignore).hits, "query_fat");
            require(tree.query_volume(box, ignore).hits == stats.hits, "query_volume");
            require(tree.query(box, filter, ignore).hits == (filter.bits ? stats.hits : 0u), "categories");
            require(tree.query_if([](const Aabb&) { return true; }, ignore, filter).hits ==
                        (filter.bits ? 20u : 0u),
                    "query_if");
            return stats;
        }));
    rows.push_back(empty_stays_empty(
        {"WideTree::query_frustum(span<Plane>, Visitor, optional<Categories>)"}, [](const Plane& plane) {
            static const WideTree tree = filled_wide_tree();
            static const DynamicTree reference = filled_tree();
            const auto ignore = [](ProxyId, std::uint64_t) {};
            const QueryStats stats = tree.query_frustum(std::array{plane}, ignore);
            require(stats.hits == reference.query_frustum(std::array{plane}, ignore).hits,
                    "a different result than the dynamic tree's");
            return stats;
        }));
    rows.push_back(empty_stays_empty(
        {"WideTree::cast_box(Aabb, vec3, Visitor)"}, [](const Aabb& box, const vec3& displacement) {
            static const WideTree tree = filled_wide_tree();
            static const DynamicTree reference = filled_tree();
            const QueryStats stats = tree.cast_box(box, displacement, [](ProxyId, std::uint64_t, float t) {
                require(t >= 0.0f && t <= 1.0f, "beyond the displacement");
                return kEnd;
            });
            require(stats.hits == reference.cast_box(box, displacement, kKeepAll).hits,
                    "a different result than the dynamic tree's");
            return stats;
        }));
    rows.push_back(
        empty_stays_empty({"WideTree::closest(vec3, float, Visitor)"}, [](const vec3& p, float limit_sq) {
            static const WideTree tree = filled_wide_tree();
            static const DynamicTree reference = filled_tree();
            const QueryStats stats = tree.closest(p, limit_sq, [&](ProxyId, std::uint64_t, float d) {
                require(d >= 0.0f && d <= limit_sq, "beyond the limit");
                return kEnd;
            });
            require(stats.hits == reference.closest(p, limit_sq, kKeepAll).hits,
                    "a different result than the dynamic tree's");
            return stats;
        }));
    rows.push_back(no_nan({"WideTree::k_nearest(vec3, span<Neighbor>)"}, [](const vec3& p) {
        static const WideTree tree = filled_wide_tree();
        static const DynamicTree reference = filled_tree();
        std::vector<Neighbor> out(25), expected(25);
        const std::size_t count = tree.k_nearest(p, out);
        require(count == reference.k_nearest(p, expected) && out == expected,
                "a different result than the dynamic tree's");
        return out;
    }));
    rows.push_back(no_nan(
        {"WideTree::for_each_pair(Visitor, Recording)", "WideTree::for_each_pair(WideTree, Visitor)",
         "PairCache::update(WideTree)", "PairCache::update(span<Pair>)", "PairCache::persisted()",
         "DynamicTree::collect_pairs(vector<Pair>, TaskRunner)", "DynamicTree::for_each_part(Visitor)"},
        [](const Aabb& box) {
            WideTree tree = filled_wide_tree();
            DynamicTree reference = filled_tree();
            PairCache cache, reference_cache, listed;
            cache.update(tree);
            reference_cache.update(reference);
            listed.update(cache.touching());
            tree.insert(box, 1);
            reference.insert(box, 1);
            cache.update(tree);
            reference_cache.update(reference);
            listed.update(cache.touching());
            const auto same = [](auto a, auto b) {
                return std::equal(a.begin(), a.end(), b.begin(), b.end());
            };
            require(same(cache.touching(), reference_cache.touching()), "other pairs");
            require(same(cache.began(), reference_cache.began()) && same(cache.began(), listed.began()),
                    "what began");
            require(same(cache.persisted(), reference_cache.persisted()) &&
                        same(cache.persisted(), listed.persisted()),
                    "what persists");
            Recording trace;
            std::vector<DynamicTree::Pair> pairs;
            reference.collect_pairs(pairs);
            std::size_t in_parts = 0;
            reference.for_each_part([&](auto part) { in_parts += part.size(); });
            require(in_parts == pairs.size(), "other pairs in parts");
            const auto ignore = [](ProxyId, ProxyId) {};
            require(tree.for_each_pair(ignore, trace).hits == pairs.size(), "pairs with a trace");
            static const WideTree other = filled_wide_tree();
            static const DynamicTree other_reference = filled_tree();
            require(tree.for_each_pair(other, ignore).hits ==
                        reference.for_each_pair(other_reference, ignore).hits,
                    "pairs of two trees");
        }));
    return rows;
}

std::vector<Row> wide_rows() {
    std::vector<Row> rows = wide_changes();
    append(rows, wide_queries());
    append(rows, both_trees<WideTree>("WideTree"));
    append(rows, both_trees<DynamicTree>("DynamicTree"));
    rows.push_back(no_nan(
        {"WideTree::WideTree()", "WideTree::WideTree(WideTreeOptions)", "WideTree::insert(Aabb, uint64_t)",
         "WideTree::move(ProxyId, Aabb, vec3)", "WideTree::update(TaskRunner)", "WideTree::rebuild()",
         "WideTree::clear()", "WideTree::size()", "WideTree::empty()", "WideTree::bounds()",
         "WideTree::memory_bytes()", "WideTree::snapshot()", "WideTree::validate()",
         "WideTree::user_data(ProxyId)"},
        [](const Aabb& box, std::uint64_t data, const WideTreeOptions& options) {
            WideTree tree(options);
            give_box(tree, box, data, [&](ProxyId id, const Aabb& b) { return tree.move(id, b).status; });
            tree.rebuild();
            require(!tree.validate() && tree.bounds().is_finite() && tree.memory_bytes() > 0, "broken");
            const TreeSnapshot snapshot = tree.snapshot();
            require(!check_snapshot(snapshot), "a broken snapshot");
            tree.clear();
            require(tree.empty() && tree.bounds().is_empty(), "not empty");
            return snapshot;
        }));
    rows.push_back(no_nan(
        {"WideTree::remove(ProxyId)", "WideTree::contains(ProxyId)", "WideTree::tight_box(ProxyId)",
         "WideTree::user_data(ProxyId)", "WideTree::move(ProxyId, Aabb, vec3)"},
        [](const ProxyId& id) {
            WideTree tree;
            give_id(tree, id);
            WideTree other = filled_wide_tree();
            require(other.tight_box(id).is_empty() != other.contains(id), "the box of a stale id");
            require((other.move(id, crowd()[0]).status == TreeStatus::Ok) == other.contains(id), "move");
        }));
    rows.push_back(
        no_nan({"WideTree::insert_all(span<Aabb>, span<uint64_t>, span<ProxyId>)"}, [](const Aabb& box) {
            std::vector<Aabb> boxes = crowd();
            boxes[7] = box;
            const std::vector<std::uint64_t> data(boxes.size(), ~0ull);
            WideTree tree;
            require(
                tree.insert_all(boxes, data) == (is_accepted(box) ? TreeStatus::Ok : TreeStatus::NotFinite),
                "the status");
            require(tree.size() == (is_accepted(box) ? boxes.size() : 0) && !tree.validate(),
                    "a broken tree");
        }));
    rows.push_back(empty_stays_empty(
        {"WideTree::query(Aabb, Visitor)", "WideTree::query(Aabb, Visitor, Recording)"}, [](const Aabb& box) {
            static const WideTree tree = filled_wide_tree();
            static const DynamicTree reference = filled_tree();
            const auto ignore = [](ProxyId, std::uint64_t) {};
            Recording trace;
            const QueryStats stats = tree.query(box, ignore);
            require(stats.hits == reference.query(box, ignore).hits,
                    "a different result than the dynamic tree's");
            require(tree.query(box, ignore, trace).hits == stats.hits, "a different result with a trace");
            return stats;
        }));
    rows.push_back(empty_stays_empty(
        {"WideTree::raycast(Ray, Visitor)", "WideTree::raycast(Ray, Visitor, Recording)"},
        [](const Ray& ray) {
            static const WideTree tree = filled_wide_tree();
            static const DynamicTree reference = filled_tree();
            Recording trace;
            const QueryStats stats = tree.raycast(ray, kKeepAll);
            require(stats.hits == reference.raycast(ray, kKeepAll).hits,
                    "a different result than the dynamic tree's");
            require(tree.raycast(ray, kKeepAll, trace).hits == stats.hits, "a different result with a trace");
            return stats;
        }));
    rows.push_back(no_nan(
        {"WideTree::for_each_pair(Visitor)", "WideTree::collect_pairs(vector<Pair>, TaskRunner)",
         "WideTree::for_each_part(Visitor)"},
        [](const Aabb& box) {
            WideTree tree = filled_wide_tree();
            DynamicTree reference = filled_tree();
            tree.insert(box, 1);
            reference.insert(box, 1);
            const std::uint32_t expected = reference.for_each_pair([](ProxyId, ProxyId) {}).hits;
            std::vector<WideTree::Pair> pairs;
            std::size_t in_parts = 0;
            tree.collect_pairs(pairs);
            tree.for_each_part([&](std::span<const WideTree::Pair> part) { in_parts += part.size(); });
            require(pairs.size() == expected && in_parts == expected, "not the pairs of the dynamic tree");
            require(tree.for_each_pair([](ProxyId, ProxyId) {}).hits == expected, "for_each_pair");
        }));
    return rows;
}

std::vector<Row> broadphase_rows() {
    std::vector<Row> rows;
    rows.push_back(no_nan(
        {"Broadphase::insert(Aabb, uint64_t)", "Broadphase::move(ProxyId, Aabb, vec3)",
         "Broadphase::update()", "Broadphase::find_pairs(vector<ProxyPair>, PairLimits)",
         "Broadphase::find_pairs(vector<ProxyPair>, PairLimits, Recording)", "Broadphase::size()",
         "Broadphase::box(ProxyId)", "Broadphase::user_data(ProxyId)", "Broadphase::has_tree()",
         "Broadphase::snapshot()", "Broadphase::layout()", "Broadphase::validate()", "Broadphase::clone()",
         "Broadphase::kind()", "Broadphase::rebuild(Builder)", "Broadphase::set_tasks(TaskRunner*)",
         "broadphase_kinds()", "broadphase_info(BroadphaseKind)",
         "make_broadphase(BroadphaseKind, TreeOptions)"},
        [](const Aabb& box, const vec3& displacement, std::uint64_t data) {
            const auto stranger = static_cast<BroadphaseKind>(200);
            require(broadphase_info(stranger).kind == make_broadphase(stranger)->kind(), "two fallbacks");
            std::vector<BroadphaseLayout> layouts;
            std::vector<ProxyPair> first;
            for (const BroadphaseInfo& info : broadphase_kinds()) {
                const auto engine = make_broadphase(info.kind);
                require(engine->kind() == info.kind && broadphase_info(info.kind).id == info.id,
                        "another kind");
                give_box(*engine, box, data,
                         [&](ProxyId id, const Aabb& b) { return engine->move(id, b).status; });
                const TreeStatus moved = engine->move(ProxyId{2, 0}, crowd()[2], displacement).status;
                require((moved == TreeStatus::Ok) == is_finite_argument(displacement),
                        "a displacement that is not finite");
                engine->update();
                std::vector<ProxyPair> pairs;
                engine->find_pairs(pairs);
                std::vector<ProxyPair> traced;
                Recording trace;
                engine->find_pairs(traced, {}, trace);
                require(traced == pairs, "other pairs with a trace");
                if (info.kind == broadphase_kinds().front().kind) first = pairs;
                require(pairs == first, "different pairs than the first engine's");
                engine->set_tasks(&serial_tasks());
                const auto copy = engine->clone();
                copy->find_pairs(pairs);
                require(pairs == first && copy->size() == engine->size(), "different pairs of a copy");
                copy->rebuild(Builder::Median);
                require(!copy->validate() && copy->box(ProxyId{2, 0}) == crowd()[2], "a broken copy");
                require(copy->user_data(ProxyId{2, 0}) == 2u, "user data of a copy");
                require(!check_snapshot(engine->snapshot()), "a broken snapshot");
                require(engine->has_tree() != engine->snapshot().empty(), "a snapshot without a tree");
                layouts.push_back(engine->layout());
                require(is_finite_argument(layouts.back()), "a layout that is not finite");
            }
            return layouts;
        }));
    rows.push_back(no_nan({"Broadphase::remove(ProxyId)", "Broadphase::contains(ProxyId)",
                           "Broadphase::box(ProxyId)", "Broadphase::user_data(ProxyId)"},
                          [](const ProxyId& id) {
                              for (const BroadphaseInfo& info : broadphase_kinds()) {
                                  const auto engine = make_broadphase(info.kind);
                                  give_id(*engine, id);
                                  require(engine->box(id).is_empty(), "the box of a stale id");
                              }
                          }));
    rows.push_back(empty_stays_empty(
        {"Broadphase::raycast(Ray, Visitor)", "Broadphase::raycast(Ray, Visitor, Recording)"},
        [](const Ray& ray) {
            QueryStats stats;
            static const DynamicTree reference = filled_tree();
            for (const BroadphaseInfo& info : broadphase_kinds()) {
                const auto engine = make_broadphase(info.kind);
                fill(*engine);
                engine->update();
                Recording trace;
                stats = engine->raycast(ray, kKeepAll);
                require(stats.hits == reference.raycast(ray, kKeepAll).hits, "another answer");
                require(engine->raycast(ray, kKeepAll, trace).hits == stats.hits, "with a trace");
            }
            return stats;
        }));
    rows.push_back(no_nan({"find_pairs_by_rules(span<RuledBody>, PairRules, RuledPairs)",
                           "find_pairs_by_rules(span<RuledBody>, PairRules, RuledPairs, Recording)"},
                          [](const Aabb& box, const vec3& velocity) {
                              std::vector<RuledBody> bodies(6, {{vec3(-1.0f), vec3(1.0f)}, vec3(1, 0, 0)});
                              bodies[3] = {box, velocity};
                              const bool is_box = is_finite(box.min) && is_finite(box.max) && !box.is_empty();
                              for (const bool on : {false, true}) {
                                  const PairRules rules{on, on, true, false, on};
                                  RuledPairs found, again;
                                  Recording trace;
                                  find_pairs_by_rules(bodies, rules, found);
                                  find_pairs_by_rules(bodies, rules, again, trace);
                                  require(found.pairs == again.pairs, "other pairs with a trace");
                                  require(found.pairs.size() >= 10, "a box loses others their pairs");
                                  require(is_box || found.pairs.size() == 10, "a pair of what is no box");
                              }
                          }));
    rows.push_back(no_nan(
        {"Broadphase::set_tree_options(TreeOptions)", "make_broadphase(BroadphaseKind, TreeOptions)",
         "Broadphase::find_pairs(vector<ProxyPair>, PairLimits)"},
        [](const TreeOptions& options, const PairLimits& limits) {
            for (const BroadphaseInfo& info : broadphase_kinds()) {
                const auto engine = make_broadphase(info.kind, options);
                fill(*engine);
                engine->set_tree_options(options);
                engine->update();
                std::vector<ProxyPair> pairs;
                const BroadphaseStats stats = engine->find_pairs(pairs, limits);
                require(pairs.size() <= std::max<std::size_t>(limits.kept, 1), "more than the limit kept");
                require(pairs.size() <= stats.pairs, "more kept than found");
                require(!engine->validate(), "a broken tree");
            }
        }));
    rows.push_back(no_nan(
        {"Broadphase::insert_all(span<Aabb>, span<uint64_t>, span<ProxyId>)",
         "Broadphase::move_all(span<ProxyId>, span<Aabb>, span<vec3>)",
         "Broadphase::remove_all(span<ProxyId>)", "Broadphase::clear()",
         "Broadphase::find_pairs(PairCache, PairLimits)"},
        [](const Aabb& box, const vec3& displacement, const ProxyId& id) {
            for (const BroadphaseInfo& info : broadphase_kinds()) {
                const auto engine = make_broadphase(info.kind);
                std::vector<Aabb> boxes = crowd();
                const std::vector<std::uint64_t> data(boxes.size(), 7);
                require(engine->insert_all(boxes, data) == TreeStatus::Ok, "the status of insert_all");
                boxes[7] = box;
                require((engine->insert_all(boxes, data) == TreeStatus::Ok) == is_accepted(box),
                        "the status of insert_all");
                require(engine->size() == (is_accepted(box) ? 40u : 20u), "added in part");
                const bool is_present = engine->contains(id);
                const std::array ids{ProxyId{2, 0}, id};
                const bool ok = is_present && is_accepted(box) && is_finite_argument(displacement);
                require((engine->move_all(ids, std::array{crowd()[3], box},
                                          std::array{vec3(0.0f), displacement}) == TreeStatus::Ok) == ok,
                        "the status of move_all");
                engine->update();
                PairCache events;
                std::vector<ProxyPair> pairs;
                require(engine->find_pairs(events).pairs == engine->find_pairs(pairs).pairs, "events");
                require((engine->remove_all(ids) == TreeStatus::Ok) == is_present,
                        "the status of remove_all");
                require(!engine->validate(), "a broken tree");
                require(engine->clear() == TreeStatus::Ok && engine->size() == 0, "not empty");
            }
        }));
    rows.push_back(empty_stays_empty(
        {"Broadphase::query(Aabb, Visitor)", "Broadphase::query(Aabb, Visitor, Recording)"},
        [](const Aabb& box) {
            QueryStats stats;
            static const DynamicTree reference = filled_tree();
            const auto ignore = [](ProxyId, std::uint64_t) {};
            for (const BroadphaseInfo& info : broadphase_kinds()) {
                const auto engine = make_broadphase(info.kind);
                fill(*engine);
                engine->update();
                Recording trace;
                stats = engine->query(box, ignore);
                require(stats.hits == reference.query(box, ignore).hits, "another answer");
                require(engine->query(box, ignore, trace).hits == stats.hits, "with a trace");
            }
            return stats;
        }));
    rows.push_back(empty_stays_empty({"Broadphase::raycast_nearest(Ray)"}, [](const Ray& ray) {
        std::optional<ProxyRayHit> first;
        static const DynamicTree reference = filled_tree();
        for (const BroadphaseInfo& info : broadphase_kinds()) {
            const auto engine = make_broadphase(info.kind);
            fill(*engine);
            engine->update();
            first = engine->raycast_nearest(ray);
            require(first == reference.raycast_nearest(ray), "another answer");
        }
        return first;
    }));
    return rows;
}

}  // namespace

std::vector<Row> moving_tree_rows() {
    std::vector<Row> rows = wide_rows();
    append(rows, broadphase_rows());
    return rows;
}

}  // namespace bv::test
