// Damaged files against the readers and whole sessions, until the time is up. One program under a name for
// each kind of file: fuzz_scene, fuzz_recording, fuzz_tree_file, fuzz_preferences.
//
//   fuzz_scene [SECONDS] [SEED]      2 seconds and seed 1 without arguments; 0 seconds: that seed alone
//
// Every round takes a file that the program has written, damages it (bytes, numbers, lines, values of JSON)
// and reads it. What is refused must be refused with a message that names the file; what is accepted must
// come back when it is written again, and some of it is opened in a session, with a report and a picture. The
// seed of a round is printed when it finds something, and the damaged file is kept.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/not_finite.hpp"
#include "bv/tree/tree_io.hpp"
#include "commands/catalog.hpp"
#include "damage.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "io/text/printable.hpp"
#include "io/trees/tree_file.hpp"
#include "platform/clock.hpp"
#include "preferences.hpp"
#include "session/files/saver.hpp"
#include "session/files/tree_files.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "viz/build.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

namespace {

namespace fs = std::filesystem;
using bv::workloads::Random;
using lab::Session;
using Json = nlohmann::ordered_json;

// ---- damage

Json odd_value(Random& random) {
    switch (random.below(12)) {
        case 0:
            return nullptr;
        case 1:
            return Json::array();
        case 2:
            return Json::object();
        case 3:
            return -1;
        case 4:
            return 1e300;
        case 5:
            return std::uint64_t{18446744073709551615u};
        case 6:
            return "";
        case 7:
            return std::string(random.below(20'000), 'x');
        case 8:
            return "a\nb\x1b";
        case 9:
            return random.uniform(-10.0f, 10.0f);
        case 10:
            return random.below(50);
        default:
            return random.chance(0.5f);
    }
}

/// Some value anywhere in the document, replaced, taken out, doubled or exchanged.
void damage_value(Json& json, Random& random, int depth = 0) {
    const bool goes_down =
        (json.is_array() || json.is_object()) && !json.empty() && (depth == 0 || random.chance(0.75f));
    if (!goes_down) {
        json = odd_value(random);
        return;
    }
    auto at = json.begin();
    std::advance(at, random.below(static_cast<std::uint32_t>(json.size())));
    if (random.chance(0.06f)) {
        json.erase(at);
    } else if (json.is_array() && random.chance(0.06f)) {
        const Json copy = *at;
        for (std::uint32_t i = 1 + random.below(20); i > 0; --i)
            json.push_back(copy);
    } else {
        damage_value(*at, random, depth + 1);
    }
}

std::string damaged(std::string bytes, bool is_json, Random& random) {
    if (is_json && random.chance(0.6f)) {
        Json json = Json::parse(bytes, nullptr, false);
        if (!json.is_discarded()) {
            for (std::uint32_t n = 1 + random.below(3); n > 0; --n)
                damage_value(json, random);
            bytes = json.dump(1, ' ', false, Json::error_handler_t::replace);
        }
        if (random.chance(0.7f)) return bytes;
    }
    for (std::uint32_t n = 1 + random.below(3); n > 0; --n)
        lab::test::damage(bytes, random);
    return bytes;
}

// ---- sessions

void frames(Session& session, std::string_view script, int count) {
    session.commands().push_script(script, "fuzz");
    for (int i = 0; i < count; ++i) {
        session.drain();
        session.step(Session::kFixedStep_s);
    }
}

/// Opens the file in a session of its own and looks at everything. What went wrong, or nothing.
std::string open_in_session(const std::string& path) {
    Session session{lab::command_table()};
    frames(session, "scene volumes; set sim.paused=false", 1);
    const auto refused = session.refused_commands();
    frames(session, "open " + lab::quote_word(path), 4);
    const auto is_error = [](const lab::Message& message) {
        return message.severity == lab::Severity::Error;
    };
    const std::deque<lab::Message>& said = session.messages().messages();
    if (session.refused_commands() > refused && std::none_of(said.begin(), said.end(), is_error))
        return "refused without a message";
    for (const lab::BodyState& body : session.results().bodies) {
        const glm::vec3& at = body.transform[3];
        if (!bv::is_finite(at)) return "a body is nowhere";
    }
    for (const lab::Message& message : session.messages().messages())
        for (const char c : message.text)
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "a control character in a message";
    if (session.state().world.bodies().size() > 5000) return {};
    lab::viz::MeshHandles meshes;
    lab::render::DrawList list;
    lab::viz::build(session.results(), session.state().settings, session.state().view.camera, meshes, {},
                    list);
    const std::string report = lab::io::report_text(lab::make_report(session, "fuzz"));
    if (Json::parse(report, nullptr, false).is_discarded()) return "a report that is no JSON";
    return {};
}

std::string named(const std::string& path, const lab::io::FileError& error) {
    return error.text().find(path) == std::string::npos ? "refused without its name: " + error.text()
                                                        : std::string();
}

// ---- the kinds of files

std::vector<std::string> scenes() {
    std::vector<std::string> texts;
    for (const char* script :
         {"scene volumes", "scene welcome; clear; spawn 3; select 1; ray.pin -6 2 0 1 0 0.1",
          "scene aabb-overlap", "scene ray-aabb", "scene narrow-phase; clear; spawn 2 torus"}) {
        Session session{lab::command_table()};
        frames(session, script, 3);
        texts.push_back(lab::io::scene_file_text(session.saver().saved_scene()));
    }
    return texts;
}

std::string try_scene(const std::string& path, const std::string& bytes, Random& random) {
    const auto scene = lab::io::parse_scene_file(bytes, path);
    if (!scene) return named(path, scene.error());
    const auto text = lab::io::checked_scene_text(*scene, path);
    if (!text) return "accepted, but cannot be written: " + text.error().text();
    const auto again = lab::io::parse_scene_file(*text, path);
    if (!again || lab::io::scene_file_text(*again) != *text) return "does not come back";
    return random.chance(0.1f) ? open_in_session(path) : std::string();
}

std::vector<std::string> recordings() {
    std::vector<std::string> texts;
    for (const std::string& scene : scenes()) {
        std::string text;
        const Json json = Json::parse(scene);
        for (const Json& line : json["history"])
            text += line.get<std::string>() + "\n";
        texts.push_back(text);
    }
    texts.push_back(
        "bvrec 1\nscene volumes\nopen a.obj\nopen \" b\\x0a.obj\"\nbefore draw.fill=0.3\nafter \"spawn.mesh= "
        "x \"\n"
        "view 640 360 0 0\ncamera 0 0 0 10 0 0\nhome 0 0 0 10 0 0\ndo spawn 2\nframes 2 1\ndo "
        "\"remove\"\nend 2\n");
    return texts;
}
std::string try_recording(const std::string& path, const std::string& bytes, Random& random) {
    const auto record = lab::io::parse_recording(bytes, path);
    if (!record) return named(path, record.error());
    const std::string text = lab::io::recording_text(record->start, record->entries);
    const auto again = lab::io::parse_recording(text, path);
    if (!again) return "accepted, but cannot be written: " + again.error().text();
    if (lab::io::recording_text(again->start, again->entries) != text) return "does not come back";
    if (!lab::io::is_valid_utf8(text)) return "is written as no UTF-8";
    return random.chance(0.1f) ? open_in_session(path) : std::string();
}

std::vector<std::string> trees() {
    std::vector<std::string> files;
    for (const char* script : {"scene welcome", "set broadphase.kind=dynamic-tree; scene welcome",
                               "scene tree-balance", "scene obb-tree", "scene mesh-bvh"}) {
        Session session{lab::command_table()};
        frames(session, script, 2);
        session.step(0.0, lab::StepInput{true});
        for (const auto& [id, tree] : session.results().trees) {
            if (tree.empty() || tree.size() > 300) continue;
            const std::vector<std::uint8_t> bytes = bv::snapshot_to_bytes(tree);
            files.emplace_back(bytes.begin(), bytes.end());
        }
    }
    return files;
}
std::string try_tree(const std::string& path, const std::string&, Random& random) {
    const auto tree = lab::io::read_tree_file(path);
    if (!tree) return named(path, tree.error());
    if (bv::check_snapshot(*tree, bv::SnapshotCheck::Structure)) return "accepted, but no tree";
    const bool is_sound = !bv::check_snapshot(*tree);
    if (!is_sound && bv::loose_nodes(*tree, 1).count == 0) return "not sound, but nothing is loose";
    const std::vector<std::uint8_t> bytes = bv::snapshot_to_bytes(*tree);
    const auto again = bv::snapshot_from_bytes(bytes, bv::SnapshotCheck::Structure);
    if (!again.tree || bv::snapshot_to_bytes(*again.tree) != bytes) return "does not come back";
    return random.chance(0.1f) ? open_in_session(path) : std::string();
}

std::vector<std::string> preference_files() {
    Json all = Json::object(), few = {{"ui.theme", "light"}, {"draw.fill", 0.5}, {"draw.grid", false}};
    const lab::Settings defaults{lab::setting_catalog()};
    for (const lab::SettingSpec* spec : lab::setting_catalog().rows())
        all[std::string(spec->id)] = defaults.get_as_text(*spec);
    return {all.dump(1), few.dump(), "{}"};
}
std::string try_preferences(const std::string& path, const std::string& bytes, Random& random) {
    const fs::path file = fs::path(path).parent_path() / "bvlab" / "preferences.json";
    fs::remove_all(file.parent_path());
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    setenv("XDG_CONFIG_HOME", fs::path(path).parent_path().c_str(), 1);
    lab::MessageLog log;
    lab::Preferences preferences;
    preferences.load(log);
    if (!fs::exists(file) && log.messages().empty()) return "set aside without a message";
    if (!fs::exists(file) && !fs::exists(file.string() + ".bad")) return "the file is lost";
    lab::Settings settings{lab::setting_catalog()};
    for (const std::string& line : preferences.commands()) {
        std::string error;
        const auto words = lab::split_words(line, error);
        if (!words || words->size() != 2) return "an unusable line: " + line;
        const std::size_t equals = words->at(1).find('=');
        if (settings.set(words->at(1).substr(0, equals), words->at(1).substr(equals + 1)))
            return "refused later: " + line;
    }
    preferences.save(settings, {}, log);
    if (!random.chance(0.02f)) return {};
    Session session{lab::command_table()};
    for (const std::string& line : preferences.commands())
        session.commands().push(line);
    frames(session, "", 2);
    return session.refused_commands() > 0 ? "a session refuses what was read" : "";
}

struct Kind {
    std::string_view name;
    const char* extension;
    bool is_json;
    std::vector<std::string> (*samples)();
    /// Empty, or what is wrong with how the damaged file at `path` was taken.
    std::string (*try_one)(const std::string& path, const std::string& bytes, Random& random);
};

constexpr Kind kKinds[] = {
    {"scene", ".json", true, scenes, try_scene},
    {"recording", ".bvrec", false, recordings, try_recording},
    {"tree_file", ".bvtree", false, trees, try_tree},
    {"preferences", ".json", true, preference_files, try_preferences},
};

double cpu_s() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

int fuzz(const Kind& kind, double seconds, std::uint64_t seed, const fs::path& folder) {
    const lab::platform::Clock clock;
    const std::vector<std::string> good = kind.samples();
    const std::string path = (folder / (std::string("damaged") + kind.extension)).string();
    std::uint64_t rounds = 0;
    double slowest_s = 0;
    do {
        Random random(seed + rounds);
        const std::string bytes = damaged(random.one_of(good), kind.is_json, random);
        std::ofstream(path, std::ios::binary) << bytes;
        const double before_s = cpu_s();
        std::string problem = kind.try_one(path, bytes, random);
        const double took_s = cpu_s() - before_s;
        slowest_s = std::max(slowest_s, took_s);
        if (problem.empty() && took_s > 300.0) problem = fmt::format("took {:.0f} s", took_s);
        if (!problem.empty()) {
            const fs::path kept =
                fs::temp_directory_path() / fmt::format("finding-{}{}", seed + rounds, kind.extension);
            fs::copy_file(path, kept, fs::copy_options::overwrite_existing);
            fmt::print("FINDING in round {}: {}\nkept as {}\n", seed + rounds, lab::io::printable(problem),
                       kept.string());
            return 1;
        }
        ++rounds;
    } while (clock.seconds() < seconds);
    fmt::print("{} rounds without a finding, the slowest {:.1f} s\n", rounds, slowest_s);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string name = lab::test::fuzzed_kind(argv[0]);
    const auto* const kind =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) { return k.name == name; });
    if (kind == std::end(kKinds)) {
        fmt::print(stderr, "{}: no such kind of files\n", argv[0]);
        return 2;
    }
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const fs::path folder = fs::temp_directory_path() / fmt::format("bvlab-fuzz-files-{}", getpid());
    fs::create_directories(folder);
    fs::current_path(folder);
    const int status = fuzz(*kind, seconds, seed, folder);
    fs::current_path(folder.parent_path());
    fs::remove_all(folder);
    return status;
}
