// Random sessions against their records, until the time is up.
//
//   fuzz_records [SECONDS] [SEED]      2 seconds and seed 1 without arguments
//   fuzz_records xCOUNT [SEED]         so many sessions, however long they take
//
// A session edits, selects, steps and looks back and forth in time. Where it ends must be the same, bit for
// bit and apart from measured times, by every other way there: from the start of its own record, from the
// recording that it wrote, at once or frame by frame, from the scene that it saved, also if it goes on from
// there, and with looks back in between. The seed of a session is printed before it starts: `fuzz_records 0
// SEED` runs that one alone. A finding is made as short as possible before it is printed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "any_value.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "io/sessions/scene_file.hpp"
#include "platform/clock.hpp"
#include "scenes/scenes.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "settings/effect.hpp"
#include "temp_dir.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

namespace {

using bv::workloads::Random;
using lab::Session;

using Frame = std::vector<std::string>;
using Script = std::vector<Frame>;

// ---- lines

std::string any_value(const lab::SettingSpec& spec, Random& random) {
    const double share = static_cast<double>(random.uniform());
    return lab::test::any_value(spec, share * share * share, spec.min + 200.0, random);
}

bool is_cheap(const lab::SettingSpec& spec) {
    return spec.effect != lab::Effect::Outside && spec.id != "heat.show" && spec.id != "step.playing" &&
           spec.id != "verify" && !spec.id.starts_with("stress.");
}

std::string any_setting(const Session& session, Random& random) {
    const auto of_scene = session.state().scene.spec->settings;
    const auto all = lab::setting_catalog().rows();
    for (int i = 0; i < 20; ++i) {
        const lab::SettingSpec& spec =
            !of_scene.empty() && random.chance(0.5f) ? *random.one_of(of_scene) : *random.one_of(all);
        if (is_cheap(spec))
            return fmt::format("set {}",
                               lab::quote_word(fmt::format("{}={}", spec.id, any_value(spec, random))));
    }
    return "hide";
}

std::string number(Random& random, float low, float high) {
    return fmt::format("{:.2f}", random.uniform(low, high));
}

std::string numbers(Random& random, int count, float low, float high) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += (i == 0 ? "" : " ") + number(random, low, high);
    return text;
}

std::string any_body(const Session& session, Random& random) {
    const auto& bodies = session.state().world.bodies();
    if (bodies.empty() || random.chance(0.1f)) return fmt::format("{}", 1 + random.below(60));
    return fmt::format("{}", random.one_of(bodies).state.id.value);
}

std::string any_pixel(Random& random) {
    const std::string x = number(random, 200, 1080);
    return x + ' ' + number(random, 100, 620);
}

std::string any_tree(const Session& session, Random& random) {
    const auto& trees = session.results().trees;
    return trees.empty() ? "bodies" : lab::quote_word(random.one_of(trees).first);
}

std::string line_of_selection(const Session& session, Random& random) {
    switch (random.below(16)) {
        case 0:
            return "select all";
        case 1:
            return "select none";
        case 2:
            return "select add " + any_body(session, random);
        case 3:
            return "select toggle " + any_body(session, random);
        case 4: {
            const std::string from = any_pixel(random);
            return fmt::format("select.box {} {}{}", from, any_pixel(random),
                               random.chance(0.5f) ? " add" : "");
        }
        case 5:
        case 6:
        case 7: {
            const std::string tree = any_tree(session, random);
            return fmt::format("select.node {} {}", tree, random.below(40));
        }
        case 8:
            return "select.parent";
        case 9: {
            const std::string body = any_body(session, random);
            return fmt::format("select.triangle {} {}", body, random.below(20));
        }
        case 10:
            return fmt::format("select.ray {}", random.below(3));
        case 11:
            return fmt::format("pick {}{}", any_pixel(random), random.chance(0.3f) ? " add" : "");
        case 12:
            return "pick.node " + any_pixel(random);
        case 13:
            return random.chance(0.7f) ? "tree.isolate on" : "tree.isolate off";
        default:
            return "select " + any_body(session, random);
    }
}

