// A session in a real window on an X server, driven by mouse and keyboard. The outcome is read from reports
// that a key requests. Run under xvfb-run.
#pragma once

#include <gtest/gtest.h>

#include <sys/types.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"

namespace lab::test {

using Json = nlohmann::json;

class WindowSession : public ::testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;
    /// What the program is started with besides the environment of the test.
    virtual std::vector<std::pair<std::string, std::string>> environment() { return {}; }

    void xdotool(const std::string& words) const;
    void key(const std::string& name) const;
    /// Types into the focused field, and presses Return.
    void type(const std::string& text) const;
    void click(const Json& pixel) const;
    void right_click(const Json& pixel) const;
    void drag(const Json& from, double dx, double dy, const std::string& held = {}) const;
    /// Drops a file on a pixel of the window, as a desktop does; 0: the window took it.
    [[nodiscard]] int drop_from_desktop(const Json& pixel, const std::filesystem::path& dropped) const;
    /// Types into the palette once it is open, and waits until it has closed.
    void fill_palette(const std::string& text);
    /// Types a command line into the palette, as a person would.
    void command(const std::string& line);
    /// The program's own report of this moment.
    Json look();
    /// Polls the report until it meets the condition; otherwise the test fails.
    Json look_until(const std::string& wanted, const std::function<bool(const Json&)>& there);
    /// Where a widget is, once it is on screen.
    Json widget(const std::string& name);
    /// The same in the right panel, whose wheel is turned down until it is.
    Json scroll_to(const std::string& name);
    /// A point of the view with nothing under it: near its lower right corner, above the floor's middle.
    static Json empty_place(const Json& report);
    /// Where a file of the session's folder is.
    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return folder_ / name; }

  private:
    [[nodiscard]] int run(const std::string& line) const;

    TempDir folder_;
    pid_t child_ = -1;
    std::string pause_ = "sleep 0.5 ";
};

}  // namespace lab::test
