// A capture of an engine's broadphase, played frame by frame: its bodies by tag, its trees as captured,
// their defects, and beside them the same boxes in a tree built now.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bv/query/raycast.hpp"
#include "capture/samples/samples.hpp"
#include "capture/shown_frame.hpp"
#include "platform/jobs.hpp"
#include "results/messages.hpp"
#include "scenes/files/capture_ahead.hpp"
#include "scenes/files/capture_beside.hpp"
#include "scenes/files/capture_jobs.hpp"
#include "scenes/files/capture_picture.hpp"
#include "scenes/files/capture_settings.hpp"
#include "scenes/files/capture_tables.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/rays.hpp"
#include "settings/tree.hpp"
#include "world/opened_files.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab::scenes::capture_scene {
namespace {

using capture::SampleKind;

constexpr const SettingSpec* kSettings[] = {&kCaptureFrame,  &kCapturePlay,   &kCaptureSpeed,  &kCaptureFind,
                                            &kCaptureNode,   &kCaptureBeside, &kCaptureSample, &kCaptureOwn,
                                            &kTreeInsertion, &kTreeBalance,   &kBoxesDraw};

constexpr std::string_view kNewest = "capture.newest";
constexpr SceneCommand kCommands[] = {
    {.id = "capture.what_if",
     .help = "Replay the capture in every structure and strategy, and compare the costs",
     .action = "what_if",
     .button = "What would be better?"},
    {.id = kNewest,
     .help = "Go to the last frame, and follow the engine while it is connected",
     .action = "newest"}};

class CaptureScene final : public SceneOf<CaptureScene> {
  public:
    void setup(SceneContext& context) override {
        context.settings.assign(kDrawTreeMaxDepth, 6);
        context.settings.assign(kRaySweep, false);
        context.settings.assign(kDrawRays, false);  // an engine's queries would cover its tree
        context.settings.assign(kDrawAxes, false);
        load(context);
        // The setting names a node of the capture shown before, unless it is set again with this one.
        if (!is_sample_) context.settings.assign(kCaptureNode, std::string());
        follow(context);
        context.frame_box = bounds_;
        context.camera = {};
        context.camera.yaw_rad = 0.5f;
        context.camera.pitch_rad = 0.6f;
    }

    void adapt(SceneContext& context) override {
        const Beside beside = beside_;
        if (wants_newest(context)) context.settings.assign(kCaptureOwn, false);
        const bool other_sample = is_sample_ && sample_ != context.settings[kCaptureSample];
        if (other_sample || is_sample_ != shows_sample(context) || wants_newest(context)) {
            load(context);
            drop_mark(context);
            follow(context);
            if (is_live_ || other_sample) context.camera.frame(bounds_);
        }
        grow(context);
        follow(context);
        // The tree beside it has changed: the camera frames both.
        if (beside != beside_) context.camera.frame(bounds_);
    }

