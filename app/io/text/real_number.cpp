#include "io/text/real_number.hpp"

namespace lab::io {

std::from_chars_result read_real(const char* first, const char* last, double& value) {
    return std::from_chars(first, last, value);
}

std::from_chars_result read_real(const char* first, const char* last, float& value) {
    return std::from_chars(first, last, value);
}

}  // namespace lab::io
