#include "window_session.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace lab::test {
namespace {

constexpr int kPatience = 600;  // tenths of a second: sanitizers on a busy machine are slow

void wait_a_little() {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

std::string at(const Json& pixel) {
    return std::to_string(std::lround(pixel[0].get<double>())) + " " +
           std::to_string(std::lround(pixel[1].get<double>()));
}

}  // namespace

void WindowSession::SetUp() {
    if (!std::getenv("DISPLAY")) GTEST_SKIP() << "no X server";
    const auto environment = this->environment();
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
        setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
        for (const auto& [name, value] : environment)
            setenv(name.c_str(), value.c_str(), 1);
        if (chdir(folder_.path().c_str()) != 0) _exit(99);
        execl(BVLAB_PROGRAM, "bvlab", "--seed", "7", "--set", "sim.paused=true", "--set", "ray.sweep=false",
              static_cast<char*>(nullptr));
        _exit(98);
    }
    ASSERT_EQ(run("xdotool search --sync --onlyvisible --name 'Bounding Volume Lab' > window.txt"), 0);
    wait_a_little();
    // A slow machine needs longer between two events, so that no two fall into one frame by accident.
    const Json first = look();
    double frame_ms = 0;
    for (const auto& [stage, ms] : first["timings_ms"].items())
        frame_ms += ms.get<double>();
    pause_ = "sleep " + std::to_string(std::max(0.4, 0.006 * frame_ms)) + " ";
}

void WindowSession::TearDown() {
    if (child_ <= 0) return;
    key("ctrl+q");
    int status = 0;
    for (int i = 0; i < kPatience; ++i) {
        if (waitpid(child_, &status, WNOHANG) == child_) {
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "it did not end well: " << status;
            return;
        }
        wait_a_little();
    }
    ADD_FAILURE() << "Ctrl+Q did not end the program";
    kill(child_, SIGKILL);
    waitpid(child_, &status, 0);
}

int WindowSession::run(const std::string& line) const {
    return std::system(("cd '" + folder_.path().string() + "' && timeout 60 " + line).c_str());
}

void WindowSession::xdotool(const std::string& words) const {
    ASSERT_EQ(run("xdotool " + words), 0) << words;
}

void WindowSession::key(const std::string& name) const {
    xdotool("key --delay 60 " + name + " " + pause_);
}

void WindowSession::type(const std::string& text) const {
    xdotool(pause_ + "type --delay 40 '" + text + "'");
    xdotool(pause_ + "key Return " + pause_);
}

void WindowSession::click(const Json& pixel) const {
    xdotool("mousemove " + at(pixel) + " " + pause_ + "click 1 " + pause_);
}

void WindowSession::right_click(const Json& pixel) const {
    xdotool("mousemove " + at(pixel) + " " + pause_ + "click 3 " + pause_);
}

void WindowSession::drag(const Json& from, double dx, double dy, const std::string& held) const {
    const Json half = {from[0].get<double>() + 0.5 * dx, from[1].get<double>() + 0.5 * dy};
    const Json to = {from[0].get<double>() + dx, from[1].get<double>() + dy};
    const std::string down = held.empty() ? "" : "keydown " + held + " ";
    const std::string up = held.empty() ? "" : "keyup " + held;
    xdotool("mousemove " + at(from) + " " + pause_ + down + "mousedown 1 " + pause_ + "mousemove " +
            at(half) + " " + pause_ + "mousemove " + at(to) + " " + pause_ + "mouseup 1 " + pause_ + up);
}

int WindowSession::drop_from_desktop(const Json& pixel, const std::filesystem::path& dropped) const {
    return run("sh -c '" BVLAB_DROP_FILES " $(cat window.txt) " + at(pixel) + " \"" + dropped.string() +
               "\"'");
}

void WindowSession::fill_palette(const std::string& text) {
    const auto is_there = [](const Json& r) { return r["widgets"].contains("palette.line"); };
    look_until("the palette", is_there);
    type(text);
    look_until("the palette's end", [&](const Json& r) { return !is_there(r); });
}

void WindowSession::command(const std::string& line) {
    key("ctrl+p");
    fill_palette(line);
}

Json WindowSession::look() {
    const std::filesystem::path written = file("bvlab.json");
    std::filesystem::remove(written);
    key("shift+F12");
    for (int i = 0; i < kPatience; ++i) {
        Json report = Json::parse(read_text(written), nullptr, false);
        if (!report.is_discarded()) return report;
        wait_a_little();
    }
    throw std::runtime_error("no report came");  // nothing that follows would make sense
}

Json WindowSession::widget(const std::string& name) {
    return look_until(name, [&](const Json& r) { return r["widgets"].contains(name); })["widgets"][name];
}

Json WindowSession::look_until(const std::string& wanted, const std::function<bool(const Json&)>& there) {
    for (int i = 0; i < kPatience / 20; ++i) {
        Json report = look();
        if (there(report)) return report;
    }
    throw std::runtime_error("never came: " + wanted);
}

Json WindowSession::scroll_to(const std::string& name) {
    for (int i = 0; i < kPatience / 20 && !look()["widgets"].contains(name); ++i)
        xdotool("mousemove 1200 400 " + pause_ + "click --repeat 3 --delay 120 5 " + pause_);
    return widget(name);
}

Json WindowSession::empty_place(const Json& report) {
    const Json& right = report["widgets"]["section.Selection"];
    return {right[0].get<double>() - 190, 170};
}

}  // namespace lab::test