std::string line_of_editing(const Session& session, Random& random) {
    switch (random.below(22)) {
        case 0:
        case 1:
            return fmt::format("spawn {}", 1 + random.below(6));
        case 2:
            return "spawn.at " + any_pixel(random);
        case 3:
            return "remove";
        case 4:
            return "remove " + any_body(session, random);
        case 5:
            return random.chance(0.2f) ? "clear" : random.chance(0.5f) ? "pause on" : "move.by 0.5 0 0.25";
        case 6: {
            const std::string body = any_body(session, random);
            return fmt::format("move {} {}", body, numbers(random, 3, -3, 3));
        }
        case 7:
            return fmt::format("turn 0 1 0.2 {}", random.below(90));
        case 8:
            return "copy";
        case 9:
            return "paste";
        case 10:
            return "duplicate";
        case 11:
        case 12:
            return "undo";
        case 13:
            return "redo";
        case 14:
            return random.chance(0.5f) ? "edit.begin drag" : "edit.begin other";
        case 15:
            return "edit.end";
        case 16:
            return random.chance(0.3f) ? "edit.forget" : "edit.end";
        case 17:
            return "hide " + any_body(session, random);
        case 18:
            return random.chance(0.5f) ? "show all" : "show " + any_body(session, random);
        case 19:
            return random.chance(0.4f) ? "isolate" : "hide";
        case 20: {
            constexpr std::string_view kChoices[] = {"volume.pair_kind=sphere", "volume.pair_kind=obb",
                                                     "fit.obb=all", "volume.pair_kind=all"};
            const std::string_view choice = random.one_of(kChoices);
            return fmt::format("body.set {} {}", choice, any_body(session, random));
        }
        default:
            return fmt::format("ray.pin {}", numbers(random, 6, -3, 3));
    }
}

std::string line_of_scene(const Session& session, Random& random) {
    const auto& handles = session.results().handles;
    switch (random.below(12)) {
        case 0:
        case 1:
            if (handles.empty()) return "hover 640 360";
            return fmt::format("scene.drag {} {}", random.one_of(handles).id, numbers(random, 3, -3, 3));
        case 2:
            if (handles.empty()) return "hover none";
            return fmt::format("scene.value {} {}", random.one_of(handles).id, number(random, 0, 3));
        case 3:
            return "step.next";
        case 4:
            return "step.back";
        case 5:
            return fmt::format("step.goto {}", random.below(12));
        case 6:
            return random.chance(0.5f) ? "step.change" : "step.change back";
        case 7:
            return random.chance(0.3f) ? "step.first" : fmt::format("scene.step {}", 1 + random.below(3));
        case 8:
            return random.chance(0.5f) ? "step.last" : "set step.at=3";
        case 9:
            return random.chance(0.5f) ? "film.step 2" : "film.play off";
        case 10: {
            const auto commands = session.state().scene.spec->commands;
            if (commands.empty()) return "ray.clear";
            const std::string_view id = random.one_of(commands).id;
            return id == "capture.what_if" ? "ray.clear"
                                           : std::string(id);  // a job: its result is of no moment
        }
        default:
            return "tree.rebuild greedy";
    }
}

std::string line_of_view(Random& random) {
    switch (random.below(7)) {
        case 0:
            return "camera.orbit 10 5";
        case 1:
            return "camera.frame";
        case 2:
            return "camera.frame all";
        case 3:
            return "camera.reset";
        case 4:
            return "hover " + any_pixel(random);
        case 5:
            return "hover none";
        default:
            return "ray.clear";
    }
}

std::string line_of_time(const Session& session, Random& random) {
    const auto last = static_cast<std::uint32_t>(session.timeline().last_step());
    switch (random.below(10)) {
        case 0:
        case 1:
        case 2:
            return fmt::format("time.back {}", 1 + random.below(6));
        case 3:
            return fmt::format("time.goto {}", random.below(last + 1));
        case 4:
            return "time.goto start";
        case 5:
        case 6:
            return "time.goto end";
        default:
            return fmt::format("step {}", 1 + random.below(4));
    }
}

