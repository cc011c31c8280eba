#include "lessons/condition.hpp"

#include <algorithm>
#include <array>

#include "io/text/typed_number.hpp"
#include "session/commands/commands.hpp"
#include "session/state.hpp"
#include "world/mesh_title.hpp"
#include "world/world.hpp"

namespace lab::lessons {
namespace {

constexpr std::array<std::string_view, 7> kRelations = {"=", "!=", "<", "<=", ">", ">=", "contains"};

struct Subject {
    std::string_view name;
    std::size_t words;  ///< Including the name.
};
constexpr std::array kSubjects = {
    Subject{"setting", 2}, Subject{"triangles", 1}, Subject{"table", 4},       Subject{"handle", 3},
    Subject{"tree", 3},    Subject{"ray", 2},       Subject{"bodies", 1},      Subject{"broad", 1},
    Subject{"volume", 1},  Subject{"exact", 1},     Subject{"steps", 1},       Subject{"picks", 1},
    Subject{"pinned", 1},  Subject{"walk", 2},      Subject{"scene", 1},       Subject{"selected", 1},
    Subject{"tests", 1},   Subject{"rows", 2},      Subject{"differences", 1}, Subject{"table", 5},
    Subject{"value", 3},   Subject{"selected", 2}};

/// By its label, or by its heading without the unit.
std::optional<std::size_t> column_of(const Table& table, std::string_view name) {
    if (const auto column = table.column(name)) return column;
    for (std::size_t k = 0; k < table.columns.size(); ++k)
        if (table.columns[k].heading == name) return k;
    return std::nullopt;
}

std::size_t axis_of(const std::string& word) {
    return word == "x" ? 0 : word == "y" ? 1 : 2;
}

std::optional<Cell> cell_of(const FrameResults& results, const std::vector<std::string>& words) {
    for (const Table& table : results.tables) {
        const auto column = table.id == words[1] ? column_of(table, words[3]) : std::nullopt;
        if (!column) continue;
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const std::vector<Cell>& row = table.rows[i].cells;
            const bool named = words[2] == "#" + std::to_string(i + 1) ||
                               (!row.empty() && to_text(row[0]) == words[2]) ||
                               (row.size() > 1 && to_text(row[1]) == words[2]);
            if (named && *column < row.size()) return row[*column];
        }
    }
    return std::nullopt;
}

std::optional<Cell> component_of(const FrameResults& results, const std::vector<std::string>& words) {
    const std::optional<Cell> cell = cell_of(results, words);
    const auto* numbers = cell ? std::get_if<Numbers>(&*cell) : nullptr;
    const std::size_t axis = axis_of(words[4]);
    if (!numbers || axis >= numbers->parts.size()) return std::nullopt;
    return numbers->parts[axis];
}

std::optional<Cell> handle_of(const FrameResults& results, const std::vector<std::string>& words) {
    const auto axis = static_cast<int>(axis_of(words[2]));
    const Handle* handle = find_handle(results.handles, words[1]);
    if (!handle) return std::nullopt;
    const glm::vec3 numbers = words[0] == "value" ? numbers_of(results.handles, *handle) : handle->position;
    return cells::fixed(numbers[axis], 6);
}

std::optional<Cell> tree_of(const FrameResults& results, const std::vector<std::string>& words) {
    for (const auto& [id, tree] : results.trees) {
        if (id != words[1]) continue;
        std::uint64_t height = 0, leaves = 0, optimum = 0;
        for (std::uint32_t i = 0; i < tree.size(); ++i) {
            height = std::max<std::uint64_t>(height, tree.depths[i]);
            leaves += tree.is_leaf(i);
        }
        for (std::uint64_t reach = 1; reach < leaves; reach *= 2)
            ++optimum;
        return cells::whole(words[2] == "height"    ? height
                            : words[2] == "optimum" ? optimum
                            : words[2] == "leaves"  ? leaves
                                                    : tree.size());
    }
    return std::nullopt;
}

Cell setting_of(const Settings& settings, const std::string& id) {
    const SettingSpec& setting = *settings.catalog().find(id);
    switch (setting.kind) {
        case SettingKind::Integer:
            return cells::whole(settings.integer(setting));
        case SettingKind::Real:
            return cells::significant(settings.real(setting), 6);
        default:
            return settings.get_as_text(setting);
    }
}

std::size_t rows_of(const FrameResults& results, const std::string& table_id) {
    for (const Table& table : results.tables)
        if (table.id == table_id) return table.rows.size();
    return 0;
}

/// At how many steps the curve is higher, or lower, than at the step before.
std::optional<Cell> changes_of(const WalkView& walk, bool rises) {
    if (!walk.curve || walk.curve->size() < 2) return std::nullopt;
    std::uint64_t count = 0;
    for (std::size_t i = 1; i < walk.curve->size(); ++i) {
        const float change = (*walk.curve)[i] - (*walk.curve)[i - 1];
        count += (rises ? change > 0.0f : change < 0.0f) ? 1 : 0;  // false for NaN
    }
    return cells::whole(count);
}

std::optional<Cell> value_of(const SessionState& state, const FrameResults& results,
                             const std::vector<std::string>& words) {
    const std::string& what = words[0];
    if (what == "setting") return setting_of(state.settings, words[1]);
    if (what == "table" && words.size() == 5) return component_of(results, words);
    if (what == "table") return cell_of(results, words);
    if (what == "handle" || what == "value") return handle_of(results, words);
    if (what == "tree") return tree_of(results, words);
    if (what == "ray") {
        if (results.rays.empty()) return std::nullopt;
        const auto pinned = std::find_if(results.rays.begin(), results.rays.end(),
                                         [](const RayQuery& q) { return q.kind == RayQuery::Kind::Pinned; });
        const RayQuery& ray = pinned == results.rays.end() ? results.rays.front() : *pinned;
        if (words[1] == "hit") return cells::yes_or_no(ray.hit);
        return cells::whole(words[1] == "visited" ? ray.counters.visited : ray.counters.tested);
    }
    if (what == "walk") {
        if (!results.walk) return std::nullopt;
        if (words[1] == "steps") return cells::whole(results.walk->of);
        if (words[1] == "changed") return cells::yes_or_no(results.walk->changed_answer);
        if (words[1] == "rises" || words[1] == "falls") return changes_of(*results.walk, words[1] == "rises");
        return results.walk->sentence;
    }
    if (what == "rows") {
        const std::size_t rows = rows_of(results, words[1]);
        return rows > 0 ? std::optional<Cell>(cells::whole(rows)) : std::nullopt;
    }
    if (what == "tests") return cells::whole(results.broadphase.tests);
    if (what == "differences") {
        if (results.checks.pairs_compared == 0) return std::nullopt;
        return cells::whole(results.checks.differences.size());
    }
    if (what == "triangles") {
        if (state.world.bodies().empty()) return std::nullopt;
        return cells::whole(
            state.world.bodies().meshes()[state.world.bodies().front().state.mesh].triangles.size());
    }
    if (what == "scene") return results.scene_id;
    if (what == "selected" && words.size() == 2) {
        const Body* body = state.world.find(state.selected());
        if (!body) return std::nullopt;
        return title_of(state.world.bodies().meshes()[body->state.mesh]);
    }
    if (what == "selected") return cells::yes_or_no(state.selected().valid());
    if (what == "bodies") return cells::whole(results.bodies.size());
    if (what == "broad") return cells::whole(results.pairs.broad_count());
    if (what == "volume") return cells::whole(results.pairs.volume.size());
    if (what == "exact") return cells::whole(results.pairs.exact.size());
    if (what == "steps") return cells::whole(results.steps);
    if (what == "picks") return cells::whole(state.view.picks.size());
    return cells::whole(std::count_if(results.rays.begin(), results.rays.end(),
                                      [](const RayQuery& q) { return q.kind == RayQuery::Kind::Pinned; }));
}

bool is_subject(const std::vector<std::string>& words) {
    return std::any_of(kSubjects.begin(), kSubjects.end(), [&](const Subject& s) {
        return !words.empty() && s.name == words[0] && s.words == words.size();
    });
}

}  // namespace

