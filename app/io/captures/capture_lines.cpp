#include "io/captures/capture_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "bv/capture/bv_capture.h"
#include "io/captures/capture_bytes.hpp"
#include "io/json_reader.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/text/utf16.hpp"

namespace lab::io {
namespace {

constexpr std::size_t kLineBytes = std::size_t{64} << 20;  // A line may hold a whole tree.
constexpr std::uint64_t kAnyId = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kAnyCount = 4'000'000;
constexpr const char* kLinesAdvice = "See the last section of bv/capture/FORMAT.md";

template <std::size_t N>
struct Floats {
    std::array<float, N> v{};
    [[nodiscard]] bv_capture_bounds box() const { return bv_capture_box(v.data(), v.data() + 3); }
};

class Converter {
  public:
    Converter() : capture_(nullptr, &bv_capture_close) {}

    /// What is wrong with the line, or nothing.
    std::optional<std::string> line(const nlohmann::json& json) {
        const std::string whole = "the file";  // As JsonReader calls its whole value.
        const JsonReader in(json, whole, problem_);
        if (!json.is_object()) return "is not an object";
        std::optional<std::string> wrong = record(in, json);
        if (problem_) return problem_->starts_with(whole) ? problem_->substr(whole.size() + 1) : *problem_;
        if (!wrong) drain();
        return wrong;
    }

    std::vector<std::uint8_t> finished() {
        bv_capture_finish(capture());
        drain();
        return std::move(bytes_);
    }

