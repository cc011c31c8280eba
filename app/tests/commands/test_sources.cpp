// Reads the sources of the program: what is known of a setting or a scene stands in its row, and nothing is
// decided by how an id begins.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "lessons/catalog.hpp"
#include "scenes/scenes.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;

struct Literal {
    std::string file;  ///< Below app/.
    std::string line;
    std::string text;

    [[nodiscard]] std::string where() const { return file + ": " + line; }
};

/// All string literals of one line, without those in comments and includes.
std::vector<std::string> literals_in(const std::string& line) {
    std::vector<std::string> found;
    if (line.starts_with("#include")) return found;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line.compare(i, 2, "//") == 0) break;
        if (line.compare(i, 3, "'\"'") == 0) {
            i += 2;
        } else if (line[i] == '"') {
            std::string text;
            for (++i; i < line.size() && line[i] != '"'; ++i)
                text += line[i] == '\\' ? line[++i] : line[i];
            found.push_back(text);
        }
    }
    return found;
}

const std::vector<Literal>& literals() {
    static const std::vector<Literal> all = [] {
        std::vector<Literal> list;
        const fs::path root = BVLAB_APP;
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            const std::string file = fs::relative(entry.path(), root).generic_string();
            const bool is_source = entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp";
            if (!is_source || file.starts_with("tests/") || file.starts_with("bench/")) continue;
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                for (std::string& text : literals_in(line))
                    list.push_back({file, line, std::move(text)});
        }
        return list;
    }();
    return all;
}

/// Rows of volumes hold the ids of their flags.
bool is_id_of_row(const Literal& literal) {
    return literal.line.find(".id = \"" + literal.text + "\"") != std::string::npos ||
           literal.line.find("VolumeSpec{VolumeKind::") != std::string::npos;
}

/// An id without a dot is an ordinary word, too.
bool names_a_setting(const std::string& text) {
    return text.find('.') != std::string::npos && setting_catalog().find(text);
}

/// Ids, commands and numbers in a text, and the blanks between them left out.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : text + " ") {
        const bool is_part =
            (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
        if (is_part) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
    }
    return words;
}

TEST(Sources, NoSettingIsNamedByItsIdOutsideItsRow) {
    ASSERT_GT(literals().size(), 1000u);
    std::size_t rows = 0;
    for (const Literal& literal : literals()) {
        if (is_id_of_row(literal)) {
            rows += setting_catalog().find(literal.text) ? 1 : 0;
            continue;
        }
        EXPECT_FALSE(names_a_setting(literal.text)) << literal.where();
        const std::vector<std::string> words = words_of(literal.text);
        for (std::size_t i = 0; i + 1 < words.size(); ++i)
            if (words[i] == "set" || words[i] == "toggle" || words[i] == "reset") {
                EXPECT_FALSE(names_a_setting(words[i + 1])) << literal.where();
            }
    }
    EXPECT_EQ(rows, setting_catalog().rows().size()) << "one row each";
}

TEST(Sources, NothingIsDecidedByTheBeginningOfAnId) {
    std::set<std::string> groups;
    for (const SettingSpec* row : setting_catalog().rows())
        if (row->id.find('.') != std::string_view::npos) groups.insert(std::string(row->group()) + ".");
    for (const CommandSpec& row : command_table().rows())
        if (const auto dot = row.id.find('.'); dot != std::string_view::npos)
            groups.insert(std::string(row.id.substr(0, dot + 1)));
    ASSERT_GT(groups.size(), 10u);
    const std::regex compared(R"(group\(\)\s*[!=]=\s*"|"\s*[!=]=\s*[\w.>-]*group\(\))");
    for (const Literal& literal : literals()) {
        EXPECT_FALSE(groups.contains(literal.text)) << literal.where();
        EXPECT_FALSE(std::regex_search(literal.line, compared)) << literal.where();
    }
}

