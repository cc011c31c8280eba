#include "scenes/files/capture_tables.hpp"
#include "io/text/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace lab::scenes {
namespace {

constexpr std::size_t kMaxRows = 500;
/// None of these is a color of a depth of the tree around the bodies.
constexpr std::array kTagRoles = {Role::AabbTight, Role::Sphere, Role::Kdop,   Role::Hull,
                                  Role::Capsule,   Role::AxisZ,  Role::Normal, Role::AxisX};

/// Exact for any number: one that a double cannot hold is a text.
Cell exact(std::uint64_t number) {
    if (number >> 53 == 0) return cells::whole(number);
    return std::to_string(number);
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

}  // namespace

std::shared_ptr<const Curves> capture_curves(const capture::Survey& survey, const Setting<int>& frame,
                                             const capture::FrameSetting& held) {
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
        curves->at.push_back(held.of_number(row.number));
    const auto measured = [](auto member) {
        return [member](const Row& row) { return row.measured ? static_cast<float>(row.*member) : kNone; };
    };
    const auto counted = [](auto member) {
        return [member](const Row& row) { return static_cast<float>(row.*member); };
    };
    add("SAH", Role::ProjectionB, measured(&Row::sah));
    add("SAH if rebuilt now", Role::Muted, measured(&Row::rebuilt_sah));
    add("height", Role::ProjectionA, measured(&Row::height));
    add("leaves", Role::Capsule, measured(&Row::leaves));
    add("area ratio", Role::AabbFixed, measured(&Row::area_ratio));
    add("sibling overlap", Role::Kdop, measured(&Row::sibling_overlap));
    add("moves", Role::Normal, counted(&Row::moved));
    add("new fat boxes", Role::Hit, counted(&Row::new_boxes));
    add("grown fat boxes", Role::Separating, counted(&Row::grown_boxes));
    add("pairs", Role::Hull, measured(&Row::pairs));
    add("query visits", Role::Visited, counted(&Row::visited));
    return curves;
}

std::vector<Film::Mark> capture_marks(const capture::Survey& survey,
                                      const std::optional<capture::Diagnosis>& diagnosis,
                                      const capture::FrameSetting& held) {
    std::vector<Film::Mark> marks;
    const auto add = [&](std::uint64_t frame, Role role, std::string text) {
        marks.push_back({held.of_number(frame), role, std::move(text), frame});
    };
    for (const capture::EngineMark& mark : survey.marks)
        add(survey.rows[mark.place].number, Role::Plane, mark.text);
    if (diagnosis)
        for (const capture::Finding& f : diagnosis->findings)
            add(f.frame, Role::Broken, std::string(capture::words_of(f.cause)));
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Film::Mark& a, const Film::Mark& b) { return a.number < b.number; });
    return marks;
}

Table marks_table(const ExaminedCapture& examined, const std::function<std::string(int frame)>& look) {
    Table table{"capture_marks", "Marks", {"frame", "mark"}};
    if (!examined.marks) return table;
    for (const Film::Mark& mark : *examined.marks) {
        table.add({exact(mark.number), mark.text}, mark.role);
        table.rows.back().command = look(mark.frame);
    }
    if (examined.marks_left_out > 0)
        table.add({{},
                   fmt::format("{} from the engine {} not listed",
                               io::counted(examined.marks_left_out, "more mark", "more marks"),
                               io::plural(examined.marks_left_out, "is", "are"))},
                  Role::Muted);
    return table;
}

/// Empty where the whole tree is meant.
static Cell bodies_cell(const capture::Finding& f) {
    return f.bodies.empty() ? Cell{} : Cell{cells::grouped(f.bodies.size())};
}

Table diagnosis_table(const capture::Diagnosis& d, const LookAt& look) {
    Table table{"diagnosis",
                "Diagnosis",
                {"cause", "since frame", "seen in frame", "node", "bodies", {"share", "%"}}};
    for (const capture::Finding& f : d.findings) {
        std::string cause(capture::words_of(f.cause));
        if (!d.others.empty() || f.tree != d.tree) cause += fmt::format(" in '{}'", f.tree);
        table.add({std::move(cause), exact(f.frame), exact(f.shown_in), exact(f.node), bodies_cell(f),
                   cells::fixed(100.0 * f.share, 0)},
                  Role::Broken);
        table.rows.back().command = look(f);
    }
    if (d.findings.empty() && d.is_incomplete)
        table.add({"the tree is incomplete: it was not judged"}, Role::Muted);
    else if (d.findings.empty() && d.leaves == 0)
        table.add({capture::no_tree_text(d)}, Role::Muted);
    else if (d.findings.empty() && d.unexplained > 0)
        table.add({fmt::format("no known cause is proved; the tree or a part of it costs {:.2f} times as "
                               "much as a rebuilt one",
                               d.unexplained),
                   {},
                   exact(d.frame)},
                  Role::TreeNode);
    else if (d.findings.empty() && d.noticed_loss() > 0)
        table.add({fmt::format("no known cause is proved; the whole tree costs {:.2f} times as much as the "
                               "rebuilt one",
                               d.noticed_loss()),
                   {},
                   exact(d.frame)},
                  Role::TreeNode);
    else if (d.findings.empty())
        table.add({std::string(capture::words_of(capture::Cause::NothingWrong)), {}, exact(d.frame)},
                  Role::TreeNode);
    if (d.leaves > 0) {
        table.add({"what would be better? Replay it in every structure"}, Role::Muted);
        table.rows.back().command = "capture.what_if";
    }
    return table;
}

