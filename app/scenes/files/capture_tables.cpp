#include "scenes/files/capture_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace lab::scenes {

std::shared_ptr<const Curves> capture_curves(const capture::Survey& survey, const Setting<int>& frame) {
    auto curves = std::make_shared<Curves>();
    curves->title = "Over the capture";
    curves->setting = &frame;
    using Row = capture::FrameRow;
    const auto add = [&](const char* name, Role role, auto value) {
        Curves::Line line{name, role, {}};
        for (const Row& row : survey.rows)
            line.values.push_back(value(row));
        curves->lines.push_back(std::move(line));
    };
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    for (const Row& row : survey.rows)
        curves->at.push_back(
            static_cast<int>(std::min<std::uint64_t>(row.number, static_cast<std::uint64_t>(frame.max))));
    const auto measured = [](auto member) {
        return [member](const Row& row) { return row.measured ? static_cast<float>(row.*member) : kNone; };
    };
    const auto counted = [](auto member) {
        return [member](const Row& row) { return static_cast<float>(row.*member); };
    };
    add("SAH", Role::ProjectionB, measured(&Row::sah));
    add("SAH rebuilt", Role::Muted, measured(&Row::rebuilt_sah));
    add("height", Role::ProjectionA, measured(&Row::height));
    add("leaves", Role::TreeLeaf, measured(&Row::leaves));
    add("area ratio", Role::Plane, measured(&Row::area_ratio));
    add("sibling overlap", Role::Kdop, measured(&Row::sibling_overlap));
    add("moves", Role::Sphere, counted(&Row::moved));
    add("new fat boxes", Role::Touching, counted(&Row::new_boxes));
    add("pairs", Role::AabbTight, measured(&Row::pairs));
    add("query visits", Role::Visited, counted(&Row::visited));
    return curves;
}

Table diagnosis_table(const capture::Diagnosis& d, const LookAt& look) {
    Table table{"diagnosis", "Diagnosis", {"cause", "since frame", "node", "bodies", {"share", "%"}}};
    for (const capture::Finding& f : d.findings) {
        table.add({std::string(capture::words_of(f.cause)), cells::whole(f.frame), cells::whole(f.node),
                   cells::grouped(f.bodies.size()), cells::fixed(100.0 * f.share, 0)},
                  Role::Broken);
        table.rows.back().command = look(f);
    }
    if (d.findings.empty())
        table.add({std::string(capture::words_of(capture::Cause::NothingWrong)), cells::whole(d.frame)},
                  Role::TreeNode);
    return table;
}

Table diagnosis_words(const capture::Diagnosis& d, const LookAt& look) {
    Table table{"diagnosis_words", "In words", {"", "in words"}};
    const auto add = [&table](const char* what, std::string_view text, const std::string& command) {
        while (!text.empty()) {
            constexpr std::size_t kWidest = 100;
            std::size_t end = std::min(text.find(". "), text.size() - 1) + 1;
            if (end > kWidest) end = std::min(text.rfind(' ', kWidest), end);
            if (end == 0) end = text.size();
            table.add({what, std::string(text.substr(0, end))});
            table.rows.back().command = command;
            text.remove_prefix(std::min(end + 1, text.size()));
            what = "";
        }
    };
    add("tree",
        fmt::format("{} leaves, SAH {:.2f}; rebuilt over the tight boxes {:.2f}.", d.leaves, d.sah,
                    d.rebuilt_sah),
        "");
    if (d.queries > 0)
        add("queries",
            fmt::format("The {} of frame {} visit {} nodes; in a rebuilt tree, {}.", d.queries, d.frame,
                        d.visits, d.rebuilt_visits),
            "");
    for (const capture::Finding& f : d.findings) {
        table.add({"cause", fmt::format("{}, since frame {}{}", capture::words_of(f.cause), f.frame,
                                        f.slowly ? ", slowly" : "")},
                  Role::Broken);
        table.rows.back().command = look(f);
        add("evidence", f.evidence, look(f));
        add("remedy", f.helps, look(f));
    }
    for (const std::string& remark : d.remarks)
        add("note", remark, "");
    return table;
}

Table what_if_table(const capture::WhatIf& what_if) {
    Table table{"what_if",
                fmt::format("What if: means over {} frames", what_if.frames),
                {"structure",
                 "total work",
                 "visits",
                 "pair tests",
                 "upkeep",
                 "re-inserted",
                 "pairs",
                 {"memory", "KiB"},
                 {"time", "ms"},
                 "same results"}};
    const auto number = [](double value) { return cells::fixed(value, value < 100.0 ? 1 : 0); };
    for (const capture::WhatIfRow& row : what_if.rows) {
        Cell pairs, memory, time, same;
        if (!row.is_engine) {
            pairs = number(row.pairs);
            memory = cells::grouped(row.bytes / 1024);
            time = cells::fixed(*row.ms, 3).timed();
            same = cells::must_hold(row.same_answers);
        }
        table.add(
            {row.name, number(row.work()), number(row.visits), number(row.pair_tests), number(row.upkeep),
             number(row.new_boxes), std::move(pairs), std::move(memory), std::move(time), std::move(same)},
            row.is_engine   ? Role::Selected
            : row.place > 0 ? Role::TreeLeaf
                            : Role::Muted,
            row.place == 1   ? RowMark::Chosen
            : row.place == 2 ? RowMark::Rival
                             : RowMark::None);
    }
    for (const std::string& remark : what_if.remarks)
        table.add({"note: " + remark}, Role::Muted);
    return table;
}

}  // namespace lab::scenes
