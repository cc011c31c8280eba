#include "io/json_reader.hpp"

#include <algorithm>
#include <cmath>

namespace lab::io {
namespace {

const nlohmann::json kNothing;

std::string kind_of(const nlohmann::json& value) {
    if (value.is_null()) return "nothing";
    if (value.is_string()) return "the text \"" + value.get<std::string>().substr(0, 40) + "\"";
    if (value.is_number() || value.is_boolean()) return value.dump();
    return value.is_array() ? "a list" : "an object";
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const std::string& path, int most_levels) {
    bool too_deep = false;
    const auto watch_depth = [&](int level, nlohmann::json::parse_event_t, nlohmann::json&) {
        too_deep = too_deep || level > most_levels;
        return !too_deep;
    };
    try {
        nlohmann::json json = nlohmann::json::parse(text, watch_depth);
        if (too_deep) return FileError{path, "", "is nested too deep", ""};
        return json;
    } catch (const nlohmann::json::exception& error) {
        const auto* parse = dynamic_cast<const nlohmann::json::parse_error*>(&error);
        const std::size_t byte = parse ? std::min(parse->byte, text.size()) : 0;
        const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
        return FileError{path, "line " + std::to_string(1 + lines), "is not valid JSON", ""};
    }
}

void JsonReader::refuse(std::string_view what) const {
    if (!*problem_) *problem_ = where_ + " " + std::string(what);
}

void JsonReader::expect_only(std::initializer_list<std::string_view> names) const {
    if (!value_->is_object()) return refuse("should be an object, not " + kind_of(*value_));
    for (const auto& [name, value] : value_->items())
        if (std::find(names.begin(), names.end(), name) == names.end())
            return refuse("has a value \"" + name.substr(0, 40) + "\" that means nothing here");
}

bool JsonReader::has(std::string_view name) const {
    if (!value_->is_object()) return false;
    const auto at = value_->find(std::string(name));
    return at != value_->end() && !at->is_null();
}

JsonReader JsonReader::at(std::string_view name) const {
    const std::string where = (where_ == "the file" ? "" : where_ + ".") + std::string(name);
    if (has(name)) return {(*value_)[std::string(name)], where, *problem_};
    if (!*problem_) *problem_ = where + " is missing";
    return {kNothing, where, *problem_};
}

std::vector<JsonReader> JsonReader::items() const {
    std::vector<JsonReader> items;
    if (!value_->is_array()) {
        refuse("should be a list, not " + kind_of(*value_));
        return items;
    }
    items.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i)
        items.emplace_back((*value_)[i], where_ + "[" + std::to_string(i) + "]", *problem_);
    return items;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
    std::vector<std::pair<std::string, JsonReader>> members;
    if (!value_->is_object()) {
        refuse("should be an object, not " + kind_of(*value_));
        return members;
    }
    for (const auto& [name, value] : value_->items())
        members.emplace_back(name, JsonReader(value, where_ + "." + name, *problem_));
    return members;
}

std::string JsonReader::text() const {
    if (value_->is_string()) return value_->get<std::string>();
    refuse("should be a text, not " + kind_of(*value_));
    return {};
}

bool JsonReader::flag() const {
    if (value_->is_boolean()) return value_->get<bool>();
    refuse("should be true or false, not " + kind_of(*value_));
    return false;
}

double JsonReader::number(double min, double max) const {
    if (value_->is_number()) {
        const auto number = value_->get<double>();
        if (std::isfinite(number) && number >= min && number <= max) return number;
    }
    refuse("should be a number from " + nlohmann::json(min).dump() + " to " + nlohmann::json(max).dump() +
           ", not " + kind_of(*value_));
    return min > 0.0 ? min : 0.0;
}

std::uint64_t JsonReader::whole(std::uint64_t max) const {
    if (value_->is_number_unsigned() && value_->get<std::uint64_t>() <= max)
        return value_->get<std::uint64_t>();
    refuse("should be a whole number from 0 to " + std::to_string(max) + ", not " + kind_of(*value_));
    return 0;
}

std::vector<double> JsonReader::numbers(std::size_t count) const {
    std::vector<double> values;
    if (value_->is_array() && value_->size() == count)
        for (const JsonReader& item : items())
            values.push_back(item.number());
    else
        refuse("should be a list of " + std::to_string(count) + " numbers");
    values.resize(count);
    return values;
}

glm::vec2 JsonReader::vec2() const {
    const std::vector<double> n = numbers(2);
    return {static_cast<float>(n[0]), static_cast<float>(n[1])};
}

glm::vec3 JsonReader::vec3() const {
    const std::vector<double> n = numbers(3);
    return {static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2])};
}

}  // namespace lab::io
