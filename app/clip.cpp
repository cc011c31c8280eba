#include "clip.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "io/text/counted.hpp"

namespace lab {

void Clip::begin(const ClipRequest& request) {
    folder_ = request.folder;
    count_ = left_ = request.frames;
    std::error_code code;
    std::filesystem::create_directories(folder_, code);  // writing reports what is wrong
}

std::string Clip::next_file() {
    --left_;
    const std::filesystem::path folder(folder_);
    return (folder / fmt::format("frame-{:05}.png", count_ - left_)).string();
}

std::string Clip::summary() const {
    return fmt::format("{}: {} saved", folder_, io::counted(count_ - left_, "picture was", "pictures were"));
}

}  // namespace lab