Table earlier_table(const std::vector<capture::Finding>& earlier, const LookAt& look) {
    Table table{"diagnosis_earlier",
                "Earlier findings",
                {"cause", "since frame", "last seen in frame", "node", "bodies"}};
    for (const capture::Finding& f : earlier) {
        table.add({std::string(capture::words_of(f.cause)), exact(f.frame), exact(f.shown_in), exact(f.node),
                   bodies_cell(f)},
                  Role::Muted);
        table.rows.back().command = look(f);
    }
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
    if (d.leaves > 0)
        add("tree",
            fmt::format("Frame {}, the last with {}: {}, SAH {:.2f}; rebuilt over the {} {:.2f}.", d.frame,
                        d.was_emptied ? "leaves" : "a tree", io::counted(d.leaves, "leaf", "leaves"), d.sah,
                        d.boxes_rebuilt(), d.rebuilt_sah),
            "");
    else if (d.findings.empty() && d.is_incomplete)
        add("tree", "The tree is incomplete: it was not judged.", "");
    else if (d.findings.empty())
        add("tree", capture::capital(capture::no_tree_text(d)) + ".", "");
    if (d.queries > 0)
        add("queries",
            fmt::format("Run again, the {} of frame {} {} {} nodes; in a rebuilt tree, {}.",
                        io::counted(d.queries, "captured query", "captured queries"), d.frame,
                        io::plural(d.queries, "visits", "visit"), d.visits, d.rebuilt_visits),
            "");
    for (const capture::Finding& f : d.findings) {
        table.add({"cause", fmt::format("{}, since frame {}{}", capture::words_of(f.cause), f.frame,
                                        f.slowly ? ", gradually" : "")},
                  Role::Broken);
        table.rows.back().command = look(f);
        add("evidence", f.evidence, look(f));
        add("remedy", f.helps, look(f));
        if (!f.bodies.empty()) add("bodies", bodies_text(f) + ".", look(f));
    }
    for (const std::string& remark : d.remarks)
        add("note", remark, "");
    return table;
}

