// The sandbox: everything that a session consists of, behind two calls per frame. `drain` carries out the
// queued commands and is the only place where anything changes; `step` advances time and finds out everything
// that the picture, the panels and the report show. The same commands give the same results, bit for bit.
#pragma once

#include <cstdint>
#include <deque>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bv/ids.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/tree/tree_options.hpp"
#include "io/sessions/scene_file.hpp"
#include "platform/jobs.hpp"
#include "results/before_after.hpp"
#include "results/frame_results.hpp"
#include "results/messages.hpp"
#include "scenes/scenes.hpp"
#include "session/command_table.hpp"
#include "session/edits.hpp"
#include "session/outside_requests.hpp"
#include "session/time/timeline.hpp"
#include "settings/settings.hpp"
#include "view/camera.hpp"
#include "view/heatmap.hpp"
#include "view/selection.hpp"
#include "view/view_rect.hpp"
#include "world/mesh_library.hpp"
#include "world/opened_files.hpp"

namespace lab {

class World;
struct WorldOptions;

class Sandbox {
  public:
    static constexpr double kFixedStep_s = 1.0 / 60.0;
    static constexpr std::string_view kDefaultScene = "welcome";

    /// Starts in the default scene once the first `drain` or `step` runs, unless a command chose another.
    /// The table must outlive the sandbox.
    explicit Sandbox(const CommandTable& commands);
    ~Sandbox();
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;

    // ---- the frame
    /// Carries out every queued command, oldest first. A refused one becomes one error message and changes
    /// nothing.
    void drain();
    /// From now on files are read and trees are built beside the frames, as a window needs it. `preparer`
    /// makes new meshes ready for drawing there, too. Lines that came together with an `open` still wait for
    /// it, so that a start with a file does the same as without a window.
    void work_in_background(MeshPreparer preparer);
    /// Advances by `dt_s` seconds of wall time (times `sim.speed`, in whole fixed steps) and finds out
    /// everything anew. `kFixedStep_s` at speed 1 is exactly one fixed step.
    const FrameResults& step(double dt_s);
    /// What `screenshot`, `report` and `quit` asked for since the last call.
    [[nodiscard]] OutsideRequests take_requests();
    /// Those of lessons alone, which are heeded before the step.
    [[nodiscard]] std::vector<LessonRequest> take_lesson_requests() {
        return std::exchange(requests_.lessons, {});
    }

    // ---- reading
    [[nodiscard]] const Settings& settings() const { return settings_; }
    /// As commands move it. It does not depend on the window, so neither does what a command does by it.
    [[nodiscard]] const Camera& camera() const { return camera_; }
    /// The same as it stands for the view that the window leaves: what pictures and picking use.
    [[nodiscard]] Camera view_camera() const;
    [[nodiscard]] const FrameResults& results() const { return results_; }
    /// Puts the broadphase's tree, if it keeps one, among the `trees` of the results. There it always is in
    /// small worlds; in larger ones whoever looks at it asks for it, after `step` and before the next
    /// `drain`.
    void lay_trees_open() const;
    [[nodiscard]] const MessageLog& messages() const { return messages_; }
    [[nodiscard]] const MeshLibrary& meshes() const { return meshes_; }
    [[nodiscard]] const OpenedFiles& opened() const { return opened_; }
    [[nodiscard]] const World& world() const { return *world_; }
    /// What is being worked on beside the frames.
    [[nodiscard]] const Jobs& jobs() const { return jobs_; }
    [[nodiscard]] const SceneSpec& scene() const { return *scene_spec_; }
    [[nodiscard]] const Selection& selection() const { return selection_; }
    /// The body that was selected last.
    [[nodiscard]] bv::BodyId selected() const { return selection_.primary(); }
    /// The same as it stood after the last step, or nullptr.
    [[nodiscard]] const BodyState* selected_body() const;
    /// Between all selected bodies that are not hidden: what they turn about.
    [[nodiscard]] std::optional<glm::vec3> selection_pivot() const;
    /// The selected triangle in the world, as it stands now.
    [[nodiscard]] std::optional<bv::Triangle> selected_triangle() const;
    [[nodiscard]] const EditHistory& edits() const { return edits_; }
    [[nodiscard]] bool can_paste() const { return !copied_.empty(); }
    [[nodiscard]] const std::vector<bv::Ray>& pinned_rays() const { return pinned_; }
    [[nodiscard]] const ViewRect& view() const { return view_; }
    [[nodiscard]] glm::vec2 view_size_px() const { return view_.size_px; }
    [[nodiscard]] std::optional<glm::vec2> hover_px() const { return hover_px_; }
    /// The ray from the eye through a pixel of the window.
    [[nodiscard]] bv::Ray ray_through(glm::vec2 pixel) const;
    /// Where in the window a point is seen; nothing if it is behind the eye.
    [[nodiscard]] std::optional<glm::vec2> pixel_of(const glm::vec3& point) const;
    /// What `pick` found, oldest first; at most the last hundred.
    [[nodiscard]] const std::vector<RayQuery>& picks() const { return picks_; }
    /// The settings as the user left them: without what the running scene set for itself. For the
    /// preferences.
    [[nodiscard]] Settings settings_without_presets() const;
    /// The record of the scene since its start.
    [[nodiscard]] const Timeline& timeline() const { return timeline_; }
    /// True while an earlier moment is on show, or a recording is played: time goes along the record.
    [[nodiscard]] bool in_past() const { return timeline_.in_past(); }
    /// Commands that were refused so far.
    [[nodiscard]] std::uint64_t refused_commands() const { return refused_; }
    /// Files that could not be read so far.
    [[nodiscard]] std::uint64_t file_problems() const { return file_problems_; }

