#include "io/json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

#include "io/text/printable.hpp"
#include "io/text/utf16.hpp"

namespace lab::io {
namespace {

const nlohmann::json kNothing;

std::string kind_of(const nlohmann::json& value) {
    if (value.is_null()) return "nothing";
    if (value.is_string())
        return "the text \"" + printable(value.get_ref<const std::string&>(), LineEnds::Escape, 40) + "\"";
    if (value.is_number() || value.is_boolean()) return value.dump();
    return value.is_array() ? "a list" : "an object";
}

/// `line 3, column 7` of a byte of the text.
std::string place_of(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    std::size_t lines = 0, start = 0;
    for (std::size_t at = before.find_first_of("\r\n"); at != before.npos;
         at = before.find_first_of("\r\n", start)) {
        start = at + (before.substr(at, 2) == "\r\n" ? 2 : 1);
        ++lines;
    }
    const std::size_t column = before.size() - start;
    return "line " + std::to_string(1 + lines) + ", column " +
           std::to_string(std::max<std::size_t>(column, 1));
}

/// An input iterator that reports its position to the parser's observer.
class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, const char** farthest) : at_(at), farthest_(farthest) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        *farthest_ = ++at_;
        return *this;
    }
    CountingIterator operator++(int) {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at_ != b.at_; }

  private:
    const char* at_;
    const char** farthest_;
};

/// Builds the document from the parser's events and stops parsing at the first violation of a limit.
class Builder {
  public:
    using Json = nlohmann::json;

    explicit Builder(const JsonLimits& limits) : limits_(limits) {}

    Json document;
    std::string problem;  ///< Why parsing ended.
    std::optional<std::size_t>
        place;  ///< Position reported by the parser, if more exact than the iterator's.

    bool null() { return add(nullptr, 0); }
    bool boolean(bool value) { return add(value, 0); }
    /// The parser calls this for numbers with a minus sign: a 0 is `-0`, which no integer can hold.
    bool number_integer(Json::number_integer_t value) { return value == 0 ? add(-0.0, 0) : add(value, 0); }
    bool number_unsigned(Json::number_unsigned_t value) { return add(value, 0); }
    bool number_float(Json::number_float_t value, const std::string& /*word*/) { return add(value, 0); }
    bool string(std::string& value) {
        if (value.size() > limits_.text_bytes)
            return refuse("has a text of " + std::to_string(value.size()) + " bytes; at most " +
                          std::to_string(limits_.text_bytes) + " are read");
        const std::size_t bytes = kTextBytes + value.size();
        return add(std::move(value), bytes);
    }
    bool binary(Json::binary_t& /*value*/) { return refuse("has binary data"); }
    bool start_object(std::size_t /*count*/) { return open(Json::object()); }
    bool start_array(std::size_t /*count*/) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        if (name.size() > limits_.name_bytes)
            return refuse("has a name of " + std::to_string(name.size()) + " bytes; at most " +
                          std::to_string(limits_.name_bytes) + " are read");
        if (!spend(kMemberBytes + name.size())) return false;
        const auto [at, is_new] = open_.back()->get_ref<Json::object_t&>().emplace(name, nullptr);
        if (!is_new)
            return refuse("has the name \"" + printable(name, LineEnds::Escape, 40) +
                          "\" twice in one object; keep one of the two");
        member_ = &at->second;
        return true;
    }
    bool parse_error(std::size_t byte, const std::string& /*token*/, const Json::exception& error) {
        place = byte;
        constexpr int kNumberOverflow = 406;
        return refuse(error.id == kNumberOverflow ? "has a number that is too large" : "is not valid JSON");
    }

  private:
    static constexpr std::size_t kValueBytes = sizeof(Json), kTextBytes = sizeof(std::string) + 16,
                                 kContainerBytes = 64, kMemberBytes = 96;

    bool refuse(std::string why) {
        if (problem.empty()) problem = std::move(why);
        return false;
    }
    bool spend(std::size_t bytes) {
        memory_ += bytes;
        if (memory_ <= limits_.memory_bytes) return true;
        return refuse("would take more than " + std::to_string(limits_.memory_bytes >> 20) + " MB of memory");
    }
    template <class Value>
    Json* put(Value&& value, std::size_t bytes) {
        if (++values_ > limits_.values) {
            refuse("has more than " + std::to_string(limits_.values) + " values");
            return nullptr;
        }
        // A growing vector holds up to twice its values, and three times while it reallocates.
        if (!spend(2 * kValueBytes + bytes)) return nullptr;
        if (open_.empty()) {
            document = std::forward<Value>(value);
            return &document;
        }
        if (open_.back()->is_object()) {
            *member_ = std::forward<Value>(value);
            return member_;
        }
        auto& list = open_.back()->template get_ref<Json::array_t&>();
        list.emplace_back(std::forward<Value>(value));
        return &list.back();
    }
    template <class Value>
    bool add(Value&& value, std::size_t bytes) {
        return put(std::forward<Value>(value), bytes) != nullptr;
    }
    bool open(Json container) {
        if (open_.size() >= static_cast<std::size_t>(limits_.levels))
            return refuse("is nested more than " + std::to_string(limits_.levels) + " levels deep");
        Json* const opened = put(std::move(container), kContainerBytes);
        // Pointers to open containers stay valid: only the innermost one grows.
        if (opened) open_.push_back(opened);
        return opened != nullptr;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    const JsonLimits& limits_;
    std::vector<Json*> open_;
    Json* member_ = nullptr;
    std::size_t values_ = 0, memory_ = 0;
};

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const std::string& path, const JsonLimits& limits) {
    if (is_utf16(text)) return FileError{path, "", kIsUtf16, kSaveAsUtf8};
    // The parser treats a NUL byte as the end of the text.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
        return FileError{path, place_of(text, nul + 1), "is not valid JSON: it has a NUL byte", ""};
    const char* farthest = text.data();
    Builder builder(limits);
    const bool parsed =
        nlohmann::json::sax_parse(CountingIterator(text.data(), &farthest),
                                  CountingIterator(text.data() + text.size(), &farthest), &builder);
    if (parsed) return std::move(builder.document);
    const auto read = static_cast<std::size_t>(farthest - text.data());
    return FileError{path, place_of(text, builder.place.value_or(read)), std::move(builder.problem), ""};
}

