#include "io/sessions/settings_file.hpp"

#include "io/atomic_file.hpp"
#include "io/json_reader.hpp"

namespace lab::io {
namespace {

constexpr const char* kSettingsAdvice = "The defaults are used instead";

}  // namespace

Result<SettingsMap> parse_settings(std::string_view text, const std::string& path) {
    JsonLimits limits;
    limits.levels = 2;  // names and values; deeper nesting is refused by name below
    limits.values = limits::kSettings + 1;
    Result<nlohmann::json> json = parse_json(text, path, limits);
    if (!json) {
        FileError error = json.error();
        error.advice = kSettingsAdvice;
        return error;
    }
    if (!json->is_object())
        return FileError{path, "", "is not a JSON object of names and values", kSettingsAdvice};
    SettingsMap values;
    for (const auto& [name, value] : json->items()) {
        if (value.is_string()) {
            values[name] = value.get<std::string>();
        } else if (value.is_number() || value.is_boolean()) {
            values[name] = value.dump();
        } else {
            return FileError{path, "",
                             "the value of \"" + name + "\" is neither text nor a number nor true or false",
                             kSettingsAdvice};
        }
    }
    return values;
}

SettingsRead read_settings_file(const std::filesystem::path& path) {
    SettingsRead read;
    std::error_code code;
    // Any existing entry counts, even a dangling link.
    if (std::filesystem::symlink_status(path, code).type() == std::filesystem::file_type::not_found)
        return read;
    const auto parsed = [&]() -> Result<SettingsMap> {
        const Result<std::string> bytes = read_whole_file(path, limits::kPreferenceBytes);
        return bytes ? parse_settings(*bytes, path.string()) : bytes.error();
    };
    if (Result<SettingsMap> values = parsed(); values) {
        read.values = std::move(*values);
    } else {
        read.problem = values.error();
        read.kept_as = set_aside(path);
        read.problem->advice = kSettingsAdvice;
        read.problem->advice += read.kept_as.empty() ? ", and the file cannot be renamed: remove it by hand"
                                                     : "; what was there is kept as " + read.kept_as.string();
    }
    return read;
}

std::optional<FileError> write_settings_file(const std::filesystem::path& path, const SettingsMap& values) {
    std::error_code code;
    std::filesystem::create_directories(path.parent_path(), code);  // writing reports what is wrong
    const nlohmann::json json(values);
    const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (values.size() > limits::kSettings || text.size() > limits::kPreferenceBytes)
        return FileError{path.string(), "",
                         "would have " + std::to_string(values.size()) + " values in " +
                             std::to_string(text.size()) + " bytes; at most " +
                             std::to_string(limits::kSettings) + " in " +
                             std::to_string(limits::kPreferenceBytes) + " are read",
                         "Remove names from it that you do not need"};
    return write_file_atomically(path, text);
}

}  // namespace lab::io
