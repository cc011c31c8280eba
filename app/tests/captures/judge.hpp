// Whether a diagnosis names what was planted.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/diagnosis.hpp"
#include "capture/samples/samples.hpp"
#include "capture/survey.hpp"
#include "io/captures/capture_file.hpp"
#include "second_engine.hpp"

namespace lab::capture {

inline const std::string kMissed = "nothing was found";

/// Nothing if the capture could not be read.
inline std::optional<Diagnosis> diagnosis_of(std::vector<std::uint8_t> bytes) {
    auto file = io::CaptureFile::from_bytes(std::move(bytes), "x.bvcap");
    if (!file) return std::nullopt;
    return diagnose(*file, make_survey(*file));
}

struct Judged {
    Sample sample;
    Diagnosis diagnosis;
};
inline Judged judge_sample(SampleKind kind, std::uint64_t seed) {
    Judged judged;
    judged.sample = make_sample(kind, seed);
    if (auto diagnosis = diagnosis_of(judged.sample.bytes)) judged.diagnosis = std::move(*diagnosis);
    return judged;
}

inline bool is_near(std::uint64_t frame, std::uint64_t planted) {
    return (frame > planted ? frame - planted : planted - frame) <= 5;
}

/// Empty if the first finding names cause, subtree and frame.
inline std::string why_wrong(const Judged& judged) {
    const Sample& sample = judged.sample;
    const auto& findings = judged.diagnosis.findings;
    if (judged.diagnosis.frames == 0) return "it was not read";
    if (sample.cause == Cause::NothingWrong) return findings.empty() ? "" : "something was found";
    if (findings.empty()) return kMissed;
    const Finding& first = findings.front();
    if (first.cause != sample.cause) return "another cause";
    if (!is_near(first.frame, sample.frame)) return "another frame";
    if (sample.bodies.empty()) return "";
    std::vector<std::uint64_t> both;
    std::set_intersection(sample.bodies.begin(), sample.bodies.end(), first.bodies.begin(),
                          first.bodies.end(), std::back_inserter(both));
    // As many of those planted as of those named.
    const bool same =
        both.size() * 10 >= sample.bodies.size() * 7 && both.size() * 10 >= first.bodies.size() * 7;
    return same ? "" : "another subtree";
}

/// Empty if the first finding names cause and frame.
inline std::string why_wrong(const Plan& plan, const Diagnosis& diagnosis) {
    const auto& findings = diagnosis.findings;
    if (!plan.cause) return findings.empty() ? "" : "something was found";
    if (findings.empty()) return kMissed;
    if (findings.front().cause != *plan.cause) return "another cause";
    return is_near(findings.front().frame, static_cast<std::uint64_t>(std::max(plan.frame, 0)))
               ? ""
               : "another frame";
}

}  // namespace lab::capture
