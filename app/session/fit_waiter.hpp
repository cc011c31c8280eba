// Choosing how volumes are fitted. With large meshes a fit takes seconds: in a window a job makes the fits
// that a command leads to, and the command is carried out when they are there.
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

    /// True if the line was put off until its fits are made.
    bool puts_off(const ParsedLine& line);
    /// Drops what was chosen for bodies that are gone.
    void cancel_for_bodies();

  private:
    /// A mesh, and a choice some of whose fits it lacks.
    struct Missing {
        const MeshEntry* mesh;
        VolumeChoice choice;
        VolumeSet kinds;
        friend bool operator==(const Missing&, const Missing&) = default;
    };
    struct Fitting {
        ParsedLine line;  // that waits for it
        JobId job;
    };
    [[nodiscard]] std::vector<Missing> missing_fits(const ParsedLine& line) const;

    SessionParts& parts_;
    SessionState& state_;
    std::vector<Fitting> fittings_;
};

}  // namespace lab
