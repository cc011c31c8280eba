#include "io/sessions/report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "io/atomic_file.hpp"
#include "io/trees/tree_json.hpp"

namespace lab::io {
namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const glm::vec3& v) {
    return Json::array({v.x, v.y, v.z});
}

template <class T>
Json number_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json pixel_json(const glm::vec2& p) {
    return Json::array({p.x, p.y});
}

Json targets_json(const std::vector<ReportTarget>& targets) {
    Json json = Json::object();
    for (const ReportTarget& target : targets)
        json[target.id] = pixel_json(target.window_px);
    return json;
}

Json body_json(const ReportBody& body) {
    return {{"id", body.id},
            {"name", body.name},
            {"mesh", body.mesh},
            {"position", vector_json(body.position)},
            {"window_px", body.window_px ? pixel_json(*body.window_px) : Json(nullptr)},
            {"colliding", body.colliding},
            {"hidden", body.hidden},
            {"pairs_by", body.pairs_by}};
}

Json volume_json(const ReportVolume& v) {
    Json json = {{"body", v.body},     {"kind", v.kind},       {"algorithm", v.algorithm},
                 {"volume", v.volume}, {"surface", v.surface}, {"fit_ms", v.fit_ms}};
    if (v.tightness) json["tightness"] = *v.tightness;
    if (v.contains_all) json["contains_all"] = *v.contains_all;
    return json;
}

Json before_after_json(const ReportBeforeAfter& b) {
    Json rows = Json::object();
    for (const ReportBeforeAfter::Row& row : b.rows)
        rows[row.name] = {{"before", row.before}, {"after", row.after}};
    return {{"change", b.change},
            {"frames_before", b.frames_before},
            {"frames_after", b.frames_after},
            {"rows", std::move(rows)}};
}

Json query_json(const ReportQuery& q) {
    Json json = {{"kind", q.kind},
                 {"input", {{"origin", vector_json(q.origin)}, {"direction", vector_json(q.direction)}}},
                 {"hit", q.hit}};
    json["t"] = q.hit ? Json(q.t) : Json(nullptr);
    json["point"] = q.hit ? vector_json(q.point) : Json(nullptr);
    json["normal"] = q.hit ? vector_json(q.normal) : Json(nullptr);
    json["body"] = q.hit ? number_or_null(q.body) : Json(nullptr);
    json["triangle"] = q.hit ? number_or_null(q.triangle) : Json(nullptr);
    json["visited"] = q.visited;
    json["tested"] = q.tested;
    json["brute_force_tested"] = q.brute_force_tested;
    if (q.probe) {
        json["tree"] = q.probe->tree;
        json["size"] = q.probe->size;
        json["skipped"] = q.probe->skipped;
        json["found"] = q.probe->found;
    }
    return json;
}

Json heatmap_json(const std::optional<ReportHeatmap>& map) {
    if (!map) return nullptr;
    return {{"counter", map->counter}, {"cells", {map->cells_x, map->cells_y}},
            {"cell_px", map->cell_px}, {"mean", map->mean},
            {"most", map->max_count},  {"complete", map->complete}};
}

struct CellJson {
    Json operator()(const std::string& word) const { return word; }
    Json operator()(std::int64_t count) const { return count; }
    Json operator()(double number) const {
        if (std::isfinite(number)) return number;
        return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
    }
    Json operator()(const std::vector<double>& numbers) const {
        Json list = Json::array();
        for (const double number : numbers)
            list.push_back((*this)(number));
        return list;
    }
};

Json steps_json(const std::optional<ReportSteps>& steps) {
    if (!steps) return nullptr;
    Json values = Json::object();
    for (const auto& [name, cell] : steps->values)
        values[name] = std::visit(CellJson{}, cell.value);
    return {{"algorithm", steps->algorithm},
            {"kind", steps->kind},
            {"number", steps->number},
            {"of", steps->of},
            {"dropped", steps->dropped},
            {"changed_answer", steps->changed_answer},
            {"sentence", steps->sentence},
            {"code", steps->code},
            {"values", values}};
}

Json table_json(const ReportTable& table) {
    Json rows = Json::array();
    std::set<std::size_t> measured;
    for (const std::vector<ReportCell>& row : table.rows) {
        Json cells = Json::array();
        for (const ReportCell& cell : row) {
            if (cell.measured) measured.insert(cells.size());
            cells.push_back(std::visit(CellJson{}, cell.value));
        }
        rows.push_back(std::move(cells));
    }
    Json json = {{"title", table.title},
                 {"columns", table.columns},
                 {"units", table.units},
                 {"measured", measured},
                 {"rows", std::move(rows)}};
    if (!table.chosen.empty()) json["chosen"] = table.chosen;
    if (!table.rival.empty()) json["rival"] = table.rival;
    return json;
}