bool is_cut_off(std::string_view text) {
    const JsonLimits limits;
    Builder builder(limits);
    // The parser counts the end of the text as one more byte.
    return !nlohmann::json::sax_parse(text.begin(), text.end(), &builder) &&
           builder.place.value_or(0) > text.size();
}

void JsonReader::refuse(std::string_view what) const {
    if (!*problem_) *problem_ = where_ + " " + std::string(what);
}

void JsonReader::expect_only(std::initializer_list<std::string_view> names) const {
    if (!value_->is_object()) return refuse("should be an object, not " + kind_of(*value_));
    for (const auto& [name, value] : value_->items())
        if (std::find(names.begin(), names.end(), name) == names.end())
            return refuse("has a value \"" + printable(name, LineEnds::Escape, 40) +
                          "\", which is not allowed here");
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

std::vector<JsonReader> JsonReader::items(std::size_t limit) const {
    std::vector<JsonReader> items;
    if (!value_->is_array()) {
        refuse("should be a list, not " + kind_of(*value_));
        return items;
    }
    if (value_->size() > limit) {
        refuse("has " + std::to_string(value_->size()) + " items; at most " + std::to_string(limit) +
               " are read");
        return items;
    }
    items.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i)
        items.emplace_back((*value_)[i], where_ + "[" + std::to_string(i) + "]", *problem_);
    return items;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members(std::size_t limit) const {
    std::vector<std::pair<std::string, JsonReader>> members;
    if (!value_->is_object()) {
        refuse("should be an object, not " + kind_of(*value_));
        return members;
    }
    if (value_->size() > limit) {
        refuse("has " + std::to_string(value_->size()) + " names; at most " + std::to_string(limit) +
               " are read");
        return members;
    }
    for (const auto& [name, value] : value_->items())
        members.emplace_back(name, JsonReader(value, where_ + "." + name, *problem_));
    return members;
}

std::string JsonReader::text(std::size_t max_bytes) const {
    if (!value_->is_string()) {
        refuse("should be a text, not " + kind_of(*value_));
        return {};
    }
    const auto& text = value_->get_ref<const std::string&>();
    if (text.size() <= max_bytes) return text;
    refuse("has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(max_bytes) +
           " are read");
    return {};
}

std::string JsonReader::name(std::size_t max_bytes) const {
    std::string name = text(max_bytes);
    if (is_plain_text(name)) return name;
    refuse("should be a name without control characters, not " + kind_of(*value_));
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

float JsonReader::real(double min, double max) const {
    // A float at a limit may lie beyond it by the rounding of its digits, or of the limit's own.
    const auto as_float = [](double limit) {
        constexpr double kMax = std::numeric_limits<float>::max();
        return static_cast<double>(static_cast<float>(std::clamp(limit, -kMax, kMax)));
    };
    return static_cast<float>(number(std::min(min, as_float(min)), std::max(max, as_float(max))));
}

std::uint64_t JsonReader::whole(std::uint64_t max) const {
    if (value_->is_number_unsigned() && value_->get<std::uint64_t>() <= max)
        return value_->get<std::uint64_t>();
    const std::string range =
        max == std::numeric_limits<std::uint64_t>::max() ? "" : " to " + std::to_string(max);
    refuse("should be a whole number from 0" + range + ", not " + kind_of(*value_));
    return 0;
}

std::vector<double> JsonReader::numbers(std::size_t count, double max) const {
    std::vector<double> values;
    if (value_->is_array() && value_->size() == count)
        for (const JsonReader& item : items(count))
            values.push_back(item.number(-max, max));
    else
        refuse("should be a list of " + std::to_string(count) + " numbers");
    values.resize(count);
    return values;
}

glm::vec2 JsonReader::vec2() const {
    const std::vector<double> n = numbers(2, 1e9);
    return {static_cast<float>(n[0]), static_cast<float>(n[1])};
}

glm::vec3 JsonReader::vec3(double max) const {
    const std::vector<double> n = numbers(3, max);
    return {static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2])};
}

}  // namespace lab::io
