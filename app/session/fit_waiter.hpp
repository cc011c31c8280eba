// Delays commands that need new fits of volumes. A fit of a large mesh takes seconds: in a window a job
// computes the fits that a command needs, and the command runs when they are done.
#pragma once

#include <vector>

#include "platform/jobs.hpp"
#include "results/volume_choice.hpp"
#include "session/commands/command_table.hpp"

namespace lab {

struct MeshEntry;
struct SessionParts;
struct SessionState;

class FitWaiter {
  public:
    explicit FitWaiter(SessionParts& parts);

    /// True if the line was postponed until its fits are computed.
    bool postpones(const ParsedLine& line);
    /// Drops pending choices for bodies that are gone.
    void cancel_for_bodies();
    /// Drops all pending choices: a different moment, or a session from a file, is on show.
    void cancel_all();

  private:
    /// A mesh that lacks some fits of a choice.
    struct Missing {
        const MeshEntry* mesh;
        VolumeChoice choice;
        VolumeSet kinds;
        friend bool operator==(const Missing&, const Missing&) = default;
    };
    struct Fitting {
        ParsedLine line;  // runs when the job is done
        JobId job;
    };
    [[nodiscard]] std::vector<Missing> missing_fits(const ParsedLine& line) const;
    [[nodiscard]] ParsedLine with_bodies(const ParsedLine& line) const;

    SessionParts& parts_;
    SessionState& state_;
    std::vector<Fitting> fittings_;
};

}  // namespace lab