std::string any_line(const Session& session, Random& random) {
    const std::uint32_t kind = random.below(100);
    if (kind < 22) return line_of_selection(session, random);
    if (kind < 50) return line_of_editing(session, random);
    if (kind < 60) return line_of_scene(session, random);
    if (kind < 70) return any_setting(session, random);
    if (kind < 76) return line_of_view(random);
    if (kind < 77) return "restart";
    return line_of_time(session, random);
}

constexpr std::string_view kScenes[] = {"welcome",      "welcome",      "welcome",        "broadphases",
                                        "narrow-phase", "capture",      "fit-obb",        "aabb-tree",
                                        "gjk",          "obb-sat",      "mesh-bvh",       "ray-aabb",
                                        "insertion",    "tree-balance", "aabb-sweep",     "mesh-pairs",
                                        "bsp",          "obb-tree",     "frustum",        "rectangles",
                                        "less-work",    "mesh-cut",     "voxel-invaders", "ray-picking"};

// ---- running

void run_frame(Session& session, const Frame& lines) {
    for (const std::string& line : lines)
        session.commands().push(line, "fuzz");
    session.drain();
    session.step(Session::kFixedStep_s);
    (void)session.take_requests();
}

void add_bits(std::string& text, const void* data, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(data);
    std::uint64_t hash = 1469598103934665603ULL;
    for (std::size_t i = 0; i < bytes; ++i)
        hash = (hash ^ byte[i]) * 1099511628211ULL;
    text += fmt::format(" {:016x}", hash);
}

/// All that must be the same by every way to a moment. `with_edits`: the edits, too, which a state that was
/// put together from a file does not have.
std::string shown(const Session& session, bool with_edits) {
    lab::io::Report report = lab::make_report(session, "fuzz");
    lab::io::erase_timings(report);
    report.errors.clear();
    report.frame = 0;             // steps in one frame can be recorded as two
    report.before_after.reset();  // of the commands before, as they ran
    if (!with_edits)              // picks in the past are not recorded
        std::erase_if(report.queries, [](const auto& query) { return query.kind == "pick"; });
    std::erase_if(report.stats, [](const auto& stat) { return stat.first == "refused_commands"; });
    std::string text = lab::io::report_text(report);
    for (const lab::BodyState& body : session.results().bodies) {
        text += fmt::format("\nbody {}", body.id.value);
        add_bits(text, &body.transform, sizeof(body.transform));
        add_bits(text, &body.velocity, sizeof(body.velocity));
    }
    for (const auto& [id, tree] : session.results().trees) {
        text += "\ntree " + id;
        add_bits(text, tree.source_nodes.data(), tree.source_nodes.size() * sizeof(tree.source_nodes[0]));
        add_bits(text, tree.boxes.data(), tree.boxes.size() * sizeof(tree.boxes[0]));
    }
    const lab::SessionState& state = session.state();
    for (const lab::SettingSpec* row : state.settings.catalog().rows())
        if (row->effect != lab::Effect::Outside)
            text += fmt::format("\n{}={}", row->id, state.settings.get_as_text(*row));
    for (const lab::Handle& handle : session.results().handles)
        text += fmt::format("\nhandle {} {} {} {}", handle.id, handle.position.x, handle.position.y,
                            handle.position.z);
    // A node that this moment does not have stays selected for others; no file keeps it.
    const auto is_held = [&session](lab::NodeHold hold) {
        return hold.follow(session.results().trees).has_value();
    };
    text += fmt::format("\nnode {} isolated {}", is_held(state.view.selection.node),
                        is_held(state.view.selection.isolated));
    if (with_edits) {
        text += fmt::format("\nundo {} {} redo {}", state.edits.undo_count(),
                            state.edits.next_undo() ? state.edits.next_undo()->label : "",
                            state.edits.redo_count());
        text += fmt::format("\ngroup {} {}", state.edits.is_grouping(),
                            state.edits.fresh_group() ? *state.edits.fresh_group() : "");
    }
    return text + '\n';
}

