// Tests of what files of a session lead to: saved scenes and recordings in a folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "io/sessions/scene_file.hpp"
#include "session/files/saver.hpp"
#include "session/session.hpp"
#include "temp_dir.hpp"

namespace lab::test {

inline void expect_no_errors(const Session& session) {
    for (const Message& message : session.messages().messages())
        if (message.severity == Severity::Error) ADD_FAILURE() << message.text;
}

class SessionFiles : public testing::Test {
  protected:
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::string open(const std::string& name) const { return "open " + quote_word(path(name)); }
    void save(Session& session, const std::string& name) const {
        ASSERT_FALSE(io::write_scene_file(path(name), session.saver().saved_scene()));
    }
    TempDir folder_;
};

}  // namespace lab::test
