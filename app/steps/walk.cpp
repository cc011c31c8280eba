#include "steps/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "bv/tree/metrics.hpp"
#include "io/text/counted.hpp"
#include "settings/steps.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

/// Rows of the table: all steps of a short walk; for a long one, the steps around the current one.
constexpr std::size_t kMaxRows = 400;
/// So that a long walk can be scrubbed: folding all of its events anew would take too long for a frame.
constexpr std::size_t kKeptStates = 16;
constexpr std::size_t kMinStride = 512;

std::string count_of(std::size_t count, std::string_view which) {
    return fmt::format("{} {} {}", io::grouped(count), which, io::plural(count, "step", "steps"));
}

/// Sentences of consecutive steps, with the states before them: folded only if a sentence
/// needs them.
class StateBefore {
  public:
    explicit StateBefore(const Walk& walk) : walk_(walk) {}
    /// Indices must ascend from call to call.
    [[nodiscard]] std::string sentence(std::size_t index) {
        const bv::TraceEvent& event = walk_.event(index);
        if (needs_context(event)) {
            if (!folded_) {
                board_ = walk_.board(index);
                folded_ = index;
            }
            for (; *folded_ < index; ++*folded_)
                (void)board_.apply(walk_.event(*folded_));
        }
        return sentence_of(event, walk_.subject(), board_);
    }

  private:
    const Walk& walk_;
    Board board_;
    std::optional<std::size_t> folded_;  ///< Events in `board_`.
};

void list_steps(const Walk& walk, std::size_t number, FrameResults& results) {
    const bool has_curve = !walk.algorithm().quantity.empty();
    Table table{"steps", "Steps", {"#", "what happened"}};
    if (has_curve) table.columns.emplace_back(walk.algorithm().quantity.data());
    const std::size_t count = walk.size();
    const std::size_t begin =
        std::min(number > kMaxRows / 2 ? number - kMaxRows / 2 : 0, count > kMaxRows ? count - kMaxRows : 0);
    const std::size_t end = std::min(begin + kMaxRows, count);
    if (begin > 0) table.add({{}, count_of(begin, "earlier")});
    StateBefore before(walk);
    for (std::size_t i = begin; i < end; ++i) {
        const auto value = static_cast<double>((*walk.curve())[i]);
        table.add({cells::whole(i + 1), before.sentence(i)},
                  walk.changes_answer(i) ? Role::Touching : Role::Muted,
                  i + 1 == number ? RowMark::Chosen : RowMark::None);
        if (has_curve)
            table.rows.back().cells.push_back(std::isfinite(value) ? Cell(cells::quantity(value)) : Cell{});
    }
    if (end < count) table.add({{}, count_of(count - end, "later")});
    if (walk.dropped() > 0)
        table.add({{}, count_of(walk.dropped(), "further") + " that did not fit into the recording"},
                  Role::Broken);
    results.tables.push_back(std::move(table));
}

/// The effect of an operation on a tree's height and cost, including the boxes refitted after it.
void add_gain(const Walk& walk, std::size_t number, WalkView& view) {
    const bv::TraceEvent& event = walk.event(number - 1);
    const bool rotated = std::holds_alternative<bv::Rotated>(event);
    if (!rotated && !std::holds_alternative<bv::LeafPlaced>(event) &&
        !std::holds_alternative<bv::LeafDetached>(event))
        return;
    std::size_t end = number;
    while (end < walk.size() && std::holds_alternative<bv::NodeRefitted>(walk.event(end)))
        ++end;
    const bv::TreeMetrics before = bv::measure(walk.board(number - 1).tree.snapshot());
    const bv::TreeMetrics after = bv::measure(walk.board(end).tree.snapshot());
    const auto both = [](double from, double to) {
        const auto [first, second] = distinct_texts(from, to);
        return first + " to " + second;
    };
    view.values.emplace_back("height", both(before.height, after.height));
    view.values.emplace_back("SAH cost", both(before.sah, after.sah));
    if (!rotated) return;
    const std::string cost = change_of(before.sah, after.sah, "");
    view.sentence +=
        fmt::format(" The height {}, the SAH cost {}", change_of(before.height, after.height, ""), cost);
    const double gain = before.sah - after.sah;
    view.sentence +=
        gain > 0.0 && !cost.starts_with("stays") ? fmt::format(": {} less.", in_short(gain)) : ".";
}

}  // namespace

WalkView view_of(const Walk& walk, const Position& position) {
    WalkView view;
    view.algorithm = walk.algorithm().label;
    for (const CodeLine& line : walk.algorithm().code)
        view.code.push_back(line.text);
    view.code_line = view.code.size();
    view.number = position.number;
    view.of = walk.size();
    view.dropped = walk.dropped();
    view.playing = position.playing;
    view.quantity = walk.algorithm().quantity;
    view.curve = walk.curve();
    view.sentence = walk.verdict();
    if (position.number == 0) return view;
    const bv::TraceEvent& event = walk.event(position.number - 1);
    view.code_line = walk.algorithm().line_of(event, walk.subject());
    view.changed_answer = walk.changes_answer(position.number - 1);
    view.kind = id_of(event);
    const Board before = needs_context(event) ? walk.board(position.number - 1) : Board();
    view.sentence = sentence_of(event, walk.subject(), before);
    view.values = values_of(event, walk.subject(), before);
    if (!walk.subject().tree_name.empty()) add_gain(walk, position.number, view);
    return view;
}

