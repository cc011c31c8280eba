// Reads the numbers, texts and boxes of a capture's chunk from untrusted bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/aabb.hpp"

namespace lab::io {

/// bv_capture.h cuts longer texts to these sizes.
inline constexpr std::size_t kCaptureNameBytes = 255;  ///< Also for the engine and the title.
inline constexpr std::size_t kCaptureMarkBytes = 4000;

/// What is wrong, and at which byte of the file.
struct CaptureProblem {
    std::uint64_t byte = 0;
    std::string what;
};

/// A pass over the body of a chunk. After the first problem everything reads as zero.
class CaptureBytes {
  public:
    /// `byte` is the place of the body in the file.
    CaptureBytes(std::span<const std::uint8_t> body, std::uint64_t byte) : body_(body), byte_(byte) {}

    [[nodiscard]] bool good() const { return !problem_; }
    [[nodiscard]] const std::optional<CaptureProblem>& problem() const { return problem_; }
    [[nodiscard]] bool at_end() const { return !good() || at_ == body_.size(); }
    [[nodiscard]] std::size_t left() const { return good() ? body_.size() - at_ : 0; }
    [[nodiscard]] std::uint64_t byte() const { return byte_ + at_; }
    /// Reports a problem at `byte`.
    void refuse(std::uint64_t byte, std::string what) {
        if (!problem_) problem_ = CaptureProblem{byte, std::move(what)};
    }

    std::uint8_t u8() { return has(1) ? body_[at_++] : std::uint8_t{0}; }
    std::uint32_t u32() {
        if (!has(4)) return 0;
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i)
            value |= static_cast<std::uint32_t>(body_[at_ + i]) << (8 * i);
        at_ += 4;
        return value;
    }
    float f32() {
        const std::uint32_t bits = u32();
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    double f64() {
        const std::uint64_t low = u32(), bits = low | static_cast<std::uint64_t>(u32()) << 32;
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    std::uint64_t var() {
        const std::uint64_t start = byte();
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t b = u8();
            if (shift == 63 && b > 1) break;
            value |= static_cast<std::uint64_t>(b & 127u) << shift;
            if (b < 128) return value;
        }
        refuse(start, "a number has more than 64 bits");
        return 0;
    }
    /// A number of at most `limit`; `what` names it.
    std::uint64_t var(std::uint64_t limit, const char* what) {
        const std::uint64_t start = byte(), value = var();
        if (value <= limit) return value;
        refuse(start, std::string(what) + " is " + std::to_string(value) + ", at most " +
                          std::to_string(limit) + " is possible here");
        return 0;
    }
    std::uint64_t delta(std::uint64_t before) {
        const std::uint64_t v = var();
        return before + ((v >> 1) ^ (0 - (v & 1)));
    }
    glm::vec3 vec3() {
        glm::vec3 v;
        for (int k = 0; k < 3; ++k)
            v[k] = f32();
        return v;
    }
    bv::Aabb box() {
        const glm::vec3 low = vec3();
        return {low, vec3()};
    }
    std::string text(std::size_t limit) {
        const auto bytes = static_cast<std::size_t>(var(limit, "the length of a text"));
        if (!has(bytes)) return {};
        std::string text(reinterpret_cast<const char*>(body_.data()) + at_, bytes);
        at_ += bytes;
        return text;
    }
    /// A list of ids, each of which takes a byte at least.
    std::vector<std::uint64_t> ids() {
        const std::uint64_t start = byte(), count = var();
        if (count > left()) {
            refuse(start, "a list of " + std::to_string(count) + " ids does not fit into its chunk");
            return {};
        }
        std::vector<std::uint64_t> ids;
        ids.reserve(static_cast<std::size_t>(count));
        std::uint64_t before = 0;
        for (std::uint64_t i = 0; i < count && good(); ++i)
            ids.push_back(before = delta(before));
        return ids;
    }

  private:
    bool has(std::size_t bytes) {
        if (good() && body_.size() - at_ < bytes) refuse(byte(), "the chunk ends in the middle of a record");
        return good();
    }

    std::span<const std::uint8_t> body_;
    std::uint64_t byte_;
    std::size_t at_ = 0;
    std::optional<CaptureProblem> problem_;
};

}  // namespace lab::io
