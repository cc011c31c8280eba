// Where a frame's time goes with 1,000, 10,000 and 100,000 bodies, without a window.
//
//   bench_app [BODIES...]
//   bench_app threads [BODIES]
//                          a step with 1, 2, 4, ... threads, in turn: where its time goes, and the ratio to
//                          one thread; 100,000 bodies unless given. For a machine with nothing else to do
//   bench_app steps [NAME] scenes with recordings of up to 100,000 events: what a frame costs beyond one of
//                          an all but empty scene, in order, and scrubbing, which goes to any step
//
// The scene is `stress`, drawn at 1280x720 with every body's tight AABB, and again with every node of the
// tree, leaves too. One row per count, medians over the frames: the stages of the step, the making of the
// draw list, its submission to the driver, and the frame as a whole until its pixels are finished, of that
// also the mean and the longest. On a software rasterizer the last is the rasterizer's speed; the renderer is
// named, so that the two are not confused.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "platform/clock.hpp"
#include "platform/headless.hpp"
#include "platform/threads/thread_pool.hpp"
#include "platform/threads/threads.hpp"
#include "render/renderer.hpp"
#include "session/commands/commands.hpp"
#include "session/session.hpp"
#include "viz/build.hpp"

namespace {

using namespace lab;

constexpr glm::ivec2 kSize{1280, 720};

class Program {
  public:
    Program() {
        platform::HeadlessOptions options;
        options.size = kSize;
        auto opened = platform::open_headless(options);
        if (!opened.surface) throw std::runtime_error(opened.error.message);
        surface_ = std::move(opened.surface);
        render::RendererOptions r;
        r.loader = surface_->gl_loader();
        r.software = surface_->gl().software;
        r.offscreen = true;
        r.hot_reload = false;
        // As in a window.
        r.quality = r.software ? render::Quality::Fast : render::Quality::Best;
        renderer_ = std::make_unique<render::Renderer>(r);
        finish_ = reinterpret_cast<void (*)()>(r.loader("glFinish"));
    }
    [[nodiscard]] std::string gl() const { return surface_->gl().renderer; }
    /// Wire boxes in the last frame's draw list.
    [[nodiscard]] std::size_t boxes_drawn() const { return list_.wire_aabbs.size(); }
    [[nodiscard]] bool is_software() const { return surface_->gl().software; }

    /// Milliseconds of one frame.
    struct Frame {
        double motion, refit, broad, narrow, viz, submit, whole, session, processor;
    };
    Frame frame(Session& session) {
        const platform::Clock whole;
        const std::clock_t processor = std::clock();  // of all threads
        session.drain();
        StepInput input;
        input.needs_bodies_tree = viz::shows_trees(session.state().settings, {});
        const FrameResults& results = session.step(Session::kFixedStep_s, input);
        const double session_ms = whole.milliseconds();
        const platform::Clock viz_clock;
        for (std::size_t i = meshes_.by_mesh.size(); i < session.meshes().size(); ++i) {
            const MeshEntry& mesh = session.meshes().entries()[i];
            meshes_.by_mesh.push_back(renderer_->upload(mesh.positions, mesh.triangles));
        }
        viz::build(results, session.state().settings, session.state().view.shown_camera(), meshes_, {},
                   list_);
        const double viz_ms = viz_clock.milliseconds();
        render::View view;
        view.view = session.state().view.shown_camera().view();
        view.projection = session.state().view.shown_camera().projection(glm::vec2(kSize));
        view.framebuffer_px = kSize;
        const platform::Clock submit;
        renderer_->draw(list_, view);
        const double submit_ms = submit.milliseconds();
        finish_();
        const TimingsMs& t = results.timings_ms;
        const double processor_ms = 1e3 * static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
        return {t.motion,   t.refit,     t.broadphase, t.narrowphase, viz_ms, submit_ms, whole.milliseconds(),
                session_ms, processor_ms};
    }

