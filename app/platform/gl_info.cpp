#include "platform/gl_info.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace lab::platform {

namespace {

constexpr unsigned kGlVendor = 0x1F00, kGlRenderer = 0x1F01, kGlVersion = 0x1F02;
using GetString = const unsigned char* (*)(unsigned);

std::string text_of(GetString get, unsigned name) {
    const unsigned char* text = get(name);
    return text ? reinterpret_cast<const char*>(text) : "";
}

}  // namespace

bool is_software_renderer(std::string_view gl_renderer) {
    std::string lower(gl_renderer);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "software rasterizer", "swr", "lavapipe",
                             "swiftshader", "apple software", "gdi generic", "microsoft basic render"})
        if (lower.find(name) != std::string::npos) return true;
    return false;
}

GlInfo query_gl_info(GlLoader loader) {
    GlInfo info;
    const auto get = reinterpret_cast<GetString>(loader ? loader("glGetString") : nullptr);
    if (!get) return info;
    info.vendor = text_of(get, kGlVendor);
    info.renderer = text_of(get, kGlRenderer);
    info.version = text_of(get, kGlVersion);
    const std::size_t digit =
        info.version.find_first_of("0123456789");  // "OpenGL ES 3.2 ..." has words before
    if (digit != std::string::npos)
        std::sscanf(info.version.c_str() + digit, "%d.%d", &info.major, &info.minor);
    info.software = is_software_renderer(info.renderer);
    return info;
}

OpenError too_old_error(const GlInfo& found) {
    OpenError error;
    error.kind = OpenError::Kind::OpenGlTooOld;
    error.message = "OpenGL 3.3 is required, but this computer offers only " +
                    (found.version.empty() ? std::string("an older version") : found.version);
    if (!found.renderer.empty()) error.message += " (renderer: " + found.renderer + ")";
    error.message += '.';
    error.hint = "Update the graphics driver, or draw on the CPU: LIBGL_ALWAYS_SOFTWARE=1 bvlab.";
    return error;
}

}  // namespace lab::platform