/// The first statement of a text with two draws of random numbers whose order the compiler may choose; empty
/// if there is none. Braces and commas between declarations have an order.
std::string unordered_draws(const std::string& text) {
    static const std::regex kDraw(
        R"(\b\w*[rR]andom\w*\s*(\.|->)\s*(uniform|next_u32|below|in_box|in_ball|direction|rotation|chance)\s*\()");
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find_first_of(";{}", start), text.size());
        const std::string statement = text.substr(start, end - start);
        start = end + 1;
        const auto draws = std::distance(std::sregex_iterator(statement.begin(), statement.end(), kDraw),
                                         std::sregex_iterator());
        const bool declares_two =
            std::regex_search(statement, std::regex(R"(^\s*(const )?float \w+ = .*\), \w+ = )"));
        if (draws > 1 && !declares_two) return statement;
    }
    return {};
}

TEST(Sources, NoTwoRandomNumbersAreDrawnInAnOrderThatTheCompilerChooses) {
    EXPECT_NE(unordered_draws("glm::vec3 v(random.uniform(0, 1), random.uniform(0, 1));"), "");
    EXPECT_NE(unordered_draws("v = 2 * random_.uniform(0.1f, 1) *\n  random_.direction();"), "");
    EXPECT_EQ(unordered_draws("a = random.uniform(0, 1); b = random.uniform(0, 1);"), "");
    std::size_t read = 0;
    for (const fs::path& root : {fs::path(BVLAB_APP), fs::path(BVLAB_APP) / "../core/workloads"})
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            std::ifstream in(entry.path());
            const std::string text(std::istreambuf_iterator<char>(in), {});
            const bool is_test = entry.path().generic_string().find("/tests/") != std::string::npos;
            if (is_test || text.find("andom") == std::string::npos) continue;
            ++read;
            EXPECT_EQ(unordered_draws(text), "") << entry.path();
        }
    EXPECT_GT(read, 10u);
}

// What a scene computes it computes in `analyze`; `show` is const, and keeps nothing for the next frame.
TEST(Sources, NoSceneHasMutableMembers) {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BVLAB_APP) / "scenes")) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
        ++files;
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);)
            EXPECT_FALSE(line.starts_with("    mutable ")) << entry.path() << ": " << line;
    }
    EXPECT_GT(files, 30);
}

TEST(Sources, NoSceneIsNamedOutsideItsOwnFile) {
    std::set<std::string> ids;
    std::ifstream list(fs::path(BVLAB_APP) / "scenes/scenes.list");
    for (std::string line; std::getline(list, line);) {
        if (line.empty() || line.front() == '#') continue;
        EXPECT_TRUE(fs::exists(fs::path(BVLAB_APP) / "scenes" / (line + ".cpp"))) << line;
        std::string id = fs::path(line).filename().string();
        std::replace(id.begin(), id.end(), '_', '-');
        EXPECT_TRUE(find_scene(id)) << line << ": its scene is named otherwise";
        ids.insert(id);
    }
    EXPECT_EQ(ids.size(), scene_specs().size());
    for (const Literal& literal : literals()) {
        std::string own = fs::path(literal.file).stem().string();
        std::replace(own.begin(), own.end(), '_', '-');
        const std::vector<std::string> words = words_of(literal.text);
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i] == own || !find_scene(words[i])) continue;
            // Some ids are ordinary words: a name is what stands alone where a scene is asked for, what
            // follows `scene`, and what is no word.
            const bool is_looked_up = std::regex_search(
                literal.line, std::regex(R"re((find_scene|load)\("|(scene|[>.]id) [!=]?= ")re"));
            const bool is_after_scene = i > 0 && words[i - 1] == "scene";
            const bool is_no_word =
                words[i].find('-') != std::string::npos && !lessons::find_lesson(words[i]);
            EXPECT_FALSE((is_looked_up && words.size() == 1) || is_after_scene || is_no_word)
                << literal.where();
        }
    }
}

}  // namespace
}  // namespace lab
