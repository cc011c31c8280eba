// Random command lines against whole sessions, until the time is up.
//
//   fuzz_commands [SECONDS] [SEED]      2 seconds and seed 1 without arguments
//
// Every command of the registry, every setting and every scene, with good and bad arguments, good and damaged
// files; panels and the draw list are built in every frame, with a mouse that clicks anywhere. After each
// frame the session must be sane: what `verify` compared agrees, every line was either carried out or refused
// with a message, bodies are finite. Some sessions run twice: both reports must be the same. The seed of a
// session is printed before it starts, so the last line before a crash names it: `fuzz_commands 0 SEED` runs
// that one alone, and prints its commands as it goes. Meant to run for an hour under the sanitizers; then it
// also tells whether memory grows.
#include <fmt/format.h>

#include <malloc.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "any_value.hpp"
#include "bv/shapes/not_finite.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "panels/ui.hpp"
#include "platform/clock.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "temp_dir.hpp"
#include "viz/build.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

#if defined(__SANITIZE_ADDRESS__)  // from the sanitizer's interface, whose header not every compiler brings
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace {

using bv::workloads::Random;
using lab::Session;

// ---- files to open: some good, some damaged, one missing

constexpr std::string_view kFiles[] = {"good.obj", "good.stl",    "good.txt",  "damaged.obj", "damaged.txt",
                                       "out.json", "missing.glb", "out.bvrec", "out.png",     "out.txt",
                                       "out.csv",  "out.dot",     "empty.ply", "garbage.vox", "out"};

void write_files() {
    const auto write = [](const char* name, std::string_view text) { std::ofstream(name) << text; };
    write("good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write("good.stl",
          "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
          "endloop\nendfacet\nendsolid s\n");
    write("good.txt", "# boxes\n0 0 0 1 1 1\n0.5,0.5,0.5, 2 2 2\n-1 -1 -1 0 0 0\n");
    write("damaged.obj", "v 0 0 nan\nv 1 0\nf 1 2 99\n");
    write("damaged.txt", "0 0 0 1 1\nx\n");
    write("empty.ply", "");
    write("garbage.vox", "VOX \x96\x01\x02MAIN");
}

// ---- lines

std::string any_number(Random& random) {
    switch (random.below(8)) {
        case 0:
            return fmt::format("{}", random.below(4));
        case 1:
            return fmt::format("{}", random.below(60));
        case 2:
            return fmt::format("{:.2f}", random.uniform(-10.0f, 10.0f));
        case 3:
            return fmt::format("{:.1f}", random.uniform(0.0f, 1400.0f));
        case 4:
            return fmt::format("{:.3f}", random.uniform(-1.0f, 1.0f));
        case 5: {
            constexpr std::string_view kOdd[] = {"0",     "-0", "1e30",  "-1e30", "nan",  "inf",
                                                 "1e-30", "-1", "1e400", "+3",    "0x10", "99999999999"};
            return std::string(random.one_of(kOdd));
        }
        default:
            return fmt::format("{:.2f}", random.uniform(-5.0f, 5.0f));
    }
}

std::string any_value(const lab::SettingSpec& spec, Random& random) {
    if (random.chance(0.05f)) return any_number(random);
    // Small numbers mostly: a thousand boxes a frame leave no time for the other commands.
    const float share = random.chance(0.03f) ? random.uniform() : std::pow(random.uniform(), 6.0f);
    return lab::test::any_value(spec, static_cast<double>(share), spec.max, random);
}

/// A word for one argument that a usage text names.
std::string word_for(std::string_view name, const Session& session, Random& random) {
    if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; }))
        return std::string(name);  // to be typed as it stands
    if (name == "NAME=VALUE") {
        const lab::SettingSpec& spec = *random.one_of(lab::setting_catalog().rows());
        return fmt::format("{}={}", spec.id, any_value(spec, random));
    }
    if (name == "NAME") return std::string(random.one_of(lab::setting_catalog().rows())->id);
    if (name == "MESH") return std::string(random.one_of(session.meshes().names()));
    if (name == "COMMAND") return std::string(random.one_of(lab::command_table().rows()).id);
    if (name.starts_with("FILE") || name == "DIR") return std::string(random.one_of(kFiles));
    if (name == "TREE" || name == "TEXT") return "bodies";
    if (name == "N") return fmt::format("{}", random.chance(0.02f) ? random.below(400) : 1 + random.below(9));
    if (name == "ID" || name == "ID...") {
        const auto& handles = session.results().handles;
        if (!handles.empty() && random.chance(0.3f)) return random.one_of(handles).id;
        const auto& bodies = session.state().world.bodies();
        if (!bodies.empty() && random.chance(0.8f))
            return fmt::format("{}", random.one_of(bodies).state.id.value);
        return fmt::format("{}", random.below(50));
    }
    return any_number(random);
}

