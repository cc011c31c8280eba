// What tests of whole sessions share: frames with commands, and whether what a session shows is true.
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

/// So many frames, the commands before the first of them.
inline void frames(Session& session, std::string_view script, int count) {
    session.commands().push_script(script, "test");
    frames(session, count);
}

/// The same where nothing may go wrong: an error message is a failure.
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

/// The value of a setting, as it is stored; also of one whose handle only its scene knows.
inline std::string value_of(const Session& session, std::string_view id) {
    const Settings& settings = session.state().settings;
    return settings.get_as_text(*settings.catalog().find(id));
}

/// The refusals and other errors so far, one a line.
inline std::string errors_of(const Session& session) {
    std::string all;
    for (const Message& message : session.messages().messages())
        if (message.severity == Severity::Error) all += message.text + '\n';
    return all;
}

}  // namespace lab::test