    void step(SceneContext& context, float dt_s) override {
        if (!context.settings[kCapturePlay] || !file_) {
            rests_ = true;
            return;
        }
        const std::size_t last = file_->frames().size() - 1;
        const std::size_t from = place_in_setting(context);
        const bool has_ended = is_live_ && !file_->is_growing();
        const bool starts = std::exchange(rests_, false);
        if (has_ended && from == last) {
            // The engine's last frame stays in sight until the user plays the frames again, from the first.
            elapsed_ = 0.0;
            if (starts) go_to(context, 0);
            return;
        }
        elapsed_ += static_cast<double>(dt_s) * static_cast<double>(context.settings[kCaptureSpeed]);
        if (at_newest_) elapsed_ = static_cast<double>(last - from);
        const double whole = std::floor(elapsed_ + 1e-6);
        if (whole < 1.0) return;
        elapsed_ -= whole;
        const std::size_t place = from + static_cast<std::size_t>(whole);
        go_to(context, place <= last ? place : is_live_ ? last : 0);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.trees.clear();
        results.captured_nodes.clear();
        results.bounds = bv::merge(results.bounds, bounds_);
        if (!shown_) return;
        for (std::size_t i = 0; i < shown_->trees.size(); ++i) {
            const capture::ShownTree& tree = shown_->trees[i];
            results.trees.emplace_back(tree.id, tree.snapshot.tree);
            // The numbers live as long as the frame that holds them.
            results.captured_nodes.push_back(
                {tree.id, std::shared_ptr<const std::vector<std::uint64_t>>(shown_, &tree.node_ids), {}});
            if (!examined_->changes) continue;
            results.captured_nodes.back().since = [shown = shown_, changes = examined_->changes, i,
                                                   place = place_](std::uint32_t node) {
                const auto& ids = shown->trees[i].node_ids;
                return node < ids.size() ? changes->since(shown->frame.trees[i].name, ids[node], place)
                                         : std::nullopt;
            };
        }
        if (has_rival()) results.trees.emplace_back(std::string(kRivalId), beside_tree_.tree);
        put_captured_bodies(results, *shown_, find_, context.settings[kBoxesDraw]);
        if (context.settings[kDrawRays]) put_captured_queries(results, shown_->frame);
        for (const capture::ShownTree& tree : shown_->trees)
            put_broken_nodes(results, tree);
        put_tree_names(results, *shown_, captured_bounds_, kRivalId, beside_tree_);
        put_marked_node(results, *shown_, context.settings[kCaptureNode]);
        results.tables.insert(results.tables.end(), tables_.begin(), tables_.end());
        if (context.opened.captures.size() > (is_sample_ ? 0 : 1))
            results.tables.push_back(captures_table(context.opened.captures, opened_));
        results.curves = examined_->curves;
        results.film = Film{&kCaptureFrame,
                            &kCapturePlay,
                            numbers_,
                            examined_->marks,
                            place_,
                            file_->frames()[place_].number,
                            file_->frames()[place_].time_s,
                            is_behind(context.settings) ? kNewest : std::string_view()};
    }

    /// `capture.what_if`, `capture.newest`.
    bool play(SceneContext& context, std::string_view action) override {
        if (!file_) return false;
        if (action == "what_if") {
            ahead_->wait();
            context.work += kReadsOfWhatIf * work_of_reading();
            start_replay(context.jobs, name_, *file_, examined_);
        } else if (action == "newest") {
            const auto& captures = context.opened.captures;
            context.settings.assign(kCaptureOwn, false);
            if (!captures.empty() && captures.back().file != opened_) {
                load(context);
                drop_mark(context);
            }
            if (!file_) return true;
            context.settings.assign(kCaptureFrame, held().at_place(file_->frames().size() - 1));
            context.settings.assign(kCapturePlay, is_live_);
            rests_ = false;
        } else {
            return false;
        }
        return true;
    }

    /// Selects the body that is seen there, as the search for its id does.
    void pick(SceneContext& context, const bv::Ray& ray) override {
        if (!shown_) return;
        const io::CaptureProxy* nearest = nullptr;
        float t = std::numeric_limits<float>::infinity();
        for (const io::CaptureProxy& proxy : shown_->frame.proxies) {
            if (!proxy.tight.is_finite()) continue;
            const auto hit = bv::raycast(ray, proxy.tight);
            if (!hit || hit->t >= t) continue;
            t = hit->t;
            nearest = &proxy;
        }
        context.settings.assign(kCaptureFind, nearest ? std::to_string(nearest->id) : std::string());
        follow(context);
    }

    /// Steps only advance the frame number: frames between two pictures are not read.
    void analyze(const SceneContext& context, const FrameResults&) override {
        follow(context);
        if (!shown_) return;
        if (examined_->news != seen_news_ || file_->frames().size() != seen_frames_) make_tables();
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        std::size_t bytes = bytes_of(beside_tree_.tree) + (std::size_t{1} << 14);
        if (shown_) bytes += shown_->frame.proxies.size() * 100;
        return bytes;
    }

