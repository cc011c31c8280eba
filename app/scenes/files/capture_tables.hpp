// Results about a whole capture, as tables and curves.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/diagnosis.hpp"
#include "capture/node_changes.hpp"
#include "capture/shown_frame.hpp"
#include "capture/survey.hpp"
#include "capture/what_if.hpp"
#include "results/exhibit.hpp"
#include "settings/settings.hpp"
#include "world/opened_files.hpp"

namespace lab::scenes {

/// Results of the jobs about a capture. Each part is there once its job is done.
struct ExaminedCapture {
    std::shared_ptr<const Curves> curves;
    /// What the engine marked, and where each cause began; in order of frames.
    std::shared_ptr<const std::vector<Film::Mark>> marks;
    std::uint64_t marks_left_out = 0;  ///< How many of the engine's marks.
    std::shared_ptr<const capture::NodeChanges> changes;
    std::optional<capture::Diagnosis> diagnosis;
    std::vector<capture::Finding> earlier;  ///< Of a live capture: see `earlier_findings`.
    std::optional<capture::WhatIf> what_if;
    int what_ifs = 0;  ///< The value of `news` when the last what-if arrived.
    int news = 0;      ///< Counts the results that arrived.
};

/// Over all frames; `frame` is the setting that a click sets, to the values of `held`.
[[nodiscard]] std::shared_ptr<const Curves> capture_curves(const capture::Survey& survey,
                                                           const Setting<int>& frame,
                                                           const capture::FrameSetting& held);
[[nodiscard]] std::vector<Film::Mark> capture_marks(const capture::Survey& survey,
                                                    const std::optional<capture::Diagnosis>& diagnosis,
                                                    const capture::FrameSetting& held);
/// A row for each mark; a click shows its frame by the commands that `look` returns.
[[nodiscard]] Table marks_table(const ExaminedCapture& examined,
                                const std::function<std::string(int frame)>& look);
/// The lines of commands that show a finding.
using LookAt = std::function<std::string(const capture::Finding&)>;
/// A row for each proven cause.
[[nodiscard]] Table diagnosis_table(const capture::Diagnosis& diagnosis, const LookAt& look);
/// A row for each cause that was proven before and is no longer.
[[nodiscard]] Table earlier_table(const std::vector<capture::Finding>& earlier, const LookAt& look);
/// The diagnosis in sentences, one per row.
[[nodiscard]] Table diagnosis_words(const capture::Diagnosis& diagnosis, const LookAt& look);
[[nodiscard]] Table what_if_table(const capture::WhatIf& what_if);

/// The color of bodies with a tag.
[[nodiscard]] Role role_of_tag(std::uint32_t tag);
/// What the engine calls a body; empty if it gave no name.
[[nodiscard]] std::string name_of(const capture::ShownFrame& shown, std::uint64_t id);
/// The number that a text holds, if it holds nothing else.
[[nodiscard]] std::optional<std::uint64_t> number_of(const std::string& text);
/// Whether `wanted` is the body's id, or a part of its name in any case. Never for an empty one.
[[nodiscard]] bool is_found(const capture::ShownFrame& shown, const std::string& wanted, std::uint64_t id);
/// The counts of the frame at `place`.
[[nodiscard]] Table frame_table(const io::CaptureFile& file, std::size_t place,
                                const capture::ShownFrame& shown);
/// The captures of this session; a click shows one.
[[nodiscard]] Table captures_table(const std::vector<OpenedCapture>& captures,
                                   const std::shared_ptr<const io::CaptureFile>& shown);
/// The engine's marks, oddities, and how to make a capture.
[[nodiscard]] Table remarks_table(const io::CaptureFile& file, const capture::ShownFrame& shown, bool is_live,
                                  bool is_sample);
/// A row for each captured tree, and one for the tree beside them if there is one.
[[nodiscard]] Table trees_table(const capture::ShownFrame& shown, std::string_view rival,
                                const bv::TreeMetrics* rival_metrics);
/// `mark` returns the command lines that mark a node or find a body, given its number.
using Mark = std::function<std::string(const std::string& what)>;
[[nodiscard]] Table broken_table(const capture::ShownFrame& shown, const Mark& mark);
/// The bodies that were searched for come first.
[[nodiscard]] Table bodies_table(const capture::ShownFrame& shown, const std::string& wanted,
                                 const Mark& mark);

}  // namespace lab::scenes
