#include "startup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "commands/catalog.hpp"
#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/limits.hpp"
#include "io/terminal.hpp"
#include "io/text/printable.hpp"
#include "io/text/utf16.hpp"
#include "scenes/scenes.hpp"
#include "settings/program.hpp"

namespace lab {

namespace {

/// The text of a file without a byte order mark; its lines may end in CR, CR LF or LF.
std::string with_line_feeds(std::string text) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (text.starts_with(kMark)) text.erase(0, kMark.size());
    if (text.find('\n') == std::string::npos) std::replace(text.begin(), text.end(), '\r', '\n');
    return text;
}

/// The opened session that has a seed of its own, in words for a message; empty if there is none.
std::string saved_session(const Options& options) {
    for (const std::string& file : options.files) {
        const io::FileKind kind = io::kind_to_open(file);
        if (kind == io::FileKind::Scene || kind == io::FileKind::Recording)
            return fmt::format("'{}'", io::printable(file));
    }
    const std::string seed = set_line(kWorldSeed, "");
    const bool link_has_one = std::any_of(
        options.link.begin(), options.link.end(),
        [&](const std::string& line) { return line.starts_with("link.saved ") || line.starts_with(seed); });
    return link_has_one ? "the link" : "";
}

}  // namespace

bool push_startup_commands(const Options& options, CommandQueue& commands, std::string& problem,
                           ExitStatus& status) {
    const std::string session = saved_session(options);
    if (!session.empty() && options.seed)
        io::print_error(fmt::format("bvlab: --seed has no effect: {} has a seed of its own", session));
    if (!session.empty() && options.scene)
        io::print_error(
            fmt::format("bvlab: --scene {} starts after {}, and is what you see", *options.scene, session));
    if (options.lesson && options.scene)
        io::print_error(
            fmt::format("bvlab: --scene has no effect: lesson {} opens its own", *options.lesson));
    if (!session.empty() && options.lesson)
        io::print_error(
            fmt::format("bvlab: lesson {} starts after {}, and is what you see", *options.lesson, session));
    const auto push_settings = [&] {
        if (options.seed && session.empty())
            commands.push(set_line(kWorldSeed, std::to_string(*options.seed)), "--seed");
        for (const std::string& setting : options.settings)
            commands.push("set " + quote_word(setting), "--set");
    };
    push_settings();
    for (const std::string& file : options.files)
        commands.push("open " + quote_word(file));
    for (const std::string& line : options.link)
        commands.push(line, std::string(kLinkOrigin));
    if (options.listen) {
        commands.push(options.listen->empty() ? "listen" : "listen " + *options.listen, "--listen");
        commands.push(fmt::format("scene {}", scene_showing(io::FileKind::Capture).id), "--listen");
    }
    if (options.scene) commands.push("scene " + *options.scene, "--scene");
    if (options.lesson) commands.push("lesson " + *options.lesson, "--lesson");
    if (options.ui && !*options.ui) commands.push(set_line(kUiPanels, "false"), "--ui");
    push_settings();
    for (const std::string& text : options.run)
        for (std::string& line : split_lines(text))
            commands.push(std::move(line), "--run");
    for (const std::string& path : options.scripts) {
        auto text = io::read_whole_file(path, io::limits::kScriptBytes);
        if (!text) {
            problem = text.error().text();
            status = ExitStatus::FileProblem;
            return false;
        }
        if (io::is_utf16(*text)) {
            problem = io::FileError{path, "", io::kIsUtf16, io::kSaveAsUtf8}.text();
            status = ExitStatus::FileProblem;
            return false;
        }
        CommandQueue script;
        script.push_script(with_line_feeds(std::move(*text)), path);
        while (!script.empty()) {
            CommandQueue::Entry entry = script.pop();
            if (const CommandResult wrong = command_table().check_ahead(entry.line)) {
                problem = fmt::format("{}: {}", entry.origin, *wrong);
                status = ExitStatus::WrongArguments;
                return false;
            }
            commands.push(std::move(entry.line), std::move(entry.origin));
        }
    }
    return true;
}

std::vector<std::string> layout_commands(const Options& options, std::vector<std::string> remembered) {
    std::vector<std::string> lines = std::move(remembered);
    for (const std::string& setting : options.settings)
        lines.push_back("set " + quote_word(setting));
    if (options.ui && !*options.ui) lines.push_back(set_line(kUiPanels, "false"));
    lines.insert(lines.end(), options.link.begin(), options.link.end());
    // A refused line is reported when it runs.
    std::erase_if(lines, [](const std::string& line) {
        const ParsedLine parsed = command_table().parse(line);
        const bool is_of_window = parsed.changes_setting() && parsed.setting->is_of_window;
        return !is_of_window || command_table().check(parsed).has_value();
    });
    return lines;
}

void MessagePrinter::print_new(const MessageLog& log) {
    for (const Message& message : log.messages()) {
        if (message.number <= printed_) continue;
        printed_ = message.number;
        static constexpr const char* kNames[] = {"", "warning: ", "error: "};
        if (headless_ || message.severity != Severity::Info)
            io::print_error(
                fmt::format("bvlab: {}{}", kNames[static_cast<int>(message.severity)], message.text));
    }
}

ExitStatus status_of(const Options& options, const Session& session) {
    if (!session.results().checks.differences.empty()) return ExitStatus::Failed;
    // In an interactive session the user has seen the errors, and continued.
    if (!options.headless && !options.frames) return ExitStatus::Done;
    if (session.file_problems() > 0) return ExitStatus::FileProblem;
    return session.refused_commands() > 0 ? ExitStatus::Failed : ExitStatus::Done;
}

}  // namespace lab
