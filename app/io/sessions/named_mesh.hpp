// A mesh of a file, by the name that bodies, commands and settings of a saved session use for it.
#pragma once

#include <string>

namespace lab::io {

struct NamedMesh {
    std::string name;
    std::string file;  ///< Path.
};

}  // namespace lab::io
