// Results about a whole capture, as tables and curves.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "capture/diagnosis.hpp"
#include "capture/survey.hpp"
#include "capture/what_if.hpp"
#include "results/exhibit.hpp"
#include "settings/settings.hpp"

namespace lab::scenes {

/// Results of the jobs about a capture. Each part is there once its job is done.
struct ExaminedCapture {
    std::shared_ptr<const Curves> curves;
    std::optional<capture::Diagnosis> diagnosis;
    std::optional<capture::WhatIf> what_if;
    int news = 0;  ///< Counts the results that arrived.
};

/// Over all frames; `frame` is the setting that a click sets.
[[nodiscard]] std::shared_ptr<const Curves> capture_curves(const capture::Survey& survey,
                                                           const Setting<int>& frame);
/// The lines of commands that show a finding.
using LookAt = std::function<std::string(const capture::Finding&)>;
/// A row for each proven cause.
[[nodiscard]] Table diagnosis_table(const capture::Diagnosis& diagnosis, const LookAt& look);
/// The same in sentences, a row each.
[[nodiscard]] Table diagnosis_words(const capture::Diagnosis& diagnosis, const LookAt& look);
[[nodiscard]] Table what_if_table(const capture::WhatIf& what_if);

}  // namespace lab::scenes
