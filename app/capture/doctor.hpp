// Finds the causes of a diagnosis; only the diagnosis uses it. The order matters: faults of single leaves are
// set aside before the shape of the tree is judged.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/diagnosis.hpp"
#include "capture/shown_frame.hpp"
#include "capture/tree_cost.hpp"

namespace lab::capture {

// The threshold of each fault is named beside the code that looks for it. Well-kept trees of real engines
// stay below them: see test_diagnosis.
inline constexpr std::uint32_t kMinLeaves = 8;
inline constexpr std::size_t kShortest = 5;  ///< Frames that a behavior must last.
inline constexpr double kBadShape = 1.45;    ///< Surfaces of a subtree over those of a rebuilt one.
/// Allowed cost of insertion one by one, relative to a rebuilt subtree; only the excess counts as loss.
inline constexpr double kAllowedShape = 1.3;
inline constexpr double kMinShare = 0.03;  ///< Share of the whole tree's cost that a subtree must lose.

class Doctor {
  public:
    struct Leaf {
        std::uint32_t node;  ///< A node of the snapshot.
        std::uint64_t body;
        const BodyHistory* history;
        bool has_proxy;  ///< If not, its tight box is unknown, and its fat box stands for it.
    };

    Doctor(io::CaptureFile& file, const Survey& survey) : file_(file), survey_(survey) {}

    std::optional<Diagnosis> run(const std::function<bool(double)>& goes_on);
    /// Examines a tree other than the main one: returns its findings and remarks alone.
    std::optional<Diagnosis> run_beside(const TreeHistory& tree, const std::function<bool(double)>& goes_on);

  private:
    // The frame: diagnosis.cpp
    bool prepare(const std::string& name);
    /// False if it was cancelled.
    bool find_causes(const std::function<bool(double)>& goes_on);

    [[nodiscard]] std::uint64_t number(std::size_t place) const { return file_.frames()[place].number; }
    [[nodiscard]] const bv::TreeSnapshot& snapshot() const { return opened_; }
    /// What a reader, who knows the captured tree, calls the leaves of `snapshot`.
    [[nodiscard]] const char* leaf_word() const { return has_opened() ? "bodies" : "leaves"; }
    [[nodiscard]] bool has_opened() const { return opened_.size() > tree_.snapshot.tree.size(); }

    Finding& add(Cause cause, std::size_t since, std::uint32_t node);
    /// The lowest node that has at least this share of the given ones at or below it.
    [[nodiscard]] static std::uint32_t node_around(const bv::TreeSnapshot& tree,
                                                   const std::vector<std::uint32_t>& nodes, double share);

    void add_remarks();
    /// Finds bodies that are alive and were once in a tree, but are in no leaf of any tree.
    void find_lost();
    /// The lost bodies in one frame, of those that some tree once held; ascending.
    [[nodiscard]] std::vector<std::uint64_t> lost_in(std::size_t place) const;
    /// Points to the node that held most of the lost bodies, in the last frame before this one that has it.
    void show_last_holder(Finding& finding, std::size_t before);

    // Broken trees: doctor_broken.cpp
    void find_broken();
    void name_broken(Broken broken);
    /// Finds leaves that hold removed bodies.
    void find_removed();

    /// Which of two nodes with the same payload is to blame: the one that did not have it before.
    [[nodiscard]] std::uint64_t newcomer(const Broken& broken) const;
    /// Adds the bodies that a query cannot find through a broken node.
    void add_lost_bodies(const Broken& broken, Finding& finding);
    /// Bodies of a tree that queries cannot reach, ascending, and how many it has.
    struct Missed {
        std::vector<std::uint64_t> bodies;
        std::size_t of = 0;
    };
    /// The name of a different tree of the frame in which queries find all of these bodies; else empty.
    [[nodiscard]] static std::string tree_that_finds(const Missed& missed, const io::CaptureTree& in,
                                                     const io::CaptureFrame& frame);
    /// What queries miss, and whether the tree is broken to the end; ends with a blank unless it is empty.
    [[nodiscard]] std::string outcome(const Broken& broken, const Missed& then);
    [[nodiscard]] static Missed missed_in(const io::CaptureTree& captured, const io::CaptureFrame& frame,
                                          const bv::TreeSnapshot& tree);

    /// Payloads below a node of a captured tree, however its links are broken.
    static std::vector<std::uint64_t> below(const io::CaptureTree& tree, std::uint64_t top);

