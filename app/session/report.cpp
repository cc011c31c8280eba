#include "session/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "settings/program.hpp"
#include "settings/view.hpp"
#include "view/gizmo.hpp"
#include "world/tree_recipes.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

void add_gizmo(const Session& session, std::vector<io::ReportTarget>& targets) {
    const auto pivot = session.state().selection_pivot();
    if (!pivot) return;
    const auto gizmo =
        gizmo_at(*pivot, session.state().settings[kEditGizmo], session.state().view.shown_camera(),
                 session.state().view.rect.size_px, session.state().settings[kUiScale]);
    if (!gizmo) return;
    const auto add = [&](const char* id, const glm::vec3& at) {
        if (const auto seen = session.state().view.pixel_of(at)) targets.push_back({id, *seen});
    };
    add("center", *pivot);
    const char* const names[] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; ++axis)
        add(names[axis], *pivot + kGizmoArrowPx * gizmo->metres_per_px * unit_axis(axis));
}

void add_selection(const Session& session, io::ReportSelection& out) {
    const FrameResults& results = session.results();
    for (const bv::BodyId id : session.state().view.selection.bodies)
        out.bodies.push_back(id.value);
    if (const auto& ref = results.selected_node) {
        const bv::TreeSnapshot& tree = *find_tree(results.trees, ref->tree);
        const std::uint32_t node = ref->node;
        io::ReportSelection::Node row;
        row.tree = ref->tree;
        row.index = node;
        row.depth = tree.depths[node];
        if (node > 0) row.parent = tree.parents[node];
        for (std::uint32_t i = 0; i < tree.child_count[node]; ++i)
            row.children.push_back(tree.first_child[node] + i);
        row.min = tree.boxes[node].min;
        row.max = tree.boxes[node].max;
        row.window_px = session.state().view.pixel_of({row.min.x, row.max.y, tree.boxes[node].center().z});
        out.node = std::move(row);
    }
    out.isolated = results.isolated_node.has_value();
    if (results.selected_triangle) out.triangle = results.selected_triangle->triangle;
    out.ray = results.selected_ray;
    out.undo = session.state().edits.undo_count();
    out.redo = session.state().edits.redo_count();
    add_gizmo(session, out.gizmo);
}

void add_view(const Session& session, io::Report& report) {
    if (session.state().selected().valid()) report.selected = session.state().selected().value;
    add_selection(session, report.selection);
    const Camera& camera = session.state().view.camera;
    report.camera = {camera.target, static_cast<double>(camera.distance), static_cast<double>(camera.yaw_rad),
                     static_cast<double>(camera.pitch_rad)};
    for (const Handle& handle : session.results().handles)
        if (const auto at = session.state().view.pixel_of(handle.position))
            report.handles.push_back({handle.id, *at});
}

void add_bodies(const Session& session, io::Report& report) {
    for (const BodyState& body : session.results().bodies) {
        io::ReportBody row;
        row.id = body.id.value;
        row.name = body.name;
        row.mesh = session.meshes()[body.mesh].name;
        row.position = body.transform[3];
        row.window_px = session.state().view.pixel_of(body.transform[3]);
        row.colliding = body.colliding;
        row.hidden = body.hidden;
        row.pairs_by = volume_id(body.volumes.kind);
        report.bodies.push_back(std::move(row));
    }
}

void add_volumes(const Session& session, io::Report& report) {
    for (const FitRow& fit : session.results().fits)
        report.volumes.push_back({fit.body, fit.kind, fit.algorithm, fit.volume, fit.surface, fit.fit_ms,
                                  fit.tightness, fit.contains_all});
    if (!report.volumes.empty()) return;
    const World& world = session.state().world;
    const VolumeSet drawn = drawn_volumes(session.state().settings);
    for (const Body& body : world.bodies()) {
        const VolumeSet kinds = drawn_from_start() | drawn | body.state.volumes.kind;
        for (const FittedVolume& fit : session.meshes()[body.state.mesh].volumes(body.state.volumes, kinds)) {
            io::ReportVolume row{
                body.state.name, std::string(volume_id(fit.kind)), fit.algorithm, 0, 0, fit.fit_ms, {}, {}};
            std::visit(
                [&row](const auto& volume) {
                    row.volume = volume.volume();
                    row.surface = volume.surface_area();
                },
                world.bodies().volume(fit.kind, body));
            report.volumes.push_back(std::move(row));
        }
    }
}

