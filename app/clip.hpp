// A clip on its way: one picture per frame into a folder, numbered, for a program that makes a film of them.
#pragma once

#include <string>
#include <vector>

#include "session/sandbox.hpp"

namespace lab {

class Clip {
  public:
    /// Takes over what `clip` asked for.
    void begin(const ClipRequest& request);
    [[nodiscard]] bool going() const { return left_ > 0; }
    /// Pictures still to be written.
    [[nodiscard]] int left() const { return left_; }
    /// The file for the picture of this frame; counts it.
    std::string next_file();
    /// A picture could not be written: no more of them.
    void stop() { left_ = 0; }
    /// What to tell the user once the last picture is written.
    [[nodiscard]] std::string summary() const;

  private:
    std::string folder_;
    int count_ = 0, left_ = 0;
};

}  // namespace lab