/// The first line that differs, or nothing.
std::string difference(const std::string& a, const std::string& b) {
    if (a == b) return "";
    std::size_t i = 0;
    while (i < std::min(a.size(), b.size()) && a[i] == b[i])
        ++i;
    const std::size_t from = i > 160 ? i - 160 : 0;
    return fmt::format("...{}...\nbecame\n...{}...", a.substr(from, 260), b.substr(from, 260));
}

const Script kAfter = {{"select 1 2"}, {"spawn 2; step 2"}, {"undo"}, {"step 2"}, {"undo"},
                       {"redo"},       {"step 3"}};

void run_script(Session& session, const Script& script) {
    for (const Frame& lines : script)
        run_frame(session, lines);
}

/// A way of checking, and what it found.
struct Finding {
    std::string check, difference;
};

std::string open(std::string_view file) {
    return fmt::format("open {}", file);
}

Finding check(const Script& script) {
    Session live{lab::command_table()};
    run_script(live, script);
    if (live.timeline().in_past()) {
        // What is saved of the past is what is on show.
        const std::string past = shown(live, false);
        if (live.timeline().is_whole()) {
            (void)lab::io::write_scene_file("past.json", live.saver().saved_scene("past.json"));
            Session saved{lab::command_table()};
            run_frame(saved, {"pause on", open("past.json")});
            std::string found = difference(past, shown(saved, false));
            if (!found.empty()) return {"saved in the past", found};
        }
        run_frame(live, {"time.goto end"});
    }
    run_frame(live, {});
    const std::string end = shown(live, true), end_without_edits = shown(live, false);
    const bool is_whole = live.timeline().is_whole();
    (void)lab::io::write_scene_file("end.json", live.saver().saved_scene("end.json"));
    run_frame(live, {"record.save end.bvrec"});
    // That frame is recorded.
    const std::string last = shown(live, true);
    run_frame(live, {"time.goto start"});
    run_frame(live, {"time.goto end"});
    std::string found = difference(last, shown(live, true));
    if (!found.empty()) return {"back and forth", found};
    run_frame(live, {"time.back 3"});
    run_frame(live, {"time.goto end"});
    found = difference(last, shown(live, true));
    if (!found.empty()) return {"a little back and forth", found};
    if (!is_whole) return {};

    Session again{lab::command_table()};
    run_frame(again, {open("end.bvrec"), "time.goto end"});
    found = difference(last, shown(again, true));
    if (!found.empty()) return {"recorded", found};

    Session played{lab::command_table()};
    run_frame(played, {"pause off", open("end.bvrec")});
    for (int i = 0; i < 2000 && played.timeline().in_past(); ++i)
        run_frame(played, {});
    // Time goes on where the record ends.
    run_frame(played, {fmt::format("time.goto {}", again.timeline().last_step())});
    found = difference(last, shown(played, true));
    if (!found.empty()) return {"recorded and played", found};

    Session saved{lab::command_table()};
    run_frame(saved, {"pause on", open("end.json")});
    found = difference(end, shown(saved, true));
    if (!found.empty()) return {"saved", found};
    Session gone_on{lab::command_table()};
    run_script(gone_on, script);
    if (gone_on.timeline().in_past()) run_frame(gone_on, {"time.goto end"});
    run_frame(gone_on, {});
    found = difference(end, shown(gone_on, true));
    if (!found.empty()) return {"a second time", found};
    Session looked_back{lab::command_table()};
    for (const Frame& lines : script) {
        run_frame(looked_back, lines);
        if (looked_back.timeline().in_past() || looked_back.has_waiting_work()) continue;
        run_frame(looked_back, {"time.back 2"});
        run_frame(looked_back, {"time.goto end"});
    }
    if (looked_back.timeline().in_past()) run_frame(looked_back, {"time.goto end"});
    run_frame(looked_back, {});
    found = difference(end, shown(looked_back, true));
    if (!found.empty()) return {"with looks back", found};
    run_script(gone_on, kAfter);
    run_script(saved, kAfter);
    found = difference(shown(gone_on, true), shown(saved, true));
    if (!found.empty()) return {"saved, and gone on", found};
    return {};
}

