// Random damage to the bytes of a file, for fuzzers and tests of readers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "workloads/random.hpp"

namespace lab::test {

using bv::workloads::Random;

inline constexpr std::string_view kOddNumbers[] = {"nan",        "inf",
                                                   "-inf",       "1e999",
                                                   "-1e999",     "1e-999",
                                                   "3.4e38",     "1e30",
                                                   "-1",         "0",
                                                   "-0",         "",
                                                   "x",          "0x10",
                                                   "+.5",        "5.",
                                                   "1e3",        "+-1",
                                                   "4294967296", "-2147483648",
                                                   "2147483648", "99999999999999999999"};
inline constexpr std::string_view kOddTexts[] = {
    "\"", "\\",   "\n",   "\x1b[2J", "\xff",  "\xe2\x80\xae", "[",     "{",  "]",         "}",         ",",
    ":",  "null", "true", "do ",     "open ", "frames 3 3\n", "end 5", "..", "self.json", "/dev/zero", " "};
inline constexpr std::uint32_t kOddWords[] = {0u,          1u,          5u,          0xffffffffu,
                                              0x7fffffffu, 0x80000000u, 0x7f800000u, 0x7fc00000u};

/// One piece of damage somewhere in the bytes, half of the time among the first, where counts and offsets
/// are.
inline void damage(std::string& bytes, Random& random) {
    if (bytes.empty()) return;
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const std::size_t at = random.below(random.chance(0.5f) ? std::min(size, 200u) : size);
    switch (random.below(10)) {
        case 0:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
            break;
        case 1:
            bytes[at] = static_cast<char>(random.below(256));
            break;
        case 2:
            bytes.resize(at);
            break;
        case 3:
            bytes.erase(at, 1 + random.below(64));
            break;
        case 4:
            bytes.insert(at, 1 + random.below(16), static_cast<char>(random.below(256)));
            break;
        case 5:
            bytes.insert(at, bytes.substr(random.below(size), 1 + random.below(300)));
            break;
        case 6:
            bytes.insert(at, random.one_of(kOddTexts));
            break;
        case 7: {  // a word of a binary file
            const std::uint32_t word = random.one_of(kOddWords);
            const std::size_t place = random.chance(0.5f) ? at / 4 * 4 : at;
            for (std::size_t i = 0; i < 4 && place + i < bytes.size(); ++i)
                bytes[place + i] = static_cast<char>(word >> (8 * i));
            break;
        }
        case 8: {  // a number of a text
            const std::size_t start = bytes.find_first_of("0123456789", at);
            if (start == std::string::npos) break;
            const std::size_t end = std::min(bytes.find_first_not_of("+-.eE0123456789", start), bytes.size());
            bytes.replace(start, end - start, random.one_of(kOddNumbers));
            break;
        }
        default: {  // a line to another place
            const std::size_t before = bytes.rfind('\n', at);
            const std::size_t start = before == std::string::npos ? 0 : before + 1;
            const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1);
            if (start > end) break;
            const std::string line = bytes.substr(start, end + 1 - start);
            if (random.chance(0.5f)) bytes.erase(start, line.size());
            bytes.insert(std::min<std::size_t>(bytes.size(), random.below(size)), line);
            break;
        }
    }
}

/// The same up to `most` times, at least once.
inline std::string damaged(std::string bytes, Random& random, std::uint32_t max_changes = 3) {
    for (std::uint32_t n = 1 + random.below(max_changes); n > 0; --n)
        damage(bytes, random);
    return bytes;
}

/// What a fuzzer of several kinds of files works on, by the name of its program: `scene` for `fuzz_scene`.
inline std::string fuzzed_kind(std::string_view program) {
    const std::size_t at = program.rfind("fuzz_");
    return at == std::string_view::npos ? std::string() : std::string(program.substr(at + 5));
}

}  // namespace lab::test
