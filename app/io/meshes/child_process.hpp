// Another program, started with a pipe to read from, and ended no later than its owner.
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

    /// Starts `program` with the pipe, with copies of the `given` descriptors, and with nothing else of this
    /// process: no environment, no other descriptor, standard streams that lead nowhere, no blocked or
    /// ignored signal. Nothing, and `why`, on failure.
    static std::optional<ChildProcess> start(const std::filesystem::path& program,
                                             const std::vector<std::string>& arguments,
                                             std::span<const int> given, std::string& why);
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