Json checks_json(const ReportChecks& checks) {
    return {{"enabled", checks.enabled},
            {"passed", checks.differences.empty()},
            {"frames", checks.frames},
            {"pairs_compared", checks.pairs_compared},
            {"rays_compared", checks.rays_compared},
            {"trees_validated", checks.trees_validated},
            {"differences", checks.differences}};
}

Json selection_json(const ReportSelection& s) {
    Json json = {{"bodies", s.bodies}};
    json["node"] = nullptr;
    if (s.node)
        json["node"] = {{"tree", s.node->tree},
                        {"index", s.node->index},
                        {"depth", s.node->depth},
                        {"parent", number_or_null(s.node->parent)},
                        {"children", s.node->children},
                        {"min", vector_json(s.node->min)},
                        {"max", vector_json(s.node->max)},
                        {"window_px", s.node->window_px ? pixel_json(*s.node->window_px) : Json(nullptr)}};
    json["isolated"] = s.isolated;
    json["triangle"] = number_or_null(s.triangle);
    json["ray"] = number_or_null(s.ray);
    json["undo"] = s.undo;
    json["redo"] = s.redo;
    json["gizmo"] = targets_json(s.gizmo);
    return json;
}

template <class Rows, class Convert>
Json list_json(const Rows& rows, Convert&& convert) {
    Json list = Json::array();
    for (const auto& row : rows)
        list.push_back(convert(row));
    return list;
}

}  // namespace

void erase_timings(Report& report) {
    report.timings_ms = {};
    report.before_after.reset();
    for (ReportVolume& volume : report.volumes)
        volume.fit_ms = 0;
    for (ReportTree& tree : report.trees)
        tree.build_ms.reset();
    for (ReportTable& table : report.tables)
        for (std::vector<ReportCell>& row : table.rows)
            for (ReportCell& cell : row)
                if (cell.measured) cell.value = std::string();
}

std::string report_text(const Report& r) {
    Json json;
    json["program"] = r.program;
    json["version"] = r.version;
    json["scene"] = r.scene;
    json["seed"] = r.seed;
    json["frame"] = r.frame;
    json["bodies"] = r.bodies.size();
    json["pairs"] = {{"broad", r.pairs.broad}, {"volume", r.pairs.volume}, {"exact", r.pairs.exact}};
    json["broadphase"] = r.broadphase;
    json["volumes"] = list_json(r.volumes, volume_json);
    json["trees"] = list_json(r.trees, tree_json);
    json["stats"] = Json::object();
    for (const auto& [name, value] : r.stats)
        json["stats"][name] = value;
    const auto& t = r.timings_ms;
    json["timings_ms"] = {{"motion", t.motion},          {"refit", t.refit},
                          {"broadphase", t.broadphase},  {"narrowphase", t.narrowphase},
                          {"queries", t.queries},        {"viz", t.viz},
                          {"render", t.render},          {"volume_tests", t.volume_tests},
                          {"exact_tests", t.exact_tests}};
    json["before_after"] = r.before_after ? before_after_json(*r.before_after) : Json(nullptr);
    json["queries"] = list_json(r.queries, query_json);
    json["heatmap"] = heatmap_json(r.heatmap);
    json["steps"] = steps_json(r.steps);
    json["checks"] = checks_json(r.checks);
    json["selected"] = number_or_null(r.selected);
    json["selection"] = selection_json(r.selection);
    json["camera"] = {{"target", vector_json(r.camera.target)},
                      {"distance", r.camera.distance},
                      {"yaw_rad", r.camera.yaw_rad},
                      {"pitch_rad", r.camera.pitch_rad}};
    json["handles"] = targets_json(r.handles);
    json["widgets"] = targets_json(r.widgets);
    json["tables"] = Json::object();
    for (const ReportTable& table : r.tables)
        json["tables"][table.id] = table_json(table);
    json["errors"] = r.errors;
    json["body_list"] = list_json(r.bodies, body_json);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<FileError> write_report(const std::filesystem::path& path, const Report& report) {
    return write_file_atomically(path, report_text(report));
}

}  // namespace lab::io
