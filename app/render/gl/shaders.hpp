// Shader programs from GLSL files: read from a folder if there is one, otherwise from the embedded copies,
// and recompiled when a file changes. A file that does not compile never replaces a working program.
//
// The files have no #version line; the library prepends it, so that one text serves OpenGL 3.3 and OpenGL
// ES 3.0. `#include "name"` includes another file of the same folder.
#pragma once

#include <glad/gl.h>

#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab::render::gl {

/// Binding point of the `Frame` uniform block that every program may use.
inline constexpr GLuint kFrameBinding = 0;

class Program {
  public:
    ~Program();
    Program() = default;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void use() const { glUseProgram(name_); }
    /// The program must be in use. A uniform that the shader does not have is skipped.
    void set(const char* uniform, int value);
    void set(const char* uniform, float value);
    void set(const char* uniform, glm::vec2 value);
    void set(const char* uniform, glm::vec4 value);

  private:
    friend class ShaderLibrary;
    GLint location(const char* uniform);
    void adopt(GLuint program);

    GLuint name_ = 0;
    std::vector<std::pair<std::string, GLint>> locations_;
    std::string vertex_file_, fragment_file_, defines_;
};

/// The dialect that the #version line asks for.
enum class Dialect : unsigned char { Core330, Es300 };

class ShaderLibrary {
  public:
    explicit ShaderLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Compiles `vertex_file` and `fragment_file` with `defines` (lines of #define). The reference stays
    /// valid as long as the library. Throws std::runtime_error if even the embedded files do not compile.
    Program& add(std::string_view vertex_file, std::string_view fragment_file, std::string_view defines = {});

    /// Compiles everything again if a file of the folder changed since the last look.
    void reload_if_changed();
    /// Why the files on disk are not all in use; empty when they are.
    [[nodiscard]] const std::string& error() const { return error_; }

    /// The text as the compiler gets it, from the embedded copies. For tests of the dialects.
    static std::string embedded_source(std::string_view file, Dialect dialect, std::string_view defines);

  private:
    struct Source;
    Source assemble(std::string_view file, std::string_view defines, bool from_disk) const;
    GLuint build(const Program& program, bool from_disk, std::string& error) const;
    std::filesystem::file_time_type newest_change() const;

    std::filesystem::path folder_;
    std::filesystem::file_time_type seen_ = std::filesystem::file_time_type::min();
    std::vector<std::unique_ptr<Program>> programs_;
    std::string error_;
};

}  // namespace lab::render::gl