/// Splits at any of the characters.
std::vector<std::string_view> split(std::string_view text, std::string_view at) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = text.find_first_not_of(at); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(at, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(at, end);
    }
    return parts;
}

std::string any_line(const Session& session, Random& random) {
    if (random.chance(0.01f)) return fmt::format("scene.drag nobody {} 1", any_number(random));
    if (random.chance(0.2f)) return "set " + word_for("NAME=VALUE", session, random);
    if (random.chance(0.05f)) return fmt::format("scene {}", random.one_of(lab::scene_specs()).id);
    const lab::CommandSpec& spec = random.one_of(lab::command_table().rows());
    std::string line(spec.id);
    int words = 0;
    for (const std::string_view alternatives : split(spec.usage, " []")) {
        if (words >= spec.min_args && random.chance(0.3f)) break;
        line += ' ' + lab::quote_word(word_for(random.one_of(split(alternatives, "|")), session, random));
        ++words;
    }
    if (random.chance(0.02f)) line += " 7 \"unfinished";
    return line;
}

// ---- sessions

struct Screen {
    Session session{lab::command_table()};
    lab::panels::Ui ui{lab::panels::Ui::Graphics::None};
    lab::viz::MeshHandles meshes;
    lab::render::DrawList list;
    std::vector<std::string> lines;
    std::string problem;
    bool prints = false;

    /// One frame as the program does it. False once something is wrong.
    bool frame(Random& random) {
        lab::panels::UiFrame ui_frame;
        ui_frame.framebuffer_px =
            random.chance(0.02f) ? glm::ivec2(random.below(300), random.below(200)) : glm::ivec2(1280, 720);
        ui_frame.input.mouse_px = {random.uniform(0.0f, 1280.0f), random.uniform(0.0f, 720.0f)};
        ui_frame.input.left_down = random.chance(0.3f);
        ui_frame.input.right_down = random.chance(0.1f);
        ui_frame.input.wheel = random.chance(0.1f) ? random.uniform(-2.0f, 2.0f) : 0.0f;
        ui.begin_frame(ui_frame, session.state().settings);
        for (std::uint32_t i = random.below(4); i > 0; --i) {
            lines.push_back(any_line(session, random));
            if (prints) fmt::print("    {}\n", lines.back());
            if (prints) std::fflush(stdout);
            session.commands().push(lines.back());
        }
        session.drain();
        if (prints) fmt::print("{} bodies\n", session.state().world.bodies().size());
        if (prints) std::fflush(stdout);
        const lab::FrameResults& results = session.step(Session::kFixedStep_s);
        if (const auto requests = session.take_requests(); requests.palette)
            ui.open_palette(*requests.palette);
        lab::viz::build(results, session.state().settings, session.state().view.camera, meshes, {}, list);
        lab::CommandQueue pushed;
        ui.build(session.shown(), pushed);
        ui.render();
        while (!pushed.empty()) {
            lines.push_back(pushed.pop().line);
            session.commands().push(lines.back());
        }
        if (session.state().world.bodies().size() > 2000) session.commands().push("clear");
        check(results);
        return problem.empty();
    }

