// Reads the #include lines of the whole project and fails on one that the architecture forbids: the folders'
// libraries stay apart, core depends on GLM and the standard library alone, and intrinsics live in one place.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Rule {
    std::string folder;
    std::set<std::string>
        may_include;  ///< First path components, or whole names of headers outside the project.
};

// A header of the standard library has neither a slash nor an extension: always allowed.
const std::vector<Rule> kRules = {
    {"core/include", {"bv", "glm"}},
    {"core/src/simd",
     {"bv", "glm", "simd", "tree", "query", "immintrin.h", "emmintrin.h", "xmmintrin.h", "cpuid.h"}},
    {"core/src", {"bv", "glm", "simd", "tree", "query", "fit", "shapes", "broadphase"}},
    {"core/workloads", {"bv", "glm", "workloads"}},
    {"app/platform", {"platform", "GLFW", "EGL", "glm"}},
    {"app/render", {"render", "platform", "glad", "glm", "stb_truetype.h", "stb"}},
    {"app/io", {"io", "bv", "workloads", "glm", "nlohmann", "seccomp.h", "stb_image_write.h", "stb", "fmt"}},
    {"app/sandbox", {"sandbox", "io", "bv", "workloads", "glm", "fmt"}},
    {"app/viz", {"viz", "bv", "sandbox", "render/draw_list.hpp", "glm", "fmt"}},
    {"app/panels",
     {"panels", "sandbox", "viz", "lessons", "bv", "render/draw_list.hpp", "render/texture.hpp",
      "render/font.hpp", "glm", "fmt", "imgui.h", "imgui_internal.h", "imgui_freetype.h", "imgui_stdlib.h",
      "backends", "imgui_impl_glfw.h", "imgui_impl_opengl3.h", "misc"}},
    {"app/lessons", {"lessons", "sandbox", "md4c.h", "glm", "fmt", "bv"}},
};

// POSIX headers that the platform-facing folders need.
const std::set<std::string> kSystemHeaders = {"sys",    "unistd.h", "fcntl.h", "signal.h",
                                              "poll.h", "spawn.h",  "linux",   "malloc.h"};
const std::set<std::string> kMayUseSystem = {"app/platform", "app/io"};

const Rule* rule_for(const std::string& path) {
    const Rule* best = nullptr;  // The longest folder that matches wins.
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
    if (is_standard(header)) return true;
    const std::string first = header.substr(0, header.find('/'));
    if (rule.may_include.contains(header) || rule.may_include.contains(first)) return true;
    if (kMayUseSystem.contains(rule.folder) && kSystemHeaders.contains(first)) return true;
    return false;
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

}  // namespace

TEST(Layout, NoForbiddenIncludes) {
    const fs::path root = BVLAB_SOURCE_DIR;
    int files = 0;
    for (const char* top : {"core/include", "core/src", "core/workloads", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension();
            if (extension != ".hpp" && extension != ".cpp" && extension != ".inl") continue;
            ++files;
            std::ifstream text(entry.path());
            for (const std::string& finding : forbidden_includes(fs::relative(entry.path(), root), text))
                ADD_FAILURE() << finding;
        }
    }
    EXPECT_GT(files, 40) << "the walk found almost nothing: is the source folder right?";
}

TEST(Layout, TheRuleCatchesAForbiddenInclude) {
    std::istringstream gl("#include <vector>\n  #  include \"GLFW/glfw3.h\"\n");
    EXPECT_EQ(forbidden_includes("core/src/x.cpp", gl).size(), 1u);
    std::istringstream intrinsics("#include <immintrin.h>\n");
    EXPECT_EQ(forbidden_includes("core/src/tree/x.cpp", intrinsics).size(), 1u);
    std::istringstream imgui("#include <imgui.h>\n");
    EXPECT_EQ(forbidden_includes("app/viz/x.cpp", imgui).size(), 1u);
    std::istringstream sandbox("#include \"sandbox/sandbox.hpp\"\n");
    EXPECT_EQ(forbidden_includes("app/render/x.cpp", sandbox).size(), 1u);
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
