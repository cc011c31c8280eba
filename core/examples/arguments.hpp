// The command line of the examples that capture an engine: [FILE.bvcap|PORT] [FRAMES].
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

struct Arguments {
    const char* path;
    std::uint16_t port = 0;  ///< Of the lab; 0: the capture goes to the file.
    int frames = 300;
};

/// Ends the program after `--help`, and on anything that it does not understand.
inline Arguments parse_arguments(int argc, char** argv, const char* usual_path) {
    Arguments arguments{usual_path};
    const auto usage = [&](std::FILE* out) {
        std::fprintf(out,
                     "usage: %s [FILE.bvcap|PORT] [FRAMES]\n"
                     "Captures the broadphase of a small world into a file (%s), or sends it to a\n"
                     "Bounding Volume Lab that listens on PORT of this computer. 300 frames unless given.\n",
                     argv[0], usual_path);
    };
    const auto number = [](const char* text, long limit) -> long {
        char* end = nullptr;
        const long value = std::strtol(text, &end, 10);
        return *text != '\0' && *end == '\0' && value > 0 && value <= limit ? value : 0;
    };
    const auto refuse = [&](const char* what) {
        std::fprintf(stderr, "%s: '%s' is not understood\n", argv[0], what);
        usage(stderr);
        std::exit(2);
    };
    for (int i = 1; i < argc; ++i) {
        const std::string_view text = argv[i];
        if (text == "--help" || text == "-h") {
            usage(stdout);
            std::exit(0);
        }
        if (text.empty() || text.front() == '-' || i > 2) refuse(argv[i]);
    }
    if (argc > 1) {
        arguments.port = static_cast<std::uint16_t>(number(argv[1], 65535));
        arguments.path = argv[1];
        if (arguments.port == 0 && !std::string_view(argv[1]).ends_with(".bvcap")) refuse(argv[1]);
    }
    if (argc > 2) {
        arguments.frames = static_cast<int>(number(argv[2], 1'000'000));
        if (arguments.frames == 0) refuse(argv[2]);
    }
    return arguments;
}