io::ReportTree tree_row(const MeasuredTree& tree) {
    const bv::TreeMetrics& m = tree.metrics;
    io::ReportTree row;
    row.id = tree.id;
    row.leaves = m.leaves;
    row.nodes = m.nodes;
    row.height = static_cast<int>(m.height);
    row.optimal_height = static_cast<int>(m.optimal_height);
    row.max_balance = static_cast<int>(m.max_balance);
    row.area_ratio = m.area_ratio;
    row.sah = m.sah;
    if (tree.epo_measured) row.epo = m.epo;
    row.fatness = m.fatness;
    row.sibling_overlap = m.sibling_overlap;
    row.max_sibling_overlap = m.max_sibling_overlap;
    row.dead_space = m.dead_space;
    row.mean_leaf_depth = m.mean_leaf_depth;
    row.nodes_per_ray = m.nodes_per_ray;
    row.nodes_per_box = m.nodes_per_box;
    row.leaf_depths = m.leaf_depths;
    row.build_ms = tree.build_ms;
    return row;
}

void add_query(const RayQuery& query, io::Report& report) {
    static constexpr std::string_view kKinds[] = {"hover", "pick", "pinned"};
    io::ReportQuery row;
    row.kind = kKinds[static_cast<std::size_t>(query.kind)];
    row.origin = query.ray.origin;
    row.direction = query.ray.direction;
    row.hit = query.hit;
    if (query.hit) {
        row.t = static_cast<double>(query.t);
        row.point = query.point;
        row.normal = query.normal;
        row.body = query.body.value;
        row.triangle = query.triangle;
    }
    row.visited = query.counters.visited;
    row.tested = query.counters.tested;
    row.brute_force_tested = query.counters.brute_force_tested;
    report.queries.push_back(std::move(row));
}

void add_probe(const FrameResults& results, io::Report& report) {
    const std::optional<ProbeResult>& found = results.probe;
    if (!found) return;
    const bv::TreeSnapshot& tree = *find_tree(results.trees, found->probe.tree);
    const ProbeKindRow& kind = kProbeKinds[static_cast<std::size_t>(found->probe.kind)];
    io::ReportQuery row;
    row.kind = fmt::format("probe.{}", kind.id);
    row.origin = found->probe.at;
    row.direction = kind.aims ? found->probe.aim - found->probe.at : glm::vec3(0.0f);
    row.hit = !found->hits.empty();
    if (row.hit) {
        row.t = static_cast<double>(found->hits.front().value);
        row.point = tree.payload_boxes[found->hits.front().place].center();
    }
    row.visited = found->stats.nodes_visited;
    row.tested = std::uint64_t{found->stats.boxes_tested} + found->stats.leaves_tested;
    row.brute_force_tested = found->brute_force_tested;
    io::ReportProbe& probe = row.probe.emplace();
    probe.tree = found->probe.tree;
    probe.size = static_cast<double>(found->probe.size);
    probe.skipped = found->culled.size();
    for (const ProbeHit& hit : found->hits)
        probe.found.push_back(hit.payload);
    report.queries.push_back(std::move(row));
}

/// Statistics of the pair stages, and false alarms by kind of volume.
void add_pipeline(const FrameResults& results, io::Report& report) {
    const NarrowCounts& counts = results.pairs.counts;
    const auto add = [&](std::string name, auto value) {
        report.stats.emplace_back(std::move(name), static_cast<double>(value));
    };
    add("volume_tests", counts.volume_tests);
    add("exact_tests", counts.exact_tests);
    add("exact_box_tests", counts.box_tests);
    add("exact_part_tests", counts.part_tests);
    if (results.pairs.left_out > 0) add("pairs_left_out", results.pairs.left_out);
    for (const FalseAlarms& row : results.alarms) {
        add("false_alarms." + row.kind, row.count());
        add("false_alarm_share." + row.kind, row.share());
    }
}

void add_before_after(const FrameResults& results, io::Report& report) {
    if (!results.before_after) return;
    const BeforeAfter& found = *results.before_after;
    io::ReportBeforeAfter& out = report.before_after.emplace();
    out.change = found.change;
    out.frames_before = found.frames_before;
    out.frames_after = found.frames_after;
    for (const CostRow& row : cost_rows())
        out.rows.push_back({std::string(row.id), found.before[row.row], found.after[row.row]});
}

void add_heatmap(const FrameResults& results, io::Report& report) {
    if (!results.heatmap) return;
    const Heatmap& map = *results.heatmap;
    report.heatmap = {std::string(map.counter),
                      map.cells.x,
                      map.cells.y,
                      map.cell_px,
                      map.mean,
                      map.max_count,
                      map.complete};
}

void add_checks(const Checks& checks, io::Report& report) {
    report.checks = {checks.enabled,       checks.frames,          checks.pairs_compared,
                     checks.rays_compared, checks.trees_validated, checks.differences};
}

struct CellValue {
    using Value = decltype(io::ReportCell::value);
    Value operator()(std::monostate) const { return std::string(); }
    Value operator()(const Number& number) const {
        // Doubles hold integers exactly up to 2^53.
        const bool counts = number.style == Number::Style::Whole || number.style == Number::Style::Grouped;
        if (counts && std::abs(number.value) <= 0x1p53) return static_cast<std::int64_t>(number.value);
        return number.value;
    }
    Value operator()(const Numbers& numbers) const {
        std::vector<double> values;
        for (const Number& part : numbers.parts)
            values.push_back(part.value);
        return values;
    }
    Value operator()(const std::string& name) const { return name; }
    Value operator()(Mark mark) const { return to_text(Cell(mark)); }
};

