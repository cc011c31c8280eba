// Limits on files. A file may come from a stranger, so every reader checks these limits while it reads,
// before it allocates or computes, and names the limit when it refuses. They are far above what the program
// itself writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace lab::io::limits {

// ---- bytes of a file
inline constexpr std::size_t kSceneBytes = std::size_t{256} << 20;
inline constexpr std::size_t kRecordingBytes = std::size_t{64} << 20;
inline constexpr std::size_t kPreferenceBytes = std::size_t{1} << 20;
inline constexpr std::size_t kScriptBytes = std::size_t{16} << 20;
inline constexpr std::size_t kTreeBytes = std::size_t{256} << 20;
inline constexpr std::size_t kBoxListBytes = std::size_t{512} << 20;
inline constexpr std::size_t kVoxelBytes = std::size_t{256} << 20;

// ---- texts
inline constexpr std::size_t kLineBytes = 16'384;  ///< A line of a box list, a recording or a script.
inline constexpr std::size_t kTextBytes = 8'192;   ///< A path, a command or the value of a setting.
inline constexpr std::size_t kNameBytes = 1'000;   ///< The name of a body, a mesh, a setting or a tree.

// ---- JSON, while it is parsed
inline constexpr int kJsonLevels = 12;
inline constexpr std::size_t kJsonValues = 10'000'000;
/// Memory of the parsed document, as estimated from its values and texts.
inline constexpr std::size_t kJsonMemory = std::size_t{1} << 30;

// ---- counts
inline constexpr std::size_t kFiles = 1'000;                           ///< Needed by one scene or recording.
inline constexpr std::uint64_t kNeededBytes = std::uint64_t{1} << 30;  ///< Total size of these files.
inline constexpr std::uint64_t kOpenedBytes = std::uint64_t{4} << 30;  ///< All files that a session holds.
inline constexpr std::size_t kSettings = 10'000;
inline constexpr std::size_t kBodies = 200'000;
inline constexpr std::uint32_t kBodyId = 16'777'215;  ///< The world has a table of all ids up to the last.
inline constexpr std::size_t kHandles = 10'000;
inline constexpr std::size_t kRays = 16;  ///< As many as commands pin. Each is checked against all triangles.
/// For bodies and their surroundings: any float in full precision. The world requires finite volumes, too.
inline constexpr double kSmallestScale = std::numeric_limits<float>::min(),
                        kLargestScale = std::numeric_limits<float>::max(),
                        kFarthestBody = std::numeric_limits<float>::max();
/// For a camera: its distance from its target, and its angles in radians.
inline constexpr double kNearestCamera = 1e-6, kFarthestCamera = 1e9, kCameraYaw = 1e6, kCameraPitch = 1.6;
inline constexpr float kFramedAspect = 16.0f / 9.0f;  ///< Aspect of a camera's frame; see Camera::kAspect.
inline constexpr std::size_t kBoxes = 5'000'000;      ///< Boxes in a list.
inline constexpr std::size_t kTreeNodes = 4'000'000;  ///< Nodes of a saved tree; as many payloads.

// ---- captures: a file may be of any length, since frames are read one at a time
inline constexpr std::uint64_t kCaptureFrameBytes = std::uint64_t{128} << 20;
inline constexpr std::size_t kCaptureFrames = 2'000'000;  ///< Nine hours at 60 a second; 144 bytes each.
inline constexpr std::size_t kCaptureLosses = 100'000;    ///< Losses that are remembered one by one.
inline constexpr std::size_t kCaptureProxies = 2'000'000;
/// Events, queries, marks and trees of a frame together.
inline constexpr std::size_t kCaptureRecords = 4'000'000;
inline constexpr std::size_t kCaptureResults = 16'000'000;  ///< Ids found and visited by a frame's queries.
inline constexpr std::size_t kCaptureNameBytes = std::size_t{64} << 20;  ///< Names of all proxies together.
inline constexpr std::uint64_t kCaptureLineFileBytes = std::uint64_t{256} << 20;  ///< A capture as JSON.

// ---- captures that arrive from a running engine
inline constexpr std::uint64_t kLiveBytes = std::uint64_t{2} << 30;  ///< On disk per capture; the oldest go.
inline constexpr std::size_t kLiveCaptures = 8;

// ---- time
inline constexpr std::uint64_t kSteps = 1'000'000'000;       ///< A counter in a saved scene.
inline constexpr std::uint64_t kRecordedSteps = 10'000'000;  ///< Steps of one recording: more than a day.
inline constexpr std::uint32_t kStepsPerFrame = 10'000;
inline constexpr std::uint64_t kRecordedFrames = 1'000'000'000;  ///< In one entry of a recording.
inline constexpr std::size_t kRecordedEntries = 1'000'000;

}  // namespace lab::io::limits
