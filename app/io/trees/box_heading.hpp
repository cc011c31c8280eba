// Headings of box lists: which column of a table holds which number of a box.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lab::io {

/// What a column states about a box along one axis.
enum class BoxTerm : unsigned char { Low, High, Corner, Center, Size, HalfExtent };

/// The two terms that make a box. Low and high, low and size, corner (the low one) and size, center and size,
/// or center and half extent.
struct BoxForm {
    BoxTerm first = BoxTerm::Low;
    BoxTerm second = BoxTerm::High;
};

constexpr std::size_t kBoxNumbers = 6;

struct BoxHeading {
    BoxForm form;
    /// Columns of the first term's x, y and z, then the second one's.
    std::array<std::size_t, kBoxNumbers> numbers{};
    std::optional<std::size_t> name;
    std::size_t columns = 0;
};

/// `min x`, `size z`: the name of number 0 to 5 of a form, for messages.
std::string box_number_name(const BoxForm& form, std::size_t number);

/// True for a line of words, without quotes, that is a heading: one of them names a number of a box, or six
/// or more are different from each other. A word that comes twice stands for a missing number.
bool is_box_heading(std::vector<std::string> words);

/// Sets `heading`, or returns what is wrong with the line. Case and everything but letters and digits are
/// ignored, so `min_x`, `Min.X` and `"min x"` are one name. Guesses nothing: `left` or `near` are refused.
std::string parse_box_heading(const std::vector<std::string>& words, BoxHeading& heading);

/// Which headings are read, with an example of each kind.
inline constexpr const char* kBoxHeadingAdvice =
    "Name the columns like minx,miny,minz,maxx,maxy,maxz, like x,y,z,width,height,depth or like "
    "cx,cy,cz,hx,hy,hz (center and half extents); a comment begins with #";

}  // namespace lab::io