/// The unit of a column, or the common unit of all its numbers.
std::string unit_of(const Table& table, std::size_t column) {
    std::string unit = table.columns[column].unit;
    bool first = unit.empty();
    for (const Row& row : table.rows) {
        const auto* number = column < row.cells.size() ? std::get_if<Number>(&row.cells[column]) : nullptr;
        if (!number || !table.columns[column].unit.empty()) continue;
        if (std::exchange(first, false)) unit = number->unit;
        if (unit != number->unit) return {};
    }
    return unit;
}

io::ReportTable report_table(const Table& table) {
    io::ReportTable out{table.id, table.title, {}};
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        out.columns.push_back(table.columns[k].label());
        out.units.push_back(unit_of(table, k));
    }
    for (const Row& row : table.rows) {
        std::vector<io::ReportCell> cells;
        for (const Cell& cell : row.cells)
            cells.push_back({std::visit(CellValue{}, cell), is_measured(cell)});
        cells.resize(std::max(cells.size(), table.columns.size()));
        if (row.mark == RowMark::Chosen) out.chosen.push_back(out.rows.size());
        if (row.mark == RowMark::Rival) out.rival.push_back(out.rows.size());
        out.rows.push_back(std::move(cells));
    }
    return out;
}

std::optional<io::ReportSteps> report_steps(const std::optional<WalkView>& walk) {
    if (!walk) return std::nullopt;
    io::ReportSteps steps{
        std::string(walk->algorithm), std::string(walk->kind), walk->number, walk->of, walk->dropped,
        walk->changed_answer,         walk->sentence,          {},           {}};
    if (walk->code_line < walk->code.size()) {
        const std::string_view line = walk->code[walk->code_line];
        steps.code = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    }
    for (const auto& [name, cell] : walk->values)
        steps.values.emplace_back(name, io::ReportCell{std::visit(CellValue{}, cell), is_measured(cell)});
    return steps;
}

}  // namespace

std::vector<io::ReportTree> report_trees(const Session& session) {
    const FrameResults& results = session.results();
    std::vector<io::ReportTree> rows;
    if (results.bodies_tree_left_out)
        rows.push_back(tree_row(measure_tree("bodies", session.state().world.finder().engine().snapshot())));
    for (const auto& [id, tree] : results.trees)
        rows.push_back(tree_row(measure_tree(id, tree)));
    for (const MeasuredTree& tree : results.measured_trees)
        rows.push_back(tree_row(tree));
    return rows;
}

io::Report make_report(const Session& session, std::string_view version) {
    const FrameResults& results = session.results();
    io::Report report;
    report.version = version;
    report.scene = results.scene_id;
    report.seed = session.state().scene.seed;
    report.frame = results.frame;
    report.pairs = {results.pairs.broad_count(), results.pairs.volume.size(), results.pairs.exact.size()};
    add_bodies(session, report);
    add_volumes(session, report);
    report.trees = report_trees(session);
    std::uint64_t triangles = 0;
    for (const BodyState& body : results.bodies)
        triangles += session.meshes()[body.mesh].triangles.size();
    const auto colliding = std::count_if(results.bodies.begin(), results.bodies.end(),
                                         [](const BodyState& body) { return body.colliding; });
    report.stats = {{"steps", static_cast<double>(results.steps)},
                    {"time_s", results.time_s},
                    {"triangles", static_cast<double>(triangles)},
                    {"colliding_bodies", static_cast<double>(colliding)},
                    {"refused_commands", static_cast<double>(session.refused_commands())},
                    {"broadphase_tests", static_cast<double>(results.broadphase.tests)}};
    report.broadphase = results.broadphase.engine;
    add_pipeline(results, report);
    const TimingsMs& t = results.timings_ms;
    report.timings_ms = {t.motion, t.refit,  t.broadphase,   t.narrowphase, t.queries,
                         t.viz,    t.render, t.volume_tests, t.exact_tests};
    add_before_after(results, report);
    for (const RayQuery& pick : session.state().view.picks)
        add_query(pick, report);
    for (const RayQuery& ray : results.rays)
        add_query(ray, report);
    add_probe(results, report);
    add_heatmap(results, report);
    report.steps = report_steps(results.walk);
    add_checks(results.checks, report);
    add_view(session, report);
    for (const Table& table : results.tables)
        report.tables.push_back(report_table(table));
    for (const Message& message : session.messages().messages())
        if (message.severity == Severity::Error) report.errors.push_back(message.text);
    return report;
}

}  // namespace lab
