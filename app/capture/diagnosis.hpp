// Why a captured tree is slow: what it costs more than a rebuilt one, in which part, since when, and which of
// a closed list of causes the capture proves. Nothing is claimed beyond that.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/cause.hpp"
#include "capture/survey.hpp"
#include "io/captures/capture_file.hpp"

namespace lab::capture {

struct Finding {
    Cause cause = Cause::NothingWrong;
    std::uint64_t frame = 0;  ///< The engine's number of the first frame with it.
    /// Where to look: the frame that was diagnosed, the first broken one, or the last that held lost bodies.
    std::uint64_t shown_in = 0;
    bool slowly = false;     ///< It took more than ten frames to get this bad.
    std::string tree;        ///< As the scene names it.
    std::uint64_t node = 0;  ///< The engine's id, in frame `shown_in`; the fault lies at or below it.
    std::vector<std::uint64_t> bodies;  ///< The bodies below that node, or those affected; ascending.
    bool misread = false;               ///< The nodes were written in the wrong order: nothing else is known.
    double share = 0;                   ///< Share of the loss of the whole tree, 0 to 1.
    std::string evidence;               ///< Sentences with the numbers that prove it.
    std::string helps;                  ///< What would help, with a number.
};

struct Diagnosis {
    std::string engine, title, tree;
    std::uint64_t frames = 0;
    std::uint64_t frame = 0;  ///< The engine's number of the frame that was diagnosed.
    std::uint64_t bodies = 0, leaves = 0;
    /// What the rebuilt tree was built over, in words.
    [[nodiscard]] const char* boxes_rebuilt() const { return bodies > 0 ? "tight boxes" : "leaf boxes"; }
    double sah = 0, rebuilt_sah = 0;  ///< In that frame; rebuilt over tight boxes, where there are proxies.
    /// Nodes that the last captured queries visit, in the captured tree and in a rebuilt one.
    std::uint64_t queries = 0, visits = 0, rebuilt_visits = 0;
    /// Further trees of that frame that were judged.
    struct Tree {
        std::string name;
        std::uint64_t leaves = 0;
        double sah = 0, rebuilt_sah = 0;
    };
    std::vector<Tree> others;
    /// Broken trees first, then by share; last a small margin that the engine has had from the beginning.
    /// Empty if nothing is wrong.
    std::vector<Finding> findings;
    /// Without findings: inner area of the worst subtree over that of a rebuilt one, if no cause was proved;
    /// or the SAH cost of the whole tree over that of one rebuilt over the tight boxes, if it is far larger.
    double unexplained = 0;
    /// The cost of the whole tree over that of the rebuilt one, if it is so high that "nothing wrong" would
    /// mislead; else 0. Margins and insertion one by one may make up that much.
    [[nodiscard]] double noticed_loss() const {
        constexpr double kNoticed = 1.3;
        return leaves > 0 && sah >= kNoticed * rebuilt_sah && rebuilt_sah > 0 ? sah / rebuilt_sah : 0.0;
    }
    bool was_emptied = false;      ///< The tree has no leaf in the last frames: an earlier frame was judged.
    bool is_empty = false;         ///< The tree was captured, and has no leaf in any frame.
    bool is_incomplete = false;    ///< Nodes are missing in every frame: the tree was not judged.
    std::uint64_t unreadable = 0;  ///< Frames that were to be examined and could not be read.
    /// Nothing could be judged, since no frame with a tree could be read.
    [[nodiscard]] bool has_failed() const {
        return unreadable > 0 && leaves == 0 && findings.empty() && !is_incomplete;
    }
    std::vector<std::string> remarks;  ///< What was left out or could not be looked at.
};

/// Diagnoses the last frame with a tree. Reads single frames again; returns nothing if it was given up. Every
/// number follows from the capture: the same file gives the same diagnosis.
[[nodiscard]] std::optional<Diagnosis> diagnose(io::CaptureFile& file, const Survey& survey,
                                                const std::function<bool(double)>& goes_on = {});

/// Earlier findings that are not in the newest diagnosis, from `before` and the findings known earlier: each
/// cause in a tree once, as it was seen last.
[[nodiscard]] std::vector<Finding> earlier_findings(std::vector<Finding> known, const Diagnosis& before,
                                                    const Diagnosis& newest);

/// The words with a capital letter first, to begin a sentence.
[[nodiscard]] std::string capital(std::string_view words);
/// Why no tree was judged, where none was.
[[nodiscard]] std::string no_tree_text(const Diagnosis& diagnosis);
/// "Bodies 3, 17, 20", with at most twelve of them.
[[nodiscard]] std::string bodies_text(const Finding& finding);
/// The diagnosis in words, one line each, as `--diagnose` prints it.
[[nodiscard]] std::string diagnosis_text(const Diagnosis& diagnosis);

}  // namespace lab::capture
