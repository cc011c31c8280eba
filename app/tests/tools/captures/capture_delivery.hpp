// Captures as they arrive from an engine: in portions of any size, indexed in between. What a reader knows in
// the end must be what it would know of the whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "damage.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_spool.hpp"

namespace lab::test {

/// Everything that a reader says of a capture.
inline std::string all_of(io::CaptureFile& file) {
    std::string text = file.head().engine + "\n";
    for (const io::CaptureFrameEntry& e : file.frames())
        text += std::to_string(e.number) + " " + std::to_string(e.byte) + " " + std::to_string(e.bytes) +
                " " + std::to_string(e.has_state) + std::to_string(e.is_complete) + " " +
                std::to_string(e.counts.moved) + "\n";
    for (const std::string& note : file.notes())
        text += note + "\n";
    for (std::size_t i = 0; i < file.frames().size(); ++i) {
        const auto frame = file.frame(i);
        text += frame
                    ? std::to_string(frame->proxies.size()) + " " + std::to_string(frame->trees.size()) + "\n"
                    : frame.error().text() + "\n";
    }
    return text;
}

inline std::string all_of(const std::string& bytes) {
    auto file = io::CaptureFile::from_bytes({bytes.begin(), bytes.end()}, "x");
    return file ? all_of(*file) : file.error().text();
}

/// What a file would say: a stream is cut off in its own words.
inline std::string as_of_file(std::string text) {
    if (const auto at = text.find("the stream is cut off"); at != text.npos)
        text.replace(at, 21, "the file is cut off");
    return text;
}

/// The same after the bytes have arrived in portions; if frames disappear on the way, a text that says so.
inline std::string all_of_delivered(const std::string& bytes, Random& random) {
    auto spool = io::CaptureSpool::make(std::uint64_t{1} << 30);
    if (!spool) return spool.error().text();
    auto file = io::CaptureFile::from_source(*spool, "x");
    if (!file) return file.error().text();
    std::size_t at = 0, frames = 0;
    while (file->is_growing()) {
        const std::uint32_t limit = random.chance(0.3f) ? 5 : 2000;
        const std::size_t part = std::min<std::size_t>(bytes.size() - at, 1 + random.below(limit));
        (*spool)->append(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, part));
        at += part;
        if (at == bytes.size()) (*spool)->end();
        const auto grown = file->grow(1 + random.below(6));
        if (!grown) return as_of_file(grown.error().text());
        const std::size_t now = file->frames().size();
        if (now < frames) return "frames have gone";
        // What is listed can be read at once.
        if (now > frames && random.chance(0.3f))
            (void)file->frame(random.below(static_cast<std::uint32_t>(now)));
        frames = now;
    }
    return as_of_file(all_of(*file));
}

}  // namespace lab::test