  private:
    std::unique_ptr<platform::Surface> surface_;
    std::unique_ptr<render::Renderer> renderer_;
    void (*finish_)() = nullptr;
    viz::MeshHandles meshes_;
    render::DrawList list_;
};

double median(std::vector<Program::Frame> frames, double Program::Frame::*member) {
    std::nth_element(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(frames.size() / 2),
                     frames.end(), [member](const auto& a, const auto& b) { return a.*member < b.*member; });
    return frames[frames.size() / 2].*member;
}

/// Every body's tight AABB; and every node of the tree that finds the pairs, the program's default or the
/// binary one, which has many more.
enum class Drawn { Boxes, WideTree, BinaryTree };

void measure(Program& program, int bodies, Drawn drawn) {
    const bool has_gpu = !program.is_software();
    Session session(command_table());
    session.commands().push_script(
        fmt::format(
            "scene stress; set stress.bodies={}; restart; set draw.aabb_tight=true; set draw.volumes_on=all; "
            "set draw.sphere=false; set draw.aabb_fixed=false; set draw.obb=false; set draw.tree={}; "
            "set draw.tree_leaves=true; set broadphase.kind={}",
            bodies, drawn != Drawn::Boxes, drawn == Drawn::BinaryTree ? "dynamic-tree" : "wide-tree"),
        "bench");
    for (int i = 0; i < 3; ++i)
        (void)program.frame(session);
    for (const Message& message : session.messages().messages())
        if (message.severity == Severity::Error) throw std::runtime_error(message.text);
    std::vector<Program::Frame> frames;
    const platform::Clock clock;
    while (frames.size() < 5 || (frames.size() < 60 && clock.seconds() < 8.0))
        frames.push_back(program.frame(session));
    using F = Program::Frame;
    double mean = 0, longest = 0;
    for (const F& frame : frames) {
        mean += frame.whole / static_cast<double>(frames.size());
        longest = std::max(longest, frame.whole);
    }
    const auto wanted = [&](const char* what, double ms, double limit_ms) {
        fmt::print("{}: {:.1f} ms, wanted {:.0f}: {}\n", what, ms, limit_ms,
                   ms <= limit_ms ? "met" : "MISSED");
    };
    fmt::print(
        "{:>8} {:>8} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} "
        "{:>6.1f}\n",
        session.results().bodies.size(), program.boxes_drawn(), median(frames, &F::motion),
        median(frames, &F::refit), median(frames, &F::broad), median(frames, &F::narrow),
        median(frames, &F::viz), median(frames, &F::submit), median(frames, &F::whole), mean, longest,
        1000.0 / median(frames, &F::whole));
    if (drawn != Drawn::Boxes) {
        if (bodies == 10'000 && has_gpu)
            wanted("a frame of 10,000 bodies and every tree node", median(frames, &F::whole), 1000.0 / 60);
        return;
    }
    if (bodies == 10'000) wanted("a frame of 10,000 bodies", median(frames, &F::whole), 100.0);
    if (bodies == 100'000) {
        wanted("a frame of 100,000 bodies", median(frames, &F::whole), 1000.0);
        wanted("the draw list of 100,000 boxes", median(frames, &F::viz), 5.0);
    }
}

/// Milliseconds of one step and its results.
struct Step {
    double motion, refit, broad, narrow, results, whole;
};

/// Steps of the same session, alternating between thread counts so that machine load affects all alike.
void measure_threads(int bodies) {
    platform::ThreadPool& pool = platform::all_cores();
    pool.set_threads(0);
    std::vector<unsigned> counts;
    for (unsigned threads = 1; threads < pool.concurrency(); threads *= 2)
        counts.push_back(threads);
    counts.push_back(std::max(pool.concurrency(), 2u));
    Session session(command_table());
    session.commands().push_script(fmt::format("scene stress; set stress.bodies={}; restart", bodies),
                                   "bench");
    session.drain();
    constexpr int kRounds = 40, kWarmUp = 3;
    std::vector<std::vector<Step>> steps(counts.size());
    for (int round = -kWarmUp; round < kRounds; ++round)
        for (std::size_t i = 0; i < counts.size(); ++i) {
            pool.set_threads(counts[i]);
            pool.run(std::size_t{2} * counts[i], [](std::size_t) {});  // starts the threads
            const platform::Clock clock;
            const TimingsMs& t = session.step(Session::kFixedStep_s).timings_ms;
            const double whole = clock.milliseconds();
            if (round >= 0)
                steps[i].push_back({t.motion, t.refit, t.broadphase, t.narrowphase, t.results, whole});
        }
    fmt::print("Steps of {} bodies, milliseconds; the stages are medians.\n", bodies);
    fmt::print("{:>7} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7} {:>7} {:>7} {:>8} {:>7}\n", "threads", "motion",
               "refit", "broad", "narrow", "results", "least", "median", "mean", "longest", "ratio");
    const auto sorted = [&](std::size_t i, double Step::*member) {
        std::vector<double> values;
        for (const Step& step : steps[i])
            values.push_back(step.*member);
        std::sort(values.begin(), values.end());
        return values;
    };
    const auto median_of = [&](std::size_t i, double Step::*member) {
        return sorted(i, member)[steps[i].size() / 2];
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::vector<double> whole = sorted(i, &Step::whole);
        const double mean =
            std::accumulate(whole.begin(), whole.end(), 0.0) / static_cast<double>(whole.size());
        const double median = median_of(i, &Step::whole);
        fmt::print(
            "{:>7} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>8.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>8.2f} "
            "{:>7.2f}\n",
            counts[i], median_of(i, &Step::motion), median_of(i, &Step::refit), median_of(i, &Step::broad),
            median_of(i, &Step::narrow), median_of(i, &Step::results), whole.front(), median, mean,
            whole.back(), median / median_of(0, &Step::whole));
    }
    constexpr double kWanted = 0.6;
    const double ratio = median_of(1, &Step::whole) / median_of(0, &Step::whole);
    fmt::print("two threads over one: {:.2f}, wanted {:.2f}: {}\n", ratio, kWanted,
               ratio <= kWanted ? "met" : "MISSED");
    pool.set_threads(0);
}

struct Stepped {
    const char* name;
    const char* script;
};
constexpr const char* kEmptyScene = "scene sah-split; set split.count=2";
constexpr Stepped kStepped[] = {
    {"sah-split, binned", "scene sah-split; set split.count=3000"},
    {"sah-split, Morton", "scene sah-split; set split.algorithm=morton; set split.count=5000"},
    {"sah-split, neighbors", "scene sah-split; set split.algorithm=agglomerative; set split.count=5000"},
    {"sah-split, spatial", "scene sah-split; set split.algorithm=spatial; set split.count=5000"},
    {"bsp, building", "set bsp.mesh=torus; set bsp.planes=triangles; set bsp.algorithm=build; scene bsp"},
    {"sweep, incremental", "scene sweep; set sweep.algorithm=incremental-sweep; set boxes.count=300"},
    {"grid", "scene grid; set boxes.count=300"},
    {"voxel-pairs", "scene voxel-pairs; set voxel_pairs.size=0.08"},
    {"mesh-pairs", "scene mesh-pairs; scene.drag b -0.6 1.4 0"},
    {"aabb-tree", "scene aabb-tree; set grow.period=1; set grow.count=2000; set grow.then=churn"},
    {"fit-obb, exact",
     "scene fit-obb; set fit_obb.algorithm=exact; set points.preset=sphere; "
     "set points.count=2000"},
    {"hull", "scene hull; set points.preset=sphere; set points.count=2000"},
};

/// A session at a scene, paused.
std::unique_ptr<Session> stepped_session(Program& program, const char* script) {
    auto session = std::make_unique<Session>(command_table());
    session->commands().push_script(script, "bench");
    for (int i = 0; i < 200; ++i) {
        session->drain();
        (void)session->step(Session::kFixedStep_s);
    }
    session->commands().push_script("pause on", "bench");
    (void)program.frame(*session);
    for (const Message& message : session->messages().messages())
        if (message.severity == Severity::Error) throw std::runtime_error(message.text);
    return session;
}

/// Milliseconds of a frame while the stepper goes on, and while it is scrubbed; frames of the empty scene in
/// between, so that all see the same machine.
void measure_steps(Program& program, Session& empty, const Stepped& row) {
    const std::unique_ptr<Session> session = stepped_session(program, row.script);
    const std::size_t count = session->results().walk ? session->results().walk->of : 0;
    std::vector<Program::Frame> in_order, anywhere, nothing;
    const auto frame_at = [&](std::size_t number, std::vector<Program::Frame>& frames) {
        session->commands().push_script(fmt::format("step.goto {}", number), "bench");
        frames.push_back(program.frame(*session));
    };
    for (std::size_t i = 0; i < 40; ++i) {
        nothing.push_back(program.frame(empty));
        frame_at(std::min(count * 3 / 4 + i, count), in_order);
        nothing.push_back(program.frame(empty));
        frame_at(1 + i * 7919 * 31 % std::max<std::size_t>(count, 1), anywhere);
    }
    using F = Program::Frame;
    const double base = median(nothing, &F::whole), busy = median(nothing, &F::processor);
    fmt::print("{:<22} {:>7} {:>8.2f} {:>+9.2f} {:>+9.2f} {:>10.2f} {:>+9.2f} {:>+9.2f} {:>8.2f} {:>6.2f}\n",
               row.name, count, base, median(in_order, &F::whole) - base, median(anywhere, &F::whole) - base,
               busy, median(in_order, &F::processor) - busy, median(anywhere, &F::processor) - busy,
               median(anywhere, &F::session), median(anywhere, &F::viz));
}

void print_errors(const Session& session) {
    for (const Message& message : session.messages().messages())
        if (message.severity == Severity::Error) throw std::runtime_error(message.text);
}

/// As in a window, the capture is examined by a job; then pictures of both in turn.
void measure_capture(Program& program, const std::string& path) {
    Session capture(command_table()), stress(command_table());
    capture.work_in_background(JobMode::Background, {});
    capture.commands().push_script("open " + quote_word(path) + "; set capture.speed=60", "bench");
    const platform::Clock opening;
    while (capture.results().captured_nodes.empty()) {
        (void)program.frame(capture);
        print_errors(capture);
    }
    const double opened_s = opening.seconds();
    const std::size_t bodies = capture.results().trees.front().second.payloads.size();
    while (!capture.shown().jobs.empty()) {
        platform::rest(20.0);
        (void)program.frame(capture);
    }
    fmt::print("{} bodies: opened in {:.2f} s, wanted 1.00: {}; examined after {:.1f} s\n", bodies, opened_s,
               opened_s <= 1.0 ? "met" : "MISSED", opening.seconds());
    stress.commands().push_script(fmt::format("scene stress; set stress.bodies={}; restart", bodies),
                                  "bench");
    std::vector<Program::Frame> played, stressed;
    for (int i = 0; i < 63; ++i) {
        played.push_back(program.frame(capture));
        stressed.push_back(program.frame(stress));
    }
    print_errors(stress);
    using F = Program::Frame;
    fmt::print("{:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "", "session", "viz", "submit", "frame", "mean",
               "longest");
    for (std::vector<F>* const frames : {&played, &stressed}) {
        frames->erase(frames->begin(), frames->begin() + 3);
        double sum = 0, longest = 0;
        for (const F& frame : *frames) {
            sum += frame.whole;
            longest = std::max(longest, frame.whole);
        }
        fmt::print("{:>8} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f}\n",
                   frames == &played ? "capture" : "stress", median(*frames, &F::session),
                   median(*frames, &F::viz), median(*frames, &F::submit), median(*frames, &F::whole),
                   sum / static_cast<double>(frames->size()), longest);
    }
    const double ratio = median(played, &F::whole) / median(stressed, &F::whole);
    fmt::print("a frame of the capture over one of stress: {:.2f}, wanted 1.00: {}\n", ratio,
               ratio <= 1.0 ? "met" : "MISSED");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc > 1 && std::string(argv[1]) == "threads") {
            measure_threads(argc > 2 ? std::atoi(argv[2]) : 100'000);
            return 0;
        }
        Program program;
        if (argc > 1 && std::string(argv[1]) == "steps") {
            fmt::print(
                "Renderer: {}. Milliseconds of a frame, medians: the empty scene, and what steps add to it; "
                "then "
                "the processor's time over all threads, which other work disturbs less.\n"
                "{:<22} {:>7} {:>8} {:>9} {:>9} {:>10} {:>9} {:>9} {:>8} {:>6}\n",
                program.gl(), "scene", "steps", "empty", "in order", "scrubbed", "processor", "in order",
                "scrubbed", "session", "viz");
            const std::unique_ptr<Session> empty = stepped_session(program, kEmptyScene);
            const std::string only = argc > 2 ? argv[2] : "";
            for (const Stepped& row : kStepped)
                if (std::string(row.name).starts_with(only)) measure_steps(program, *empty, row);
            return 0;
        }
        fmt::print("Renderer: {}. Milliseconds, medians.\n", program.gl());
        if (argc > 2 && std::string(argv[1]) == "capture") {
            measure_capture(program, argv[2]);
            return 0;
        }
        std::vector<int> counts;
        for (int i = 1; i < argc; ++i)
            counts.push_back(std::atoi(argv[i]));
        if (counts.empty()) counts = {1000, 10000, 100000};
        for (const Drawn drawn : {Drawn::Boxes, Drawn::WideTree, Drawn::BinaryTree}) {
            fmt::print("{}:\n{:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}\n",
                       drawn == Drawn::Boxes      ? "Every tight AABB"
                       : drawn == Drawn::WideTree ? "Every tight AABB and every node of the wide tree"
                                                  : "Every tight AABB and every node of the binary tree",
                       "bodies", "boxes", "motion", "refit", "broad", "narrow", "viz", "submit", "frame",
                       "mean", "longest", "fps");
            for (const int bodies : counts)
                measure(program, bodies, drawn);
        }
    } catch (const std::exception& problem) {
        fmt::print(stderr, "bench_app: {}\n", problem.what());
        return 1;
    }
    return 0;
}
