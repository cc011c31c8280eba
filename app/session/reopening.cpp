// Opening recordings and saved scenes. A job reads the file; then, between two frames, the files that it
// needs are opened, its scene starts, and for a saved scene the record is replayed, a part in every frame.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "io/file_kind.hpp"
#include "io/limits.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "session/opening.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

/// Steps times bodies that are played again; beyond it, opening would take minutes. In the units of
/// `Sandbox::spend`.
constexpr std::uint64_t kMostReplayed = 40'000'000;
/// Of replaying in a frame: long enough that most of the time goes there, short enough to be given up at
/// once.
constexpr double kShortestSlice_s = 0.03, kLongestSlice_s = 0.2;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

struct Sandbox::Reopening : Opening {
    std::optional<io::SceneFile> scene;  ///< A recording has none.
    io::Recording record;
    std::vector<std::string> files;  ///< That it needs.

    enum class Stage : unsigned char { Needs, Opening, Scene, Replay };
    Stage stage = Stage::Needs;
    std::size_t opened = 0;  ///< Of the files.
    bool asked = false;      ///< For the one after those.
    /// As they were read. They join the session together, once it is sure that the scene will start.
    std::shared_ptr<Openings> read = std::make_shared<Openings>();
    /// The record names them as they will be known in this session.
    void find_files(std::vector<std::string> written) {
        for (std::string& file : written)
            file = io::path_from_file(path, file);
        files = std::move(written);
        record.start.opened = files;
    }
    JobId asked_job;
    Settings own;              ///< The settings before, as the user had left them.
    Settings before_presets;   ///< The same with what the record's scene starts from.
    Clock::time_point rested;  ///< When the last slice ended.
    std::uint64_t work_left = kMostReplayed;
    bool exhausted = false;  ///< The record was too much work: it was not played to its end.
};

// ---- reading

CommandResult Sandbox::open_recording(const std::string& path) {
    auto reopening = std::make_shared<Reopening>();
    reopening->path = path;
    reopening->take_in = [](Sandbox& sandbox, Opening& o) {
        sandbox.replaying_ = false;
        sandbox.follow_view_ = true;
        const Timeline& record = sandbox.timeline_;
        sandbox.messages_.info(
            fmt::format("{}: {} steps of scene {}", o.path, record.last_step(), record.start().scene));
    };
    return reopen(reopening, [r = reopening, &table = table_](const JobControl& control) {
        control.report(0.0f, "reading");
        io::Result<io::Recording> record = io::read_recording(r->path);
        if (!record) {
            r->problem = record.error().text();
            return;
        }
        r->record = std::move(*record);
        r->problem = what_is_unknown(r->record, r->path, table);
        r->find_files(r->record.start.opened);
    });
}

CommandResult Sandbox::open_scene(const std::string& path) {
    auto reopening = std::make_shared<Reopening>();
    reopening->path = path;
    reopening->take_in = [](Sandbox& sandbox, Opening& o) {
        auto& r = static_cast<Reopening&>(o);
        sandbox.replaying_ = false;
        sandbox.adopt(*r.scene, r.own, r.path, !r.exhausted);
    };
    return reopen(reopening, [r = reopening, &table = table_](const JobControl& control) {
        control.report(0.0f, "reading");
        io::Result<io::SceneFile> file = io::read_scene_file(r->path);
        if (!file) {
            r->problem = file.error().text();
            return;
        }
        if (!control.report(0.5f, "looking through it")) return;
        r->scene = std::move(*file);
        const io::SceneFile& scene = *r->scene;
        r->record.start.scene = scene.scene;
        r->record.start.before = r->record.start.after = scene.settings;
        if (!scene.history.empty()) {
            io::Result<io::Recording> history = io::parse_recording(scene.history, r->path + ", history");
            if (!history) {
                r->problem = history.error().text();
                return;
            }
            r->record = std::move(*history);
            r->problem = what_is_unknown(r->record, r->path + ", history", table);
        }
        if (!r->problem) r->problem = what_is_wrong_with(scene, r->path);
        // What it says about its steps may be anything; what counts is what would be played.
        std::uint64_t steps = 0;
        for (const io::RecordingEntry& entry : r->record.entries)
            steps += entry.frames * entry.steps;
        if (steps * std::max<std::uint64_t>(scene.bodies.size(), 20) > kMostReplayed) {
            r->record.entries.clear();
            r->exhausted = true;
        }
        r->find_files(scene.files);
    });
}