std::optional<Condition> Condition::parse(std::string_view line, std::string& error) {
    const auto words = split_words(line, error);
    if (!words) return std::nullopt;
    Condition condition;
    const auto relation =
        std::find_first_of(words->begin(), words->end(), kRelations.begin(), kRelations.end());
    if (relation == words->end() || relation + 1 == words->end()) {
        error = "a condition is SUBJECT RELATION VALUE";
        return std::nullopt;
    }
    condition.subject_.assign(words->begin(), relation);
    condition.relation_ = *relation;
    condition.value_ = *(relation + 1);
    // A single word is read as a subject only where a number is wanted; elsewhere it is a value.
    const bool wants_number = condition.relation_[0] == '<' || condition.relation_[0] == '>';
    if (relation + 2 != words->end() || (wants_number && is_subject({condition.value_}))) {
        condition.other_.assign(relation + 1, words->end());
        if (!is_subject(condition.other_)) {
            error = "a condition is SUBJECT RELATION VALUE, or SUBJECT RELATION SUBJECT";
            return std::nullopt;
        }
    }
    if (!is_subject(condition.subject_)) {
        error = "nothing of that name can be compared";
        return std::nullopt;
    }
    if (condition.subject_[0] == "setting" && !setting_catalog().find(condition.subject_[1])) {
        error = "there is no setting '" + condition.subject_[1] + "'";
        return std::nullopt;
    }
    if (wants_number && condition.other_.empty() && !io::typed_number<double>(condition.value_)) {
        error = "'" + condition.value_ + "' is not a number";
        return std::nullopt;
    }
    return condition;
}

