// What a session shows, as text that a person can read and a test can compare.
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

/// Where two texts first differ, or nothing: numbers with a point or an exponent may be apart by 2e-4 of
/// their size, since the sine of another C library rounds differently.
std::string first_difference(std::string_view expected, std::string_view found);

}  // namespace lab::test
