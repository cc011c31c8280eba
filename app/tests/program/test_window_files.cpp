// Files that reach a real window: dropped from the desktop, typed with Tab completion in the browser of
// files, and chosen again among the recent ones. Started by CTest under xvfb-run.
#include <cstdlib>

#include "window_session.hpp"

namespace lab::test {
namespace {

class WindowFiles : public WindowSession {
  protected:
    std::vector<std::pair<std::string, std::string>> environment() override {
        for (const char* name : {"tetrahedron one.obj", "tetrahedron two.obj", "other.obj"})
            write_text(file(name),
                       "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
        return {};
    }
    Json look_for_mesh(const std::string& name) {
        return look_until(name, [&](const Json& r) {
            return !r["body_list"].empty() &&
                   r["body_list"][0]["name"].get<std::string>().find(name) != std::string::npos;
        });
    }
};

TEST_F(WindowFiles, AFileDroppedFromTheDesktopIsOpened) {
    ASSERT_NE(look()["scene"], "mesh");
    ASSERT_EQ(drop_from_desktop({300, 300}, file("tetrahedron one.obj")), 0) << "the window refused it";
    look_for_mesh("tetrahedron one");
    ASSERT_EQ(drop_from_desktop({640, 300}, file("nothing.obj")), 0);
    const Json after = look_until("an error", [](const Json& r) { return !r["errors"].empty(); });
    EXPECT_NE(after["errors"][0].dump().find("nothing.obj"), std::string::npos) << after["errors"].dump();
}

TEST_F(WindowFiles, TabCompletesAPathAndOpenedFilesAreOfferedAgain) {
    key("ctrl+o");
    widget("files.path");
    // As far as both names are alike; then one letter decides.
    xdotool("type --delay 60 '" + file("tetra").string() + "'");
    key("Tab");
    xdotool("type --delay 60 tw");
    key("Tab");
    key("Return");
    look_for_mesh("tetrahedron two");

    command("scene welcome");
    key("ctrl+o");
    click(widget("files.recent.0"));
    look_for_mesh("tetrahedron two");
}

}  // namespace
}  // namespace lab::test
