// The steps of an algorithm as text that people can read and tests can compare.
#pragma once

#include <string>

namespace lab {
class Session;
}

namespace lab::test {

/// What the running scene steps through: its pseudo-code with the number of steps at each line, the first
/// step of each kind in words and numbers, digests of further ones with their pictures, and the answer. Says
/// so if it steps nothing.
std::string steps(const Session& session);

}  // namespace lab::test
