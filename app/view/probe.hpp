// Runs a probe on the snapshot of any tree. One best-first walk serves every kind: a kind only scores a box,
// or rejects it.
#pragma once

#include <optional>
#include <string_view>

#include "bv/query/classify.hpp"
#include "bv/tree/snapshot.hpp"
#include "results/frame_results.hpp"
#include "results/probe.hpp"
#include "settings/settings.hpp"

namespace lab {

/// The probe that the settings ask for; nothing while it is off.
[[nodiscard]] std::optional<Probe> probe_of(const Settings& settings);

/// The view of a frustum probe: 40 degrees high, as wide as it is high, as far as `aim`.
[[nodiscard]] bv::Frustum frustum_of(const Probe& probe);

/// Asks a tree. The nearest subtrees come first; of equal values the payload of the lower place counts. The
/// tree must pass `bv::check_snapshot` as a structure; what its boxes do not cover is not found, as in any
/// query of that tree. O(nodes) at most; allocates.
[[nodiscard]] ProbeResult run_probe(const Probe& probe, const bv::TreeSnapshot& tree);

/// Asks the tree of `results.trees` that the settings name, or the first that has nodes, and puts the answer
/// on show in `results`: the answer itself, shapes, handles and a table. The probe follows the hit of the ray
/// under the mouse, if so set. Nothing while it is off, or without a tree.
void show_probe(const Settings& settings, FrameResults& results);
/// Compares `results.probe` with brute force; adds a line to `results.checks` if they differ.
void verify_probe(FrameResults& results);

/// The ids of the handles that `show_probe` adds.
inline constexpr std::string_view kProbeHandle = "probe", kProbeAimHandle = "probe.aim";
/// Moves the probe, from where `results` show it; false if the handle is none of its own, or the place is not
/// finite. Until then it stands beside the tree.
bool drag_probe(Settings& settings, const FrameResults& results, std::string_view handle,
                const glm::vec3& to);

}  // namespace lab