  private:
    static constexpr std::string_view kRivalId = "built now";
    static constexpr std::uint64_t kBytesPerWork = 15;  ///< Of frames that are read and examined.
    static constexpr std::uint64_t kReadsOfWhatIf = 3;  ///< It takes about as long as so many examinations.

    /// The numbering of the frames of `file_` in the setting.
    [[nodiscard]] capture::FrameSetting held() const { return {*file_, static_cast<int>(kCaptureFrame.max)}; }

    /// A mark belongs to the capture in which it was set, unless it came with this one.
    void drop_mark(SceneContext& context) const {
        if (context.settings[kCaptureNode] == node_) context.settings.assign(kCaptureNode, std::string());
    }

    [[nodiscard]] static bool shows_sample(const SceneContext& context) {
        return context.opened.captures.empty() || context.settings[kCaptureOwn];
    }

    /// An engine has connected, or a file was opened elsewhere. A user who looks at a frame stays there.
    [[nodiscard]] bool wants_newest(const SceneContext& context) const {
        const auto& captures = context.opened.captures;
        return !captures.empty() && captures.back().file != newest_ &&
               (is_sample_ || context.settings[kCapturePlay]);
    }

    /// The engine has sent more than is shown, and the view does not follow it.
    [[nodiscard]] bool is_behind(const Settings& settings) const {
        const bool follows = at_newest_ && settings[kCapturePlay] && !settings[kSimPaused];
        return is_live_ && !follows && place_ + 1 < file_->frames().size();
    }

    void go_to(SceneContext& context, std::size_t place) {
        at_newest_ = is_live_ && place + 1 == file_->frames().size();
        context.settings.assign(kCaptureFrame, held().at_place(place));
    }

    /// Takes in what the engine has sent since the last call.
    void grow(SceneContext& context) {
        if (!file_ || !is_live_) return;
        // A user who stops or goes to another frame no longer follows the engine; one who goes to the last
        // does again.
        const std::size_t place = place_in_setting(context);
        const bool stays = place == place_ && context.settings[kCapturePlay];
        at_newest_ = place + 1 == file_->frames().size() || (at_newest_ && stays);
        if (file_->is_growing()) take_frames(context, place);
        // A survey takes time proportional to all frames so far: it is repeated when there are a quarter
        // more, and once the engine has ended.
        const std::size_t count = file_->frames().size();
        const bool is_worth_it =
            file_->is_growing() ? 4 * count > 5 * examined_frames_ + 240 : count > examined_frames_;
        if (is_worth_it && !context.jobs.has_scene_jobs()) examine(context);
    }

    void take_frames(SceneContext& context, std::size_t place) {
        const bool held_counts = held().holds_counts();
        ahead_->wait();
        if (const auto other = file_->grow(); !other || !*other) return;
        if (held().holds_counts() != held_counts)
            context.settings.assign(kCaptureFrame,
                                    held().at_place(std::min(place, file_->frames().size() - 1)));
        at_newest_ = at_newest_ && (context.settings[kCapturePlay] || place + 1 == file_->frames().size());
    }

    /// Loads the capture opened last, or a made-up one if that is asked for or none is open: the scene is
    /// never empty.
    void load(SceneContext& context) {
        shown_.reset();
        ahead_.reset();
        file_.reset();
        numbers_.reset();
        examined_ = std::make_shared<ExaminedCapture>();
        is_sample_ = shows_sample(context);
        newest_ = context.opened.captures.empty() ? nullptr : context.opened.captures.back().file;
        if (!is_sample_) {
            const OpenedCapture& opened = context.opened.captures.back();
            name_ = opened.name;
            opened_ = opened.file;
            is_live_ = opened.is_from_engine();
            take(opened.file->another());
            if (is_live_) {
                context.settings.assign(kCaptureFrame, held().at_place(file_->frames().size() - 1));
                context.settings.assign(kCapturePlay, true);
            }
            at_newest_ = is_live_;
            examine(context);
            return;
        }
        opened_.reset();
        is_live_ = at_newest_ = false;
        sample_ = context.settings[kCaptureSample];
        name_ = fmt::format("a sample: {}", kSampleChoices[static_cast<std::size_t>(sample_)].label);
        auto made = io::CaptureFile::from_bytes(capture::make_sample(sample_, context.seed).bytes, name_);
        if (made)
            take(std::move(*made));
        else
            context.messages.error(made.error().text());
        if (file_) examine(context);
    }

