// A child process with a pipe to read from; its owner's destructor ends it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lab::io {

class ChildProcess {
  public:
    static constexpr int kPipe = 3;        ///< The program's end of the pipe, for writing.
    static constexpr int kFirstGiven = 4;  ///< The first of the descriptors that it is given.

    /// Starts `program` with the pipe and copies of the `given` descriptors, and nothing else of this
    /// process: no environment, no other descriptor, /dev/null as standard streams, no blocked or ignored
    /// signals. Returns nothing and sets `why` on failure.
    static std::optional<ChildProcess> start(const std::filesystem::path& program,
                                             const std::vector<std::string>& arguments,
                                             std::span<const int> given, std::string& why);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    /// Kills the process if it is still running, and reaps it.
    ~ChildProcess();

    [[nodiscard]] int pipe() const { return pipe_; }
    /// Kills the process first if asked to, waits, and returns the status of `waitpid`; -1 if unknown.
    int finish(bool kill);

  private:
    ChildProcess(pid_t pid, int pipe) : pid_(pid), pipe_(pipe) {}
    pid_t pid_ = -1;
    int pipe_ = -1;
};

}  // namespace lab::io
