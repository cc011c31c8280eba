// A whole capture in numbers: one row for each frame, and for each body what happened to its leaf. Made in
// one pass, frame by frame, so that a long capture needs no more memory than its rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/node_changes.hpp"
#include "capture/shown_frame.hpp"
#include "io/captures/capture_file.hpp"

namespace lab::capture {

struct FrameRow {
    std::uint64_t number = 0;
    std::uint64_t bodies = 0, created = 0, moved = 0, removed = 0;
    /// Of the moved bodies: those whose fat box changed, but did not only grow.
    std::uint64_t new_boxes = 0;
    std::uint64_t grown_boxes = 0;  ///< And those whose fat box only grew.
    /// Calls of the engine in this one frame that moved a body of a tree, and those of them that gave it a
    /// new fat box. The numbers above compare with the last frame that has the tree.
    std::uint64_t calls_moved = 0, calls_new_box = 0;
    std::uint64_t queries = 0, visited = 0;
    std::uint64_t defects = 0;  ///< Defects of all trees.
    /// Bodies that were in a leaf once, were not removed, and are in no leaf; and those of them that moved.
    std::uint64_t lost = 0, lost_moved = 0;
    // The main tree, in frames in which it was measured.
    bool measured = false;
    std::uint32_t leaves = 0, height = 0;
    double sah = 0, rebuilt_sah = 0, area_ratio = 0, sibling_overlap = 0;
    std::uint64_t pairs = 0;  ///< Pairs of overlapping tight boxes.
};

/// How often the moves of a body change its fat box.
struct BoxChanges {
    std::uint64_t moves = 0;
    std::uint64_t recent = 0;   ///< One bit per recent move, the newest lowest: whether it changed the box.
    std::size_t run_since = 0;  ///< Position of the first move of the latest unbroken run of such moves.
    /// Position since which most moves do; the frame after the current one if they do not.
    std::size_t often_since = 0;

    void add(bool is_new_box, std::size_t place);
};

/// The history of one body up to the end of the pass.
struct BodyHistory {
    static constexpr std::size_t kNever = ~std::size_t{0};
    std::size_t seen = 0;          ///< Position of the last frame that has it.
    std::size_t created = 0;       ///< Position of the first frame that has it.
    std::uint64_t order = 0;       ///< Counts creations.
    glm::vec3 came_at{0.0f};       ///< The center of its tight box in that frame.
    bv::Aabb tight, fat;           ///< Now.
    bv::Aabb first_fat;            ///< The last box that it got other than by growing.
    double first_margin = 0;       ///< Between its tight box and that one.
    std::size_t grown = 0;         ///< Consecutive changes of the fat box that only made it grow.
    std::size_t grows_since = 0;   ///< Position of the frame of the first of them.
    double margin = 0;             ///< Between its tight and its fat box, when it got that.
    std::size_t margin_since = 0;  ///< Position where this last doubled or halved, or of its creation.
    /// Position at which its tight box last began to become twice as large, or of its creation.
    std::size_t large_since = 0;
    std::size_t large_by = 0;      ///< Position by which it had become so.
    double size = 0;               ///< Size of its tight box by then, as `BoxSize` measures it.
    double last_size = 0;          ///< The same size now.
    std::size_t swells_since = 0;  ///< Since when its tight box has grown from frame to frame; kNever if not.
    std::uint64_t parent = 0, sibling = 0;  ///< Nodes around its leaf in the main tree.
    std::size_t shape_since = 0;            ///< Position of the last frame in which one of them changed.
    double moved = 0;                       ///< Distance that its center has moved since then, in meters.
    /// Position of the first frame since then in which its fat box changed; kNever if it did not.
    std::size_t refit_since = kNever;
    double traveled = 0;      ///< Distance that its center has moved since its creation.
    double was_moved_by = 0;  ///< Distance in the last frame in which it moved.
    BoxChanges in_trees;      ///< From one frame with its tree to the next.
    BoxChanges in_calls;      ///< By the engine's calls in the frames that were read.
};

/// What happened to the leaves of a tree from one frame to the next; only leaves in both frames count.
struct Churn {
    std::size_t place = 0;      ///< Position of the later frame.
    std::uint32_t changed = 0;  ///< Leaves with another box.
    std::uint32_t placed = 0;   ///< Leaves with another parent or sibling.
    bool is_rebuilt = false;    ///< Hardly any leaf kept both.
    bool is_reshaped = false;   ///< Some node has other bodies below it, however nodes are numbered.
    bool is_sorted = false;     ///< As `TreeForm` has it.
    /// For each leaf with another box; there must be some.
    [[nodiscard]] double placed_per_change() const { return static_cast<double>(placed) / changed; }
};

/// Where the leaf of a body is: the nodes around it, by their ids.
struct LeafPlace {
    std::uint64_t body = 0;
    bv::Aabb tight, fat;
    std::uint64_t parent = 0, sibling = 0;
};
/// The places of all bodies of a tree; a body in two leaves comes twice.
[[nodiscard]] std::vector<LeafPlace> leaf_places(const io::CaptureTree& captured,
                                                 const bv::TreeSnapshot& tree);

/// What a tree looks like, whatever the ids of its nodes are.
struct TreeForm {
    std::uint64_t shape = 0;  ///< A hash of the sets of bodies below the nodes.
    /// The children of hardly any node overlap along all axes, by the centers of the boxes below: as nodes
    /// are when a tree is made from the top down. Insertion of one leaf after the other leaves no such tree.
    bool is_sorted = false;
};
[[nodiscard]] TreeForm form_of(const bv::TreeSnapshot& tree);

/// Leaves that are in both of two frames.
struct LeavesInBoth {
    std::uint32_t all = 0, placed = 0, resting = 0, resting_placed = 0;

