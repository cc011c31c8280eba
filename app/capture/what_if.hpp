// What the captured operations and queries would have cost in other structures: each gets the same boxes and
// queries, frame by frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/captures/capture_file.hpp"

namespace lab::capture {

/// Means per frame. The first frame, which builds the structure, does not count for upkeep and time.
struct WhatIfRow {
    std::string name;
    bool is_engine = false;
    bool has_tree = false;  ///< Without one, a query tests every body.
    double visits = 0;      ///< Nodes, by all captured queries; the engine's own numbers if it reported any.
    /// Box against box, to find all pairs of bodies. The wide tree tests eight boxes at once, which counts
    /// once.
    double pair_tests = 0;
    double upkeep = 0;  ///< Nodes touched by insertions, re-insertions, refits and rebuilds; estimated.
    double pairs = 0;
    double new_boxes = 0;     ///< Bodies whose leaf or fat box changed, new ones included.
    std::uint64_t bytes = 0;  ///< At the end; 0 if unknown.
    /// Measured, in processor time: changes, update and pairs. Nothing for the captured engine.
    std::optional<double> ms;
    bool same_answers = true;  ///< Its pairs and answers are those of a loop over all bodies.
    int place = 0;             ///< 1 and 2 for the two with the least work.

    /// The quantity that ranks the two best: a clock would choose differently from run to run.
    [[nodiscard]] double work() const { return visits + pair_tests + upkeep; }
};

struct WhatIf {
    std::vector<WhatIfRow> rows;  ///< The engine first, then the least work first.
    std::size_t frames = 0;       ///< Frames that were replayed, the last of the capture.
    std::uint64_t first = 0;      ///< The numbers of the first and the last of them.
    std::uint64_t last = 0;
    std::size_t queries = 0;  ///< Queries in all of these frames.
    std::vector<std::string> remarks;
};

struct WhatIfOptions {
    std::size_t max_frames = 120;
    std::size_t max_boxes = 2'000'000;  ///< Frames times bodies; fewer frames are replayed if there are more.
};

/// Replays one frame in one structure after the other, for callers that must not wait until all are done.
class Replay {
  public:
    /// The file must outlive this, and nobody else may read it meanwhile.
    explicit Replay(io::CaptureFile& file, const WhatIfOptions& options = {});
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    /// Does the next part. False if there was none left: then `take` gives the table.
    bool next();
    /// About the fraction that is done.
    [[nodiscard]] double done() const;
    [[nodiscard]] WhatIf take();

  private:
    class Work;
    std::unique_ptr<Work> work_;
};

/// The whole replay at once. Everything but `ms` follows from the capture.
[[nodiscard]] WhatIf what_if(io::CaptureFile& file, const WhatIfOptions& options = {});

}  // namespace lab::capture
