// The brute-force check of probes for the setting `verify`: every box of the tree, in double precision. An
// independent oracle: it reads the numbers of boxes and calls no query of the library.
#pragma once

#include <optional>
#include <string>

#include "bv/tree/snapshot.hpp"
#include "results/probe.hpp"

namespace lab::reference {

/// The first error in the answer of a probe; empty if it is right. For a box within 1e-5, relative to the
/// sizes involved, of the limit either answer is right. O(payloads).
[[nodiscard]] std::optional<std::string> check_probe(const ProbeResult& found, const bv::TreeSnapshot& tree);

}  // namespace lab::reference