    void take(io::CaptureFile file) {
        file_ = std::make_shared<io::CaptureFile>(std::move(file));
        ahead_ = std::make_shared<FrameAhead>(file_);
    }

    void examine(SceneContext& context) {
        ahead_->wait();
        examined_frames_ = file_->frames().size();
        context.work += work_of_reading();
        start_examination(context.jobs, name_, *file_, examined_);
    }

    /// Of all frames, see `SceneContext::work`.
    [[nodiscard]] std::uint64_t work_of_reading() const {
        std::uint64_t bytes = 0;
        for (const io::CaptureFrameEntry& frame : file_->frames())
            bytes += frame.bytes;
        return bytes / kBytesPerWork;
    }

    [[nodiscard]] bool has_rival() const { return !beside_tree_.tree.empty(); }

    [[nodiscard]] std::size_t place_in_setting(const SceneContext& context) const {
        return held().place_of(context.settings[kCaptureFrame]);
    }

    /// Reads and prepares what the settings ask for, unless it is current already.
    void follow(const SceneContext& context) {
        if (!file_) return;
        const std::size_t place = place_in_setting(context);
        if (!numbers_ || numbers_->size() != file_->frames().size()) number_frames();
        const bool other_frame = !shown_ || place != place_;
        if (other_frame) read(context, place);
        const bv::TreeOptions options = tree_options(context.settings);
        const Beside beside = context.settings[kCaptureBeside];
        const std::string& find = context.settings[kCaptureFind];
        node_ = context.settings[kCaptureNode];
        const bool other_rival = other_frame || beside != beside_ || !(options == options_);
        if (other_rival) {
            beside_ = beside;
            options_ = options;
            captured_bounds_ = bounds_of(*shown_);
            beside_tree_ = tree_beside(*shown_, captured_bounds_, beside_, options_);
            bounds_ =
                has_rival() ? bv::merge(captured_bounds_, beside_tree_.tree.boxes[0]) : captured_bounds_;
        }
        if (!other_rival && find == find_) return;
        find_ = find;
        make_tables();
    }

    void number_frames() {
        auto numbers = std::make_shared<std::vector<int>>();
        for (std::size_t place = 0; place < file_->frames().size(); ++place)
            numbers->push_back(held().at_place(place));
        numbers_ = std::move(numbers);
    }

    void read(const SceneContext& context, std::size_t place) {
        const bool is_next = place == place_ + 1;
        place_ = place;
        auto frame = ahead_->read(place);
        if (!frame) {
            if (std::exchange(problem_, frame.error().text()) != problem_) {
                ++context.file_problems;
                context.messages.error(problem_);
            }
            shown_ = std::make_shared<const capture::ShownFrame>();
            return;
        }
        shown_ = std::move(*frame);
        if (is_next && context.settings[kCapturePlay]) ahead_->expect(place + 1);
    }

    // ---- tables

