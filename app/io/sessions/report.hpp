// The results of a run, for machines: plain structs that the sandbox fills, written as JSON with stable names
// in a stable order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/file_error.hpp"

namespace lab::io {

struct ReportBody {
    std::uint32_t id = 0;
    std::string name;
    std::string mesh;
    glm::vec3 position{0.0f};
    std::optional<glm::vec2> window_px;  ///< Where its center is seen in the window; null behind the eye.
    bool colliding = false;
    bool hidden = false;
    std::string pairs_by = {};  ///< Which of its volumes decides about its pairs.
};

struct ReportVolume {
    std::string body;       ///< The body's or the mesh's name.
    std::string kind;       ///< `sphere`, `aabb_fixed`, `aabb_tight`, `obb`, ...
    std::string algorithm;  ///< Like `ritter`.
    double volume = 0;      ///< m^3
    double surface = 0;     ///< m^2
    double fit_ms = 0;
    std::optional<double> tightness =
        std::nullopt;  ///< Volume of the convex hull over this volume; where it was measured.
    std::optional<bool> contains_all = std::nullopt;  ///< Whether every vertex was checked to be inside.
};

struct ReportTree {
    std::string id;
    std::uint64_t leaves = 0;
    std::uint64_t nodes = 0;
    int height = 0;
    int optimal_height = 0;
    int max_balance = 0;
    double area_ratio = 0;
    double sah = 0;
    std::optional<double> epo = std::nullopt;  ///< Nothing where it would take too long; null in the file.
    double fatness = 0;
    double sibling_overlap = 0, max_sibling_overlap = 0;
    double dead_space = 0;
    double mean_leaf_depth = 0;
    double nodes_per_ray = 0, nodes_per_box = 0;
    std::vector<std::uint32_t> leaf_depths = {};    ///< [d] = leaves at depth d.
    std::optional<double> build_ms = std::nullopt;  ///< Where it was measured.
};

/// Further results of a query of a tree's boxes. Its `point` is the center of the first box found.
struct ReportProbe {
    std::string tree;
    double size = 0;
    std::uint64_t skipped = 0;         ///< Nodes tested and not entered.
    std::vector<std::uint64_t> found;  ///< What the tree calls them, nearest first.
};

struct ReportQuery {
    std::string kind;        ///< `hover`, `pick`, `pinned`, ...
    glm::vec3 origin{0.0f};  ///< The input: a ray.
    glm::vec3 direction{0.0f};
    bool hit = false;
    double t = 0;  ///< These five are null in the file if nothing was hit.
    glm::vec3 point{0.0f};
    glm::vec3 normal{0.0f};
    std::optional<std::uint32_t> body;
    std::optional<std::uint32_t> triangle;
    std::uint64_t visited = 0;
    std::uint64_t tested = 0;
    std::uint64_t brute_force_tested = 0;
    std::optional<ReportProbe> probe;
};

/// A cell of a table. Numbers are written as they are, not as they are shown; those that are not finite,
/// which JSON cannot write, as the words inf, -inf and nan.
struct ReportCell {
    std::variant<std::string, std::int64_t, double, std::vector<double>> value;
    bool measured = false;  ///< With a clock.
};

/// Any further table.
struct ReportTable {
    std::string id;
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::string> units = {};  ///< Units of the numbers in each column; empty where there is none.
    std::vector<std::vector<ReportCell>> rows = {};
    std::vector<std::size_t> chosen = {}, rival = {};  ///< Rows that are marked, from 0.
};

/// The camera.
struct ReportCamera {
    glm::vec3 target{0.0f};
    double distance = 0;
    double yaw_rad = 0, pitch_rad = 0;
};

/// A handle of the scene, or a widget of the panels: something that a person can take or click.
struct ReportTarget {
    std::string id;
    glm::vec2 window_px{0.0f};  ///< Its middle.
};

/// The selection.
struct ReportSelection {
    std::vector<std::uint32_t> bodies;
    struct Node {
        std::string tree;
        std::uint32_t index = 0, depth = 0;
        std::optional<std::uint32_t> parent;
        std::vector<std::uint32_t> children;
        glm::vec3 min{0.0f}, max{0.0f};
        std::optional<glm::vec2> window_px;  ///< Where the middle of one of its edges is seen.
    };
    std::optional<Node> node;
    bool isolated = false;
    std::optional<std::uint32_t> triangle, ray;
    std::uint64_t undo = 0, redo = 0;  ///< Edits that can be taken back and done again.
    std::vector<ReportTarget> gizmo;  ///< Where its center and the ends of its arrows are: `center`, `x`, ...
};

/// Costs per frame, before a change of algorithm and since.
struct ReportBeforeAfter {
    struct Row {
        std::string name;
        double before = 0, after = 0;
    };
    std::string change;
    std::uint32_t frames_before = 0, frames_after = 0;
    std::vector<Row> rows;
};

/// What the rays through the cells of the view cost, while the heatmap is on.
struct ReportHeatmap {
    std::string counter;  ///< What was counted, like `nodes visited`.
    int cells_x = 0, cells_y = 0, cell_px = 0;
    double mean = 0;
    std::uint32_t max_count = 0;
    bool complete = false;  ///< The finest cells have all been cast.
};

/// The step of an algorithm that is on show.
struct ReportSteps {
    std::string algorithm;
    std::string kind;  ///< Kind of the step: `sphere_grown`; empty where the answer is on show.
    std::uint64_t number = 0, of = 0, dropped = 0;
    bool changed_answer = false;
    std::string sentence;
    std::string code;  ///< The current line of pseudo-code.
    std::vector<std::pair<std::string, ReportCell>> values;
};

struct ReportChecks {
    bool enabled = false;
    std::uint64_t frames = 0;
    std::uint64_t pairs_compared = 0;
    std::uint64_t rays_compared = 0;
    std::uint64_t trees_validated = 0;
    std::vector<std::string> differences;
};

struct Report {
    std::string program = "bvlab";
    std::string version;
    std::string scene;
    std::uint64_t seed = 0;
    std::uint64_t frame = 0;
    std::vector<ReportBody> bodies;  ///< The file has their number as `bodies` and the list as `body_list`.
    struct {
        std::uint64_t broad = 0, volume = 0, exact = 0;
    } pairs;
    std::string broadphase;  ///< The id of the engine that found the broad pairs.
    std::vector<ReportVolume> volumes;
    std::vector<ReportTree> trees;
    std::vector<std::pair<std::string, double>> stats;  ///< Any further numbers, in this order.
    struct {
        double motion = 0, refit = 0, broadphase = 0, narrowphase = 0, queries = 0, viz = 0, render = 0;
        double volume_tests = 0, exact_tests = 0;  ///< Both are parts of `narrowphase`.
    } timings_ms;
    std::optional<ReportBeforeAfter> before_after;
    std::vector<ReportQuery> queries;
    std::optional<ReportHeatmap> heatmap;  ///< Null in the file while it is off.
    std::optional<ReportSteps> steps;      ///< Null in the file in scenes without any.
    ReportChecks checks;
    std::optional<std::uint32_t> selected;  ///< A body's id.
    ReportSelection selection;
    ReportCamera camera;
    std::vector<ReportTarget> handles;
    std::vector<ReportTarget> widgets;  ///< Empty without panels.
    std::vector<ReportTable> tables;
    std::vector<std::string> errors;  ///< Every error that was shown to the user.
};

/// Clears whatever was measured with a clock: `timings_ms`, fit times, and the cells of tables that are
/// marked as measured; and `before_after`, whose means depend on when the watching began. What is left
/// repeats bit for bit for the same commands.
void erase_timings(Report& report);

/// The JSON text. Numbers that are not finite become null, bytes that are not UTF-8 the replacement
/// character.
std::string report_text(const Report& report);
/// Atomic; nothing if it went well.
std::optional<FileError> write_report(const std::filesystem::path& path, const Report& report);

}  // namespace lab::io
