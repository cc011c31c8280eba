// What the mesh reader can do and what it cannot, tried from the inside by a program with the same fence.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "io/meshes/process/child_process.hpp"
#include "io/meshes/process/reader_fence.hpp"
#include "io/sanitized.hpp"
#include "io_test_tools.hpp"

namespace lab::io {
namespace {

using testing_tools::bytes_of;
using testing_tools::TestFolder;

constexpr std::uint32_t kSeccomp = static_cast<std::uint32_t>(Fence::Seccomp);
constexpr std::uint32_t kLandlock = static_cast<std::uint32_t>(Fence::Landlock);
constexpr int kDone = 0;
constexpr int kFailed = 10;
constexpr int kRefused = 30;

/// How the probe ended, as `waitpid` says it.
int probe(const std::string& action, std::uint32_t fences, const std::string& path = "",
          std::span<const int> given = {}) {
    std::string why;
    auto child = ChildProcess::start(BVLAB_FENCE_PROBE, {action, std::to_string(fences), path}, given, why);
    EXPECT_TRUE(child) << why;
    return child ? child->finish(false) : -1;
}

bool ended_with(int status, int code) {
    return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

bool has_fence(std::uint32_t fence) {
    return !ended_with(probe("compute", fence), kRefused);
}

const std::vector<std::string> kOnFiles{"open",  "create",  "unlink", "rename",
                                        "mkdir", "symlink", "list",   "exec"};

TEST(ReaderFence, SeccompEndsAReaderThatTriesAnythingButComputing) {
    if (!has_fence(kSeccomp)) GTEST_SKIP() << "this kernel refuses seccomp";
    const TestFolder folder;
    const std::string path = folder.write("victim", "bytes").string();
    std::vector<std::string> actions = kOnFiles;
    actions.insert(actions.end(), {"open2", "truncate", "chmod", "stat", "socket", "socketpair", "fork",
                                   "kill", "tgkill", "ptrace", "execute_memory", "make_executable",
                                   "map_file", "write_elsewhere", "memfd", "io_uring", "limits"});
    for (const std::string& action : actions) {
        EXPECT_TRUE(ended_with(probe(action, 0, folder.write("other", "x").string()), kDone) ||
                    action == "open2" || action == "map_file" || action == "ptrace" || action == "io_uring")
            << action << " proves nothing: it fails without a fence, too";
        const int status = probe(action, kSeccomp, path);
        if (kSanitized)
            EXPECT_TRUE(ended_with(status, kFailed)) << action << ": " << status;
        else
            EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << action << ": " << status;
        EXPECT_EQ(bytes_of(path), "bytes") << action;
    }
}

TEST(ReaderFence, LandlockAloneKeepsFilesAndProgramsOutOfReach) {
    if (!has_fence(kLandlock)) GTEST_SKIP() << "this kernel refuses Landlock";
    const TestFolder folder;
    const std::string path = folder.write("victim", "bytes").string();
    for (const std::string& action : kOnFiles) {
        EXPECT_TRUE(ended_with(probe(action, kLandlock, path), kFailed)) << action;
        EXPECT_EQ(bytes_of(path), "bytes") << action;
    }
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(ReaderFence, LetsComputeAndAnswer) {
    for (const std::uint32_t fences : {0u, kSeccomp, kLandlock, kSeccomp | kLandlock}) {
        if (fences != 0 && !has_fence(fences)) continue;
        EXPECT_TRUE(ended_with(probe("compute", fences), kDone)) << fences;
        // Sanitizers reserve more addresses than the limit allows.
        if (!kSanitized) {
            EXPECT_TRUE(ended_with(probe("exhaust", fences), kDone)) << fences;
        }
    }
}

TEST(ChildProcess, InheritsNothingButWhatItIsGiven) {
    // Descriptors that would be inherited, and one at a number that the child's own take.
    const int open_ones[] = {::open("/dev/null", O_RDONLY), ::open("/dev/null", O_RDONLY),
                             ::open("/dev/null", O_RDONLY)};
    const int high = ::fcntl(open_ones[0], F_DUPFD, 200);
    ::setenv("BVLAB_SECRET", "secret", 1);
    EXPECT_TRUE(ended_with(probe("descriptors", 0), 4)) << "three streams and the pipe";
    EXPECT_TRUE(ended_with(probe("descriptors", 0, "", std::span(open_ones)), 7));
    EXPECT_TRUE(ended_with(probe("environment", 0), 0));
    for (const int descriptor : open_ones)
        ::close(descriptor);
    ::close(high);
}

TEST(ChildProcess, AnswersOverItsPipe) {
    std::string why;
    auto child = ChildProcess::start(BVLAB_FENCE_PROBE, {"compute", "0"}, {}, why);
    ASSERT_TRUE(child) << why;
    char answer[8] = {};
    EXPECT_EQ(::read(child->pipe(), answer, sizeof answer), 4);
    EXPECT_EQ(std::string(answer), "done");
    EXPECT_TRUE(ended_with(child->finish(false), kDone));
    EXPECT_EQ(child->finish(false), -1) << "it has ended already";
    EXPECT_FALSE(ChildProcess::start("/no/such/program", {}, {}, why));
    EXPECT_FALSE(why.empty());
    const int closed[] = {-1};
    EXPECT_FALSE(ChildProcess::start(BVLAB_FENCE_PROBE, {"compute", "0"}, closed, why));
}

}  // namespace
}  // namespace lab::io