  private:
    bv_capture* capture() {
        if (!capture_) begin(nullptr, nullptr, 3);
        return capture_.get();
    }
    void begin(const char* engine, const char* title, std::uint32_t dimensions) {
        const bv_capture_config config{engine, title, dimensions, 0.0f, std::size_t{512} << 20};
        capture_.reset(bv_capture_to_memory(&config, nullptr));
    }
    void drain() {
        std::array<std::uint8_t, 65536> part;
        while (const std::size_t got = bv_capture_take(capture_.get(), part.data(), part.size()))
            bytes_.insert(bytes_.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
    }

    /// A list of numbers; null stands for NaN.
    template <std::size_t N>
    Floats<N> floats(const JsonReader& in, const nlohmann::json& json, const char* name) {
        Floats<N> out;
        const auto at = json.find(name);
        if (at == json.end() || !at->is_array() || at->size() != N) {
            in.refuse(fmt::format("should have `{}`, a list of {} numbers", name, N));
            return out;
        }
        for (std::size_t i = 0; i < N; ++i) {
            const nlohmann::json& value = (*at)[i];
            if (!value.is_number() && !value.is_null())
                in.refuse(fmt::format("has a `{}` whose value {} is not a number", name, i + 1));
            else
                out.v[i] = value.is_null() ? std::nanf("") : static_cast<float>(value.get<double>());
        }
        return out;
    }
    /// A number that must be there; null stands for NaN.
    static double real(const JsonReader& in, const nlohmann::json& json, const char* name) {
        const auto at = json.find(name);
        if (at != json.end() && at->is_null()) return std::nan("");
        return in.at(name).number(-1e300, 1e300);
    }
    static std::vector<std::uint64_t> ids(const JsonReader& in, std::string_view name) {
        std::vector<std::uint64_t> out;
        if (!in.has(name)) return out;
        for (const JsonReader& item : in.at(name).items(kAnyCount))
            out.push_back(item.whole(kAnyId));
        return out;
    }
    static std::uint32_t count(const JsonReader& in, std::string_view name) {
        return in.has(name) ? in.at(name).whole32(0xffffffffu) : 0;
    }

    static std::optional<std::string> said(bv_capture_status status, std::string_view what) {
        switch (status) {
            case BV_CAPTURE_OK:
                return std::nullopt;
            case BV_CAPTURE_UNKNOWN_ID:
                return fmt::format("{} does not exist", what);
            case BV_CAPTURE_DUPLICATE_ID:
                return fmt::format("{} exists already", what);
            case BV_CAPTURE_WRONG_ORDER:
                return fmt::format("{} comes before the first frame", what);
            case BV_CAPTURE_NO_MEMORY:
                return "needs more memory than there is";
            default:
                return fmt::format("{} is too large", what);
        }
    }

    std::optional<std::string> record(const JsonReader& in, const nlohmann::json& json) {
        if (in.has("capture")) return head(in);
        if (!capture()) return "needs more memory than there is";
        if (in.has("frame")) {
            in.expect_only({"frame", "time"});
            const std::uint64_t number = in.at("frame").whole(kAnyId);
            const double time = json.contains("time") ? real(in, json, "time") : 0.0;
            if (problem_) return std::nullopt;
            if (last_frame_ && number <= *last_frame_)
                return fmt::format("frame {} comes after frame {}: numbers of frames must rise", number,
                                   *last_frame_);
            last_frame_ = number;
            return said(bv_capture_frame_numbered(capture(), number, time), "the frame");
        }
        if (in.has("create") || in.has("move")) return proxy(in, json, in.has("create") ? "create" : "move");
        if (in.has("remove")) {
            in.expect_only({"remove"});
            const std::uint64_t id = in.at("remove").whole(kAnyId);
            return problem_ ? std::nullopt
                            : said(bv_capture_remove(capture(), id), fmt::format("proxy {}", id));
        }
        if (in.has("name")) {
            in.expect_only({"name", "as"});
            const std::uint64_t id = in.at("name").whole(kAnyId);
            const std::string name = in.at("as").name(kCaptureNameBytes);
            if (problem_) return std::nullopt;
            return said(bv_capture_name(capture(), id, name.c_str()), fmt::format("proxy {}", id));
        }
        if (in.has("query")) return query(in, json);  // before trees: a result names its tree
        if (in.has("tree")) return tree(in, json);
        if (in.has("mark")) {
            in.expect_only({"mark"});
            const std::string text = in.at("mark").text(kCaptureMarkBytes);
            if (!problem_ && text.find('\0') != std::string::npos) return "has a mark with a zero character";
            return problem_ ? std::nullopt : said(bv_capture_mark(capture(), text.c_str()), "the mark");
        }
        return "must be one of capture, frame, create, move, remove, name, tree, query and mark";
    }

    std::optional<std::string> head(const JsonReader& in) {
        in.expect_only({"capture", "engine", "title", "dimensions"});
        const std::uint64_t version = in.at("capture").whole(1'000'000);
        const std::string engine = in.has("engine") ? in.at("engine").name(kCaptureNameBytes) : "";
        const std::string title = in.has("title") ? in.at("title").name(kCaptureNameBytes) : "";
        const std::uint64_t dimensions = in.has("dimensions") ? in.at("dimensions").whole(kAnyId) : 3;
        if (problem_) return std::nullopt;
        if (dimensions != 2 && dimensions != 3)
            return fmt::format("has {} `dimensions`; there are 2 or 3", dimensions);
        if (version != 1) return fmt::format("has version {}; this program reads version 1", version);
        if (capture_) return "should be the first line";
        begin(engine.c_str(), title.c_str(), static_cast<std::uint32_t>(dimensions));
        return std::nullopt;
    }

    std::optional<std::string> proxy(const JsonReader& in, const nlohmann::json& json, const char* verb) {
        const bool is_new = std::string_view(verb) == "create";
        if (is_new)
            in.expect_only({"create", "tight", "fat", "tag", "name"});
        else
            in.expect_only({"move", "tight", "fat"});
        const std::uint64_t id = in.at(verb).whole(kAnyId);
        const auto tight = floats<6>(in, json, "tight");
        const auto fat = in.has("fat") ? floats<6>(in, json, "fat") : tight;
        const std::uint32_t tag = count(in, "tag");
        const std::string name = in.has("name") ? in.at("name").name(kCaptureNameBytes) : "";
        if (problem_) return std::nullopt;
        return said(is_new ? bv_capture_create(capture(), id, tight.box(), fat.box(), tag, name.c_str())
                           : bv_capture_move(capture(), id, tight.box(), fat.box()),
                    fmt::format("proxy {}", id));
    }

    std::optional<std::string> tree(const JsonReader& in, const nlohmann::json& json) {
        in.expect_only({"tree", "root", "nodes", "incomplete"});
        const std::string name = in.at("tree").name(kCaptureNameBytes);
        const std::uint64_t root = in.at("root").whole(kAnyId);
        const bool incomplete = in.has("incomplete") && in.at("incomplete").flag();
        const std::vector<JsonReader> nodes = in.at("nodes").items(kAnyCount);
        if (problem_) return std::nullopt;
        if (auto wrong = said(bv_capture_tree_begin(capture(), name.c_str(), root), "the tree")) return wrong;
        for (std::size_t i = 0; i < nodes.size() && !problem_; ++i) {
            const JsonReader& node = nodes[i];
            node.expect_only({"id", "box", "children", "payloads"});
            if (problem_) break;
            const std::uint64_t id = node.at("id").whole(kAnyId);
            const auto box = floats<6>(node, json["nodes"][i], "box");
            const auto children = ids(node, "children"), payloads = ids(node, "payloads");
            if (problem_) break;
            const bv_capture_status status = bv_capture_node(
                capture(), id, box.box(), children.data(), children.size(), payloads.data(), payloads.size());
            if (auto wrong = said(status, fmt::format("node {}", id))) return wrong;
        }
        return said(incomplete ? bv_capture_tree_end_incomplete(capture()) : bv_capture_tree_end(capture()),
                    "the tree");
    }

    std::optional<std::string> query(const JsonReader& in, const nlohmann::json& json) {
        in.expect_only({"query", "box", "origin", "direction", "t_max", "displacement", "tree",
                        "nodes_visited", "boxes_tested", "found", "visited"});
        const std::string kind = in.at("query").name();
        const auto found = ids(in, "found"), visited = ids(in, "visited");
        const bv_capture_result result{count(in, "tree"),
                                       count(in, "nodes_visited"),
                                       count(in, "boxes_tested"),
                                       found.data(),
                                       found.size(),
                                       visited.data(),
                                       visited.size()};
        if (kind == "ray") {
            const auto origin = floats<3>(in, json, "origin"), direction = floats<3>(in, json, "direction");
            const double t_max = real(in, json, "t_max");
            if (problem_) return std::nullopt;
            return said(bv_capture_query_ray(capture(), origin.v.data(), direction.v.data(),
                                             static_cast<float>(t_max), &result),
                        "the query");
        }
        if (!problem_ && kind != "box" && kind != "cast") return "`query` should be box, ray or cast";
        const auto box = floats<6>(in, json, "box");
        if (kind == "box")
            return problem_ ? std::nullopt
                            : said(bv_capture_query_box(capture(), box.box(), &result), "the query");
        const auto displacement = floats<3>(in, json, "displacement");
        if (problem_) return std::nullopt;
        return said(bv_capture_query_cast(capture(), box.box(), displacement.v.data(), &result), "the query");
    }

    std::unique_ptr<bv_capture, decltype(&bv_capture_close)> capture_;
    std::vector<std::uint8_t> bytes_;
    std::optional<std::string> problem_;
    std::optional<std::uint64_t> last_frame_;  // its number
};

}  // namespace

Result<CaptureLines> capture_from_lines(std::string_view text, const std::string& path) {
    if (is_utf16(text)) return FileError{path, "", kIsUtf16, kSaveAsUtf8};
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    Converter converter;
    const char* const text_end = text.data() + text.size();
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto refused = [&](std::string what) {
            return FileError{path, fmt::format("line {}", number), std::move(what), kLinesAdvice};
        };
        const std::string_view line = take_line(text);
        const bool is_last = line.data() + line.size() == text_end;  // and without a line end
        if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
        if (line.size() > kLineBytes)
            return refused(fmt::format("has {} bytes; at most {} are read", line.size(), kLineBytes));
        const Result<nlohmann::json> json = parse_json(line, path);
        if (!json && is_last && number > 1 && line.starts_with('{') && is_cut_off(line))
            return CaptureLines{converter.finished(),
                                fmt::format("line {}, the last, is cut off and left out", number)};
        if (!json) return refused(json.error().what + " (" + json.error().where + " of it)");
        if (const auto wrong = converter.line(*json)) return refused(*wrong);
    }
    return CaptureLines{converter.finished(), ""};
}

}  // namespace lab::io