CommandResult Sandbox::reopen(const std::shared_ptr<Reopening>& reopening,
                              std::function<void(const JobControl&)> read) {
    reopening->give_up = [](Sandbox& sandbox, Opening& o) {
        auto& r = static_cast<Reopening&>(o);
        sandbox.replaying_ = sandbox.restoring_ = false;
        if (r.stage < Reopening::Stage::Scene) return;
        if (r.scene)
            sandbox.adopt(*r.scene, r.own, r.path, false);
        else
            sandbox.begin_record(sandbox.recording_start(sandbox.settings_));
    };
    return open_in_job(reopening, std::move(read), [this, r = reopening](const JobControl& control) {
        return go_on_reopening(*r, control);
    });
}

/// What in a recording this program cannot do; nothing if it can do all of it.
CommandResult Sandbox::what_is_unknown(const io::Recording& recording, const std::string& path,
                                       const CommandTable& table) {
    if (!find_scene(recording.start.scene)) return path + ": " + no_scene(recording.start.scene);
    Settings scratch;
    for (const auto* list : {&recording.start.before, &recording.start.after})
        for (const auto& [id, value] : *list) {
            if (const auto problem = scratch.set(id, value)) return path + ": " + *problem;
            if (find_setting(id)->effect == Effect::Outside)
                return fmt::format("{}: {} is not recorded", path, id);
        }
    for (const io::RecordingEntry& entry : recording.entries) {
        if (entry.line.empty()) continue;
        const ParsedLine line = table.parse(entry.line);
        CommandResult problem = CommandTable::check(line);
        if (!problem && line.effect() == Effect::Outside)
            problem = fmt::format("`{}` cannot be a part of a recording", entry.line);
        if (problem) return fmt::format("{}, line {}: {}", path, entry.source_line, *problem);
    }
    return std::nullopt;
}

// ---- between the frames

/// One part of the way. True at its end, or when `r.problem` says why there is none.
bool Sandbox::go_on_reopening(Reopening& r, const JobControl& control) {
    using Stage = Reopening::Stage;
    if (r.problem) return true;
    if (r.stage == Stage::Needs) {
        std::uint64_t bytes = 0;
        for (const std::string& file : r.files) {
            std::error_code code;
            if (is_open(file)) continue;
            if (!std::filesystem::is_regular_file(file, code))
                r.problem = fmt::format("{} needs the file {}, which is not there", r.path, file);
            else if (const auto size = std::filesystem::file_size(file, code); !code)
                bytes += size;
        }
        if (bytes > io::limits::kNeededBytes)
            r.problem = fmt::format(
                "{} needs files of {} MB; at most {} MB are opened together. Open some of them "
                "by themselves first",
                r.path, bytes >> 20, io::limits::kNeededBytes >> 20);
        if (r.problem) return true;
        r.stage = Stage::Opening;
    }
    if (r.stage == Stage::Opening) {
        control.report(0.0f, "opening what it needs");
        while (r.opened < r.files.size())
            if (!open_needed_file(r)) return r.problem.has_value();
        if ((r.problem = take_in_needed(r))) return true;
        r.own = settings_without_presets();
        take_back_presets(settings_);
        presets_.clear();
        r.before_presets = settings_;
        if ((r.problem = load_recorded_scene(r.record.start))) return true;
        replaying_ = true;
        r.stage = Stage::Scene;
    }
    if (r.stage == Stage::Scene) {
        if (!control.report(0.0f, "making what its scene shows") || jobs_.has_scene_jobs()) return false;
        begin_recording(std::move(r.record), r.before_presets);
        r.stage = Stage::Replay;
        r.rested = Clock::now();
    }
    if (!r.scene) return true;  // a recording is played as time goes on
    const double limit_s = std::clamp(2.0 * seconds_since(r.rested), kShortestSlice_s, kLongestSlice_s);
    work_left_ = r.work_left;
    bool done = replay_for(jobs_.mode() == JobMode::Wait ? std::nullopt : std::optional(limit_s));
    r.work_left = work_left_;
    if (r.work_left == 0 && !done) done = r.exhausted = true;
    r.rested = Clock::now();
    const auto steps = static_cast<float>(std::max<std::uint64_t>(timeline_.last_step(), 1));
    control.report(static_cast<float>(timeline_.place().steps) / steps, "replaying its record");
    return done;
}

