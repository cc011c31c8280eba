// A capture of an engine's broadphase, played frame by frame: its bodies by tag, its trees as captured,
// their defects, and beside them the same boxes in a tree built now.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
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
#include "scenes/files/capture_tables.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/rays.hpp"
#include "settings/tree.hpp"
#include "world/opened_files.hpp"
#include "world/tree_recipes.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab::scenes {
namespace {

using capture::SampleKind;

constexpr Setting<int> kCaptureFrame{{
    .id = "capture.frame",
    .label = "Frame",
    .help = "Scene capture: the frame shown, by the engine's frame number; by its place from 0 if the last "
            "number is above 2147483647",
    .default_value = "0",
    .max = 2147483647,
    .remembered = false,
}};

constexpr Setting<bool> kCapturePlay{{
    .id = "capture.play",
    .label = "Play",
    .help = "Scene capture: play the frames in a loop",
    .default_value = "true",
    .remembered = false,
}};

constexpr Setting<float> kCaptureSpeed{{
    .id = "capture.speed",
    .label = "Frames per second",
    .help = "Scene capture: playback speed",
    .default_value = "30",
    .min = 0.1,
    .max = 600,
    .remembered = false,
}};

constexpr Setting<std::string> kCaptureFind{{
    .id = "capture.find",
    .label = "Find a body",
    .help = "Scene capture: an id or part of a name; matching bodies are marked and listed first. F frames "
            "them",
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<std::string> kCaptureNode{{
    .id = "capture.node",
    .label = "Mark a node",
    .help = "Scene capture: the engine's id of a tree node to mark in every frame",
    .remembered = false,
    .effect = Effect::View,
}};

enum class Beside : unsigned char { Nothing, Rebuilt, Binned, Agglomerative, Inserted };
constexpr std::array kBesideChoices = {Choice{"nothing", "Nothing", Beside::Nothing},
                                       Choice{"rebuilt", "Rebuilt, sweep SAH", Beside::Rebuilt},
                                       Choice{"binned", "Rebuilt, binned SAH", Beside::Binned},
                                       Choice{"agglomerative", "Agglomerative", Beside::Agglomerative},
                                       Choice{"inserted", "Inserted one by one", Beside::Inserted}};
constexpr Setting<Beside> kCaptureBeside{{
    .id = "capture.beside",
    .label = "Compare with",
    .help = "Scene capture: a tree built now over the same boxes; boxes inserted one by one follow the "
            "settings of the dynamic tree",
    .default_value = "nothing",
    .choices = kBesideChoices,
    .remembered = false,
}};

constexpr std::array kSampleChoices = {
    Choice{"sound", "Nothing wrong", SampleKind::Sound},
    Choice{"sorted_row", "Sorted row", SampleKind::SortedRow},
    Choice{"stretched", "Stretched leaves", SampleKind::Stretched},
    Choice{"large_margin", "Margin too large", SampleKind::LargeMargin},
    Choice{"small_margin", "Margin too small", SampleKind::SmallMargin},
    Choice{"giant", "Giant box", SampleKind::Giant},
    Choice{"mixed_clusters", "Mixed clusters", SampleKind::MixedClusters},
    Choice{"refit_only", "Refits only", SampleKind::RefitOnly},
    Choice{"shrunk_box", "Broken: a box too small", SampleKind::ShrunkBox},
    Choice{"knot", "Broken: a cycle", SampleKind::Knot},
    Choice{"lost_subtree", "Broken: orphans", SampleKind::LostSubtree},
    Choice{"doubled_payload", "Broken: a body twice", SampleKind::DoubledPayload}};
constexpr Setting<SampleKind> kCaptureSample{{
    .id = "capture.sample",
    .label = "Sample",
    .help = "Scene capture: the sample shown until a capture is opened, named after its fault",
    .default_value = "stretched",
    .choices = kSampleChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kCaptureFrame, &kCapturePlay,   &kCaptureSpeed,  &kCaptureFind,
                                            &kCaptureNode,  &kCaptureBeside, &kCaptureSample, &kTreeInsertion,
                                            &kTreeBalance,  &kBoxesDraw};

constexpr std::string_view kNewest = "capture.newest";
constexpr SceneCommand kCommands[] = {
    {"capture.what_if", "Replay the capture in every structure and strategy, and compare the costs",
     "what_if"},
    {kNewest, "Go to the last frame, and follow the engine while it is connected", "newest"}};

/// The boxes of the leaves, one for each payload.
std::vector<bv::Aabb> leaf_boxes(const bv::TreeSnapshot& tree) {
    std::vector<bv::Aabb> boxes;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k)
            boxes.push_back(tree.payload_count[i] == 1 ? tree.boxes[i]
                                                       : tree.payload_boxes[tree.first_payload[i] + k]);
    return boxes;
}

void shift(bv::TreeSnapshot& tree, const glm::vec3& offset) {
    for (auto* boxes : {&tree.boxes, &tree.payload_boxes})
        for (bv::Aabb& box : *boxes)
            box = {box.min + offset, box.max + offset};
}

/// What a mark around a node means; empty for a node that does not contain its contents.
std::string_view legend_of(io::CaptureDefect::Kind kind) {
    using Kind = io::CaptureDefect::Kind;
    switch (kind) {
        case Kind::SameId:
            return "node whose id another node has";
        case Kind::MissingChild:
            return "node with a missing child";
        case Kind::SharedChild:
            return "node whose child has another parent";
        case Kind::Cycle:
            return "node below its own child";
        case Kind::SamePayload:
            return "node with a body that another node has";
        case Kind::BoxNotFinite:
            return "node whose box is empty or NaN";
        case Kind::NoRoot:
        case Kind::Orphan:
        case Kind::ChildOutside:
        case Kind::PayloadOutside:
            break;
    }
    return {};
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

/// The number that a text holds, if it holds nothing else.
std::optional<std::uint64_t> number_of(const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc{} || last != end) return std::nullopt;
    return number;
}

class CaptureScene final : public SceneOf<CaptureScene> {
  public:
    void setup(SceneContext& context) override {
        context.settings.assign(kDrawTreeMaxDepth, 6);
        context.settings.assign(kRaySweep, false);
        context.settings.assign(kDrawAxes, false);
        load(context);
        // It is a node of what was on show before, unless it is set again with this capture.
        if (!is_sample_) context.settings.assign(kCaptureNode, std::string());
        follow(context);
        context.frame_box = bounds_;
        context.camera = {};
        context.camera.yaw_rad = 0.5f;
        context.camera.pitch_rad = 0.6f;
    }

    void adapt(SceneContext& context) override {
        const Beside beside = beside_;
        const bool other_sample = is_sample_ && sample_ != context.settings[kCaptureSample];
        if (other_sample || wants_newest(context)) {
            load(context);
            drop_mark(context);
            follow(context);
            if (is_live_) context.camera.frame(bounds_);
        }
        grow(context);
        follow(context);
        // Another tree beside it: the camera frames both.
        if (beside != beside_) context.camera.frame(bounds_);
    }

    void step(SceneContext& context, float dt_s) override {
        if (!context.settings[kCapturePlay] || !file_) return;
        const auto& frames = file_->frames();
        const std::size_t last = frames.size() - 1;
        elapsed_ += static_cast<double>(dt_s) * static_cast<double>(context.settings[kCaptureSpeed]);
        if (at_newest_) elapsed_ = static_cast<double>(last - place_);
        const double whole = std::floor(elapsed_ + 1e-6);
        if (whole < 1.0) return;
        elapsed_ -= whole;
        std::size_t place = place_ + static_cast<std::size_t>(whole);
        if (place > last) place = is_live_ ? last : 0;
        at_newest_ = is_live_ && place == last;
        context.settings.assign(kCaptureFrame, held().at_place(place));
        follow(context);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.trees.clear();
        results.engine_ids.clear();
        results.bounds = bv::merge(results.bounds, bounds_);
        if (!shown_) return;
        for (const capture::ShownTree& tree : shown_->trees) {
            results.trees.emplace_back(tree.id, tree.snapshot.tree);
            // Lives as long as the frame that holds it.
            results.engine_ids.emplace_back(
                tree.id, std::shared_ptr<const std::vector<std::uint64_t>>(shown_, &tree.node_ids));
        }
        if (!rival_.empty()) results.trees.emplace_back(std::string(kRivalId), rival_);
        put_bodies(context.settings, results);
        for (const capture::ShownTree& tree : shown_->trees)
            put_broken(results, tree);
        put_words(results);
        put_node(context.settings, results);
        results.tables.insert(results.tables.end(), tables_.begin(), tables_.end());
        if (context.opened.captures.size() > 1)
            results.tables.push_back(captures_table(context.opened.captures, opened_));
        results.curves = examined_->curves;
        results.film = Film{&kCaptureFrame,
                            &kCapturePlay,
                            numbers_,
                            examined_->marks,
                            place_,
                            file_->frames()[place_].number,
                            file_->frames()[place_].time_s,
                            is_live_ && !at_newest_ ? kNewest : std::string_view()};
    }

    /// `capture.what_if`, `capture.newest`.
    bool play(SceneContext& context, std::string_view action) override {
        if (!file_) return false;
        if (action == "what_if") {
            replay(context);
        } else {
            const auto& captures = context.opened.captures;
            if (!captures.empty() && captures.back().file != opened_) {
                load(context);
                drop_mark(context);
            }
            if (!file_) return true;
            context.settings.assign(kCaptureFrame, held().at_place(file_->frames().size() - 1));
            context.settings.assign(kCapturePlay, is_live_);
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

    void analyze(const SceneContext&, const FrameResults&) override {
        if (!shown_) return;
        if (examined_->news != seen_news_ || file_->frames().size() != seen_frames_) make_tables();
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        std::size_t bytes = bytes_of(rival_) + (std::size_t{1} << 14);
        if (shown_) bytes += shown_->frame.proxies.size() * 100;
        return bytes;
    }

  private:
    static constexpr std::string_view kRivalId = "built now";

    /// What the setting holds for frames of `file_`.
    [[nodiscard]] capture::FrameSetting held() const { return {*file_, static_cast<int>(kCaptureFrame.max)}; }

    /// A mark belongs to the capture in which it was set, unless it came with this one.
    void drop_mark(SceneContext& context) const {
        if (context.settings[kCaptureNode] == node_) context.settings.assign(kCaptureNode, std::string());
    }

    /// An engine has connected, or a file was opened elsewhere. A user who looks at a frame stays there.
    [[nodiscard]] bool wants_newest(const SceneContext& context) const {
        const auto& captures = context.opened.captures;
        return !captures.empty() && captures.back().file != opened_ &&
               (is_sample_ || context.settings[kCapturePlay]);
    }

    /// Takes in what the engine has sent since the last call.
    void grow(SceneContext& context) {
        if (!file_ || !is_live_) return;
        // A user who goes to another frame stops following the engine, and one who goes to the last resumes.
        const std::size_t place = place_in_setting(context);
        at_newest_ = place + 1 == file_->frames().size() || (at_newest_ && place == place_);
        if (!file_->is_growing()) return;
        const bool held_counts = held().holds_counts();
        if (const auto other = file_->grow(); !other || !*other) return;
        if (held().holds_counts() != held_counts)
            context.settings.assign(kCaptureFrame,
                                    held().at_place(std::min(place, file_->frames().size() - 1)));
        const std::size_t count = file_->frames().size();
        // A survey takes time proportional to all frames so far: it is repeated when there are a quarter
        // more.
        const bool is_worth_it = !file_->is_growing() || 4 * count > 5 * examined_frames_ + 240;
        if (is_worth_it && !context.jobs.has_scene_jobs()) examine(context);
    }

    /// The capture opened last, or a made-up one, so that the scene is never empty.
    void load(SceneContext& context) {
        shown_.reset();
        file_.reset();
        numbers_.reset();
        examined_ = std::make_shared<ExaminedCapture>();
        is_sample_ = context.opened.captures.empty();
        if (!is_sample_) {
            const OpenedCapture& opened = context.opened.captures.back();
            name_ = opened.name;
            opened_ = opened.file;
            is_live_ = opened.is_from_engine();
            file_ = std::make_shared<io::CaptureFile>(opened.file->another());
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
            file_ = std::make_shared<io::CaptureFile>(std::move(*made));
        else
            context.messages.error(made.error().text());
        if (file_) examine(context);
    }

    /// Surveys the whole capture in a job.
    void examine(SceneContext& context) {
        context.jobs.drop_scene_jobs();
        examined_frames_ = file_->frames().size();
        auto reader = std::make_shared<io::CaptureFile>(file_->another());
        auto made = std::make_shared<ExaminedCapture>();
        JobSpec job;
        job.title = name_;
        job.of_scene = true;
        job.work = [reader, made](const JobControl& control) {
            const auto on = [&control](double done) {
                return control.report(static_cast<float>(0.8 * done), "examining every frame");
            };
            const auto survey = capture::make_survey(*reader, {.goes_on = on});
            if (!survey) return;
            const capture::FrameSetting held(*reader, static_cast<int>(kCaptureFrame.max));
            made->curves = capture_curves(*survey, kCaptureFrame, held);
            made->diagnosis = capture::diagnose(*reader, *survey, [&control](double done) {
                return control.report(static_cast<float>(0.8 + 0.2 * done), "diagnosing");
            });
            made->marks = std::make_shared<const std::vector<Film::Mark>>(
                capture_marks(*survey, made->diagnosis, held));
            made->marks_left_out = survey->marks_left_out;
        };
        job.end = [made, examined = examined_](JobEnd end, std::string_view) {
            if (end != JobEnd::Done) return;
            examined->curves = std::move(made->curves);
            if (examined->diagnosis && made->diagnosis)
                examined->earlier = capture::earlier_findings(std::move(examined->earlier),
                                                              *examined->diagnosis, *made->diagnosis);
            examined->diagnosis = std::move(made->diagnosis);
            examined->marks = std::move(made->marks);
            examined->marks_left_out = made->marks_left_out;
            ++examined->news;
        };
        context.jobs.start(std::move(job));
    }

    /// Feeds the capture to every structure in a job.
    void replay(SceneContext& context) {
        auto reader = std::make_shared<io::CaptureFile>(file_->another());
        auto made = std::make_shared<std::optional<capture::WhatIf>>();
        JobSpec job;
        job.title = fmt::format("{} in other structures", name_);
        job.of_scene = true;
        job.work = [reader, made](const JobControl& control) {
            capture::WhatIfOptions options;
            options.goes_on = [&control](double done) {
                return control.report(static_cast<float>(done), "replaying");
            };
            *made = capture::what_if(*reader, options);
        };
        job.end = [made, examined = examined_](JobEnd end, std::string_view) {
            if (end != JobEnd::Done) return;
            examined->what_if = std::move(*made);
            examined->what_ifs = ++examined->news;
        };
        context.jobs.start(std::move(job));
    }

    [[nodiscard]] std::size_t place_in_setting(const SceneContext& context) const {
        return held().place_of(context.settings[kCaptureFrame]);
    }

    /// Reads and prepares what the settings ask for, unless it is current already.
    void follow(SceneContext& context) {
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
            make_rival();
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

    void read(SceneContext& context, std::size_t place) {
        place_ = place;
        auto frame = file_->frame(place);
        if (!frame) {
            if (std::exchange(problem_, frame.error().text()) != problem_) context.messages.error(problem_);
            shown_ = std::make_shared<const capture::ShownFrame>();
            return;
        }
        shown_ = std::make_shared<const capture::ShownFrame>(capture::shown_frame(std::move(*frame)));
    }

    /// A tree over the boxes of all captured leaves, behind or beside the captured one.
    void make_rival() {
        rival_ = {};
        bounds_ = {};
        for (const capture::ShownTree& tree : shown_->trees)
            if (!tree.snapshot.tree.empty()) bounds_ = bv::merge(bounds_, tree.snapshot.tree.boxes[0]);
        for (const io::CaptureProxy& proxy : shown_->frame.proxies)
            if (proxy.tight.is_finite()) bounds_ = bv::merge(bounds_, proxy.tight);
        captured_bounds_ = bounds_;
        if (beside_ == Beside::Nothing) return;
        std::vector<bv::Aabb> boxes;
        for (const capture::ShownTree& tree : shown_->trees) {
            const std::vector<bv::Aabb> more = leaf_boxes(tree.snapshot.tree);
            boxes.insert(boxes.end(), more.begin(), more.end());
        }
        if (boxes.empty()) return;
        TreeRecipe recipe{"", "", TreeRecipe::How::Insert, options_.insertion, options_.balancing, {}};
        const char* const id = beside_ == Beside::Rebuilt  ? "sweep_sah"
                               : beside_ == Beside::Binned ? "binned_sah"
                                                           : "agglomerative";
        if (beside_ != Beside::Inserted)
            if (const TreeRecipe* const built = find_recipe(id)) recipe = *built;
        bv::TreeOptions base = options_;
        base.margin = bv::Margin::None;
        rival_ = make_tree(recipe, boxes, base).snapshot();
        rival_metrics_ = bv::measure(rival_);
        const glm::vec3 size = bounds_.size();
        const glm::vec3 offset =
            size.x > 1.5f * size.z ? glm::vec3(0, 0, 1.25f * size.z) : glm::vec3(1.2f * size.x, 0, 0);
        shift(rival_, offset);
        bounds_ = bv::merge(bounds_, rival_.boxes[0]);
    }

    [[nodiscard]] bool is_found(std::uint64_t id) const {
        if (find_.empty()) return false;
        if (const auto number = number_of(find_)) return *number == id;
        return lower(name_of(*shown_, id)).find(lower(find_)) != std::string::npos;
    }

    // ---- in the view

    void put_bodies(const Settings& settings, FrameResults& results) const {
        constexpr std::size_t kMaxBoxes = 20'000;
        constexpr std::size_t kFewFound = 12;
        const auto& proxies = shown_->frame.proxies;
        std::vector<const io::CaptureProxy*> others;
        std::size_t found = 0;
        for (std::size_t i = 0; i < proxies.size(); ++i) {
            const io::CaptureProxy& proxy = proxies[i];
            if (!proxy.tight.is_finite()) continue;
            if (is_found(proxy.id)) {
                // With what is around it.
                results.marked_bounds = bv::merge(
                    results.marked_bounds, bv::grown(proxy.tight, 1.5f * glm::length(proxy.tight.size())));
                const std::string name = name_of(*shown_, proxy.id);
                Exhibit& box = put(results, proxy.tight, Role::Selected,
                                   ++found <= kFewFound ? fmt::format("{} {}", proxy.id, name) : "", 0.2f);
                box.on_top = true;
                box.legend = "body that was searched for";
                continue;
            }
            if (settings[kBoxesDraw] && i < kMaxBoxes) others.push_back(&proxy);
        }
        // The legend lists the tags in this order.
        std::stable_sort(others.begin(), others.end(),
                         [](const auto* a, const auto* b) { return a->tag < b->tag; });
        for (const io::CaptureProxy* const proxy : others) {
            Exhibit& box = put(results, proxy->tight, role_of_tag(proxy->tag), {}, 0.25f);
            box.width_px = 1.0f;
            box.legend = fmt::format("bodies with tag {}", proxy->tag);
        }
    }

    /// The marked node with the nodes above it.
    void put_node(const Settings& settings, FrameResults& results) const {
        const auto wanted = number_of(settings[kCaptureNode]);
        if (!wanted) return;
        for (const capture::ShownTree& tree : shown_->trees) {
            const auto at = tree.places.find(*wanted);
            if (at == tree.places.end()) continue;
            const bv::TreeSnapshot& t = tree.snapshot.tree;
            Exhibit& box =
                put(results, t.boxes[at->second], Role::Selected, fmt::format("node {}", *wanted), 0.1f);
            box.on_top = true;
            box.width_px = 3.0f;
            box.legend = "marked node";
            results.marked_bounds = bv::merge(results.marked_bounds, t.boxes[at->second]);
            for (std::uint32_t up = t.parents[at->second]; up != bv::TreeSnapshot::kNone;
                 up = t.parents[up]) {
                Exhibit& above = put(results, t.boxes[up], Role::Normal);
                above.width_px = 1.5f;
                above.legend = "its ancestors";
            }
        }
    }

    void put_broken(FrameResults& results, const capture::ShownTree& tree) const {
        using Kind = io::CaptureDefect::Kind;
        BrokenNodes broken{tree.id, {}, 0};
        constexpr std::size_t kMaxMarked = 200;
        std::size_t marked = 0;
        for (const io::CaptureDefect& defect : tree.snapshot.defects) {
            if (broken.nodes.size() >= kMaxMarked) break;
            const auto node = tree.places.find(defect.node), other = tree.places.find(defect.other);
            if (node == tree.places.end()) continue;
            if (const std::string_view words = legend_of(defect.kind); !words.empty()) {
                if (++marked > kMaxMarked) break;
                Exhibit& box = put(results, tree.snapshot.tree.boxes[node->second], Role::Broken, {}, 0.05f);
                box.on_top = true;
                box.width_px = 3.0f;
                box.legend = words;
            } else {
                const bool is_child = defect.kind == Kind::ChildOutside && other != tree.places.end();
                broken.nodes.push_back(
                    {node->second, is_child ? other->second : bv::TreeSnapshot::kNone, 0, defect.by});
                ++broken.count;
            }
            if (defect.kind != Kind::Cycle || other == tree.places.end()) continue;
            Exhibit& line = put(results,
                                bv::Segment{tree.snapshot.tree.boxes[node->second].center(),
                                            tree.snapshot.tree.boxes[other->second].center()},
                                Role::Broken, "circle");
            line.on_top = true;
            line.width_px = 3.0f;
            line.legend = "link back to an ancestor: a cycle";
        }
        for (const bv::Aabb& orphan : tree.orphans) {
            Exhibit& box = put(results, orphan, Role::Broken, {}, 0.06f);
            box.on_top = true;
            box.legend = "orphan: not reached from the root";
        }
        if (!broken.nodes.empty()) results.broken_nodes.push_back(std::move(broken));
    }

    /// What the colors mean, and how to open a capture.
    void put_words(FrameResults& results) const {
        const auto above = [](const bv::Aabb& box) {
            return glm::vec3(box.center().x, box.max.y + 0.05f * glm::length(box.size()), box.center().z);
        };
        const auto words = [](std::string_view name, const bv::TreeMetrics& m) {
            return fmt::format("{}: height {} (optimum {}), SAH {:.1f}", name, m.height, m.optimal_height,
                               m.sah);
        };
        if (shown_->trees.empty()) return;
        put_note(results, above(captured_bounds_), Role::TreeNode,
                 words(shown_->trees.front().id, shown_->trees.front().metrics));
        if (!rival_.empty())
            put_note(results, above(rival_.boxes[0]), Role::TreeNode, words(kRivalId, rival_metrics_));
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
                       set_line(kCaptureNode, std::to_string(f.node)) + "; camera.frame marked";
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
        tables_.push_back(trees_table(*shown_, kRivalId, rival_.empty() ? nullptr : &rival_metrics_));
        Table broken = broken_table(*shown_, [](std::uint64_t node) {
            return set_line(kCaptureNode, std::to_string(node)) + "; camera.frame marked";
        });
        if (!broken.rows.empty()) tables_.push_back(std::move(broken));
        tables_.push_back(remarks_table(*file_, *shown_, is_live_, is_sample_));
        tables_.push_back(bodies_table(
            *shown_, [this](std::uint64_t id) { return is_found(id); },
            [](std::uint64_t id) {
                return set_line(kCaptureFind, std::to_string(id)) + "; camera.frame marked";
            }));
    }

    std::string name_;
    std::shared_ptr<const io::CaptureFile> opened_;  ///< What is shown, unless it is an example.
    bool is_sample_ = false;
    bool is_live_ = false;             ///< An engine delivers it, or did.
    bool at_newest_ = false;           ///< Of a live one: the view follows the engine.
    std::size_t examined_frames_ = 0;  ///< Their number at the last survey.
    SampleKind sample_ = SampleKind::Sound;
    std::shared_ptr<io::CaptureFile> file_;  ///< Shared by copies: what it reads does not depend on the past.
    std::shared_ptr<ExaminedCapture> examined_ = std::make_shared<ExaminedCapture>();
    double elapsed_ = 0.0;                             ///< Of a frame, while it plays.
    std::size_t place_ = 0;                            ///< Of the frame on show.
    std::shared_ptr<const std::vector<int>> numbers_;  ///< Of all frames, as the setting counts.
    std::string problem_;
    std::shared_ptr<const capture::ShownFrame> shown_;
    // Cached until frame or settings change.
    Beside beside_ = Beside::Nothing;
    bv::TreeOptions options_;
    bv::TreeSnapshot rival_;
    bv::TreeMetrics rival_metrics_;
    bv::Aabb bounds_, captured_bounds_;
    std::string find_, node_;
    std::vector<Table> tables_;
    int seen_news_ = 0;  ///< The number that the tables show.
    std::size_t seen_frames_ = 0;
};

}  // namespace

extern constinit const SceneSpec capture_scene{
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
};

}  // namespace lab::scenes