Walk::Walk(const Algorithm& algorithm, Subject subject, const bv::Recording& recording, std::string verdict)
    : algorithm_(&algorithm),
      subject_(std::move(subject)),
      events_(recording.events()),
      stride_(std::max(kMinStride, (events_.size() + kKeptStates - 1) / kKeptStates)),
      dropped_(recording.dropped()),
      verdict_(std::move(verdict)) {
    Board board(subject_);
    auto curve = std::make_shared<std::vector<float>>();
    curve->reserve(events_.size());
    changes_.reserve(events_.size());
    for (const bv::TraceEvent& event : events_) {
        changes_.push_back(board.apply(event));
        const std::optional<double> value = quantity_of(event, subject_, board);
        curve->push_back(value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN());
        if (curve->size() % stride_ == 0) kept_states_.push_back(board);
    }
    curve_ = std::move(curve);
}

Board Walk::board(std::size_t count) const {
    count = std::min(count, events_.size());
    const std::size_t kept = count / stride_;
    Board board = kept == 0 ? Board(subject_) : kept_states_[kept - 1];
    for (std::size_t i = kept * stride_; i < count; ++i)
        (void)board.apply(events_[i]);
    return board;
}

TreeHistory Walk::history(std::size_t count) const {
    TreeHistory history{subject_.tree_name, {}};
    TreeState tree(subject_.tree);
    std::string_view operation;
    const auto note = [&](std::uint32_t node, std::size_t index) {
        if (node == bv::TreeSnapshot::kNone) return;
        if (node >= history.nodes.size()) history.nodes.resize(node + std::size_t{1});
        history.nodes[node] = {index + 1, operation};
    };
    for (std::size_t i = 0; i < std::min(count, events_.size()); ++i) {
        if (const auto* placed = std::get_if<bv::LeafPlaced>(&events_[i])) {
            tree.apply(*placed);
            operation = "insertion";
            note(placed->leaf.value, i);
            if (placed->parent.valid()) {
                note(placed->parent.value, i);
                note(tree.parent(placed->parent), i);
            }
        } else if (const auto* gone = std::get_if<bv::LeafDetached>(&events_[i])) {
            tree.apply(*gone);
            operation = "removal";
            if (gone->sibling.valid()) note(tree.parent(gone->sibling), i);
        } else if (const auto* turned = std::get_if<bv::Rotated>(&events_[i])) {
            tree.apply(*turned);
            operation = "rotation";
            note(tree.parent(turned->first), i);
            note(tree.parent(turned->second), i);
        } else if (const auto* refitted = std::get_if<bv::NodeRefitted>(&events_[i])) {
            tree.apply(*refitted);
            // A refit belongs to the operation before it, if there was one.
            if (refitted->before == refitted->after) continue;
            if (operation.empty()) operation = "refit";
            note(refitted->node.value, i);
        }
    }
    return history;
}

std::size_t Walk::next_change(std::size_t number) const {
    for (std::size_t next = number + 1; next <= size(); ++next)
        if (changes_[next - 1]) return next;
    return number;
}

std::size_t Walk::previous_change(std::size_t number) const {
    for (std::size_t previous = number; previous > 1;)
        if (changes_[--previous - 1]) return previous;
    return number;
}

std::size_t Walk::memory_bytes() const {
    return events_.size() * (sizeof(bv::TraceEvent) + sizeof(float) + 1) +
           (subject_.points.size() + subject_.points_b.size()) * sizeof(glm::vec3) +
           (subject_.nodes.size() + subject_.nodes_b.size() + subject_.triangles.size()) * sizeof(bv::Obb) +
           subject_.tree.size() * 2 * sizeof(bv::Aabb);
}

Position position_of(const Settings& settings, const Setting<int>& at, std::size_t count) {
    const std::size_t number = std::min(static_cast<std::size_t>(std::max(settings[at], 0)), count);
    return {number, settings[kStepPlaying] && number > 0 && number < count};
}

void show(const Walk& walk, const Position& position, FrameResults& results) {
    list_steps(walk, position.number, results);
    if (!walk.has_picture()) return;
    if (position.number == 0) {
        draw_board(walk.board(walk.size()), walk.subject(), results);
        if (walk.deciding() == 0 || walk.deciding() > walk.size()) return;
    }
    const std::size_t drawn = position.number == 0 ? walk.deciding() : position.number;
    const bv::TraceEvent& event = walk.event(drawn - 1);
    const Board before = walk.board(drawn - 1);
    Board after = before;
    (void)after.apply(event);
    if (position.number != 0) draw_board(after, walk.subject(), results);
    if (position.number != 0 && !walk.subject().tree_name.empty())
        results.trees.emplace_back(walk.subject().tree_name, after.tree.snapshot());
    draw_step(event, {walk.subject(), before, after}, results);
}

}  // namespace lab::steps
