#include "lessons/condition.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "session/sandbox.hpp"
#include "world/world.hpp"

namespace lab::lessons {
namespace {

constexpr std::array<std::string_view, 7> kRelations = {"=", "!=", "<", "<=", ">", ">=", "contains"};

struct Subject {
    std::string_view name;
    std::size_t words;  ///< Including the name.
};
constexpr std::array kSubjects = {Subject{"setting", 2}, Subject{"table", 4},   Subject{"handle", 3},
                                  Subject{"tree", 3},    Subject{"ray", 2},     Subject{"bodies", 1},
                                  Subject{"broad", 1},   Subject{"volume", 1},  Subject{"exact", 1},
                                  Subject{"steps", 1},   Subject{"picks", 1},   Subject{"pinned", 1},
                                  Subject{"scene", 1},   Subject{"selected", 1}};

/// As tables write numbers: with a real minus sign. Nothing if it is no number.
std::optional<double> number_of(std::string_view text) {
    constexpr std::string_view kMinus = "−";
    std::string plain;
    if (text.starts_with(kMinus)) {
        plain = "-";
        text.remove_prefix(kMinus.size());
    }
    plain += text;
    double value = 0;
    const auto [end, status] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    return status == std::errc() && end == plain.data() + plain.size() ? std::optional(value) : std::nullopt;
}

std::string_view without_mark(std::string_view cell) {
    return cell.starts_with("> ") ? cell.substr(2) : cell;
}

std::optional<std::string> cell_of(const FrameResults& results, const std::vector<std::string>& words) {
    for (const Table& table : results.tables) {
        if (table.id != words[1]) continue;
        const auto column = std::find(table.columns.begin(), table.columns.end(), words[3]);
        const auto k = static_cast<std::size_t>(column - table.columns.begin());
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const auto& row = table.rows[i];
            const bool named = words[2] == "#" + std::to_string(i + 1) ||
                               (!row.empty() && without_mark(row[0]) == words[2]) ||
                               (row.size() > 1 && without_mark(row[1]) == words[2]);
            if (named && k < row.size()) return std::string(without_mark(row[k]));
        }
    }
    return std::nullopt;
}

std::optional<std::string> handle_of(const FrameResults& results, const std::vector<std::string>& words) {
    const std::size_t axis = words[2] == "x" ? 0 : words[2] == "y" ? 1 : 2;
    for (const Handle& handle : results.handles)
        if (handle.id == words[1]) return std::to_string(handle.position[static_cast<int>(axis)]);
    return std::nullopt;
}

std::optional<std::string> tree_of(const FrameResults& results, const std::vector<std::string>& words) {
    for (const auto& [id, tree] : results.trees) {
        if (id != words[1]) continue;
        std::uint64_t height = 0, leaves = 0, optimum = 0;
        for (std::uint32_t i = 0; i < tree.size(); ++i) {
            height = std::max<std::uint64_t>(height, tree.depths[i]);
            leaves += tree.is_leaf(i);
        }
        for (std::uint64_t reach = 1; reach < leaves; reach *= 2)
            ++optimum;
        if (words[2] == "height") return std::to_string(height);
        if (words[2] == "optimum") return std::to_string(optimum);
        if (words[2] == "leaves") return std::to_string(leaves);
        return std::to_string(tree.size());
    }
    return std::nullopt;
}

std::optional<std::string> value_of(const Sandbox& sandbox, const std::vector<std::string>& words) {
    const FrameResults& results = sandbox.results();
    const std::string& what = words[0];
    if (what == "setting") return sandbox.settings().get_as_text(words[1]);
    if (what == "table") return cell_of(results, words);
    if (what == "handle") return handle_of(results, words);
    if (what == "tree") return tree_of(results, words);
    if (what == "ray") {
        if (results.rays.empty()) return std::nullopt;
        const RayQuery& ray = results.rays.front();
        if (words[1] == "hit") return ray.hit ? "yes" : "no";
        return std::to_string(words[1] == "visited" ? ray.counters.visited : ray.counters.tested);
    }
    if (what == "scene") return results.scene_id;
    if (what == "selected") return sandbox.selected().valid() ? "yes" : "no";
    if (what == "bodies") return std::to_string(results.bodies.size());
    if (what == "broad") return std::to_string(results.pairs.broad_count());
    if (what == "volume") return std::to_string(results.pairs.volume.size());
    if (what == "exact") return std::to_string(results.pairs.exact.size());
    if (what == "steps") return std::to_string(results.steps);
    if (what == "picks") return std::to_string(sandbox.picks().size());
    const auto pinned = std::count_if(results.rays.begin(), results.rays.end(),
                                      [](const RayQuery& q) { return q.kind == RayQuery::Kind::Pinned; });
    return std::to_string(pinned);
}

}  // namespace

std::optional<Condition> Condition::parse(std::string_view line, std::string& error) {
    const auto words = split_words(line, error);
    if (!words) return std::nullopt;
    Condition condition;
    const auto relation =
        std::find_first_of(words->begin(), words->end(), kRelations.begin(), kRelations.end());
    if (relation == words->end() || relation + 1 == words->end() || relation + 2 != words->end()) {
        error = "a condition is SUBJECT RELATION VALUE";
        return std::nullopt;
    }
    condition.subject_.assign(words->begin(), relation);
    condition.relation_ = *relation;
    condition.value_ = *(relation + 1);
    const auto known = std::find_if(kSubjects.begin(), kSubjects.end(), [&](const Subject& s) {
        return !condition.subject_.empty() && s.name == condition.subject_[0];
    });
    if (known == kSubjects.end() || known->words != condition.subject_.size()) {
        error = "nothing of that name can be compared";
        return std::nullopt;
    }
    if (known->name == "setting" && !find_setting(condition.subject_[1])) {
        error = "there is no setting '" + condition.subject_[1] + "'";
        return std::nullopt;
    }
    const bool ordered = condition.relation_[0] == '<' || condition.relation_[0] == '>';
    if (ordered && !number_of(condition.value_)) {
        error = "'" + condition.value_ + "' is no number";
        return std::nullopt;
    }
    return condition;
}

bool Condition::holds(const Sandbox& sandbox) const {
    const std::optional<std::string> found = value_of(sandbox, subject_);
    if (!found) return false;
    if (relation_ == "contains") return found->find(value_) != std::string::npos;
    const auto a = number_of(*found);
    const auto b = number_of(value_);
    if (relation_ == "=" || relation_ == "!=") {
        const bool equal = a && b ? *a == *b : *found == value_;
        return equal == (relation_ == "=");
    }
    if (!a || !b) return false;
    if (relation_ == "<") return *a < *b;
    if (relation_ == "<=") return *a <= *b;
    return relation_ == ">" ? *a > *b : *a >= *b;
}

}  // namespace lab::lessons