    /// Whether the engine's calls give the fat boxes that the leaves have.
    [[nodiscard]] bool fat_boxes_are_proxies() const;

    // Margins, and single leaves: doctor_leaves.cpp
    void find_small_margin();

    /// The margin of a body: constant while it moves inside its fat box.
    static double margin_of(const BodyHistory& body) { return margin_between(body.tight, body.fat); }

    [[nodiscard]] bool is_explained(std::uint64_t body) const;
    /// True if the whole tree was made anew well after this frame, once or more; nothing if that cannot be
    /// told, since no two consecutive frames have it.
    [[nodiscard]] std::optional<bool> is_rebuilt_after(std::size_t place);
    /// True if each change of the tree's shape well after this frame left it as if it had been made from the
    /// top down, and there were some.
    [[nodiscard]] bool is_sorted_anew_after(std::size_t place) const;
    /// True if single leaves change their places in most frames well after this one.
    [[nodiscard]] bool is_reinserted_after(std::size_t place) const;
    /// The churn from one captured frame to the next, in a sample of the frames well after this one.
    [[nodiscard]] std::vector<Churn> churn_of_neighbors_after(std::size_t place);
    /// The rows well after this frame, since a change in the frame itself may place all leaves once.
    [[nodiscard]] std::span<const Churn> churn_after(std::size_t place) const;
    /// How unevenly leaves change their places: the variance of their number, relative to that of single
    /// leaves at random, at a constant rate for each box that changes; 0 if none does. Roughly the number of
    /// leaves that change together.
    [[nodiscard]] static double clumping_of(std::span<const Churn> churn);
    /// Moves in some frames, and those of them with some property.
    struct Share {
        std::uint64_t part = 0, of = 0;
        [[nodiscard]] double value() const {
            return of > 0 ? static_cast<double>(part) / static_cast<double>(of) : 0.0;
        }
    };
    /// The first frame, up to this one, in which the share was about as high as since then. Where bodies come
    /// and go, those that are left tell only of their own time.
    [[nodiscard]] std::size_t since_earlier(std::size_t first,
                                            const std::function<Share(const FrameRow&)>& share_of) const;
    /// What to say of a margin larger than the bodies.
    [[nodiscard]] std::string beyond_bodies(double margin) const;
    /// A remark for numbers per frame where not every frame has a tree; else empty.
    [[nodiscard]] std::string by_frames_apart() const;

    /// The share of moves that would leave fat boxes of this margin, over at most 200 captured frames: moves
    /// of these bodies, ascending, or of all.
    double left_with_margin(double margin, std::size_t first, const std::vector<std::uint64_t>& bodies = {});

    void find_large_margin();
    /// Compares the margin of the moving bodies that have at least margin `from` with one of `fair_steps`
    /// displacements. False if that smaller margin would not gain enough.
    bool find_margin_above(double from, double fair_steps);
    /// Positions of the frame since which bodies have such a margin, and of the one since which most have it.
    struct LargeSince {
        std::size_t first, settled;
        bool is_change = false;  ///< Most had a different margin before.
    };
    [[nodiscard]] LargeSince large_since(double margin) const;

    [[nodiscard]] bool is_union(const BodyHistory& body) const;
    void find_stretched();

    /// Finds leaves that follow their bodies, but stay where they are in the tree, while others are
    /// re-inserted.
    void find_misplaced();

    /// How often a leaf had the same parent and sibling as in the frame before, and how often not, both in
    /// frames in which its box changed and in others. And its cost after the changes, relative to its best
    /// place.
    struct Places {
        double kept = 0, placed = 0;
        double misplaced = 0;  ///< Part of `placed`: no insertion would end there; others around it moved.
        double rested = 0, shifted = 0;
        double looked_at = 0, log_cost = 0;

