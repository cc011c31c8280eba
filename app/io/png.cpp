#include "io/png.hpp"

#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "io/atomic_file.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

namespace lab::io {

std::optional<FileError> write_png(const std::filesystem::path& path, int width, int height,
                                   std::span<const std::uint8_t> rgba) {
    constexpr int kLargestSide = 1 << 15;
    if (width <= 0 || height <= 0 || width > kLargestSide || height > kLargestSide ||
        rgba.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4) {
        return FileError{path.string(), "",
                         "a picture of " + std::to_string(width) + " by " + std::to_string(height) +
                             " pixels cannot be written",
                         "Choose a size from 1x1 to 32768x32768"};
    }
    std::string bytes;
    const auto collect = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(collect, &bytes, width, height, 4, rgba.data(), width * 4) == 0)
        return FileError{path.string(), "", "the picture could not be compressed",
                         "Close other programs to free memory"};
    return write_file_atomically(path, bytes);
}

std::string deflated(std::string_view bytes) {
    constexpr int kQuality = 16;  // PNG's default here is 8
    std::vector<unsigned char> copy(bytes.begin(), bytes.end());
    int size = 0;
    const std::unique_ptr<unsigned char, decltype(&std::free)> out(
        stbi_zlib_compress(copy.data(), static_cast<int>(copy.size()), &size, kQuality), &std::free);
    if (!out) throw std::bad_alloc();
    return {reinterpret_cast<const char*>(out.get()), static_cast<std::size_t>(size)};
}

}  // namespace lab::io
