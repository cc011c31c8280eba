// What a viewer sees as commands: a record stores the camera, the selection and what else was looked at as
// lines.
#pragma once

#include <string>
#include <vector>

#include "io/sessions/recording.hpp"
#include "session/state.hpp"
#include "view/selection.hpp"
#include "view/view.hpp"

namespace lab {

[[nodiscard]] io::CameraNumbers numbers_of(const Camera& camera);
void place_camera(Camera& camera, const io::CameraNumbers& numbers);

[[nodiscard]] std::string hover_line(const View& view);

/// The commands that turn one view into another, which both show `trees`.
[[nodiscard]] std::vector<std::string> view_changes(const HeldView& from, const HeldView& to,
                                                    const TreeList& trees);

}  // namespace lab
