// Opens recordings and saved scenes. A job reads the file; then, between frames, the files that it needs are
// opened, its scene starts, and for a saved scene the record is replayed, a slice in every frame.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "io/file_kind.hpp"
#include "io/limits.hpp"
#include "io/sessions/packed_text.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"
#include "platform/clock.hpp"
#include "session/files/opening.hpp"
#include "session/files/scene_conversion.hpp"
#include "session/parts.hpp"
#include "settings/program.hpp"

namespace lab {
namespace {

/// Limit of replayed steps times bodies, beyond which opening would take minutes. In the units of
/// `Recorder::spend`.
constexpr std::uint64_t kMaxReplayed = 40'000'000;
/// Limit of the text inside a link.
constexpr std::size_t kMaxUnpacked = std::size_t{4} << 20;
/// Length of a replayed slice per frame: long enough to take most of the time, short enough to be cancelled
/// at once.
constexpr double kShortestSlice_s = 0.03, kLongestSlice_s = 0.2;

}  // namespace

struct FileOpener::Reopening : Opening {
    std::optional<io::SceneFile> scene;  ///< Empty for a recording.
    io::Recording record;
    std::vector<std::string> files;     ///< The files that it needs,
    std::vector<std::string> shown;     ///< those of them that it shows,
    std::vector<io::NamedMesh> meshes;  ///< and what it calls their meshes.

