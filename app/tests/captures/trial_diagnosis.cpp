// How often the diagnosis is right on captures that nobody has looked at, and how good the choice of the
// replay is when it is really run.
//
//   trial_diagnosis samples COUNT [SEED]   batches of the generator: each kind of fault once
//   trial_diagnosis engines COUNT [SEED]   random plans of the second engine
//   trial_diagnosis changes COUNT [SEED]   random plans of changes in mid-run that resemble each other
//   trial_diagnosis what-if COUNT [SEED]   both, in turns: the time of the marked structure over the least
//
// Prints what was wrong, with the words of the diagnosis, and one line with the counts. Exit status 1 if
// fewer than eleven of twelve were right (for `what-if`: if the ratio was above 1.1 more often than that).
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "capture/diagnosis.hpp"
#include "capture/samples/samples.hpp"
#include "capture/what_if.hpp"
#include "io/captures/capture_file.hpp"
#include "judge.hpp"
#include "second_engine.hpp"

namespace lab::capture {
namespace {

struct Score {
    int right = 0, wrong = 0, missed = 0;
    void add(const std::string& why) { ++(why.empty() ? right : why == kMissed ? missed : wrong); }
    [[nodiscard]] int all() const { return right + wrong + missed; }
};

std::string words(const Plan& p) {
    return fmt::format(
        "fault {} and {} in frame {} of {}, {} before; {} bodies, ground {}, travel {}, arity {}{}{}; unit "
        "{}, "
        "moving {}, speed {}, margin {} of {} m, insertion {}, balancing {}, upkeep {}",
        static_cast<int>(p.fault), static_cast<int>(p.other), p.frame, p.frames, p.before, p.bodies,
        static_cast<int>(p.ground), static_cast<int>(p.travel), p.arity, p.two_trees ? ", two trees" : "",
        p.has_fat_boxes ? "" : ", no fat boxes", p.unit, p.moving, p.speed,
        static_cast<int>(p.options.margin), p.options.margin_m, static_cast<int>(p.options.insertion),
        static_cast<int>(p.options.balancing), static_cast<int>(p.options.upkeep));
}

int report(const Score& score) {
    std::printf("%d right, %d wrong, %d missed\n", score.right, score.wrong, score.missed);
    return score.right * 12 >= score.all() * 11 ? 0 : 1;
}

int samples(std::uint64_t count, std::uint64_t first) {
    Score score;
    for (std::uint64_t seed = first; seed < first + count; ++seed)
        for (std::size_t k = 0; k < kSampleKinds; ++k) {
            const Judged judged = judge_sample(static_cast<SampleKind>(k), seed);
            const std::string why = why_wrong(judged);
            score.add(why);
            if (!why.empty())
                std::printf("%s: kind %zu, seed %llu, planted in frame %llu on %zu bodies\n%s\n", why.c_str(),
                            k, static_cast<unsigned long long>(seed),
                            static_cast<unsigned long long>(judged.sample.frame), judged.sample.bodies.size(),
                            diagnosis_text(judged.diagnosis).c_str());
        }
    return report(score);
}

int engines(std::uint64_t count, std::uint64_t first, Plan (*plan_of)(std::uint64_t)) {
    Score score;
    std::map<int, Score> by_fault;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Plan plan = plan_of(seed);
        const auto diagnosis = diagnosis_of(run_second_engine(plan, seed));
        const std::string why = diagnosis ? why_wrong(plan, *diagnosis) : "it was not read";
        score.add(why);
        by_fault[static_cast<int>(plan.fault)].add(why);
        if (!why.empty())
            std::printf("%s: seed %llu, %s\n%s\n", why.c_str(), static_cast<unsigned long long>(seed),
                        words(plan).c_str(), diagnosis ? diagnosis_text(*diagnosis).c_str() : "");
    }
    for (const auto& [fault, one] : by_fault)
        std::printf("fault %d: %d right, %d wrong, %d missed\n", fault, one.right, one.wrong, one.missed);
    return report(score);
}

int replays(std::uint64_t count, std::uint64_t first) {
    int good = 0;
    double worst = 0.0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t seed = first + i;
        const auto kind = static_cast<SampleKind>(i / 2 % kSampleKinds);
        const bool is_sample = i % 2 == 0;
        auto bytes = is_sample ? make_sample(kind, seed).bytes : run_second_engine(random_plan(seed), seed);
        auto file = io::CaptureFile::from_bytes(std::move(bytes), "x.bvcap");
        // The least of three runs: time is what a quiet machine would need.
        std::map<std::string, double> least;
        std::string marked;
        for (int run = 0; run < 3 && file; ++run) {
            const auto result = what_if(*file);
            for (const WhatIfRow& row : result.rows) {
                if (row.is_engine || !row.ms) continue;
                const auto [at, is_new] = least.try_emplace(row.name, *row.ms);
                at->second = std::min(at->second, *row.ms);
                if (row.place == 1) marked = row.name;
            }
        }
        if (marked.empty()) continue;
        const auto fastest = std::min_element(
            least.begin(), least.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        const double ratio = least[marked] / fastest->second;
        worst = std::max(worst, ratio);
        good += ratio <= 1.1 ? 1 : 0;
        if (ratio > 1.1)
            std::printf("%s %llu: marked %s, %.4f ms; fastest %s, %.4f ms: %.2f\n",
                        is_sample ? std::string(id_of(make_sample(kind, seed).cause)).c_str() : "plan",
                        static_cast<unsigned long long>(seed), marked.c_str(), least[marked],
                        fastest->first.c_str(), fastest->second, ratio);
    }
    std::printf("%d of %llu within 1.1, the worst %.2f\n", good, static_cast<unsigned long long>(count),
                worst);
    return static_cast<std::uint64_t>(good) * 12 >= count * 11 ? 0 : 1;
}

}  // namespace
}  // namespace lab::capture

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 200'000;
    if (what == "samples") return lab::capture::samples(count, seed);
    if (what == "engines") return lab::capture::engines(count, seed, lab::capture::random_plan);
    if (what == "changes") return lab::capture::engines(count, seed, lab::capture::random_change_plan);
    if (what == "what-if") return lab::capture::replays(count, seed);
    std::printf("usage: %s samples|engines|changes|what-if [COUNT] [SEED]\n", argv[0]);
    return 2;
}
