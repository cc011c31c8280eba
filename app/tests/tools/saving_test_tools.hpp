// A session saved as a scene, and what two sessions have in common.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "io/sessions/report.hpp"
#include "io/sessions/scene_file.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "temp_dir.hpp"

namespace lab::test {

using Json = nlohmann::json;

inline Json report_of(const Session& session) {
    io::Report measured = make_report(session, "test");
    io::erase_timings(measured);
    Json report = Json::parse(io::report_text(measured));
    report.erase("timings_ms");
    report.erase("errors");
    report["stats"].erase("refused_commands");
    for (Json& volume : report["volumes"])
        volume.erase("fit_ms");
    for (Json& tree : report["trees"])
        tree.erase("build_ms");
    return report.flatten();
}

/// The column of a cell of a table: `/tables/ID/rows/12/3` as `/tables/ID/3`; other paths are unchanged.
inline std::string column_of(const std::string& place) {
    const std::size_t rows = place.find("/rows/");
    return rows == std::string::npos ? place : place.substr(0, rows) + place.substr(place.rfind('/'));
}

inline std::set<std::string> columns_of(const std::set<std::string>& places) {
    std::set<std::string> columns;
    for (const std::string& place : places)
        columns.insert(column_of(place));
    return columns;
}

/// Paths at which two runs of the same commands differ: measured times.
inline std::set<std::string> differences(const Json& a, const Json& b) {
    std::set<std::string> places;
    for (const auto& [place, value] : a.items())
        if (!b.contains(place) || b[place] != value) places.insert(place);
    for (const auto& [place, value] : b.items())
        if (!a.contains(place)) places.insert(place);
    return places;
}

class SavingTest : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (folder / name).string(); }
    void save(Session& session, const std::string& name) const {
        const auto error = io::write_scene_file(path(name), session.saver().saved_scene());
        ASSERT_FALSE(error) << error->text();
    }
    void expect_same(const Session& a, const Session& b, const std::set<std::string>& noise,
                     const std::string& what) const {
        const Json ra = report_of(a), rb = report_of(b);
        int shown = 0;
        for (const std::string& place : differences(ra, rb)) {
            if (noise.contains(column_of(place)) || shown++ >= 5) continue;
            ADD_FAILURE() << what << ": " << place << ": "
                          << (ra.contains(place) ? ra[place].dump() : "nothing") << " and "
                          << (rb.contains(place) ? rb[place].dump() : "nothing");
        }
    }
    TempDir folder;
};

}  // namespace lab::test
