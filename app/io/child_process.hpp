// Another program, started with a pipe to read from, and ended no later than its owner.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lab::io {

class ChildProcess {
  public:
    /// Starts `program`; its descriptor `pipe_number` is the writing end of a pipe, its standard streams lead
    /// nowhere, and no other descriptor of this program that is marked close-on-exec reaches it. Nothing, and
    /// `why`, on failure.
    static std::optional<ChildProcess> start(const std::filesystem::path& program,
                                             const std::vector<std::string>& arguments, int pipe_number,
                                             std::string& why);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    /// Kills the program if it still runs, and waits for its end.
    ~ChildProcess();

    [[nodiscard]] int pipe() const { return pipe_; }
    /// Kills at once if asked to, waits, and says how the program ended as `waitpid` does; -1 if that is not
    /// known.
    int finish(bool kill);

  private:
    ChildProcess(pid_t pid, int pipe) : pid_(pid), pipe_(pipe) {}
    pid_t pid_ = -1;
    int pipe_ = -1;
};

}  // namespace lab::io
