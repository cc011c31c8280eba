#include "step_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "result_text.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"

namespace lab::test {
namespace {

using steps::Position;
using steps::Walk;

constexpr std::size_t kPictures = 40;  // of a long walk, spread over it, beside the first of each kind

std::string words_of(const WalkView& view) {
    std::string out = view.sentence;
    for (const auto& [name, cell] : view.values)
        out += fmt::format("; {} {}", name, to_text(cell));
    return out;
}

/// Everything that a step adds to the frame.
std::string picture_of(const Walk& walk, std::size_t number) {
    FrameResults results;
    show(walk, {number, false}, results);
    Words exhibits, tables;
    for (const Exhibit& e : results.exhibits)
        exhibits.add(text(e));
    for (const Table& t : results.tables) {
        tables.add(t.id + " " + t.title);
        for (const Column& column : t.columns)
            tables.add(column.label());
        for (const Row& row : t.rows) {
            for (const Cell& cell : row.cells)
                tables.add(to_text(cell) + ";");
            tables.add(fmt::format("{} {} {}", row.role ? static_cast<int>(*row.role) : -1, name_of(row.mark),
                                   row.command));
        }
    }
    Words charts;
    for (const IntervalChart& c : results.charts) {
        charts.add(fmt::format("{} {} {} {} {}", c.title, c.unit, text(c.min), text(c.max),
                               c.now ? text(*c.now) : "-"));
        for (const IntervalChart::Row& r : c.rows)
            charts.add(fmt::format("{} {} {} {} {}", r.name, text(r.from), text(r.to),
                                   static_cast<int>(r.role), r.note));
    }
    for (const LineChart& c : results.line_charts)
        for (const LineChart::Line& line : c.lines) {
            charts.add(fmt::format("{} {} {} {} {}", c.title, c.span, c.capacity, line.name,
                                   static_cast<int>(line.role)));
            for (const float value : line.values)
                charts.add(text(value));
        }
    Words trees;
    for (const auto& [name, tree] : results.trees) {
        trees.add(name);
        for (std::size_t i = 0; i < tree.size(); ++i)
            trees.add(fmt::format("{} {} {} {}", text(tree.boxes[i]), tree.parents[i], tree.depths[i],
                                  tree.source_nodes[i]));
    }
    std::string out = fmt::format("{} exhibits {}", results.exhibits.size(), exhibits.text());
    if (!results.tables.empty()) out += "; tables " + tables.text();
    if (!results.charts.empty() || !results.line_charts.empty()) out += "; charts " + charts.text();
    if (!results.trees.empty()) out += "; trees " + trees.text();
    if (!results.marked_nodes.nodes.empty()) {
        out += "; marked in " + results.marked_nodes.tree;
        for (const MarkedNode& marked : results.marked_nodes.nodes)
            out += fmt::format(" {} role {}", marked.source, static_cast<int>(marked.role));
    }
    return out;
}

/// Steps alike: of one kind, at one line, and either all or none of them with another answer.
struct Group {
    std::size_t count = 0;
    Words words, pictures;
};

}  // namespace

std::string steps(const Session& session) {
    const Walk* walk = session.state().scene.running->stepped_walk();
    if (!walk) return "no steps\n";
    const std::size_t size = walk->size();
    Sums curve;
    std::size_t changes = 0;
    for (std::size_t i = 0; i < size; ++i) {
        curve.add((*walk->curve())[i]);
        changes += walk->changes_answer(i);
    }
    std::string first;
    std::map<std::string, Group> groups;
    std::vector<std::size_t> at_line(walk->algorithm().code.size() + 1);
    for (std::size_t n = 1; n <= size; ++n) {
        const WalkView view = view_of(*walk, {n, false});
        ++at_line[view.code_line];
        Group& group = groups[fmt::format("{} at line {}{}", view.kind, view.code_line,
                                          view.changed_answer ? ", another answer" : "")];
        group.words.add(words_of(view));
        const bool is_first = ++group.count == 1;
        if (is_first || n == size || n % (1 + size / kPictures) == 0) {
            const std::string picture = picture_of(*walk, n);
            group.pictures.add(picture);
            if (is_first || n == size)
                first += fmt::format("  {} {} at line {}: {}\n    {}\n", n, view.kind, view.code_line,
                                     words_of(view), picture);
        }
    }
    std::string out =
        fmt::format("walk {}: {} steps, {} left out, {} change the answer; {} {}\n", walk->algorithm().label,
                    size, walk->dropped(), changes, walk->algorithm().quantity, curve.text());
    for (std::size_t line = 0; line < at_line.size(); ++line)
        out += fmt::format(
            "  line {}: {} steps: {}\n", line, at_line[line],
            line < walk->algorithm().code.size() ? walk->algorithm().code[line].text : "none of them");
    out += first;
    for (const auto& [name, group] : groups)
        out += fmt::format("  all {} of {}: {}; some pictures {}\n", group.count, name, group.words.text(),
                           group.pictures.text());
    return out +
           fmt::format("  answer: {}\n    {}\n", view_of(*walk, {0, false}).sentence, picture_of(*walk, 0));
}

}  // namespace lab::test