// ---- sessions

Script any_script(Random& random) {
    Script script;
    Session session{lab::command_table()};
    const auto add = [&](Frame lines) {
        run_frame(session, lines);
        script.push_back(std::move(lines));
    };
    const std::string_view scene = random.one_of(kScenes);
    if (scene == "ray-picking")  // with its small meshes: each start of a session makes them
        add({"pause on", "set pick.largest=20k", fmt::format("scene {}", scene)});
    else
        add({"pause on", fmt::format("scene {}", scene)});
    constexpr std::string_view kEngines[] = {"dynamic-tree", "wide-tree", "wide-tree", "bsp"};
    if (random.chance(0.7f)) add({fmt::format("set broadphase.kind={}", random.one_of(kEngines))});
    const std::uint32_t frames = 4 + random.below(24);
    for (std::uint32_t i = 0; i < frames; ++i) {
        Frame lines;
        for (std::uint32_t k = 1 + random.below(3); k > 0; --k)
            lines.push_back(any_line(session, random));
        if (random.chance(0.3f)) lines.push_back("step 2");
        add(std::move(lines));
    }
    return script;
}

/// Leaves out all that the finding does not need.
Script shortened(Script script, Finding& finding) {
    const auto still = [&finding](const Script& shorter) {
        Finding now = check(shorter);
        if (now.check != finding.check) return false;
        finding = std::move(now);
        return true;
    };
    bool any = true;
    while (any) {
        any = false;
        for (std::size_t i = script.size(); i-- > 1;) {
            Script shorter = script;
            shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
            if (!still(shorter)) continue;
            script = std::move(shorter);
            any = true;
        }
        for (std::size_t i = script.size(); i-- > 1;)
            for (std::size_t k = script[i].size(); k-- > 0;) {
                Script shorter = script;
                shorter[i].erase(shorter[i].begin() + static_cast<std::ptrdiff_t>(k));
                if (!still(shorter)) continue;
                script = std::move(shorter);
                any = true;
            }
    }
    return script;
}

/// One session; what went wrong, or nothing.
std::string run_session(std::uint64_t seed) {
    Random random(seed);
    const Script script = any_script(random);
    Finding finding = check(script);
    if (finding.check.empty()) return "";
    fmt::print("{}: {}\nmade shorter:\n", finding.check, finding.difference);
    std::fflush(stdout);
    std::string text;
    const Script shorter = shortened(script, finding);
    for (const Frame& lines : shorter) {
        std::string one;
        for (const std::string& line : lines)
            one += (one.empty() ? "" : "; ") + line;
        text += "    " + one + '\n';
    }
    return fmt::format("{}\n{}\n{}", finding.check, text, finding.difference);
}

/// How long to go on: for some time, or for so many sessions.
struct Length {
    double seconds = 0;
    std::uint64_t sessions = 0;
};

int fuzz(const Length& length, std::uint64_t first_seed, bool goes_on) {
    const lab::platform::Clock clock;
    std::uint64_t seed = first_seed;
    int findings = 0;
    do {
        fmt::print("session {}\n", seed);
        std::fflush(stdout);
        if (const std::string problem = run_session(seed); !problem.empty()) {
            fmt::print("FINDING in session {}: {}\n", seed, problem);
            std::fflush(stdout);
            if (!goes_on) return 1;
            ++findings;
        }
        ++seed;
    } while (clock.seconds() < length.seconds || seed - first_seed < length.sessions);
    fmt::print("{} sessions\n", seed - first_seed);
    return findings > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    Length length{2.0, 0};
    if (argc > 1)
        length = argv[1][0] == 'x' ? Length{0, std::strtoull(argv[1] + 1, nullptr, 10)}
                                   : Length{std::atof(argv[1]), 0};
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const bool goes_on = argc > 3 && std::string_view(argv[3]) == "all";
    const lab::test::TempDir folder;
    std::filesystem::current_path(folder.path());
    const int status = fuzz(length, seed, goes_on);
    std::filesystem::current_path(folder.path().parent_path());
    return status;
}
