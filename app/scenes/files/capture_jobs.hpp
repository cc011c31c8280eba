// The work on a whole capture, in jobs of the scene.
#pragma once

#include <memory>
#include <string>

#include "io/captures/capture_file.hpp"
#include "platform/jobs.hpp"
#include "scenes/files/capture_tables.hpp"

namespace lab::scenes {

/// Surveys and diagnoses every frame, replacing the scene's running jobs. The results go to `examined` when
/// they are ready.
void start_examination(Jobs& jobs, const std::string& name, const io::CaptureFile& file,
                       const std::shared_ptr<ExaminedCapture>& examined);
/// Feeds the capture to every structure.
void start_replay(Jobs& jobs, const std::string& name, const io::CaptureFile& file,
                  const std::shared_ptr<ExaminedCapture>& examined);

}  // namespace lab::scenes