        void add(const Places& other) {
            kept += other.kept;
            placed += other.placed;
            misplaced += other.misplaced;
            rested += other.rested;
            shifted += other.shifted;
            looked_at += other.looked_at;
            log_cost += other.log_cost;
        }
        /// Estimate of the share of changes that came with a re-insertion, given how often any leaf keeps its
        /// place in a frame without a change.
        [[nodiscard]] double reinserted(double usual_rest) const;
        /// The same for re-insertions that end at a fair place.
        [[nodiscard]] double reinserted_well(double usual_rest) const {
            Places well = *this;
            well.kept += misplaced;
            well.placed -= misplaced;
            return well.reinserted(usual_rest);
        }
        /// The geometric mean of that cost.
        [[nodiscard]] double mean_cost() const {
            return looked_at > 0 ? std::exp(log_cost / looked_at) : 1.0;
        }
    };
    /// Positions of the frames that the survey has read, from `begin` to before `end`.
    [[nodiscard]] std::span<const std::size_t> examined_between(std::size_t begin, std::size_t end) const;
    /// The places by body, in the frames from `begin` to before `end`, which are read again; in large trees,
    /// costs are not taken in all of these frames.
    [[nodiscard]] std::unordered_map<std::uint64_t, Places> places_between(std::size_t begin,
                                                                           std::size_t end);
    /// What is suspicious in this tree: so few re-insertions, and so high a cost relative to the best place.
    struct Usual {
        double max_reinserted, poor;
    };
    [[nodiscard]] static Usual usual_places(const std::unordered_map<std::uint64_t, Places>& places,
                                            double usual_rest, bool is_wide);
    /// The sum over all these bodies, ascending, in the frames before `end`.
    [[nodiscard]] Places places_before(std::size_t end, const std::vector<std::uint64_t>& bodies);

    /// Position of the frame in which the boxes of these bodies, ascending, began to change more often, or
    /// with their leaves in place more often; 0 if they have always done so. Reads all frames again.
    [[nodiscard]] std::size_t began_to_stay(const std::vector<std::uint64_t>& bodies);

    void find_giants();
    /// What a giant costs through the leaves that insertion put beside it: a node that is as large as the
    /// giant takes further leaves at no cost. In sizes of inner nodes; 0 without such a loss.
    [[nodiscard]] double crowded_by(const ShapeCost& cost, std::uint32_t giant) const;

    // The shape of the tree: doctor_shape.cpp
    struct BadPart {
        std::uint32_t node;
        double cost, rebuilt;
    };

    /// Of the subtrees that lose something, reports the one with the largest loss whose cause can be proved;
    /// then the next one that is neither above nor below it.
    void find_bad_shapes();

    /// Marks the nodes above and below this one, which are not examined again.
    void mark_line(std::uint32_t node, std::vector<bool>& taken) const;

    /// Subtrees that lose more than insertion one by one may lose; the largest loss first.
    [[nodiscard]] std::vector<BadPart> bad_parts(const ShapeCost& cost) const;

    /// Looks for the cause of a bad part. May narrow the part down to where the cause begins.
    bool explain(const ShapeCost& cost, BadPart& part);

    /// The shape is old, bodies have moved since, and it was good when it was made.
    bool explain_by_refits(const BadPart& part, const std::vector<Leaf>& leaves);

    /// True if the tree was rebuilt no longer ago than it has been before between two rebuilds.
    [[nodiscard]] bool is_due_for_rebuild() const;
    /// Frames of the capture between two rebuilds, the last of them in the frame `until`, if they came at
    /// regular intervals and nothing else changed the shape of the tree.
    [[nodiscard]] std::optional<std::size_t> rebuild_period(std::size_t until) const;

    /// Surface of the current shape with the boxes of another frame, over that of a rebuilt tree.
    std::optional<double> cost_in_frame(std::size_t place, std::uint32_t node,
                                        const std::vector<Leaf>& leaves);

    /// True if all children of the node but `high` have hardly any leaves, for its arity and size.
    [[nodiscard]] static bool is_list_node(const ShapeCost& cost, std::uint32_t node, std::uint32_t high);
    /// The node at which a list begins: on the longest path down, the first of a run of nodes in which all
    /// but one child have hardly any leaves. Nothing if the run is no longer than the height of a good tree.
    [[nodiscard]] static std::optional<std::uint32_t> list_below(const ShapeCost& cost, std::uint32_t at);

    [[nodiscard]] std::vector<Leaf> known_leaves(const ShapeCost& cost, std::uint32_t top) const;

    /// A list: much higher than necessary, and the depth of its leaves follows their order along an axis.
    /// Moves the part down to where the list begins.
    bool explain_by_order(const ShapeCost& cost, BadPart& part, std::vector<Leaf>& part_leaves);

