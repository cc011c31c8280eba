#include "session/files/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "io/text/encoded.hpp"
#include "io/text/printable.hpp"
#include "session/commands/commands.hpp"
#include "settings/program.hpp"
#include "settings/suggest.hpp"

namespace lab {
namespace {

constexpr std::array<std::string_view, 7> kKeys = {"scene", "lesson", "page", "seed", "set", "run", "saved"};
/// A key for the page around the program; the session ignores it.
constexpr std::string_view kOfPage = "embed";

struct Parts {
    std::string scene, lesson, page, seed, saved;
    std::vector<std::string> settings, run;
};

CommandResult add_part(std::string_view key, std::string value, Parts& parts) {
    if (key == "set") {
        parts.settings.push_back(std::move(value));
    } else if (key == "run") {
        parts.run.push_back(std::move(value));
    } else if (key != kOfPage) {
        std::string* const one = key == "scene"    ? &parts.scene
                                 : key == "lesson" ? &parts.lesson
                                 : key == "page"   ? &parts.page
                                 : key == "seed"   ? &parts.seed
                                 : key == "saved"  ? &parts.saved
                                                   : nullptr;
        if (!one)
            return fmt::format("a link cannot contain '{}'{}", io::printable(key), did_you_mean(key, kKeys));
        if (!one->empty()) return fmt::format("the link contains '{}' twice", key);
        if (value.empty())
            return fmt::format("the link has nothing after '{}='. Copy the whole link again", key);
        *one = std::move(value);
    }
    return std::nullopt;
}

CommandResult split(std::string_view text, Parts& parts) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (part.empty()) continue;
        const std::size_t equals = std::min(part.find('='), part.size());
        const auto key = io::percent_decoded(part.substr(0, equals));
        auto value = io::percent_decoded(part.substr(std::min(equals + 1, part.size())));
        if (!key || !value)
            return fmt::format("'{}' in the link is not percent-encoded: % needs two hexadecimal digits",
                               io::printable(part));
        if (CommandResult problem = add_part(*key, std::move(*value), parts)) return problem;
    }
    return std::nullopt;
}

/// The commands of a link, in the order of push_startup_commands.
std::vector<std::string> commands_of(const Parts& parts) {
    std::vector<std::string> lines;
    const auto push_settings = [&] {
        if (!parts.seed.empty()) lines.push_back(set_line(kWorldSeed, parts.seed));
        for (const std::string& setting : parts.settings)
            lines.push_back("set " + quote_word(setting));
    };
    // The lines of a lesson's page would end the session that the link is about.
    const bool resumes = !parts.saved.empty() && !parts.lesson.empty();
    push_settings();
    // Before the session: closing the lesson restores the settings of this moment.
    if (resumes)
        lines.push_back("lesson.resume " + quote_word(parts.lesson) + " " +
                        (parts.page.empty() ? "1" : quote_word(parts.page)));
    if (!parts.saved.empty()) lines.push_back("link.saved " + quote_word(parts.saved));
    if (!parts.scene.empty()) lines.push_back("scene " + quote_word(parts.scene));
    if (!parts.lesson.empty() && !resumes) lines.push_back("lesson " + quote_word(parts.lesson));
    push_settings();
    if (!parts.page.empty() && !resumes) lines.push_back("lesson.page " + quote_word(parts.page));
    for (const std::string& text : parts.run)
        for (std::string& line : split_lines(text))
            lines.push_back(std::move(line));
    return lines;
}

}  // namespace

bool is_link(std::string_view argument) {
    if (argument.starts_with('#')) return true;
    for (const std::string_view scheme : {"https://", "http://", "file://"})
        if (argument.starts_with(scheme)) return argument.find('#') != std::string_view::npos;
    return false;
}

CommandResult read_link(std::string_view link, const CommandTable& table, std::vector<std::string>& lines) {
    Parts parts;
    const std::size_t hash = link.find('#');
    if (hash != std::string_view::npos) link.remove_prefix(hash + 1);
    if (CommandResult problem = split(link, parts)) return problem;
    std::vector<std::string> found = commands_of(parts);
    for (const std::string& line : found) {
        const ParsedLine parsed = table.parse(line);
        if (parsed.command && parsed.command->touches_files)
            return fmt::format("the link asks for `{}`: a link may not run commands that read or write files",
                               io::printable(line));
        if (parsed.command && parsed.command->acts_on_window)
            return fmt::format(
                "the link asks for `{}`: a link may not quit the program, fill the screen, open pages, copy "
                "links or cancel jobs",
                io::printable(line));
        if (const CommandResult problem = table.check_ahead(line))
            return fmt::format("the link: {}", io::printable(*problem));
        if (parsed.setting && std::find(std::begin(kProgressSettings), std::end(kProgressSettings),
                                        parsed.setting) != std::end(kProgressSettings))
            return fmt::format("the link: `{}`: a link may not change {}, which belongs to the user",
                               io::printable(line), parsed.setting->id);
    }
    lines.insert(lines.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    return std::nullopt;
}

}  // namespace lab