    void add(bool rests, bool is_placed);
    /// `payloads`: bodies in the tree of the later frame.
    [[nodiscard]] Churn churn(std::size_t payloads, std::size_t place) const;
};

/// One tree of the engine, through all frames: trees of one name are the same tree.
struct TreeHistory {
    std::string name;
    std::unordered_map<std::uint64_t, BodyHistory> bodies;  ///< Those that are there at the end.
    std::vector<double> steps_m;                            ///< How far bodies moved in a frame: a sample.
    std::size_t first = 0;                                  ///< Position of the first frame read that has it,
    std::size_t last = ~std::size_t{0};                     ///< of the last one,
    std::size_t frames = 0;                                 ///< and how many have it.
    std::vector<Churn> churn;                               ///< A row for each of these but the first.
    std::uint64_t shape = 0;                                ///< As `TreeForm` has it, in the last one.
    /// Bodies that no leaf holds any more, and the position of the first frame without them.
    std::unordered_map<std::uint64_t, std::size_t> gone;
    /// Position of the first of the frames at the end in which it has no leaf; the rest of this is as of the
    /// last frame before.
    std::optional<std::size_t> emptied;
};

struct Broken {
    std::size_t place = 0;  ///< Position of the first frame in which it is broken.
    std::string tree;
    io::CaptureDefect defect;
    std::uint64_t count = 0;  ///< Number of its defects in that frame.
};
inline constexpr std::size_t kMaxBroken = 8;

/// Bodies whose tight or fat box is inverted or not finite.
struct BadBoxes {
    std::size_t first_place = 0, last_place = 0;  ///< Positions of frames with such boxes.
    std::string note;                             ///< About the first of these frames.
};

/// Calls of the engine that the capture refused, and trees that it has in part.
struct BadCalls {
    std::uint64_t refused = 0, incomplete_trees = 0;
    std::size_t first_refused = 0, first_incomplete = 0;  ///< Positions of frames.
};

struct EngineMark {
    std::size_t place = 0;  ///< Position of its frame.
    std::string text;
};

struct Survey {
    std::vector<FrameRow> rows;
    /// The tree with the most leaves in the last frame that has trees. A tree that has no leaves there counts
    /// with those that it had before.
    std::string main_tree;
    std::vector<TreeHistory> trees;  ///< The first ones, and the main one.
    std::size_t trees_left_out = 0;  ///< Further ones, of which only the invariants were checked.
    std::vector<Broken> broken;      ///< Trees that are there as a whole: the first `kMaxBroken`.
    bool has_more_broken = false;
    std::optional<BadBoxes> bad_boxes;
    BadCalls bad_calls;
    /// Proxies that the engine removed and did not create again, and the position of the frame.
    std::unordered_map<std::uint64_t, std::size_t> removed;
    NodeChanges changes;  ///< Changes of whole trees, in the frames that were read.
    /// What the engine marked: at most `SurveyOptions::max_marks`.
    std::vector<EngineMark> marks;
    std::uint64_t marks_left_out = 0;
    std::vector<std::size_t>
        examined;                ///< Positions of the frames that were read for their trees, ascending.
    std::size_t unreadable = 0;  ///< How many of these could not be read.
    std::string problem;         ///< Why the first of them could not be read.
    /// Position of the last frame with a main tree that has leaves, if possible a complete one.
    std::size_t last = 0;
    std::size_t stride = 1;  ///< One frame in this many was read; of the others only the counts are known.
};

struct SurveyOptions {
    std::size_t max_read = 4000;     ///< Frames to read; of longer captures every second, third, ... is read.
    std::size_t max_measured = 600;  ///< Frames whose trees are measured.
    std::size_t max_marks = 500;
};

/// How many pairs of boxes overlap; at most two million are counted.
[[nodiscard]] std::uint64_t overlapping_pairs(const std::vector<bv::Aabb>& boxes);

/// True if no point of `inner` lies outside `outer`; false where a bound is NaN.
[[nodiscard]] bool holds(const bv::Aabb& outer, const bv::Aabb& inner);
/// Mean distance between the faces of a tight and a fat box, along the axes on which they differ; 0 if it is
/// not finite.
[[nodiscard]] double margin_between(const bv::Aabb& tight, const bv::Aabb& fat);

/// Looks at one frame after the other, for callers that must not wait until all are done.
class Surveyor {
  public:
    /// The file must outlive this, and nobody else may read it meanwhile.
    explicit Surveyor(io::CaptureFile& file, const SurveyOptions& options = {});
    ~Surveyor();
    Surveyor(const Surveyor&) = delete;
    Surveyor& operator=(const Surveyor&) = delete;

    /// Looks at the next frame. False if there was none left: then `take` gives the survey.
    bool next();
    /// The fraction that is done.
    [[nodiscard]] double done() const;
    [[nodiscard]] Survey take();

  private:
    class Work;
    std::unique_ptr<Work> work_;
};

/// The whole survey at once.
[[nodiscard]] Survey make_survey(io::CaptureFile& file, const SurveyOptions& options = {});

}  // namespace lab::capture