bool Sandbox::is_open(const std::string& file) const {
    const auto is_it = [&file](const auto& opened) { return io::is_same_place(opened.source, file); };
    const auto is_mesh = [&](MeshId id) { return is_it(meshes_[id]); };
    return std::any_of(opened_.meshes.begin(), opened_.meshes.end(), is_mesh) ||
           std::any_of(opened_.voxel_models.begin(), opened_.voxel_models.end(), is_mesh) ||
           std::any_of(opened_.box_lists.begin(), opened_.box_lists.end(), is_it) ||
           std::any_of(opened_.trees.begin(), opened_.trees.end(), is_it);
}

/// True once the next of the files is open; false while it is on its way, or with `r.problem`.
bool Sandbox::open_needed_file(Reopening& r) {
    const std::string& file = r.files[r.opened];
    if (r.asked && jobs_.is_running(r.asked_job)) return false;
    std::error_code code;
    const auto is_it = [&file](const auto& read) { return io::is_same_place(read->path, file); };
    // What is gone from the disk and still open will do.
    if (std::any_of(r.read->begin(), r.read->end(), is_it) ||
        (is_open(file) && !std::filesystem::is_regular_file(file, code))) {
        ++r.opened;
        r.asked = false;
        return true;
    }
    if (std::exchange(r.asked, true)) {
        r.problem = fmt::format("{} needs the file {}, which was not opened", r.path, file);
        return false;
    }
    // The lines that wait for this file wait on.
    const JobId waited_for = opening_;
    ParsedLine line = std::exchange(current_, table_.parse("open " + quote_word(file)));
    needed_ = r.read;
    if (const CommandResult problem = open(file))
        r.problem = fmt::format("{} needs a file: {}", r.path, *problem);
    needed_.reset();
    current_ = std::move(line);
    r.asked_job = std::exchange(opening_, waited_for);
    return false;
}

/// All of the files at once, or none.
CommandResult Sandbox::take_in_needed(Reopening& r) {
    const std::size_t count = meshes_.size();
    OpenedFiles before = opened_;
    for (const auto& opening : *r.read)
        opening->take_in(*this, *opening);
    CommandResult problem = r.scene ? what_is_missing_for(*r.scene, r.path) : std::nullopt;
    if (problem) {
        opened_ = std::move(before);
        meshes_.take_back(count);
    } else if (r.scene) {
        show_only(r.files);
    }
    return problem;
}

// ---- the record

void Sandbox::begin_recording(io::Recording recording, const Settings& before_presets) {
    const io::RecordingStart start = recording.start;
    take_recorded_start(start);
    presets_.clear();
    for (const SettingSpec& spec : setting_specs())
        if (const std::string now = settings_.get_as_text(spec.id);
            now != before_presets.get_as_text(spec.id))
            presets_.push_back({spec.id, before_presets.get_as_text(spec.id), now});
    const ViewRect window = view_;
    view_ = {{start.view[2], start.view[3]}, {start.view[0], start.view[1]}};
    begin_record(start, std::move(recording.entries));
    view_ = window;
}

/// Replays the record that was opened; with a limit, stops after about that long. True at its end.
bool Sandbox::replay_for(std::optional<double> limit_s) {
    const auto start = Clock::now();
    const ViewRect window = view_;
    const std::uint64_t refused = refused_;
    put_view(recorded_view_);
    restoring_ = true;
    const std::uint64_t last = timeline_.last_step();
    const auto at_end = [&] { return timeline_.place() == timeline_.last_seen(last); };
    do
        replay_to(timeline_.last_seen(limit_s ? std::min(timeline_.place().steps + 1, last) : last));
    while (!at_end() && work_left_ > 0 && limit_s && seconds_since(start) < *limit_s);
    restoring_ = false;
    refused_ = refused;
    follow_view_ = false;
    recorded_view_ = take_view();
    view_ = window;
    return at_end();
}

}  // namespace lab