Table what_if_table(const capture::WhatIf& what_if) {
    Table table{
        "what_if",
        fmt::format("What if: means over {} frames, {} to {}", what_if.frames, what_if.first, what_if.last),
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
        const bool is_unknown = row.is_engine && !row.has_tree;
        const auto of_tree = [&](double value) { return is_unknown ? Cell{} : Cell{number(value)}; };
        table.add(
            {row.name, of_tree(row.work()), of_tree(row.visits), of_tree(row.pair_tests), of_tree(row.upkeep),
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

Role role_of_tag(std::uint32_t tag) {
    return kTagRoles[tag % kTagRoles.size()];
}

std::string name_of(const capture::ShownFrame& shown, std::uint64_t id) {
    const auto& names = *shown.frame.names;
    const auto at = names.find(id);
    return at == names.end() ? std::string() : at->second;
}

std::optional<std::uint64_t> number_of(const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc{} || last != end) return std::nullopt;
    return number;
}

bool is_found(const capture::ShownFrame& shown, const std::string& wanted, std::uint64_t id) {
    if (wanted.empty()) return false;
    if (const auto number = number_of(wanted)) return *number == id;
    return lower(name_of(shown, id)).find(lower(wanted)) != std::string::npos;
}

Table frame_table(const io::CaptureFile& file, std::size_t place, const capture::ShownFrame& shown) {
    const io::CaptureFrameEntry& entry = file.frames()[place];
    Table table{"capture",
                "This frame",
                {"frame",
                 "frames",
                 {"time", "s"},
                 "bodies",
                 "created",
                 "moved",
                 "removed",
                 "queries",
                 "nodes visited"}};
    std::uint64_t visits = 0;
    for (const io::CaptureQuery& query : shown.frame.queries)
        visits += query.nodes_visited;
    const bool counts_visits = visits > 0 || shown.frame.queries.empty();
    table.add({exact(entry.number), cells::grouped(file.frames().size()), cells::fixed(entry.time_s, 3),
               cells::grouped(shown.frame.proxies.size()), cells::grouped(entry.counts.created),
               cells::grouped(entry.counts.moved), cells::grouped(entry.counts.removed),
               cells::grouped(shown.frame.queries.size()),
               counts_visits ? Cell(cells::grouped(visits)) : Cell("-")});
    return table;
}

Table captures_table(const std::vector<OpenedCapture>& captures,
                     const std::shared_ptr<const io::CaptureFile>& shown) {
    Table table{"captures", "Captures", {"#", "capture", "frames", "from"}};
    for (std::size_t i = 0; i < captures.size(); ++i) {
        const OpenedCapture& capture = captures[i];
        table.add({cells::whole(i + 1), capture.name, cells::grouped(capture.file->frames().size()),
                   capture.is_from_engine() ? std::string("an engine") : std::string("a file")},
                  {}, capture.file == shown ? RowMark::Chosen : RowMark::None);
        table.rows.back().command = fmt::format("capture.show {}; capture.newest", i + 1);
    }
    return table;
}

Table remarks_table(const io::CaptureFile& file, const capture::ShownFrame& shown, bool is_live,
                    bool is_sample) {
    Table table{"capture_remarks", "Notes", {"of", "remark"}};
    const io::CaptureHead& head = file.head();
    if (!head.engine.empty()) table.add({"engine", head.engine});
    if (!head.title.empty()) table.add({"title", head.title});
    for (const std::string& mark : shown.frame.marks)
        table.add({"this frame", mark});
    for (const std::string& note : shown.frame.notes)
        table.add({"this frame", note}, Role::Broken);
    if (const std::string note = capture::bad_boxes_note(shown.frame); !note.empty())
        table.add({"this frame", note}, Role::Broken);
    for (const std::string& note : file.notes())
        table.add({"the file", note}, Role::Broken);
    if (is_live)
        table.add(
            {"connection", file.is_growing() ? "the engine is connected" : "the engine has disconnected"});
    if (is_sample)
        table.add({"your own",
                   "bv_capture.h writes captures; drop one on the window, or open it from the menu File"});
    return table;
}

Table trees_table(const capture::ShownFrame& shown, std::string_view rival,
                  const bv::TreeMetrics* rival_metrics) {
    Table table{
        "capture_trees",
        "Trees",
        {"tree", "leaves", "nodes", "height", "optimum", "area ratio", "SAH", {"overlap", "%"}, "broken"}};
    const auto row = [&table](std::string name, const bv::TreeMetrics& m, Cell broken, Role role) {
        table.add({std::move(name), cells::grouped(m.leaves), cells::grouped(m.nodes), cells::whole(m.height),
                   cells::whole(m.optimal_height), cells::fixed(m.area_ratio, 2), cells::fixed(m.sah, 1),
                   cells::fixed(100.0 * m.sibling_overlap, 1), std::move(broken)},
                  role);
    };
    for (const capture::ShownTree& tree : shown.trees)
        row(tree.id, tree.metrics, cells::grouped(tree.snapshot.defect_count),
            tree.snapshot.defect_count > 0 ? Role::Broken : Role::TreeNode);
    if (rival_metrics) row(std::string(rival), *rival_metrics, cells::grouped(0), Role::Muted);
    return table;
}

Table broken_table(const capture::ShownFrame& shown, const Mark& mark) {
    Table table{"capture_broken", "Broken invariants", {"tree", "what"}};
    for (const capture::ShownTree& tree : shown.trees) {
        for (const io::CaptureDefect& defect : tree.snapshot.defects) {
            if (table.rows.size() >= kMaxRows) break;
            table.add({tree.id, io::defect_text(defect)}, Role::Broken);
            table.rows.back().command = mark(capture::node_name(shown, tree.id, defect.node));
        }
    }
    return table;
}

Table bodies_table(const capture::ShownFrame& shown, const std::string& wanted, const Mark& mark) {
    Table table{"capture_bodies", "Bodies", {"id", "name", "tag", {"center", "m"}, {"size", "m"}}};
    const auto& proxies = shown.frame.proxies;
    if (!wanted.empty() && std::none_of(proxies.begin(), proxies.end(), [&](const io::CaptureProxy& proxy) {
            return is_found(shown, wanted, proxy.id);
        }))
        table.add({"", fmt::format("no body of this frame has the id or name '{}'", wanted)}, Role::Broken);
    for (const bool first : {true, false})
        for (const io::CaptureProxy& proxy : proxies) {
            if (table.rows.size() >= kMaxRows) return table;
            const bool found = is_found(shown, wanted, proxy.id);
            if (found != first) continue;
            const bool is_good = proxy.tight.is_finite();
            table.add({exact(proxy.id), name_of(shown, proxy.id), cells::whole(proxy.tag),
                       is_good ? Cell(cells::vector(proxy.tight.center())) : std::string("its box is broken"),
                       is_good ? Cell(cells::vector(proxy.tight.size())) : Cell()},
                      found      ? Role::Selected
                      : !is_good ? Role::Broken
                                 : role_of_tag(proxy.tag),
                      found ? RowMark::Chosen : RowMark::None);
            table.rows.back().command = mark(std::to_string(proxy.id));
        }
    return table;
}

}  // namespace lab::scenes
