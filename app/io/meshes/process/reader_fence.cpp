// Landlock: linux/landlock.h and "Landlock: unprivileged access control" in the kernel's documentation.
// seccomp: seccomp(2) and the manual of libseccomp.
#include "io/meshes/process/reader_fence.hpp"

#include <linux/landlock.h>
#include <malloc.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "io/sanitized.hpp"

namespace lab::io {
namespace {

/// The ruleset has no rules: every access that it handles is forbidden everywhere.
bool landlock() {
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return false;
    landlock_ruleset_attr handled{};
    handled.handled_access_fs =
        (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // every right of the first ABI version
    if (version >= 2)
        handled.handled_access_fs |= std::uint64_t{1} << 13;  // to link and rename across folders
    if (version >= 3) handled.handled_access_fs |= std::uint64_t{1} << 14;  // to truncate
    const long ruleset =
        ::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
    if (ruleset < 0) return false;
    const long code = ::syscall(SYS_landlock_restrict_self, ruleset, 0);
    ::close(static_cast<int>(ruleset));
    return code == 0;
}

bool allow_calls(scmp_filter_ctx filter, int output) {
    const auto allow = [filter](int call, std::initializer_list<scmp_arg_cmp> conditions = {}) {
        return ::seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call,
                                        static_cast<unsigned>(conditions.size()), conditions.begin()) == 0;
    };
    bool good = true;
    for (const int call : {SCMP_SYS(read), SCMP_SYS(close), SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap),
                           SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(rt_sigreturn),
                           SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigaction), SCMP_SYS(clock_gettime),
                           SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(exit), SCMP_SYS(exit_group)})
        good = allow(call) && good;
    // The address sanitizer asks for its signal stack when the process exits.
    if (kSanitized) good = allow(SCMP_SYS(sigaltstack), {}) && good;
    good = allow(SCMP_SYS(write), {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(output))}) && good;
    // Memory that is neither executable nor backed by a file.
    good = allow(SCMP_SYS(mmap), {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                                  SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS)}) &&
           good;
    good = allow(SCMP_SYS(mprotect), {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)}) && good;
    // abort() signals its own process.
    good = allow(SCMP_SYS(tgkill), {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()))}) && good;
    return good;
}

bool seccomp(int output) {
    scmp_filter_ctx filter = ::seccomp_init(kSanitized ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_KILL_PROCESS);
    if (filter == nullptr) return false;
    const bool good = ::seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
                      allow_calls(filter, output) && ::seccomp_load(filter) == 0;
    ::seccomp_release(filter);
    return good;
}

}  // namespace

std::uint32_t fence_in(int output, std::uint32_t wanted) {
    constexpr auto kSeccomp = static_cast<std::uint32_t>(Fence::Seccomp);
    constexpr auto kLandlock = static_cast<std::uint32_t>(Fence::Landlock);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // When memory is short, malloc() would ask for the number of processors, to see whether another arena may
    // do.
    ::mallopt(M_ARENA_MAX, 1);
    std::uint32_t refused = 0;
    if ((wanted & kLandlock) != 0 && !landlock()) refused |= kLandlock;
    if ((wanted & kSeccomp) != 0 && !seccomp(output)) refused |= kSeccomp;
    return refused;
}

}  // namespace lab::io
