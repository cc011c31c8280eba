// The file browser: folders, files of the kinds that the program opens, recent files, and a path field with
// Tab completion.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/file_kind.hpp"
#include "io/text/printable.hpp"
#include "panels/menus/keys.hpp"
#include "panels/widgets/choice_list.hpp"
#include "panels/widgets/paragraph.hpp"
#include "panels/widgets/widgets.hpp"
#include "settings/program.hpp"
#include "world/opened_files.hpp"

namespace lab::panels {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxEntries = 5000;

std::string home_folder() {
    const char* home = std::getenv("HOME");
    return home && *home ? home : "/";
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

std::vector<std::string> recent_files(const PanelContext& c) {
    std::vector<std::string> paths;
    const std::string& all = c.settings()[kRecentFiles];
    for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t end = std::min(all.find('|', begin), all.size());
        if (end > begin) paths.push_back(all.substr(begin, end - begin));
        begin = end + 1;
    }
    return paths;
}

/// Puts a file at the head of the list if it could be opened, and takes it off if not.
void remember(const PanelContext& c, const std::string& path, bool opened) {
    if (path.find('|') != std::string::npos) return;
    std::string all;
    std::size_t count = 0;
    Settings scratch(setting_catalog());
    const auto add = [&](const std::string& file) {
        const std::string longer = all + (all.empty() ? "" : "|") + file;
        if (count == kMaxRecentFiles || scratch.set(kRecentFiles.id, longer)) return;  // cannot be stored
        all = longer;
        ++count;
    };
    if (opened) add(path);
    for (const std::string& recent : recent_files(c))
        if (recent != path) add(recent);
    if (all != c.settings()[kRecentFiles]) c.push(fmt::format("set {} {}", kRecentFiles.id, quote_word(all)));
}

/// Records whether the files chosen here could be opened.
void follow_opening(const PanelContext& c, FileBrowser& b) {
    const LastOpened& last = c.session.last_opened;
    if (std::exchange(b.seen_end, last.number) == last.number) return;
    if (std::erase(b.asked, last.path) > 0) remember(c, last.path, !last.failed);
}

void list_folder(FileBrowser& b) {
    b.entries.clear();
    b.problem.clear();
    b.clicked.clear();
    b.listed = b.folder;
    std::error_code code;
    fs::directory_iterator at(b.folder.empty() ? "/" : b.folder, code);
    if (code) {
        b.problem = fmt::format("{} cannot be read: {}", b.folder, code.message());
        return;
    }
    for (; at != fs::directory_iterator() && b.entries.size() < kMaxEntries; at.increment(code)) {
        if (code) break;
        std::error_code ignored;
        FileBrowser::Entry entry;
        entry.name = at->path().filename().string();
        if (entry.name.starts_with('.')) continue;
        entry.is_folder = at->is_directory(ignored);
        if (at->is_regular_file(ignored))
            if (const std::uintmax_t bytes = at->file_size(ignored); !ignored) entry.bytes = bytes;
        b.entries.push_back(std::move(entry));
    }
    std::sort(b.entries.begin(), b.entries.end(), [](const auto& a, const auto& z) {
        if (a.is_folder != z.is_folder) return a.is_folder;
        const std::string one = lower(a.name), other = lower(z.name);
        return one != other ? one < other : a.name < z.name;
    });
    if (b.entries.size() == kMaxEntries)
        b.problem =
            fmt::format("Only the first {} names are listed; type the path to reach others", kMaxEntries);
}

void go_to(FileBrowser& b, std::string folder) {
    // Without `..`: the parent of `a/..` would be `a`.
    folder = io::normal_path(folder).string();
    if (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    b.folder = std::move(folder);
    b.typed.clear();
    b.row = 0;
    b.focus = true;
    ++b.edits;
}

std::string joined(const std::string& folder, const std::string& name) {
    return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

/// The kinds that can be opened, in the order of the table.
std::vector<const io::FileKindRow*> kinds() {
    std::vector<const io::FileKindRow*> rows;
    for (const io::FileKindRow& row : io::file_kinds())
        if (row.opens) rows.push_back(&row);
    return rows;
}

bool is_listed(const FileBrowser& b, const FileBrowser::Entry& entry, const std::string& letters) {
    if (!letters.empty() && lower(entry.name).find(letters) == std::string::npos) return false;
    if (entry.is_folder) return true;
    const auto rows = kinds();
    if (b.kind > rows.size()) return true;
    if (b.kind > 0) return io::has_ending_of(rows[b.kind - 1]->kind, entry.name);
    return std::any_of(rows.begin(), rows.end(),
                       [&](const io::FileKindRow* row) { return io::has_ending_of(row->kind, entry.name); });
}

/// A typed path, `~` expanded; empty if the text is letters to search for.
std::string typed_path(const FileBrowser& b) {
    if (b.typed.starts_with("~/") || b.typed == "~") return home_folder() + b.typed.substr(1);
    if (b.typed.starts_with('/')) return b.typed;
    return b.typed.find('/') != std::string::npos ? joined(b.folder, b.typed) : std::string();
}

void open_file(const PanelContext& c, const std::string& path) {
    c.push("open " + quote_word(path));
    c.state.files.asked.push_back(path);
    c.state.files.open = false;
    c.state.files.folder = fs::path(path).parent_path().string();
    c.state.files.typed.clear();
}

/// Enters a folder, or opens a file.
void choose(const PanelContext& c, const std::string& path) {
    std::error_code code;
    if (fs::is_directory(path, code)) return go_to(c.state.files, path);
    if (!fs::exists(path, code) && !code) {
        c.state.files.missing = path;
        return;
    }
    open_file(c, path);
}

/// The longest common continuation of all names that begin with the typed path.
std::string completed(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return path;
    const std::string folder = path.substr(0, slash + 1), begin = path.substr(slash + 1);
    std::string common;
    bool any = false, folder_found = false;
    std::error_code code;
    for (fs::directory_iterator at(folder, code); !code && at != fs::directory_iterator();
         at.increment(code)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(begin) || (begin.empty() && name.starts_with('.'))) continue;
        std::error_code ignored;
        folder_found = !any && at->is_directory(ignored);
        if (!any) {
            common = name;
        } else {
            auto end = std::mismatch(common.begin(), common.end(), name.begin(), name.end()).first;
            // Letters may begin with the same bytes: not within one.
            while (end != common.end() && end != common.begin() &&
                   (static_cast<unsigned char>(*end) & 0xc0) == 0x80)
                --end;
            common.erase(end, common.end());
        }
        any = true;
    }
    return any ? folder + common + (folder_found ? "/" : "") : path;
}

int complete(ImGuiInputTextCallbackData* data) {
    auto& b = *static_cast<FileBrowser*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
        put_caret_at_end(*data, b.caret);
        return 0;
    }
    FileBrowser now;
    now.folder = b.folder;
    now.typed.assign(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    std::string path = typed_path(now);
    if (path.empty()) path = joined(b.folder, now.typed);
    const std::string longer = completed(path);
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, longer.c_str());
    return 0;
}

std::string size_text(std::optional<std::uint64_t> bytes) {
    if (!bytes) return "-";
    if (*bytes < 1000) return fmt::format("{} B", *bytes);
    if (*bytes < 1000 * 1000) return fmt::format("{:.0f} KB", static_cast<double>(*bytes) / 1e3);
    return fmt::format("{:.1f} MB", static_cast<double>(*bytes) / 1e6);
}

/// Folder buttons, and the filter by kind.
void header(const PanelContext& c, FileBrowser& b) {
    if (button(c, "Up", "files.up")) go_to(b, fs::path(b.folder).parent_path().string());
    tooltip("Parent folder");
    ImGui::SameLine();
    if (button(c, "Home", "files.home")) go_to(b, home_folder());
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    const float width = 14.0f * c.em;
    const float filter_x =
        std::max(ImGui::GetWindowWidth() - width - ImGui::GetStyle().WindowPadding.x, 0.0f);
    const std::string folder = io::printable(b.folder);
    const bool is_beside = filter_x > ImGui::GetCursorPosX() + 3.0f * c.em;
    const float left = is_beside ? filter_x - ImGui::GetCursorPosX() - ImGui::GetStyle().ItemSpacing.x
                                 : ImGui::GetContentRegionAvail().x;
    ImGui::TextUnformatted(fitted_end(folder, left).c_str());
    tooltip(folder);
    c.mark("files.folder");
    if (is_beside) ImGui::SameLine(filter_x);
    ImGui::SetNextItemWidth(is_beside ? width : -1.0f);
    const auto rows = kinds();
    const auto label = [&](std::size_t i) {
        if (i == 0) return std::string("All supported files");
        if (i > rows.size()) return std::string("All files");
        return fmt::format("{} ({})", rows[i - 1]->plural, io::endings_of(rows[i - 1]->kind));
    };
    ChoiceList list(c, "##files.kind", label(b.kind));
    if (!list.is_open()) return c.mark("files.kind");
    for (std::size_t i = 0; i <= rows.size() + 1; ++i) {
        if (list.row(label(i), i == b.kind)) b.kind = i;
        c.mark(fmt::format("files.kind.{}", i));
    }
}

void recent_list(const PanelContext& c) {
    const std::vector<std::string> recent = recent_files(c);
    if (recent.empty()) return;
    subheading(c, "Recent");
    for (std::size_t i = 0; i < recent.size(); ++i) {
        const fs::path path(recent[i]);
        ImGui::PushID(static_cast<int>(i));
        if (text_row(io::printable(path.filename().string()))) choose(c, recent[i]);
        tooltip(io::printable(recent[i]));
        ImGui::PopID();
        c.mark(fmt::format("files.recent.{}", i));
    }
}

void entry_row(const PanelContext& c, FileBrowser& b, const FileBrowser::Entry& entry, std::size_t row) {
    ImGui::PushID(static_cast<int>(row));
    const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    const std::string name = io::printable(entry.name) + (entry.is_folder ? "/" : "");
    const bool has_content = entry.is_folder || entry.bytes;
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(has_content ? c.colors.text : c.colors.text_dim));
    const bool clicked = text_row(name, row == b.row, ImGuiSelectableFlags_AllowDoubleClick);
    ImGui::PopStyleColor();
    c.mark(fmt::format("files.row.{}", entry.name));
    if (row == b.row && b.focus) ImGui::SetScrollHereY(0.5f);
    if (!entry.is_folder) {
        const std::string size = size_text(entry.bytes);
        ImGui::SameLine(right - ImGui::CalcTextSize(size.c_str()).x - c.em);
        ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.text_dim));
        ImGui::TextUnformatted(size.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::PopID();
    if (!clicked) return;
    b.row = row;
    // The second click of a double one may come down in the folder that the first has entered.
    const bool is_second = ImGui::IsMouseDoubleClicked(0);
    const bool chooses = entry.is_folder ? !is_second : is_second && b.clicked == entry.name;
    b.clicked = entry.name;
    if (chooses) choose(c, joined(b.folder, entry.name));
}

}  // namespace

