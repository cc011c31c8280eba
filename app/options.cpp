#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>

#include "commands/catalog.hpp"
#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/terminal.hpp"
#include "io/text/printable.hpp"
#include "lessons/catalog.hpp"
#include "platform/threads/thread_pool.hpp"
#include "scenes/scenes.hpp"
#include "session/commands/commands.hpp"
#include "session/files/link.hpp"
#include "session/files/live_captures.hpp"
#include "settings/settings.hpp"
#include "settings/suggest.hpp"

namespace lab {
namespace {

constexpr int kMaxSize = 16384;

constexpr const char* kFooter = R"(
Files: meshes (.obj .stl .ply .off .gltf .glb), voxel models (.vox), lists of boxes (.txt .csv),
saved trees (.bvtree .json), captures of engines (.bvcap .jsonl), scenes (.json) and recordings (.bvrec).
A link made by "Copy a link" restores its session.
Exit status: 0 done; 1 failed while running; 2 wrong arguments; 3 no usable OpenGL; 4 a file could not be read or written.

Examples:
  bvlab
  bvlab model.obj
  bvlab --headless --scene {0} --frames 120 --screenshot {0}.png --report {0}.json
  bvlab --listen
  bvlab --headless --set verify=true --run 'spawn 200 torus; pick 640 360' --frames 60 --report out.json
)";

struct Lists {
    bool scenes = false, lessons = false, settings = false, commands = false, options = false,
         version = false;
};

std::string default_of(const SettingSpec& spec) {
    return spec.default_value.empty() ? "\"\"" : std::string(spec.default_value);
}

std::string values_of(const SettingSpec& spec) {
    switch (spec.kind) {
        case SettingKind::Flag:
            return "true|false";
        case SettingKind::Integer:
        case SettingKind::Real:
            return fmt::format("{}..{}{}{}", spec.min, spec.max, spec.unit.empty() ? "" : " ", spec.unit);
        case SettingKind::Choice: {
            std::string all;
            for (const Choice& c : spec.choices)
                all += (all.empty() ? "" : "|") + std::string(c.id);
            return all;
        }
        case SettingKind::Text:
            break;
    }
    return "text";
}

/// `--size WxH   Size of ...`, a row each: the manual page and the shells' completions are made of this.
std::string options_of(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : app.get_options()) {
        std::string name = option->get_name(true, true);
        std::string value = option->get_positional() ? "" : option->get_type_name();
        value.resize(std::min(value.size(), value.find(':')));  // without the checks that CLI11 appends
        if (!value.empty()) name += " " + value;
        fmt::format_to(std::back_inserter(text), FMT_STRING("{:<26}  {}\n"), name, option->get_description());
    }
    return text;
}

std::string text_of(const Lists& lists, const CLI::App& app) {
    std::string text;
    const auto add = [&text](auto format, auto&&... values) {
        fmt::format_to(std::back_inserter(text), format, values...);
    };
    if (lists.version) add(FMT_STRING("bvlab {}\n"), BVLAB_VERSION);
    if (lists.scenes)
        for (const SceneSpec& spec : scene_specs())
            add(FMT_STRING("{:<12} {:<12} {}: {}\n"), spec.id, spec.category, spec.title, spec.summary);
    if (lists.lessons)
        for (const lessons::LessonSpec& spec : lessons::lesson_specs())
            add(FMT_STRING("{:<17} {:<8} {}: {}\n"), spec.id, spec.category, spec.title, spec.summary);
    if (lists.settings)
        for (const SettingSpec* row : setting_catalog().rows())
            add(FMT_STRING("{:<22} {:<18} {} [{}]\n"), row->id, default_of(*row), row->help, values_of(*row));
    if (lists.commands)
        for (const CommandSpec& spec : command_table().rows()) {
            const std::string keys = command_table().shortcut_text(spec);
            add(FMT_STRING("{:<14} {:<36} {}{}\n"), spec.id, spec.usage, spec.help,
                keys.empty() ? "" : fmt::format(" ({})", keys));
        }
    if (lists.options) text += options_of(app);
    return text;
}

/// Parses `1280x720`, or returns the reason why it is refused.
std::string parse_size(const std::string& text, glm::ivec2& size) {
    const char* const end = text.data() + text.size();
    const auto side = [end](const char* from, int& value) {
        const auto [stop, status] = std::from_chars(from, end, value);
        return status == std::errc{} && value >= 1 && value <= kMaxSize ? stop : nullptr;
    };
    int width = 0, height = 0;
    const char* const cross = side(text.data(), width);
    if (!cross || cross == end || *cross != 'x' || side(cross + 1, height) != end)
        return fmt::format("a size is WIDTHxHEIGHT in pixels, each from 1 to {}, like 1280x720; not '{}'",
                           kMaxSize, text);
    size = {width, height};
    return {};
}