    enum class Stage : unsigned char { Needs, Opening, Scene, Replay };
    Stage stage = Stage::Needs;
    std::size_t opened = 0;  ///< Number of opened files.
    bool asked = false;      ///< The next one has been requested.
    /// Read files. They join the session together, once the scene is certain to start.
    std::shared_ptr<Openings> read = std::make_shared<Openings>();
    /// Their names in this session, for the record.
    void find_files(const std::vector<std::string>& written, std::vector<io::NamedMesh> named) {
        for (const std::string& file : written)
            need(io::path_from_file(path, file));
        shown = record.start.opened = files;
        meshes = std::move(named);
        for (io::NamedMesh& one : meshes)
            need(one.file = io::path_from_file(path, one.file));
    }
    /// A file written down twice is needed once.
    void need(const std::string& file) {
        const auto is_it = [&file](const std::string& other) { return io::is_same_place(other, file); };
        if (std::none_of(files.begin(), files.end(), is_it)) files.push_back(file);
    }
    JobId asked_job;
    std::optional<Settings> own;  ///< The user's settings, without any scene; once its scene starts.
    platform::Clock since_slice;  ///< Since the end of the last slice.
    std::uint64_t work_left = kMaxReplayed;
    bool exhausted = false;  ///< The record exceeded the work limit, and was not played to its end.
};

// ---- reading

CommandResult FileOpener::open_recording(const std::string& path) {
    auto reopening = std::make_shared<Reopening>();
    reopening->path = path;
    reopening->take_in = [](FileOpener& opener, Opening& o) {
        opener.is_replaying_ = false;
        opener.parts_.recorder.follow_view(true);
        const Timeline& record = opener.parts_.recorder.timeline();
        opener.parts_.messages.info(fmt::format("{}: {} of scene {}", o.path,
                                                io::counted(record.last_step(), "step", "steps"),
                                                record.start().scene));
    };
    return reopen(reopening, [r = reopening, &table = parts_.table](const JobControl& control) {
        control.report(0.0f, "reading");
        io::Result<io::Recording> record = io::read_recording(r->path);
        if (!record) {
            r->problem = record.error().text();
            return;
        }
        r->record = std::move(*record);
        r->problem = problem_of(r->record, r->path, table);
        r->find_files(r->record.start.opened, std::move(r->record.start.meshes));
    });
}

CommandResult FileOpener::open_scene(const std::string& path) {
    auto reopening = std::make_shared<Reopening>();
    reopening->path = path;
    reopening->take_in = [](FileOpener& opener, Opening& o) {
        auto& r = static_cast<Reopening&>(o);
        opener.is_replaying_ = false;
        opener.adopt(*r.scene, *r.own, r.path, !r.exhausted);
    };
    return reopen(reopening, [r = reopening, &table = parts_.table](const JobControl& control) {
        control.report(0.0f, "reading");
        io::Result<io::SceneFile> file = io::read_scene_file(r->path);
        if (control.report(0.5f, "checking it")) take_scene(*r, table, std::move(file));
    });
}

CommandResult FileOpener::open_packed(std::string_view packed) {
    auto reopening = std::make_shared<Reopening>();
    reopening->path = "the link";
    const io::Result<std::string> text = io::unpack_text(packed, kMaxUnpacked);
    if (!text) return fmt::format("the link {}. {}", text.error().what, text.error().advice);
    reopening->take_in = [](FileOpener& opener, Opening& o) {
        auto& r = static_cast<Reopening&>(o);
        opener.is_replaying_ = false;
        // The record leads to bodies and handles; the link states what no command leads to.
        opener.parts_.frame.update();
        io::SceneFile whole = opener.parts_.saver.saved_scene();
        whole.steps = r.scene->steps;
        whole.settings = r.scene->settings;
        whole.camera = r.scene->camera;
        whole.home = r.scene->home;
        whole.pointer = r.scene->pointer;
        whole.rays = r.scene->rays;
        whole.selection = r.scene->selection;
        opener.adopt(whole, *r.own, r.path, !r.exhausted);
    };
    return reopen(reopening, [r = reopening, text = *text, &table = parts_.table](const JobControl&) {
        take_scene(*r, table, io::parse_scene_file(text, r->path));
        if (!r->problem && r->exhausted)
            r->problem = "the link needs too many steps to replay. Ask for the saved scene instead";
        if (!r->problem && !r->files.empty()) r->problem = "a link cannot refer to files";
    });
}

/// Checks a saved scene and its record, and prepares both for being played.
void FileOpener::take_scene(Reopening& r, const CommandTable& table, io::Result<io::SceneFile> file) {
    if (!file) {
        r.problem = file.error().text();
        return;
    }
    r.scene = std::move(*file);
    const io::SceneFile& scene = *r.scene;
    r.record.start.scene = scene.scene;
    r.record.start.before = r.record.start.after = scene.settings;
    if (scene.seed) r.record.start.before.emplace_back(kWorldSeed.id, std::to_string(*scene.seed));
    if (!scene.history.empty()) {
        io::Result<io::Recording> history = io::parse_recording(scene.history, r.path + ", history");
        if (!history) {
            r.problem = history.error().text();
            return;
        }
        r.record = std::move(*history);
        r.problem = problem_of(r.record, r.path + ", history", table);
    }
    if (!r.problem) r.problem = problem_of(scene, r.path);
    if (!r.problem && r.record.start.scene != scene.scene)
        r.problem = fmt::format(
            "{}: \"scene\" is {}, but \"history\" is a record of {}. Name the same scene in both, or remove "
            "\"history\"",
            r.path, scene.scene, r.record.start.scene);
    // The stated number of steps can be wrong: count those that would be played.
    std::uint64_t steps = 0;
    for (const io::RecordingEntry& entry : r.record.entries)
        steps += entry.frames * entry.steps;
    if (steps * std::max<std::uint64_t>(scene.bodies.size(), 20) > kMaxReplayed) {
        r.record.entries.clear();
        r.exhausted = true;
    }
    r.find_files(scene.files, scene.meshes);
}

CommandResult FileOpener::reopen(const std::shared_ptr<Reopening>& reopening,
                                 std::function<void(const JobControl&)> read) {
    reopening->give_up = [](FileOpener& opener, Opening& o) {
        auto& r = static_cast<Reopening&>(o);
        opener.is_replaying_ = false;
        if (r.stage < Reopening::Stage::Scene) return;
        if (r.scene)
            opener.adopt(*r.scene, *r.own, r.path, false);
        else
            opener.parts_.recorder.begin(opener.state_.settings);
    };
    return open_in_job(reopening, std::move(read), [this, r = reopening](const JobControl& control) {
        return advance_reopening(*r, control);
    });
}

/// The first entry of a recording that this program cannot replay; empty if there is none.
CommandResult FileOpener::problem_of(const io::Recording& recording, const std::string& path,
                                     const CommandTable& table) {
    if (!find_scene(recording.start.scene)) return path + ": " + no_scene(recording.start.scene);
    Settings scratch(table.settings());
    for (const bool before : {true, false})
        for (const auto& [id, value] : before ? recording.start.before : recording.start.after) {
            CommandResult problem = scratch.set(id, value);
            if (!problem && table.settings().find(id)->effect == Effect::Outside)
                problem = fmt::format("{} cannot be set in a recording", id);
            if (problem)
                return fmt::format("{}, `{} {}={}`: {}", path, before ? "before" : "after", id, value,
                                   *problem);
        }
    for (const io::RecordingEntry& entry : recording.entries) {
        if (entry.line.empty()) continue;
        const ParsedLine line = table.parse(entry.line);
        CommandResult problem = table.check(line);
        if (!problem && line.effect() == Effect::Outside)
            problem = fmt::format("a recording cannot contain `{}`", entry.line);
        if (!problem && entry.is_look && line.effect() != Effect::View)
            problem = fmt::format("`{}` changes more than the view", entry.line);
        if (problem) return fmt::format("{}, line {}: {}", path, entry.source_line, *problem);
    }
    return std::nullopt;
}

/// Checks the contents of the file itself.
CommandResult FileOpener::problem_of(const io::SceneFile& file, const std::string& path) {
    if (!find_scene(file.scene)) return path + ": " + no_scene(file.scene);
    Settings scratch(setting_catalog());
    for (const auto& [id, value] : file.settings) {
        if (const auto problem = scratch.set(id, value)) return path + ": " + *problem;
        if (!is_saved(*setting_catalog().find(id)))
            return fmt::format("{}: {} is not a setting of a scene", path, id);
    }
    for (const io::SceneFileBody& body : file.bodies) {
        if (!motion_kind(body.motion))
            return fmt::format(
                "{}: body {} has the motion '{}'; it must be drift, orbit, walk, fall or still", path,
                body.id, body.motion);
        OwnChoice own;
        for (const auto& [setting, value] : body.choices)
            if (value.empty() || !set_own_choice(own, setting, value))
                return fmt::format("{}: body {} cannot choose {}={}", path, body.id, setting, value);
    }
    return std::nullopt;
}

// ---- between the frames

/// One slice of the work. True at its end, or on a failure, with `r.problem` set.
bool FileOpener::advance_reopening(Reopening& r, const JobControl& control) {
    using Stage = Reopening::Stage;
    if (r.problem) return true;
    if (r.stage == Stage::Needs) {
        std::uint64_t bytes = 0;
        for (const std::string& file : r.files) {
            std::error_code code;
            if (is_open(file)) continue;
            if (!std::filesystem::is_regular_file(file, code))
                r.problem = fmt::format("{} needs the file {}, which does not exist", r.path, file);
            else if (const auto size = std::filesystem::file_size(file, code); !code)
                bytes += size;
        }
        if (bytes > io::limits::kNeededBytes)
            r.problem = fmt::format(
                "{} needs files of {} MB; at most {} MB can be opened together. Open some of them separately "
                "first",
                r.path, bytes >> 20, io::limits::kNeededBytes >> 20);
        if (!r.problem) r.problem = beyond_limit(r.path, bytes);
        if (r.problem) return true;
        r.stage = Stage::Opening;
    }
    if (r.stage == Stage::Opening) {
        control.report(0.0f, "opening the files it needs");
        while (r.opened < r.files.size())
            if (!open_needed_file(r)) return r.problem.has_value();
        if ((r.problem = add_needed(r))) return true;
        if ((r.problem = parts_.recorder.load_start(r.record.start, r.own))) return true;
        is_replaying_ = true;
        r.stage = Stage::Scene;
    }
    if (r.stage == Stage::Scene) {
        if (!control.report(0.0f, "preparing its scene") || parts_.jobs.has_scene_jobs()) return false;
        parts_.recorder.begin_recorded(std::move(r.record), *r.own);
        r.stage = Stage::Replay;
        r.since_slice = {};
    }
    if (!r.scene) return true;  // a recording is played frame by frame later
    const double limit_s = std::clamp(2.0 * r.since_slice.seconds(), kShortestSlice_s, kLongestSlice_s);
    const bool waits = parts_.jobs.mode() == JobMode::Wait;
    bool done = parts_.recorder.replay_for(waits ? std::nullopt : std::optional(limit_s), r.work_left);
    if (r.work_left == 0 && !done) done = r.exhausted = true;
    r.since_slice = {};
    const Timeline& record = parts_.recorder.timeline();
    const auto steps = static_cast<float>(std::max<std::uint64_t>(record.last_step(), 1));
    control.report(static_cast<float>(record.place().steps) / steps, "replaying its record");
    return done;
}

bool FileOpener::is_open(const std::string& file) const {
    const auto is_it = [&file](const auto& opened) { return io::is_same_place(opened.source, file); };
    const auto is_mesh = [&](MeshId id) { return is_it(parts_.meshes[id]); };
    return std::any_of(parts_.opened.meshes.begin(), parts_.opened.meshes.end(), is_mesh) ||
           std::any_of(parts_.opened.voxel_models.begin(), parts_.opened.voxel_models.end(), is_mesh) ||
           std::any_of(parts_.opened.box_lists.begin(), parts_.opened.box_lists.end(), is_it) ||
           std::any_of(parts_.opened.trees.begin(), parts_.opened.trees.end(), is_it) ||
           std::any_of(parts_.opened.captures.begin(), parts_.opened.captures.end(), is_it);
}

/// True once the next file is open; false while it is being read, or on a failure, with `r.problem` set.
bool FileOpener::open_needed_file(Reopening& r) {
    const std::string& file = r.files[r.opened];
    if (r.asked && parts_.jobs.is_running(r.asked_job)) return false;
    std::error_code code;
    const auto is_it = [&file](const auto& read) { return io::is_same_place(read->path, file); };
    // A file that is gone from the disk but still open is good enough.
    if (std::any_of(r.read->begin(), r.read->end(), is_it) ||
        (is_open(file) && !std::filesystem::is_regular_file(file, code))) {
        ++r.opened;
        r.asked = false;
        return true;
    }
    if (std::exchange(r.asked, true)) {
        r.problem = fmt::format("{} needs the file {}, which could not be opened", r.path, file);
        return false;
    }
    // Lines that wait for this file continue to wait, also if memory runs out here.
    const JobId waited_for = opening_;
    ParsedLine line = parts_.runner.current();
    const auto restore = [&] {
        needed_.reset();
        parts_.runner.set_current(std::move(line));
    };
    try {
        parts_.runner.set_current(parts_.table.parse("open " + quote_word(file)));
        needed_ = r.read;
        if (const CommandResult problem = open(file))
            r.problem = r.scene ? fmt::format("{} needs a file, files[{}]: {}", r.path, r.opened, *problem)
                                : fmt::format("{} needs a file: {}", r.path, *problem);
    } catch (...) {
        restore();
        opening_ = waited_for;
        throw;
    }
    restore();
    r.asked_job = std::exchange(opening_, waited_for);
    return false;
}

/// Adds all files at once, or none.
CommandResult FileOpener::add_needed(Reopening& r) {
    const std::size_t count = parts_.meshes.size();
    OpenedFiles before = parts_.opened;
    for (const auto& opening : *r.read)
        opening->take_in(*this, *opening);
    const MeshLibrary::Names names = mesh_names(r);
    CommandResult problem = r.scene ? missing_mesh(*r.scene, names, r.path) : std::nullopt;
    if (problem) {
        parts_.opened = std::move(before);
        parts_.meshes.take_back(count);
        return problem;
    }
    parts_.meshes.rename(names);
    show_only(r.shown);
    return std::nullopt;
}

/// The names by which bodies, lines and settings refer to the meshes of its files.
MeshLibrary::Names FileOpener::mesh_names(const Reopening& r) const {
    MeshLibrary::Names names;
    const auto has = [&names](MeshId id) {
        return std::any_of(names.begin(), names.end(), [id](const auto& named) { return named.first == id; });
    };
    for (const io::NamedMesh& mesh : r.meshes)
        if (const auto id = parts_.meshes.find_file(mesh.file); id && !has(*id))
            names.emplace_back(*id, io::printable(mesh.name, io::LineEnds::Escape, io::limits::kNameBytes));
    std::vector<MeshId> others;
    for (const std::string& file : r.shown)
        if (const auto id = parts_.meshes.find_file(file); id && !has(*id)) others.push_back(*id);
    for (auto& named : parts_.meshes.fresh_names(others))
        names.push_back(std::move(named));
    return names;
}

}  // namespace lab
