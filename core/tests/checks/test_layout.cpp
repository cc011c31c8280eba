// Reads the #include lines of the whole project and fails on one that the architecture forbids: the folders'
// libraries stay apart, core depends on GLM and the standard library alone, and intrinsics live in one place.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// A folder and what it may include: first path components, or whole names of headers. A header of the
/// standard library has neither a slash nor an extension and is always allowed.
struct Rule {
    std::string folder;
    std::set<std::string> may_include;
};

/// A folder of the program: it may include the folders on the floors below it, and headers of other projects
/// that no other folder needs.
struct Folder {
    std::string name;
    int floor;
    std::set<std::string> foreign;
};

const std::set<std::string> kPosix = {"sys",    "unistd.h", "fcntl.h", "signal.h",
                                      "poll.h", "spawn.h",  "linux",   "malloc.h"};

std::set<std::string> with_posix(std::set<std::string> headers) {
    headers.insert(kPosix.begin(), kPosix.end());
    return headers;
}

// From the bottom up, as in the design.
const std::vector<Folder> kFolders = {
    {"platform", 1, with_posix({"GLFW", "EGL", "GLES3", "emscripten", "emscripten.h"})},
    {"io", 2,
     with_posix({"arpa", "netinet", "nlohmann", "seccomp.h", "stb_image.h", "stb_image_write.h", "stb"})},
    {"settings", 3, {}},
    {"render", 4, {"glad", "meshoptimizer.h", "stb_truetype.h", "stb"}},
    {"results", 4, {}},
    {"world", 5, {}},
    {"view", 6, {}},
    {"steps", 7, {}},
    {"capture", 7, {}},
    {"viz", 7, {}},
    {"scenes", 8, {}},
    {"session", 9, {}},
    {"lessons", 10, {"md4c.h"}},
    {"commands", 11, {}},
    {"panels",
     12,
     {"imgui.h", "imgui_internal.h", "imgui_freetype.h", "imgui_stdlib.h", "backends", "imgui_impl_glfw.h",
      "imgui_impl_opengl3.h", "misc"}},
};

/// The renderer uses no collision type, and others include only the types that they pass to it.
const std::set<std::string> kOfRender = {"render/draw_list.hpp", "render/texture.hpp", "render/font.hpp"};

std::vector<Rule> rules() {
    std::vector<Rule> all = {
        {"core/include", {"bv", "glm"}},
        // One header for engines in C99 and C++, which writes files in a thread of its own.
        {"core/include/bv/capture", with_posix({"arpa", "emmintrin.h", "errno.h", "intrin.h", "netinet",
                                                "pthread.h", "stddef.h", "windows.h", "winsock2.h"})},
        {"core/include/bv/capture/adapters", {"bv", "glm", "BulletCollision", "LinearMath", "box2d", "fcl"}},
        {"core/src/simd",
         {"bv", "glm", "simd", "tree", "query", "immintrin.h", "emmintrin.h", "xmmintrin.h", "cpuid.h"}},
        {"core/src/memory", {"bv", "sys"}},  // asks the system for large pages
        {"core/src", {"bv", "glm", "simd", "tree", "query", "fit", "shapes", "broadphase"}},
        {"core/workloads", {"bv", "glm", "workloads"}},
    };
    for (const Folder& folder : kFolders) {
        std::set<std::string> may = folder.foreign;
        may.insert({"glm", folder.name});
        if (folder.name == "render") {
            may.insert("platform");
        } else {
            may.insert({"bv", "workloads", "fmt"});
            for (const Folder& below : kFolders)
                if (below.floor < folder.floor && below.name != "render") may.insert(below.name);
            if (folder.name == "viz" || folder.name == "panels")
                may.insert(kOfRender.begin(), kOfRender.end());
        }
        all.push_back({"app/" + folder.name, std::move(may)});
    }
    // The page around the program stands above all of it.
    Rule page{"app/web", {"emscripten.h", "program.hpp"}};
    for (const Folder& folder : kFolders)
        page.may_include.insert(folder.name);
    all.push_back(std::move(page));
    return all;
}

const Rule* rule_for(const std::string& path) {
    static const std::vector<Rule> kRules = rules();
    const Rule* best = nullptr;  // The longest matching folder wins.
    for (const Rule& rule : kRules)
        if (path.starts_with(rule.folder + "/") && (!best || rule.folder.size() > best->folder.size()))
            best = &rule;
    return best;
}

bool is_standard(const std::string& header) {
    static const std::set<std::string> kC = {"stdio.h", "stdlib.h", "stdint.h", "string.h"};
    return header.find_first_of("/.") == std::string::npos || kC.contains(header);
}

bool allowed(const Rule& rule, const std::string& header) {
    const std::string first = header.substr(0, header.find('/'));
    return is_standard(header) || rule.may_include.contains(header) || rule.may_include.contains(first);
}

std::vector<std::string> forbidden_includes(const std::string& path, std::istream& text) {
    static const std::regex kInclude(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    std::vector<std::string> found;
    const Rule* rule = rule_for(path);
    if (!rule) return found;
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
        std::smatch match;
        if (!std::regex_search(line, match, kInclude)) continue;
        if (!allowed(*rule, match[1]))
            found.push_back(path + ":" + std::to_string(number) + " includes " + match[1].str() + ", which " +
                            rule->folder + " may not use");
    }
    return found;
}

