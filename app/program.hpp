// The program: what a command line asks for, one frame after the other. A window, a headless run, a lesson, a
// test and the page all go through the same frame.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "clip.hpp"
#include "controls.hpp"
#include "io/file_error.hpp"
#include "lessons/player.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "platform/frame_loop.hpp"
#include "preferences.hpp"
#include "session/session.hpp"
#include "stage.hpp"
#include "startup.hpp"

namespace lab {

class Program final : public platform::FrameProgram {
  public:
    explicit Program(Options options);
    ~Program() override;

    /// Opens what the first frame needs. An exit status other than Done, with the reason printed, if there is
    /// nothing to run.
    ExitStatus begin();
    [[nodiscard]] std::optional<int> frame() override;

    /// The running program; null before `begin` and after the end. Lets a page query it.
    [[nodiscard]] static Program* running();
    [[nodiscard]] Session& session() { return *session_; }
    /// Writes the settings that the user keeps from one session to the next.
    void save_preferences();
    /// The report of the frame that was shown last.
    [[nodiscard]] io::Report report() const;

  private:
    std::optional<ExitStatus> next_frame();
    [[nodiscard]] bool is_last(const OutsideRequests& requests);
    ExitStatus end();
    void save_progress();
    [[nodiscard]] std::optional<io::FileError> claim(const std::string& path, std::string_view kind);
    void write_outputs(const OutsideRequests& requests);
    void copy_link();
    bool write_clip();

    Options options_;
    lessons::Player lesson_;
    Stage stage_;
    std::unique_ptr<Session> session_;
    /// A run of a given length is a script: it waits for its jobs and fails on errors.
    bool is_script_;
    Controls controls_;
    MessagePrinter printer_;
    Preferences preferences_;
    std::optional<std::string> saved_progress_;  ///< Finished lessons and recent files; none before a frame.
    CommandQueue startup_;
    Clip clip_;
    Outputs outputs_;
    /// 0: until the user ends it. A lesson starts in one frame and is visible in the next.
    int frames_;
    int frame_ = 0;
    int waited_ = 0;  ///< Further frames, taken for commands that wait.
    ExitStatus status_ = ExitStatus::Done;
};

/// Runs `work`; an exception ends the session with a message.
int guarded(const std::function<int()>& work);

}  // namespace lab