    void check(const lab::FrameResults& results) {
        if (!results.checks.differences.empty()) problem = results.checks.differences.front();
        for (const lab::BodyState& body : results.bodies) {
            const glm::vec3& at = body.transform[3];
            if (!bv::is_finite(at)) problem = fmt::format("body {} is nowhere", body.id.value);
        }
    }
};

/// A report without what differs from run to run.
std::string lasting_report(const Session& session) {
    lab::io::Report report = lab::make_report(session, "fuzz");
    lab::io::erase_timings(report);
    return lab::io::report_text(report);
}

/// One session; what went wrong, or nothing.
std::string run_session(std::uint64_t seed, std::string* report, bool prints) {
    Random random(seed);
    Screen session;
    session.prints = prints;
    const std::uint32_t frames = 20 + random.below(60);
    for (std::uint32_t i = 0; i < frames; ++i)
        if (!session.frame(random)) break;
    if (!session.problem.empty() && !prints) {
        for (const std::string& line : session.lines)
            fmt::print("    {}\n", line);
    } else if (session.problem.empty() && report && session.session.state().world.bodies().size() < 300) {
        *report = lasting_report(session.session);
    }
    return session.problem;
}

/// Sessions that are run twice start from the same files.
std::string run_checked(std::uint64_t seed, bool prints) {
    if (seed % 8 != 0) return run_session(seed, nullptr, prints);
    std::string once, twice;
    write_files();
    std::string problem = run_session(seed, &once, prints);
    if (!problem.empty()) return problem;
    for (const auto& entry : std::filesystem::directory_iterator("."))
        std::filesystem::remove_all(entry.path());
    write_files();
    problem = run_session(seed, &twice, false);
    if (once == twice) return problem;
    std::size_t at = 0;
    while (once[at] == twice[at])
        ++at;  // strings end with a zero, and they differ
    const std::size_t from = at < 300 ? 0 : at - 300;
    return fmt::format("two runs of one session gave different reports:\n{}\n---- and\n{}",
                       once.substr(from, 400), twice.substr(from, 400));
}

/// What is allocated and not freed, in MB. Between sessions that is what lasts: a leak, or a store that
/// grows. Resident memory is no measure of either, since it stays where the largest session so far has put
/// it.
double allocated_mb() {
#if defined(__SANITIZE_ADDRESS__)
    return static_cast<double>(__sanitizer_get_current_allocated_bytes()) / 1048576.0;
#else
    const struct mallinfo2 heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd) / 1048576.0;
#endif
}

int fuzz(double seconds, std::uint64_t first_seed) {
    const lab::platform::Clock clock;
    double early_mb = 0, late_mb = 0;
    std::uint64_t seed = first_seed;
    do {
        fmt::print("session {}\n", seed);
        std::fflush(stdout);
        if (const std::string problem = run_checked(seed, seconds <= 0.0); !problem.empty()) {
            fmt::print("FINDING in session {}: {}\n", seed, problem);
            return 1;
        }
        double& highest_mb = clock.seconds() < 0.4 * seconds ? early_mb : late_mb;
        highest_mb = std::max(highest_mb, allocated_mb());
        ++seed;
    } while (clock.seconds() < seconds);
    fmt::print(
        "{} sessions without a finding; {:.1f} MB left allocated between sessions early on, {:.1f} MB "
        "later\n",
        seed - first_seed, early_mb, late_mb);
    if (seconds >= 30.0 && late_mb > early_mb + 0.3) {
        fmt::print("FINDING: memory grew\n");
        return 1;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const lab::test::TempDir folder;
    std::filesystem::current_path(folder.path());
    write_files();
    const int status = fuzz(seconds, seed);
    std::filesystem::current_path(folder.path().parent_path());
    return status;
}
