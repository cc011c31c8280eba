# Writes OUTPUT, a C++ source with the bytes of FILES behind the function FUNCTION of embedded.hpp.
#   cmake -DOUTPUT=x.cpp -DFUNCTION=embedded_shaders -DFOLDER=... -DFILES=a;b [-DHEADER=... -DNAMESPACE=...] -P embed.cmake
if(NOT DEFINED HEADER)
  set(HEADER render/embedded.hpp)
  set(NAMESPACE lab::render)
endif()
set(arrays "")
set(rows "")
set(index 0)
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH name ${FOLDER} ${file})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  # One line per 32 bytes: compilers and people dislike lines of a megabyte.
  string(REPEAT "0x[0-9a-f][0-9a-f]," 32 row)
  string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "constexpr std::uint8_t kFile${index}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", {kFile${index}, sizeof kFile${index} - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "// Generated from files of the source tree; see app/render/embed.cmake.
#include \"${HEADER}\"
namespace ${NAMESPACE} {
namespace {
${arrays}constexpr EmbeddedFile kFiles[] = {
${rows}};
}  // namespace
std::span<const EmbeddedFile> ${FUNCTION}() { return kFiles; }
}  // namespace ${NAMESPACE}
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
