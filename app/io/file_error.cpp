#include "io/file_error.hpp"

#include "io/text/printable.hpp"

namespace lab::io {

std::string FileError::text() const {
    std::string text = printable(path, LineEnds::Escape, 1000);
    if (!where.empty()) text += (text.empty() ? "" : ", ") + where;
    if (!text.empty()) text += ": ";
    text += what + ".";
    if (!advice.empty()) text += " " + advice + ".";
    return printable(text);
}

}  // namespace lab::io
