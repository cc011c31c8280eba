// Random damage to captures against their reader, until the time is up.
//
//   fuzz_captures [SECONDS] [SEED]      2 seconds and seed 1 without arguments; 0 seconds: that seed alone
//
// Each file comes from its own seed, which is printed with a finding. What is refused must be refused with
// the name of the file; what is accepted is read frame by frame, out of order, and every tree is made a
// snapshot, which must be one. One in five is diagnosed and replayed in other structures.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "bv/tree/tree_io.hpp"
#include "capture/diagnosis.hpp"
#include "capture/what_if.hpp"
#include "captures/capture_delivery.hpp"
#include "captures/capture_model.hpp"
#include "damage.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_lines.hpp"
#include "io/captures/capture_tree.hpp"

namespace {

using lab::test::Random;

std::vector<std::string> samples() {
    std::vector<std::string> all;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const bv_capture_config config{"fuzz", nullptr, 0, lab::test::CaptureModel::kMargin,
                                       std::size_t{seed % 4 == 0 ? 65536u : 0u}};
        bv_capture* capture = bv_capture_to_memory(&config, nullptr);
        lab::test::CaptureModel model(capture, seed);
        for (std::uint64_t f = 0; f < 2 + seed; ++f)
            model.frame(seed % 3 == 0 ? 300 : 12);
        const auto bytes = lab::test::finished_bytes(capture);
        all.emplace_back(bytes.begin(), bytes.end());
    }
    return all;
}

const std::string kLines = R"({"capture": 1, "engine": "x", "title": "y", "dimensions": 2}
{"create": 7, "tight": [0,0,0,1,1,1], "fat": [-1,-1,-1,2,2,null], "tag": 2, "name": "crate"}
{"frame": 0, "time": 0.5}
{"move": 7, "tight": [0,0,0,1,1,2]}
{"name": 7, "as": "box"}
{"tree": "dynamic", "root": 1, "nodes": [{"id": 1, "box": [0,0,0,1,1,2], "children": [2]}, {"id": 2, "box": [0,0,0,1,1,1], "payloads": [7]}]}
{"query": "ray", "origin": [0,0,0], "direction": [1,0,0], "t_max": 10, "found": [7], "visited": [1, 2], "nodes_visited": 2}
{"mark": "text"}
{"frame": 1}
{"remove": 7}
)";

/// What is wrong with the reader's answer, or nothing.
std::string round(const std::string& bytes, bool is_text, Random& random) {
    std::vector<std::uint8_t> binary(bytes.begin(), bytes.end());
    if (is_text) {
        auto converted = lab::io::capture_from_lines(bytes, "fuzz.jsonl");
        if (!converted)
            return converted.error().text().find("fuzz.jsonl, line ") == 0 ? "" : "refused without a line";
        binary = std::move(converted->bytes);
    }
    if (random.chance(0.2f)) {
        const std::string arriving(binary.begin(), binary.end());
        if (lab::test::all_of_delivered(arriving, random) != lab::test::all_of(arriving))
            return "what arrives in portions is read in another way";
    }
    auto file = lab::io::CaptureFile::from_bytes(std::move(binary), "fuzz.bvcap");
    if (!file) return file.error().text().find("fuzz.bvcap") == 0 ? "" : "refused without its name";
    const auto frames = static_cast<std::uint32_t>(file->frames().size());
    for (std::uint32_t i = 0; i < frames + 3; ++i) {
        const auto frame = file->frame(i < frames ? i : random.below(frames));
        if (!frame) {
            if (frame.error().where.empty()) return "a frame is refused without the byte";
            continue;
        }
        for (const lab::io::CaptureTree& tree : frame->trees) {
            const auto snapshot = lab::io::snapshot_of(tree, frame->proxies, 50);
            if (const auto broken = bv::check_snapshot(snapshot.tree, bv::SnapshotCheck::Structure))
                return "a snapshot that is no tree: " + *broken;
            if (snapshot.defects.size() > 50 || snapshot.defect_count < snapshot.defects.size())
                return "defects are counted wrongly";
            if (snapshot.defect_count == 0 && bv::check_snapshot(snapshot.tree))
                return "nothing is listed, but the tree is not sound";
        }
    }
    // The whole capture is looked at now and then: that takes longer.
    if (!random.chance(0.2f)) return {};
    const auto survey = lab::capture::make_survey(*file);
    if (survey.rows.size() != frames) return "frames are missing in the survey";
    const auto diagnosis = lab::capture::diagnose(*file, survey);
    if (!diagnosis || lab::capture::diagnosis_text(*diagnosis).empty()) return "nothing is said";
    for (const auto& finding : diagnosis->findings)
        if (finding.evidence.empty() || !(finding.share >= 0.0)) return "a finding without evidence";
    const auto replayed = lab::capture::what_if(*file);
    for (const auto& row : replayed.rows)
        if (!row.same_answers) return row.name + " has other answers";
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    using Clock = std::chrono::steady_clock;
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const auto start = Clock::now();
    const std::vector<std::string> good = samples();
    std::uint64_t rounds = 0;
    double slowest_s = 0.0;
    do {
        Random random(seed + rounds);
        const bool is_text = random.chance(0.25f);
        const std::string bytes = lab::test::damaged(is_text ? kLines : random.one_of(good), random, 5);
        const std::clock_t before = std::clock();
        const std::string problem = round(bytes, is_text, random);
        const double took_s = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        slowest_s = std::max(slowest_s, took_s);
        if (!problem.empty() || took_s > 60.0) {
            std::printf("FINDING with seed %llu after %.1f s: %s\n",
                        static_cast<unsigned long long>(seed + rounds), took_s, problem.c_str());
            return 1;
        }
        ++rounds;
    } while (std::chrono::duration<double>(Clock::now() - start).count() < seconds);
    std::printf("%llu rounds without a finding, the slowest %.2f s\n",
                static_cast<unsigned long long>(rounds), slowest_s);
    return 0;
}
