// Runs a probe on the snapshot of any tree. One best-first traversal serves all kinds, which only score a box
// or reject it.
#pragma once

#include <optional>
#include <string_view>

#include "bv/query/classify.hpp"
#include "bv/tree/snapshot.hpp"
#include "results/frame_results.hpp"
#include "results/probe.hpp"
#include "settings/settings.hpp"

namespace lab {

/// The probe of the settings; empty while it is off.
[[nodiscard]] std::optional<Probe> probe_of(const Settings& settings);

/// The view of a frustum probe: 40 degrees high, as wide as it is high, as far as `aim`.
[[nodiscard]] bv::Frustum frustum_of(const Probe& probe);

/// Queries a tree, nearest subtrees first; of equal values the payload with the lower index wins. The tree
/// must pass `bv::check_snapshot` as `Structure`; as in any query, payloads outside of their nodes can be
/// missed. O(nodes) at most; allocates.
[[nodiscard]] ProbeResult run_probe(const Probe& probe, const bv::TreeSnapshot& tree);

/// Queries the tree of `results.trees` named in the settings, or the first with nodes, and adds the answer to
/// `results`, with shapes, handles and a table. If so set, the probe follows the hit of the ray under the
/// mouse. Does nothing while it is off, or without a tree.
void show_probe(const Settings& settings, FrameResults& results);
/// Compares `results.probe` with brute force; adds a line to `results.checks` if they differ.
void verify_probe(FrameResults& results);

/// The ids of the handles that `show_probe` adds.
inline constexpr std::string_view kProbeHandle = "probe", kProbeAimHandle = "probe.aim";
/// Moves the probe shown in `results`; false if the handle is not one of its own, or the position is not
/// finite. The initial position is beside the tree.
bool drag_probe(Settings& settings, const FrameResults& results, std::string_view handle,
                const glm::vec3& to);

}  // namespace lab