/// Refuses empty file names, as an unset variable in a script gives.
std::string check_names(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        const std::vector<std::string>& values = option->results();
        const bool takes_files = option->get_positional() || option->get_type_name().starts_with("FILE");
        if (takes_files && std::find(values.begin(), values.end(), "") != values.end())
            return fmt::format("{}: the name of a file is missing", option->get_name());
    }
    return {};
}

/// Refuses names with a wrong extension, and files named twice: a run must not overwrite a file that it reads
/// or writes.
std::string check_files(const Options& options) {
    for (const std::string& capture : options.diagnose)
        if (const auto wrong = io::wrong_ending(io::FileKind::Capture, capture))
            return fmt::format("--diagnose: {}", wrong->text());
    std::vector<std::string> others = options.files;
    others.insert(others.end(), options.scripts.begin(), options.scripts.end());
    for (const auto& [option, path] :
         {std::pair{"--screenshot", &options.screenshot}, {"--report", &options.report}}) {
        if (path->empty()) continue;
        const bool is_picture = path == &options.screenshot;
        if (const auto wrong =
                io::wrong_ending(is_picture ? io::FileKind::Picture : io::FileKind::Report, *path))
            return fmt::format("{}: {}", option, wrong->text());
        for (const std::string& other : others)
            if (io::is_same_file(other, *path))
                return fmt::format("{} would overwrite '{}', which this run also needs. Choose another name",
                                   option, other);
        others.push_back(*path);
    }
    return {};
}

/// Why an output could not be written at the end of the run.
std::string check_folders(const Options& options) {
    for (const auto& [option, path] :
         {std::pair{"--screenshot", &options.screenshot}, {"--report", &options.report}})
        if (const auto missing = io::missing_folder(*path))
            return fmt::format("{}: {}", option, missing->text());
    return {};
}

/// Checks the names and argument counts in a text of commands.
std::string check_commands(const std::string& text) {
    for (const std::string& line : split_lines(text))
        if (const CommandResult problem = command_table().check_ahead(line)) return *problem;
    return {};
}

/// Separates the links from the files.
std::string take_links(Options& options) {
    std::string problem;
    std::erase_if(options.files, [&](const std::string& file) {
        if (!is_link(file)) return false;
        std::error_code code;
        const CommandResult wrong = read_link(file, command_table(), options.link);
        const bool is_file = wrong && std::filesystem::exists(file, code);
        if (wrong) problem = *wrong;
        if (is_file) problem += fmt::format("; the file of that name is './{}'", io::printable(file));
        return true;
    });
    return problem;
}

/// Checks the names in the options against the registries.
std::string check(const Options& options) {
    if (options.scene && !find_scene(*options.scene)) return no_scene(*options.scene);
    if (options.lesson && !lessons::find_lesson(*options.lesson)) return lessons::no_lesson(*options.lesson);
    Settings scratch(setting_catalog());
    for (const std::string& setting : options.settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos) return fmt::format("--set takes NAME=VALUE, not '{}'", setting);
        if (const auto problem = scratch.set(setting.substr(0, equals), setting.substr(equals + 1)))
            return *problem;
    }
    if (std::string problem = check_files(options); !problem.empty()) return problem;
    for (const std::string& text : options.run)
        if (std::string problem = check_commands(text); !problem.empty()) return "--run: " + problem;
    return {};
}

/// CLI11's message for an unknown option, with the closest option.
std::string unknown_option(const CLI::App& app, const CLI::ParseError& error) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    const std::vector<std::string_view> views(names.begin(), names.end());
    for (const std::string& word : app.remaining()) {
        if (word.rfind('-', 0) != 0) continue;
        const std::string hint = did_you_mean(word.substr(0, word.find('=')), views);
        return fmt::format("there is no option '{}'{}", word,
                           hint.empty() ? "; --help lists them all" : hint);
    }
    return error.what();
}

/// Omits the dots of options that may be repeated but take one word each time.
class HelpFormatter final : public CLI::Formatter {
  public:
    std::string make_option_opts(const CLI::Option* option) const override {
        std::string text = CLI::Formatter::make_option_opts(option);
        const std::size_t dots = text.find(" ...");
        if (dots != std::string::npos && !option->get_allow_extra_args() && !option->get_positional())
            text.erase(dots, 4);
        return text;
    }
};

ParsedOptions refuse(const std::string& why, ExitStatus status = ExitStatus::WrongArguments) {
    io::print_error("bvlab: " + why);
    return {std::nullopt, status};
}

