#include "io/settings_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"

namespace lab::io {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr const char* kAdvice = "The defaults are used instead";

std::string line_of(std::string_view text, std::size_t byte) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
    return "line " + std::to_string(1 + std::count(text.begin(), end, '\n'));
}

}  // namespace

Result<SettingsMap> parse_settings(std::string_view text, const std::string& path) {
    nlohmann::json json;
    // Deep nesting would exhaust the stack of a recursive parser or destructor; preferences have one level.
    int depth = 0;
    bool too_deep = false;
    const auto watch_depth = [&](int level, nlohmann::json::parse_event_t, nlohmann::json&) {
        depth = std::max(depth, level);
        too_deep = too_deep || level > 8;
        return !too_deep;
    };
    try {
        json = nlohmann::json::parse(text, watch_depth);
    } catch (const nlohmann::json::parse_error& error) {
        return FileError{path, line_of(text, error.byte), "is not valid JSON", kAdvice};
    }
    if (too_deep || !json.is_object())
        return FileError{path, "", "is not a JSON object of names and values", kAdvice};
    SettingsMap values;
    for (const auto& [name, value] : json.items()) {
        if (value.is_string()) {
            values[name] = value.get<std::string>();
        } else if (value.is_number() || value.is_boolean()) {
            values[name] = value.dump();
        } else {
            return FileError{path, "",
                             "the value of \"" + name + "\" is neither text nor a number nor true or false",
                             kAdvice};
        }
    }
    return values;
}

SettingsRead read_settings_file(const std::filesystem::path& path) {
    SettingsRead read;
    std::error_code code;
    if (!std::filesystem::exists(path, code)) return read;
    const Result<std::string> bytes = read_whole_file(path, kLargestFile);
    if (!bytes) {
        read.problem = bytes.error();
        return read;
    }
    Result<SettingsMap> values = parse_settings(*bytes, path.string());
    if (values) {
        read.values = std::move(*values);
        return read;
    }
    read.problem = values.error();
    read.kept_as = set_aside(path);
    if (!read.kept_as.empty()) read.problem->advice += "; the old file is kept as " + read.kept_as.string();
    return read;
}

std::optional<FileError> write_settings_file(const std::filesystem::path& path, const SettingsMap& values) {
    const nlohmann::json json(values);
    return write_file_atomically(path,
                                 json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace lab::io
