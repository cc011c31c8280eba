#include "session/commands/command_args.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "io/text/typed_number.hpp"

namespace lab {

void ArgReader::refuse(std::string why) {
    if (!problem_) problem_ = std::move(why);
}

std::string_view ArgReader::word(std::string_view what) {
    if (!more()) {
        refuse(fmt::format("{} is missing", what));
        return {};
    }
    return args_[next_++];
}

double ArgReader::number(std::string_view what, double min, double max) {
    const std::string_view text = word(what);
    if (problem_) return 0;
    const auto value = io::typed_number<double>(text);
    if (!value || !(*value >= min && *value <= max) || !std::isfinite(*value)) {
        refuse(fmt::format("{} is a number from {} to {}, not '{}'", what, min, max, text));
        return 0;
    }
    return *value;
}

long long ArgReader::integer(std::string_view what, long long min, long long max) {
    const std::string_view text = word(what);
    if (problem_) return 0;
    const auto value = io::typed_number<long long>(text);
    if (!value || *value < min || *value > max) {
        refuse(fmt::format("{} is a whole number from {} to {}, not '{}'", what, min, max, text));
        return 0;
    }
    return *value;
}

glm::vec2 ArgReader::vec2(std::string_view what) {
    const auto x = static_cast<float>(number(what));
    const auto y = static_cast<float>(number(what));
    return {x, y};
}

glm::vec3 ArgReader::vec3(std::string_view what) {
    const auto x = static_cast<float>(number(what));
    const auto y = static_cast<float>(number(what));
    const auto z = static_cast<float>(number(what));
    return {x, y, z};
}

}  // namespace lab