/// Ends the program after printing the requested list.
ParsedOptions answer(const std::string& text) {
    if (io::print_out(text)) return {};
    io::print_error("bvlab: cannot write to standard output");
    return {std::nullopt, ExitStatus::FileProblem};
}

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
    Options options;
    Lists lists;
    std::string size, ui;
    CLI::App app(
        "Bounding Volume Lab: an interactive sandbox for bounding volumes, trees and collision queries.",
        "bvlab");
    app.formatter(std::make_shared<HelpFormatter>());
    app.footer(fmt::format(kFooter, scene_specs().front().id));
    app.add_option("FILE", options.files, "Files to open, or a link");
    app.add_option("--scene", options.scene, "Start in this scene")->type_name("ID");
    app.add_flag("--list-scenes", lists.scenes, "List all scenes and exit");
    app.add_option("--lesson", options.lesson, "Start this lesson")->type_name("ID");
    app.add_flag("--list-lessons", lists.lessons, "List all lessons and exit");
    app.add_option("--set", options.settings, "Change a setting; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_flag("--list-settings", lists.settings, "List all settings and exit");
    app.add_option("--run", options.run, "Run commands, separated by semicolons; may be repeated")
        ->type_name("COMMANDS")
        ->allow_extra_args(false);
    app.add_option("--script", options.scripts, "Run the commands in a file, one per line; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_flag("--list-commands", lists.commands, "List all commands and exit");
    app.add_flag("--headless", options.headless, "Run without a window; needs no display");
    app.add_option("--size", size, "Size of the window or picture (default 1280x720)")->type_name("WxH");
    app.add_option("--frames", options.frames, "Exit after this many frames")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000'000));
    app.add_option("--seed", options.seed, "Seed of the random numbers")
        ->type_name("N")
        ->check(CLI::Range(0, 2147483647));
    app.add_option("--threads", options.threads,
                   "Threads to use (default: one per core); no result depends on it")
        ->type_name("N")
        ->check(CLI::Range(1, static_cast<int>(platform::ThreadPool::kMaxThreads)));
    app.add_option("--ui", ui, "Show the panels; off by default when headless")
        ->type_name("on|off")
        ->check(CLI::IsMember({"on", "off"}));
    app.add_option("--screenshot", options.screenshot, "Save the last frame as PNG")->type_name("FILE.png");
    app.add_option("--report", options.report, "Save the report of the last frame as JSON")
        ->type_name("FILE.json");
    CLI::Option* const diagnoses =
        app.add_option("--diagnose", options.diagnose, "Diagnose the trees of captures and exit")
            ->type_name("FILE.bvcap");
    app.add_flag("--list-options", lists.options, "List these options, one per line, and exit");
    std::string listen;
    CLI::Option* const listens =
        app.add_option("--listen", listen, "Receive captures from running engines on this computer")
            ->type_name("[PORT]")
            ->expected(0, 1);
    app.add_flag("--version", lists.version, "Print the version and exit");

    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return answer(app.help());
    } catch (const CLI::ExtrasError& error) {
        return refuse(unknown_option(app, error));
    } catch (const CLI::ParseError& error) {
        return refuse(error.what());
    }
    if (lists.scenes || lists.lessons || lists.settings || lists.commands || lists.options || lists.version)
        return answer(text_of(lists, app));
    if (const std::string problem = check_names(app); !problem.empty()) return refuse(problem);
    if (app.count("--size") > 0)
        if (const std::string problem = parse_size(size, options.size); !problem.empty())
            return refuse(problem);
    if (!ui.empty()) options.ui = ui == "on";
    if (!diagnoses->empty())
        for (const CLI::Option* other : app.get_options())
            if (other != diagnoses && !other->empty() && !other->check_lname("threads"))
                return refuse(
                    fmt::format("--diagnose takes captures alone and prints what is wrong with them: "
                                "leave out {}, or open the capture without --diagnose",
                                other->nonpositional() ? other->get_name() : options.files.front()));
    if (!listens->empty()) {
        // Without a port, what follows may be a file.
        const auto problem = LiveCaptures::check(listen);
        std::error_code code;
        if (problem && !listen.empty() && !std::filesystem::exists(listen, code))
            return refuse(fmt::format("--listen: {}", *problem));
        options.listen = problem ? "" : listen;
        if (problem && !listen.empty()) options.files.insert(options.files.begin(), listen);
    }
    if (const std::string problem = take_links(options); !problem.empty()) return refuse(problem);
    if (const std::string problem = check(options); !problem.empty()) return refuse(problem);
    if (const std::string problem = check_folders(options); !problem.empty())
        return refuse(problem, ExitStatus::FileProblem);
    return {std::move(options), ExitStatus::Done};
}

}  // namespace lab
