// The results of a session as text that people can read and tests can compare.
#pragma once

#include <string>
#include <string_view>

namespace lab {
class Session;
}

namespace lab::test {

/// One topic of the session as it stands after its last step, a line for each thing: `bodies`, `motion`,
/// `pairs`, `volumes`, `trees`, `rays`, `stats`, `tables`, `exhibits`, `charts`, `handles`, `selection`,
/// `camera`, `settings` (those that differ from their defaults), `timeline`, `drawing` (what viz makes of all
/// this). Of long lists the first entries and the sums over all; nothing that was measured with a clock. Says
/// so if there is no such topic.
std::string describe(const Session& session, std::string_view topic);

/// The first difference of two texts, or an empty string. Numbers with a point or exponent may differ by a
/// factor of 2e-4, since the sine of another C library rounds differently.
std::string first_difference(std::string_view expected, std::string_view found);

}  // namespace lab::test