void file_browser(const PanelContext& c) {
    FileBrowser& b = c.state.files;
    follow_opening(c, b);
    if (!b.open) return;
    if (b.folder.empty()) {
        std::error_code code;
        const fs::path here = fs::current_path(code);
        b.folder = code ? home_folder() : here.string();
    }
    if (b.listed != b.folder) list_folder(b);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size{std::min(52.0f * c.em, display.x - 2.0f * c.em),
                      std::min(32.0f * c.em, display.y - 3.0f * c.em)};
    ImGui::SetNextWindowPos({0.5f * display.x, 0.5f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {c.em, 0.8f * c.em});
    ImGui::Begin("##files", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
    ImGui::PushFont(c.fonts.title);
    ImGui::TextUnformatted("Open a file");
    ImGui::PopFont();
    c.mark("files.title");
    header(c, b);
    if (b.focus) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::PushID(b.edits);
    const std::string before = b.typed, typed = typed_text();
    const bool enter =
        ImGui::InputTextWithHint("##files.path", "Type a path (Tab completes it) or part of a name", &b.typed,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways |
                                     ImGuiInputTextFlags_CallbackCompletion,
                                 complete, &b);
    const bool edited = ImGui::IsItemEdited();
    const bool early = !typed.empty() && !field_takes_text();
    if (early) b.typed = before + typed;
    ImGui::PopID();
    c.mark("files.path");
    if (edited || early) b.row = 0;

    const std::string path = typed_path(b);
    const std::string letters = path.empty() ? lower(b.typed) : std::string();
    std::vector<const FileBrowser::Entry*> shown;
    for (const FileBrowser::Entry& entry : b.entries)
        if (is_listed(b, entry, letters)) shown.push_back(&entry);
    bool moved = false;
    // Arrow keys move through the list of kinds while that is open.
    const bool is_choosing = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (!is_choosing && pressed(UiKey::Down) && b.row + 1 < shown.size()) moved = ++b.row > 0;
    if (!is_choosing && pressed(UiKey::Up) && b.row > 0) moved = b.row-- > 0;
    b.row = std::min(b.row, shown.empty() ? 0 : shown.size() - 1);
    b.focus = moved || early;
    if (early) {
        ++b.edits;
        b.caret = 3;
    }

    const float foot = ImGui::GetFrameHeightWithSpacing() + 0.3f * c.em;
    const bool with_recent = size.x > 36.0f * c.em && !recent_files(c).empty();
    if (with_recent) {
        ImGui::BeginChild("files.side", {12.0f * c.em, -foot}, false);
        recent_list(c);
        ImGui::EndChild();
        ImGui::SameLine();
    }
    ImGui::BeginChild("files.list", {0.0f, -foot}, true);
    std::string chosen = path;
    for (std::size_t row = 0; row < shown.size(); ++row) {
        if (row == b.row && chosen.empty()) chosen = joined(b.folder, shown[row]->name);
        entry_row(c, b, *shown[row], row);
        if (b.listed != b.folder || !b.open) break;
    }
    if (chosen.empty() && !b.typed.empty()) chosen = joined(b.folder, b.typed);
    if (!b.problem.empty())
        note(c, b.problem);
    else if (shown.empty())
        note(c, "No matching file here. Choose \"All files\" to list the others.");
    ImGui::EndChild();
    b.focus = b.listed != b.folder;

    const float width = 8.0f * c.em;
    ImGui::BeginDisabled(chosen.empty());
    if (main_button(c, "Open", "files.open", {width, 0.0f}) || (enter && !chosen.empty())) choose(c, chosen);
    if (enter && b.open) {  // Enter has left the field, and the next try begins there
        b.focus = true;
        b.caret = 3;
    }
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (button(c, "Cancel", "files.cancel", {width, 0.0f})) b.open = false;
    ImGui::SameLine();
    const bool is_missing = !chosen.empty() && chosen == b.missing;
    const std::string foot_text = is_missing ? fmt::format("There is no file {}.", io::printable(b.missing))
                                             : std::string("Or drop a file on the window.");
    note(c, fitted(foot_text, ImGui::GetContentRegionAvail().x));
    const bool outside =
        ImGui::IsMouseClicked(0) &&
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByPopup |
                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    ImGui::End();
    if (b.age++ > 0 && (pressed(UiKey::Escape) || outside)) b.open = false;
}

}  // namespace lab::panels
