// What tests of whole sessions share: frames with commands, and whether what a session shows is true.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "session/sandbox.hpp"

namespace lab::test {

/// One frame of a fixed step, after the commands.
inline void frame(Sandbox& sandbox, std::string_view script = {}) {
    sandbox.commands().push_script(script, "test");
    sandbox.drain();
    sandbox.step(Sandbox::kFixedStep_s);
}

inline void frames(Sandbox& sandbox, int count) {
    for (int i = 0; i < count; ++i)
        frame(sandbox);
}

/// So many frames, the commands before the first of them.
inline void frames(Sandbox& sandbox, std::string_view script, int count) {
    sandbox.commands().push_script(script, "test");
    frames(sandbox, count);
}

/// The refusals and other errors so far, one a line.
inline std::string errors_of(const Sandbox& sandbox) {
    std::string all;
    for (const Message& message : sandbox.messages().messages())
        if (message.severity == Severity::Error) all += message.text + '\n';
    return all;
}

}  // namespace lab::test