    /// The axis along which the leaves are most in the order of some values.
    struct Sorted {
        std::size_t axis = 0;
        double correlation = 0.0;  ///< Of ranks; negative where values fall to the right.
    };
    [[nodiscard]] static Sorted sorted_by(const std::vector<double>& values, const std::vector<Leaf>& leaves);
    /// Whether both halves of the leaves along that axis follow it, too: a group that is merely deeper than
    /// another is no order.
    [[nodiscard]] static bool halves_follow(const Sorted& sorted, const std::vector<double>& depths,
                                            const std::vector<Leaf>& leaves);
    [[nodiscard]] std::vector<double> depths_of(const std::vector<Leaf>& leaves) const;

    /// `is_list`: the nodes below `top` form a list.
    bool explain_by_order_at(const ShapeCost& cost, std::uint32_t top, bool is_list, BadPart& part,
                             std::vector<Leaf>& part_leaves);

    /// The result of inserting the leaves in this order, with rotations that reduce area: the height, and the
    /// inner area relative to a rebuilt tree.
    struct Rotated {
        std::uint32_t height = 0;
        double over_rebuilt = 1.0;
    };
    [[nodiscard]] Rotated rotated(const std::vector<Leaf>& leaves) const;
    /// Whether a tree of this arity is `times` times as high as `made`; its levels count as those of a binary
    /// tree.
    [[nodiscard]] static bool is_higher(std::uint32_t height, std::uint32_t arity, const Rotated& made,
                                        double times);
    /// What the order of creation is: within one frame, the capture gives the ids alone.
    [[nodiscard]] static const char* order_words(bool in_one_frame);
    /// The effect of rotations, in words; `order` names the order of insertion.
    [[nodiscard]] static std::string with_rotations(const Rotated& made, const std::string& order,
                                                    std::uint32_t height, const BadPart& part);
    [[nodiscard]] static std::vector<Leaf> in_order_of_creation(std::vector<Leaf> leaves);

    /// Position of the first frame in which a good part of a list's leaves formed one, if that is long after
    /// the frame `complete` in which all of them were there: an engine has inserted them anew. `height` is
    /// that of the whole tree now.
    [[nodiscard]] std::optional<std::size_t> listed_since(std::size_t complete,
                                                          const std::vector<Leaf>& leaves,
                                                          std::uint32_t height) const;

    /// Explains a row that came in order into a tree of other leaves and is mixed with them: rotations that
    /// look at heights alone tear a list apart and leave a tree as bad. Keeps only the leaves of the row.
    bool explain_by_row(const ShapeCost& cost, const BadPart& part, std::vector<Leaf>& leaves);
    /// The largest set of leaves that came after the first tree, each soon after the one before; in order of
    /// frames, then of bodies.
    [[nodiscard]] std::vector<Leaf> arrived_together(std::vector<Leaf> leaves) const;
    /// The tree as it was in a frame, as `snapshot` is; nothing if the frame does not have it as a whole.
    [[nodiscard]] std::optional<bv::TreeSnapshot> snapshot_in(std::size_t place) const;
    struct PastTree {
        double cost, rebuilt;
        std::uint32_t height;
        std::vector<std::uint64_t> list;  ///< Bodies of the longest list in it, ascending.
    };
    /// The same, reduced to its costs, its height and its list.
    [[nodiscard]] std::optional<PastTree> tree_in(std::size_t place) const;
    /// The tree of the last frame before this one that has it as a whole.
    [[nodiscard]] std::optional<PastTree> tree_before(std::size_t place) const;

