#include "session/files/live_captures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "io/captures/live_port.hpp"
#include "io/limits.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"
#include "session/parts.hpp"

namespace lab {
namespace {

constexpr std::string_view kThisMachine = "127.0.0.1";

struct Where {
    std::string address;
    std::uint16_t port = 0;
};

/// PORT, ADDRESS:PORT or nothing; no value for anything else.
std::optional<Where> parse_where(std::string_view text) {
    Where where{std::string(kThisMachine), LiveCaptures::kPort};
    if (text.empty()) return where;
    if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
        where.address = text.substr(0, colon);
        text.remove_prefix(colon + 1);
    }
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, where.port);
    if (text.empty() || error != std::errc{} || last != end || where.address.empty()) return std::nullopt;
    return where;
}

std::string frames_text(std::size_t count) {
    return io::counted(count, "frame", "frames");
}

}  // namespace

LiveCaptures::LiveCaptures(SessionParts& parts) : parts_(parts) {}
LiveCaptures::~LiveCaptures() = default;

CommandResult LiveCaptures::check(std::string_view where) {
    if (parse_where(where)) return std::nullopt;
    return fmt::format("'{}' is neither PORT nor ADDRESS:PORT, like {} or {}:{}", io::printable(where), kPort,
                       kThisMachine, kPort);
}

CommandResult LiveCaptures::listen(std::string_view text) {
    const std::optional<Where> where = parse_where(text);
    if (!where) return check(text);
    const auto open = [&] { return io::LivePort::open(where->address, where->port, io::limits::kLiveBytes); };
    auto port = open();
    if (!port && port_ && port_->port() == where->port) {  // used by this program itself
        update();
        port_.reset();
        port = open();
    }
    if (!port) return port.error().text();
    update();  // what has arrived at the old port
    port_ = std::move(*port);
    const bool is_local = where->address.rfind("127.", 0) == 0;
    parts_.messages.info(
        fmt::format("Listening on {0}:{1} for captures from engines. An engine connects with "
                    "`bv_capture_to_lab({2}, {1}, ...)`",
                    where->address, port_->port(), is_local ? "NULL" : "the address of this computer"));
    if (!is_local)
        parts_.messages.warning(
            fmt::format("{} can be reached from other computers: anyone who reaches port {} can send "
                        "captures, unencrypted. `listen` without an address accepts this computer only",
                        where->address, port_->port()));
    return std::nullopt;
}

CommandResult LiveCaptures::stop() {
    if (!port_) return "the program is not listening; `listen` starts it";
    port_.reset();
    update();
    parts_.messages.info("Stopped listening. The captures received so far stay");
    return std::nullopt;
}

CommandResult LiveCaptures::show(std::size_t number) {
    auto& captures = parts_.opened.captures;
    if (number == 0 || number > captures.size())
        return fmt::format(
            "there is no capture {}; {} in this session", number,
            captures.size() == 1 ? "there is 1" : fmt::format("there are {}", captures.size()));
    const auto at = captures.begin() + static_cast<std::ptrdiff_t>(number - 1);
    const bool was_hidden = show_opened_files(scene_showing(io::FileKind::Capture), parts_.state.settings);
    if (at + 1 == captures.end() && !was_hidden) return std::nullopt;
    std::rotate(at, at + 1, captures.end());
    // The scene starts anew, so that its record and saved scenes begin with this capture.
    const SceneSpec* scene = parts_.state.scene.spec;
    return scene && scene->shows == io::FileKind::Capture ? parts_.scenes.load(scene->id) : std::nullopt;
}

void LiveCaptures::update() {
    if (port_)
        for (io::LiveEvent& event : port_->take_events())
            take(event);
    std::erase_if(incoming_, [this](Incoming& incoming) { return !grow(incoming); });
}

