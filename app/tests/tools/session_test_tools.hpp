// Helpers for tests of whole sessions: frames with commands, tables, settings and errors.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "session/session.hpp"

namespace lab::test {

/// One frame of a fixed step, after the commands.
inline void frame(Session& session, std::string_view script = {}) {
    session.commands().push_script(script, "test");
    session.drain();
    session.step(Session::kFixedStep_s);
}

inline void frames(Session& session, int count) {
    for (int i = 0; i < count; ++i)
        frame(session);
}

/// Runs frames, the commands before the first of them.
inline void frames(Session& session, std::string_view script, int count) {
    session.commands().push_script(script, "test");
    frames(session, count);
}

/// The same; any error message is a failure.
inline void run(Session& session, std::string_view script, int count = 1) {
    frames(session, script, count);
    for (const Message& message : session.messages().messages())
        EXPECT_NE(message.severity, Severity::Error) << message.text;
}

/// The table of that id in the last frame; an empty one and a failure if there is none.
inline const Table& table_of(const Session& session, std::string_view id) {
    for (const Table& table : session.results().tables)
        if (table.id == id) return table;
    ADD_FAILURE() << "no table " << id;
    static const Table kNone;
    return kNone;
}

/// The stored text of a setting, also of one whose handle is private to its scene.
inline std::string value_of(const Session& session, std::string_view id) {
    const Settings& settings = session.state().settings;
    return settings.get_as_text(*settings.catalog().find(id));
}

/// All errors so far, one per line.
inline std::string errors_of(const Session& session) {
    std::string all;
    for (const Message& message : session.messages().messages())
        if (message.severity == Severity::Error) all += message.text + '\n';
    return all;
}

/// Runs a line that must be refused, and returns the message.
inline std::string refusal(Session& session, const std::string& line) {
    const auto before = session.refused_commands();
    session.commands().push(line);
    session.drain();
    session.step(Session::kFixedStep_s);
    EXPECT_EQ(session.refused_commands(), before + 1) << line;
    return session.messages().messages().back().text;
}

}  // namespace lab::test
