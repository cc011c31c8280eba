#include "program.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace lab::test {
namespace fs = std::filesystem;

void write_text(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string read_text(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

Finished run_shell(const TempDir& folder, const std::string& line) {
    const fs::path script = folder / "command.sh", out = folder / "out.txt", err = folder / "err.txt";
    write_text(script, "export BVLAB='" BVLAB_PROGRAM "' XDG_CONFIG_HOME='" + folder.path().string() +
                           "/config'\ncd '" + folder.path().string() + "'\n" + line + "\n");
    const std::string command =
        "timeout 60 sh '" + script.string() + "' >'" + out.string() + "' 2>'" + err.string() + "' </dev/null";
    const int raw = std::system(command.c_str());
    Finished run;
    run.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    run.out = read_text(out);
    run.err = read_text(err);
    return run;
}

Finished run_bvlab(const TempDir& folder, const std::string& arguments) {
    return run_shell(folder, "unset DISPLAY WAYLAND_DISPLAY\nexec \"$BVLAB\" " + arguments);
}

}  // namespace lab::test