void LiveCaptures::take(io::LiveEvent& event) {
    using Kind = io::LiveEvent::Kind;
    if (event.kind == Kind::Refused)
        parts_.messages.warning(fmt::format("Port {}: {} {}", port_->port(), event.from, event.text));
    if (event.kind == Kind::Failed)
        parts_.messages.error(
            fmt::format("The capture from {} ends here because it cannot be stored: {}. Free space in the "
                        "folder for temporary files, or set TMPDIR",
                        event.from, event.text));
    if (event.kind == Kind::Replaced)
        for (Incoming& incoming : incoming_)
            if (incoming.source == event.source) incoming.replaced_by = event.text;
    if (event.kind != Kind::Connected) return;
    auto file = io::CaptureFile::from_source(event.source, event.from);
    if (!file) return refuse(*event.source, event.from, file.error());
    incoming_.push_back(
        {std::make_shared<io::CaptureFile>(std::move(*file)), event.source, std::move(event.from), "", ""});
}

void LiveCaptures::refuse(const io::CaptureSource& source, const std::string& from,
                          const io::FileError& error) {
    if (port_) port_->hang_up(&source);
    parts_.messages.warning(fmt::format(
        "The capture from {}{}{}: {}.{}{}", from, error.where.empty() ? "" : ", ", error.where, error.what,
        error.advice.empty() ? "" : " ", error.advice.empty() ? "" : error.advice + "."));
}

bool LiveCaptures::grow(Incoming& incoming) {
    const auto grown = incoming.file->grow();
    if (!grown) {
        refuse(*incoming.source, incoming.from, grown.error());
        return false;
    }
    if (incoming.name.empty() && !incoming.file->frames().empty()) open(incoming);
    if (incoming.file->is_growing()) return true;
    if (incoming.file->problem() && port_) port_->hang_up(incoming.source.get());
    say_end(incoming);
    return false;
}

void LiveCaptures::open(Incoming& incoming) {
    const io::CaptureHead& head = incoming.file->head();
    std::string name = head.engine.empty() ? "Unnamed engine" : head.engine;
    if (!head.title.empty()) name += ", " + head.title;
    if (++opened_ > 1) name += fmt::format(" ({})", opened_);
    parts_.messages.info(fmt::format("{} is connected", name));
    const SceneSpec& scene = scene_showing(io::FileKind::Capture);
    if (parts_.state.scene.spec != &scene)
        parts_.messages.info(fmt::format("`scene {}` shows its frames as they arrive", scene.id));
    forget_oldest();
    incoming.name = name;
    parts_.opened.captures.push_back({std::move(name), "", incoming.file});
}

/// One message for the end of a connection, whatever its reason.
void LiveCaptures::say_end(const Incoming& incoming) {
    const io::CaptureFile& file = *incoming.file;
    const auto& problem = file.problem();
    const std::string frames = frames_text(file.frames().size());
    std::string text =
        incoming.replaced_by.empty()
            ? fmt::format("{} disconnected after {}", incoming.name, frames)
            : fmt::format(
                  "The lab listens to one engine at a time: {} connected, and {} was cut off after {}",
                  incoming.replaced_by, incoming.name, frames);
    if (problem)
        text += fmt::format(": byte {} of its data cannot be read: {}", problem->byte, problem->what);
    else if (!file.frames().back().is_complete)
        text += fmt::format(", in the middle of frame {}", file.frames().back().number);
    text += ". The frames stay until the program ends; `save.capture FILE.bvcap` saves them";
    problem ? parts_.messages.warning(std::move(text)) : parts_.messages.info(std::move(text));
}

/// Keeps the list bounded: engines may come and go without end.
void LiveCaptures::forget_oldest() {
    auto& captures = parts_.opened.captures;
    const auto is_live = [](const OpenedCapture& capture) { return capture.is_from_engine(); };
    while (std::count_if(captures.begin(), captures.end(), is_live) >=
           static_cast<std::ptrdiff_t>(io::limits::kLiveCaptures))
        captures.erase(std::find_if(captures.begin(), captures.end(), is_live));
}

}  // namespace lab