/// What the C++ library of Emscripten 3.1.6 lacks, found without a build of the page.
std::vector<std::string> names_unknown_to_the_page(const std::string& path, std::istream& text) {
    static const std::regex kName(
        R"(std::(ranges::|views::|format\b|jthread\b|source_location\b|make_unique_for_overwrite\b|bit_cast\b))");
    std::vector<std::string> found;
    if (path.find("/tests/") != std::string::npos) return found;
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
        std::smatch match;
        const std::string code = line.substr(0, line.find("//"));
        if (!std::regex_search(code, match, kName)) continue;
        found.push_back(path + ":" + std::to_string(number) + " uses std::" + match[1].str() +
                        ", which the page's C++ library lacks");
    }
    return found;
}

template <class Check>
void check_sources(const Check& check) {
    const fs::path root = BVLAB_SOURCE_DIR;
    int files = 0;
    for (const char* top : {"core/include", "core/src", "core/workloads", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension();
            if (extension != ".h" && extension != ".hpp" && extension != ".cpp" && extension != ".inl")
                continue;
            ++files;
            std::ifstream text(entry.path());
            for (const std::string& finding : check(fs::relative(entry.path(), root), text))
                ADD_FAILURE() << finding;
        }
    }
    EXPECT_GT(files, 40) << "found almost no files: is the source folder right?";
}

}  // namespace

TEST(Layout, NoForbiddenIncludes) {
    check_sources(forbidden_includes);
}

TEST(Layout, NoNamesUnknownToThePage) {
    check_sources(names_unknown_to_the_page);
    std::istringstream lines("std::ranges::sort(v);\n// std::ranges::sort\nstd::sort(v.begin(), v.end());\n");
    EXPECT_EQ(names_unknown_to_the_page("app/world/x.cpp", lines).size(), 1u);
}

TEST(Layout, DetectsAForbiddenInclude) {
    std::istringstream gl("#include <vector>\n  #  include \"GLFW/glfw3.h\"\n");
    EXPECT_EQ(forbidden_includes("core/src/x.cpp", gl).size(), 1u);
    std::istringstream intrinsics("#include <immintrin.h>\n");
    EXPECT_EQ(forbidden_includes("core/src/tree/x.cpp", intrinsics).size(), 1u);
    std::istringstream imgui("#include <imgui.h>\n");
    EXPECT_EQ(forbidden_includes("app/viz/x.cpp", imgui).size(), 1u);
    std::istringstream session("#include \"session/sandbox.hpp\"\n");
    EXPECT_EQ(forbidden_includes("app/render/x.cpp", session).size(), 1u);
    std::istringstream upward("#include \"session/sandbox.hpp\"\n");
    EXPECT_EQ(forbidden_includes("app/world/x.cpp", upward).size(), 1u);
}

TEST(Layout, EveryFolderOfTheProgramIsListed) {
    for (const auto& entry : fs::directory_iterator(fs::path(BVLAB_SOURCE_DIR) / "app")) {
        const std::string name = entry.path().filename();
        if (!entry.is_directory() || name == "tests" || name == "bench" || name == "package") continue;
        EXPECT_TRUE(rule_for("app/" + name + "/x.cpp")) << "no floor is defined for app/" << name;
    }
}

// The walks through program and library name files: those must exist.
TEST(Layout, TextsNameFilesThatExist) {
    const fs::path root = BVLAB_SOURCE_DIR;
    static const std::regex kFile("`([\\w./-]+/[\\w.-]+\\.(hpp|cpp|h|cmake|txt|list|frag|vert|glsl))`");
    const std::vector<fs::path> bases = {root, root / "app", root / "core", root / "core/include"};
    int named = 0;
    for (const char* text : {"README.md", "app/README.md", "core/README.md"}) {
        std::ifstream in(root / text);
        std::ostringstream all;
        all << in.rdbuf();
        const std::string content = all.str();
        for (std::sregex_iterator it(content.begin(), content.end(), kFile), end; it != end; ++it, ++named) {
            const std::string file = (*it)[1];
            if (file.find("NAME") != std::string::npos) continue;
            EXPECT_TRUE(std::any_of(bases.begin(), bases.end(),
                                    [&](const fs::path& base) { return fs::exists(base / file); }))
                << text << " names " << file;
        }
    }
    EXPECT_GT(named, 40);
}

// A folder is split, by names of the field, when it passes about twenty files.
TEST(Layout, FoldersHoldAboutTwentyFiles) {
    constexpr int kMaxFiles = 22;
    std::map<fs::path, int> files;
    const fs::path root = BVLAB_SOURCE_DIR;
    for (const char* top : {"app", "assets", "core", "shaders", "third_party"})
        for (const auto& entry : fs::recursive_directory_iterator(root / top))
            if (entry.is_regular_file()) ++files[fs::relative(entry.path().parent_path(), root)];
    for (const auto& [folder, count] : files)
        if (folder.filename() != "golden") {  // Stored pictures, two for each scene.
            EXPECT_LE(count, kMaxFiles) << folder;
        }
}

TEST(Layout, TopLevelIsFixed) {
    const std::set<std::string> fixed = {
        "app", "core",    "shaders",           "assets", "third_party", "CMakeLists.txt", "README.md",
        "dev", "LICENSE", "CMakePresets.json", "build",  "out"};
    for (const auto& entry : fs::directory_iterator(BVLAB_SOURCE_DIR)) {
        const std::string name = entry.path().filename();
        EXPECT_TRUE(name.starts_with(".") || name.starts_with("build-") || fixed.contains(name)) << name;
    }
}