    /// The widest stretch between two places on an axis in which no other body lies beside these leaves. A
    /// body that covers the whole stretch does not count.
    [[nodiscard]] double widest_gap(const std::vector<Leaf>& leaves, int axis, double begin,
                                    double end) const;
    static constexpr std::size_t kMaxGroups = 8;
    static constexpr std::uint64_t kMaxSteps = 50'000'000;  ///< Steps from leaves up to the root, per pass.
    /// Divides a group of leaves where no body lies.
    struct Cut {
        std::uint8_t group = 0;  ///< The group that keeps the lower side; the upper side becomes a new group.
        int axis = 0;
        double at = 0.0, gap = 0.0;
        [[nodiscard]] bool is_above(const glm::vec3& point) const {
            return static_cast<double>(point[axis]) > at;
        }
    };
    [[nodiscard]] std::optional<Cut> widest_cut(const std::vector<Leaf>& leaves) const;
    /// Distant groups of leaves, by cuts one after the other.
    struct Groups {
        std::vector<Cut> cuts;           ///< One fewer than groups.
        std::vector<std::size_t> sizes;  ///< Leaves, by group.
        double joints = 0.0;  ///< Inner area that joins separate groups, without the node above all.
        [[nodiscard]] std::uint8_t of(const glm::vec3& point) const;
    };
    [[nodiscard]] Groups groups_of(const std::vector<Leaf>& leaves, std::size_t max_groups) const;
    struct GroupLeaf {
        std::uint32_t node;
        std::uint8_t group;
        bv::Aabb box;
    };
    /// Nodes below `top` that hold leaves of several groups, and by how much inner area these exceed what a
    /// subtree for each group needs.
    struct Mixed {
        std::size_t nodes = 0;
        double spanned = 0.0;
    };
    [[nodiscard]] Mixed mixed_below(const bv::TreeSnapshot& tree, std::uint32_t top,
                                    const std::vector<GroupLeaf>& leaves) const;
    /// That inner area in the tree of another frame, for groups given by body; 0 if the frame has no tree.
    [[nodiscard]] double spanned_in(std::size_t place,
                                    const std::unordered_map<std::uint64_t, std::uint8_t>& group_of) const;
    /// Distant groups, and nodes that hold leaves of several. `whole`: the cost of the whole tree.
    bool explain_by_clusters(double whole, const BadPart& part, const std::vector<Leaf>& leaves);
    /// The leaves that have stayed where they were, beside a crowd that moves; nothing if the crowd is
    /// larger.
    [[nodiscard]] static std::vector<Leaf> resting(const std::vector<Leaf>& leaves);
    /// The cost of a subtree without these leaves, and with a rebuilt tree of them beside the others.
    struct Apart {
        double others, all;
    };
    [[nodiscard]] Apart apart(const std::vector<Leaf>& some, std::uint32_t node) const;
    /// The same for some of the leaves, if half of the loss is theirs: the part is then about these alone.
    bool explain_by_clusters_of(std::vector<Leaf> some, double whole, BadPart& part,
                                std::vector<Leaf>& leaves);

    void sum_up();
    /// The tree rebuilt over the tight boxes; and its SAH cost.
    [[nodiscard]] bv::TreeSnapshot rebuilt() const;
    [[nodiscard]] double rebuilt_sah(const bv::TreeSnapshot& rebuilt) const;
    /// Remarks on a tree that costs far more than a rebuilt one, so that it is not called right.
    void find_unexplained_cost();

    io::CaptureFile& file_;
    const Survey& survey_;
    const TreeHistory* history_ = nullptr;  ///< The history of the tree that is examined.
    Diagnosis result_;
    io::CaptureFrame frame_;
    ShownTree tree_;
    bv::TreeSnapshot opened_;                          ///< The same tree, with a leaf for each body.
    BoxSize size_;                                     ///< Measures its boxes.
    std::vector<Leaf> leaves_;                         ///< Leaves that were captured with one body.
    std::unordered_map<std::uint32_t, Leaf> leaf_at_;  ///< All, by node.
    std::vector<bv::Aabb> clean_;                      ///< Leaf boxes without the faults of single leaves.
    double step_m_ = 0.0;                              ///< Median displacement in a frame of the engine.
    /// Frames of the engine between two trees that the capture has; at least 1.
    double frames_apart_ = 1.0;
    /// True if the capture has frames between them whose calls tell how often bodies leave their fat boxes.
    bool uses_calls_ = false;
    std::uint32_t worst_node_ = 0;  ///< The subtree that loses most, and its share of the whole cost.
    double worst_share_ = 0.0;
};

/// " 3, 17, 20", with at most twelve of them.
[[nodiscard]] std::string ids_text(const std::vector<std::uint64_t>& ids);
[[nodiscard]] double median(std::vector<double> values);
/// A length with this many digits; one with more of them is in whole meters, not with an exponent.
[[nodiscard]] std::string meters_text(double meters, int digits = 3);
/// How many times as large, in words; beyond a million, just "more than a million".
[[nodiscard]] std::string times_text(double large, double small, int digits = 2);
/// The frame in which something began, from the frames, ascending, in which its parts came: single ones long
/// before the others do not count. There must be some.
[[nodiscard]] std::size_t beginning_of(const std::vector<std::size_t>& came);

}  // namespace lab::capture