    /// The rows of all commands, and the parser of lines.
    [[nodiscard]] const CommandTable& command_table() const { return table_; }
    /// Where everyone pushes. Panels get this and a `const Sandbox&`.
    [[nodiscard]] CommandQueue& commands() { return queue_; }
    [[nodiscard]] MessageLog& log() { return messages_; }

    /// Where viz and the renderer write how long they took for these results.
    void set_drawing_times(double viz_ms, double render_ms);

    // ---- what command handlers call; nobody else does
    [[nodiscard]] Settings& settings() { return settings_; }
    [[nodiscard]] Camera& camera() { return camera_; }
    [[nodiscard]] World& world() { return *world_; }
    [[nodiscard]] Jobs& jobs() { return jobs_; }
    CommandResult load_scene(std::string_view id);
    void restart_scene();
    CommandResult change_scene(int offset);
    /// In the room, or in front of the camera; or inside `at`.
    CommandResult spawn(int count, std::string_view mesh_name, const bv::Aabb& at = {});
    /// At what is seen at a pixel: on a body, on the floor, or at the distance of the orbit center.
    CommandResult spawn_at(glm::vec2 pixel, int count, std::string_view mesh_name);
    CommandResult remove(bv::BodyId id);
    void clear_bodies();
    CommandResult move(bv::BodyId id, const glm::vec3& position);
    /// Moves and turns bodies together about a point: first `turn`, then `by`.
    CommandResult transform(std::span<const bv::BodyId> ids, const glm::vec3& pivot, const glm::quat& turn,
                            const glm::vec3& by);
    CommandResult set_hidden(bv::BodyId id, bool hidden);
    /// Gives bodies a choice of their own for one of `body_settings()`; an empty value takes it back.
    CommandResult choose(std::span<const bv::BodyId> ids, std::string_view setting, std::string_view value);
    /// Hides every other body.
    CommandResult isolate(std::span<const bv::BodyId> ids);
    /// True if any body had been hidden.
    bool show_all();
    /// Keeps the selected bodies for `paste`.
    CommandResult copy();
    CommandResult paste();
    CommandResult undo();
    CommandResult redo();
    [[nodiscard]] EditHistory& edits() { return edits_; }

    CommandResult select(bv::BodyId id, SelectMode mode = SelectMode::Replace);
    void select_all();
    void select_none();
    /// Bodies whose middle is seen between two pixels of the window.
    void select_in_box(glm::vec2 a, glm::vec2 b, SelectMode mode);
    CommandResult select_node(std::string_view tree, std::uint32_t node);
    /// Of the selected node, or the leaf of the selected body.
    CommandResult select_parent();
    CommandResult select_ray(std::uint32_t number);
    /// Draws nothing of the selected node's tree but its subtree, or all of it again.
    CommandResult isolate_node(bool on);
    const RayQuery& pick(glm::vec2 pixel, SelectMode mode = SelectMode::Replace);
    /// The node of a tree on show whose edge is seen near the pixel, or else the smallest whose box is.
    void pick_node(glm::vec2 pixel);
    void set_hover(std::optional<glm::vec2> pixel);
    CommandResult pin_ray(const bv::Ray& ray);
    void clear_pinned_rays();
    void set_view(const ViewRect& view);
    CommandResult remove_ray(std::uint32_t number);
    void queue_steps(int count);
    void frame_camera(const bv::Aabb& box);
    /// The node, the ray or the bodies that are selected; else everything.
    void frame_selection();
    void reset_camera();
    void rebuild_tree(std::optional<bv::Builder> builder);
    /// Moves the scene's own counter, within its range.
    CommandResult step_scene(int by);
    /// Of the scene's own tree; stops time.
    CommandResult step_operations(int by);
    CommandResult drag_handle(std::string_view id, const glm::vec3& position);
    /// What a player does in a scene that is a game; in others it is refused.
    CommandResult play(std::string_view action);
    /// Reads a file, by its extension, and starts the scene that shows it. A refused file changes nothing,
    /// nor does one whose job is cancelled. In the background the answer is nothing, and what goes wrong is
    /// said later.
    CommandResult open(const std::string& path);
    [[nodiscard]] OutsideRequests& requests() { return requests_; }
    /// Shows the session as it was seen last with `step` fixed steps done, and stops time. The view stays.
    CommandResult go_to_step(std::uint64_t step);
    /// After this frame.
    CommandResult save_recording(const std::string& path);
    /// The scene as it stands after the last step, to be opened again by `open`. With the path that it is
    /// written to, the files that it needs are named as they are found from there.
    [[nodiscard]] io::SceneFile saved_scene(const std::string& path = {}) const;
    void save_scene(const std::string& path);
    /// Lets a file be written: at once, or beside the frames in a window. What became of it is a message.
    void write_file(const std::string& path, std::function<std::optional<io::FileError>()> write);
    /// The session ends: returns when everything is written that is to be written.
    void finish_writing() { jobs_.finish_writing(); }