    void make_tables() {
        tables_.clear();
        if (!shown_) return;
        seen_news_ = examined_->news;
        seen_frames_ = file_->frames().size();
        if (examined_->diagnosis) {
            const auto look = [this](const capture::Finding& f) {
                return set_line(kCapturePlay, "false") + "; " +
                       set_line(kCaptureFrame, std::to_string(held().of_number(f.shown_in))) + "; " +
                       set_line(kCaptureNode, capture::node_name(*shown_, f.tree, f.node)) +
                       "; camera.frame marked";
            };
            tables_.push_back(diagnosis_table(*examined_->diagnosis, look));
            tables_.push_back(diagnosis_words(*examined_->diagnosis, look));
            if (!examined_->earlier.empty()) tables_.push_back(earlier_table(examined_->earlier, look));
        } else {
            Table waiting{"diagnosis", "Diagnosis", {"cause"}};
            waiting.add({"the capture is being examined"}, Role::Muted);
            tables_.push_back(std::move(waiting));
        }
        if (examined_->what_if) {
            tables_.push_back(what_if_table(*examined_->what_if));
            tables_.back().asked = examined_->what_ifs;
        }
        if (examined_->marks && !examined_->marks->empty())
            tables_.push_back(marks_table(*examined_, [](int frame) {
                return set_line(kCapturePlay, "false") + "; " +
                       set_line(kCaptureFrame, std::to_string(frame));
            }));
        tables_.push_back(frame_table(*file_, place_, *shown_));
        tables_.push_back(trees_table(*shown_, kRivalId, has_rival() ? &beside_tree_.metrics : nullptr));
        Table broken = broken_table(*shown_, [](const std::string& node) {
            return set_line(kCaptureNode, node) + "; camera.frame marked";
        });
        if (!broken.rows.empty()) tables_.push_back(std::move(broken));
        tables_.push_back(remarks_table(*file_, *shown_, is_live_, is_sample_));
        tables_.push_back(bodies_table(*shown_, find_, [](const std::string& id) {
            return set_line(kCaptureFind, id) + "; camera.frame marked";
        }));
    }

    std::string name_;
    std::shared_ptr<const io::CaptureFile> opened_;  ///< What is shown, unless it is an example.
    std::shared_ptr<const io::CaptureFile> newest_;  ///< The capture opened last, as of the last `load`.
    bool is_sample_ = false;
    bool is_live_ = false;             ///< An engine delivers it, or did.
    bool rests_ = false;               ///< It was not played in the last step.
    bool at_newest_ = false;           ///< The view follows the engine of a live capture.
    std::size_t examined_frames_ = 0;  ///< Number of frames at the last survey.
    SampleKind sample_ = SampleKind::Sound;
    // Shared by copies: what they read does not depend on the past.
    std::shared_ptr<io::CaptureFile> file_;
    std::shared_ptr<FrameAhead> ahead_;  ///< Reads `file_`.
    std::shared_ptr<ExaminedCapture> examined_ = std::make_shared<ExaminedCapture>();
    double elapsed_ = 0.0;                             ///< Share of a frame played so far.
    std::size_t place_ = 0;                            ///< Of the frame on show.
    std::shared_ptr<const std::vector<int>> numbers_;  ///< The setting's numbers of all frames.
    std::string problem_;
    std::shared_ptr<const capture::ShownFrame> shown_;
    // Cached until frame or settings change.
    Beside beside_ = Beside::Nothing;
    bv::TreeOptions options_;
    TreeBeside beside_tree_;
    bv::Aabb bounds_, captured_bounds_;
    std::string find_, node_;
    std::vector<Table> tables_;
    int seen_news_ = 0;  ///< The number that the tables show.
    std::size_t seen_frames_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "capture",
    .category = "Your files",
    .title = "Opened capture",
    .summary =
        "What your engine's broadphase did, frame by frame, as captured by bv_capture.h. Drop a .bvcap file "
        "on the window, open it from the menu File, or listen to a running engine. Until then a sample with "
        "a planted fault plays.",
    .make = make_scene<CaptureScene>,
    .settings = kSettings,
    .commands = kCommands,
    .steps = &kCaptureFrame,
    .shows = io::FileKind::Capture,
    .own_example = &kCaptureOwn,
};

}  // namespace lab::scenes::capture_scene
