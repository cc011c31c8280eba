// The check of probes behind the setting `verify`: every box of the tree, one by one, in double precision.
// Nothing here asks the library; only the numbers of boxes are read.
#pragma once

#include <optional>
#include <string>

#include "bv/tree/snapshot.hpp"
#include "results/probe.hpp"

namespace lab::reference {

/// What is wrong with the answer of a probe; nothing if it is right. Where a box is within 1e-5 of the sizes
/// at hand of being found or not, either answer is right. O(payloads).
[[nodiscard]] std::optional<std::string> check_probe(const ProbeResult& found, const bv::TreeSnapshot& tree);

}  // namespace lab::reference