  private:
    [[nodiscard]] SceneContext context();
    CommandResult run_line(const ParsedLine& line);
    CommandResult run_in_past(const ParsedLine& line);
    void take_up(const ParsedLine& line);
    void carry_out(const ParsedLine& line);
    void refuse(const std::string& origin, const std::string& problem);
    void bring_in_jobs();
    struct Opening;
    using Openings = std::vector<std::shared_ptr<Opening>>;
    CommandResult open_in_job(const std::shared_ptr<Opening>& opening,
                              std::function<void(const JobControl&)> work,
                              std::function<bool(const JobControl&)> slice = {});
    /// A mesh, and a choice some of whose fits it lacks.
    struct MissingFits {
        const MeshEntry* mesh;
        VolumeChoice choice;
        friend bool operator==(const MissingFits&, const MissingFits&) = default;
    };
    [[nodiscard]] std::vector<MissingFits> missing_fits(const ParsedLine& line) const;
    bool waits_for_fits(const ParsedLine& line);
    void give_up_fits_of_bodies();
    CommandResult run_command(const ParsedLine& line);
    CommandResult run_edit(const ParsedLine& line);
    CommandResult apply(const Edit& edit, bool forward);
    void restore_body(const Body& from, const Body& to);
    void note_added(std::uint32_t first_id);
    void forget_what_is_gone();
    void settle_selection();
    [[nodiscard]] std::optional<TreeNodeRef> selected_node_now() const;
    CommandResult open_mesh(const std::string& path);
    CommandResult open_boxes(const std::string& path);
    CommandResult open_tree(const std::string& path);
    CommandResult open_voxels(const std::string& path);
    void list_mesh(Opening& opening, std::vector<MeshId>& list);
    static CommandResult unknown_format(const std::string& path);
    [[nodiscard]] static std::string name_of(const std::string& path);
    [[nodiscard]] static std::vector<std::string> paths_in(const std::string& path,
                                                           std::vector<std::string> files);
    void ensure_scene();
    void begin_scene();
    void take_back_presets(Settings& settings) const;
    void adapt_to_settings();
    void apply_world_settings();
    void tell_of_idle_settings(const WorldOptions& before, const WorldOptions& now);
    void tell_of_untested_pairs();
    void fixed_step();
    void advance(double dt_s);
    void give_up_scene(const char* why);
    void find_out();
    void take_bodies();
    void verify();
    void verify_again();
    void show_scene(FrameResults& results);
    void meter_costs();
    void cast_rays();
    void cast_heatmap();
    [[nodiscard]] bv::Ray mouse_ray(glm::vec2 pixel) const;
    [[nodiscard]] std::optional<bv::Ray> sweep_ray() const;

    // Time: see time/time_travel.cpp.
    [[nodiscard]] ViewState take_view() const;
    void put_view(const ViewState& view);
    void settle_view(const ViewState& mine);
    [[nodiscard]] std::optional<Moment> capture() const;
    void restore(const Moment& moment);
    void restore_counters(std::uint64_t steps, const Checks& checks);
    void take_keyframe();
    [[nodiscard]] io::RecordingStart recording_start(const Settings& before) const;
    void begin_record(io::RecordingStart start, std::vector<io::RecordingEntry> tape = {});
    void begin_again();
    void see_what_lines_are_about();
    void replay_to(const TapePlace& target);
    [[nodiscard]] bool spend(std::uint64_t work);
    [[nodiscard]] std::uint64_t work_of_step() const;
    int play_tape(int steps);
    void join_present(const ViewState& mine);
    void cut_future(const ViewState& mine);
    void write_recordings();
    static CommandResult what_is_unknown(const io::Recording& recording, const std::string& path,
                                         const CommandTable& table);

