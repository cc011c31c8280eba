#include "io/file_error.hpp"

namespace lab::io {

std::string FileError::text() const {
    std::string text = path;
    if (!where.empty()) text += (text.empty() ? "" : ", ") + where;
    if (!text.empty()) text += ": ";
    text += what + ".";
    if (!advice.empty()) text += " " + advice + ".";
    return text;
}

}  // namespace lab::io