bool Condition::holds(const SessionState& state, const FrameResults& results) const {
    if (subject_[0] != "table" || subject_[2] != "*") return holds_for(state, results, subject_);
    const std::size_t rows = rows_of(results, subject_[1]);
    std::vector<std::string> words = subject_;
    for (std::size_t i = 0; i < rows; ++i) {
        words[2] = "#" + std::to_string(i + 1);
        if (!holds_for(state, results, words)) return false;
    }
    return rows > 0;
}

bool Condition::holds_for(const SessionState& state, const FrameResults& results,
                          const std::vector<std::string>& subject) const {
    const std::optional<Cell> found = value_of(state, results, subject);
    if (!found) return false;
    if (!other_.empty()) return compares(*found, value_of(state, results, other_));
    return compares(*found, std::nullopt);
}

bool Condition::compares(const Cell& cell, const std::optional<Cell>& other) const {
    const Cell* const found = &cell;
    if (!other_.empty() && !other) return false;
    const std::string value = other ? to_text(*other) : value_;
    if (relation_ == "contains") return to_text(*found).find(value) != std::string::npos;
    const auto* number = std::get_if<Number>(&*found);
    const auto* other_number = other ? std::get_if<Number>(&*other) : nullptr;
    const std::optional<double> wanted = other_number ? std::optional(other_number->value)
                                         : other      ? std::nullopt
                                                      : io::typed_number<double>(value);
    const bool comparable = number && wanted;
    // Two numbers are equal if they are displayed alike.
    const bool equal = comparable ? number->shown_equal(*wanted) : to_text(*found) == value;
    if (relation_ == "=" || relation_ == "!=") return equal == (relation_ == "=");
    if (!comparable) return false;
    if (relation_ == "<") return number->value < *wanted && !equal;
    if (relation_ == "<=") return number->value < *wanted || equal;
    if (relation_ == ">") return number->value > *wanted && !equal;
    return number->value > *wanted || equal;
}

}  // namespace lab::lessons