    // Recordings and saved scenes on their way in: see reopening.cpp and saving.cpp.
    struct Reopening;
    CommandResult open_recording(const std::string& path);
    CommandResult open_scene(const std::string& path);
    CommandResult reopen(const std::shared_ptr<Reopening>& reopening,
                         std::function<void(const JobControl&)> read);
    bool go_on_reopening(Reopening& r, const JobControl& control);
    bool open_needed_file(Reopening& r);
    CommandResult take_in_needed(Reopening& r);
    CommandResult load_recorded_scene(const io::RecordingStart& start);
    void take_recorded_start(const io::RecordingStart& start);
    void begin_recording(io::Recording recording, const Settings& before_presets);
    bool replay_for(std::optional<double> limit_s);
    [[nodiscard]] bool is_open(const std::string& file) const;
    static CommandResult what_is_wrong_with(const io::SceneFile& file, const std::string& path);
    [[nodiscard]] CommandResult what_is_missing_for(const io::SceneFile& file, const std::string& path) const;
    void show_only(const std::vector<std::string>& files);
    void adopt(const io::SceneFile& file, const Settings& own, const std::string& path, bool played);
    [[nodiscard]] bool has_bodies(const std::vector<io::SceneFileBody>& wanted) const;
    bool put_handles(const io::SceneFile& file);
    void put_bodies(const io::SceneFile& file);
    void select_saved(const io::SceneFileSelection& saved);

    /// A setting that the running scene has set for itself.
    struct Preset {
        std::string_view id;
        std::string was, set_to;
    };

    const CommandTable& table_;
    Settings settings_;
    MessageLog messages_;
    MeshLibrary meshes_;
    OpenedFiles opened_;
    CommandQueue queue_;
    std::deque<ParsedLine> held_;  // lines that wait for the file of the `open` before them
    JobId opening_;
    std::shared_ptr<Openings>
        needed_;              // set while a file is opened that another one needs: it waits in there
    bool replaying_ = false;  // the record of an opened file: nothing else goes on until its end
    struct Fitting {
        ParsedLine line;  // that waits for it
        JobId job;
    };
    std::vector<Fitting> fittings_;
    ParsedLine current_;  // the line that is running
    OutsideRequests requests_;
    Camera camera_;
    Camera scene_camera_;  // as the scene placed it, for camera.reset
    std::unique_ptr<World> world_;
    const SceneSpec* scene_spec_ = nullptr;
    std::unique_ptr<Scene> scene_;
    std::vector<Preset> presets_;
    mutable FrameResults results_;                        // the tree of bodies comes in when first asked for
    mutable std::optional<std::uint64_t> tree_revision_;  // of the world whose tree that is
    std::optional<std::uint64_t> bodies_revision_;        // of the world whose bodies and pairs those are
    std::optional<std::uint64_t> verified_;               // the world that `verify` saw last
    bool results_due_ = false;                            // they are those of another moment

    // Members that a step or a command changes belong into Moment, or into ViewState, too.
    Timeline timeline_;
    ViewState recorded_view_;   // in the past: the view that the record has there
    bool went_ = false;         // through time, since the last frame
    bool follow_view_ = false;  // while a recording is played: its view is shown
    bool copies_ = true;        // false once a scene turned out not to be copyable
    std::vector<std::string> recordings_due_;
    bool restoring_ = false;    // a saved scene is played to its end: nothing is said about it
    bool holds_still_ = false;  // until after the next frame, which shows what was opened

    Selection selection_;
    std::optional<TreeNodeRef> wanted_node_;  // until there are results of this scene to find it in
    EditHistory edits_;
    std::vector<Body> copied_;
    ViewRect view_;
    std::optional<glm::vec2> hover_px_;
    HeatCaster heat_;
    BeforeAfterMeter meter_;
    std::vector<bv::Ray> pinned_;
    std::vector<RayQuery> picks_;
    double wall_time_s_ = 0;
    double owed_s_ = 0;  // time that did not make up a whole fixed step yet
    int queued_steps_ = 0;
    std::uint64_t spawned_ = 0;  // spawn commands in this scene
    std::uint64_t refused_ = 0;
    std::uint64_t file_problems_ = 0;
    bool is_between_scenes_ = false;  // one is being set up
    bool told_of_stand_in_ = false;
    bool told_of_many_pairs_ = false;
    bool told_of_left_out_ = false;
    std::uint64_t work_left_ = 0;  // of replaying; see time_travel.cpp
    Jobs jobs_;                    // last: its worker ends before anything that it might use
};

}  // namespace lab
