#include "render/gl/shaders.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "render/embedded.hpp"
#include "render/gl/dialect.hpp"

namespace lab::render::gl {

namespace fs = std::filesystem;

namespace {

std::optional<std::string> embedded_text(std::string_view name) {
    for (const EmbeddedFile& file : embedded_shaders())
        if (file.name == name)
            return std::string(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    return std::nullopt;
}

std::optional<std::string> disk_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string_view version_line(Dialect dialect) {
    return dialect == Dialect::Core330 ? "#version 330 core\n"
                                       : "#version 300 es\nprecision highp float;\nprecision highp "
                                         "int;\nprecision highp sampler2D;\n";
}

// The name inside `#include "name"`, or empty if the line is no include.
std::string_view included_name(std::string_view line) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string_view::npos || line.substr(hash, 8) != "#include") return {};
    const std::size_t open = line.find('"', hash);
    const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
    return close == std::string_view::npos ? std::string_view{} : line.substr(open + 1, close - open - 1);
}

// Replaces the file numbers in a compiler's log by names: "1:12(3): error" (Mesa), "1(12) : error" (NVIDIA).
std::string with_file_names(const std::string& log, const std::vector<std::string>& files) {
    std::string out;
    std::size_t start = 0;
    while (start < log.size()) {
        const std::size_t end = std::min(log.find('\n', start), log.size());
        std::string line = log.substr(start, end - start);
        std::size_t digits = 0;
        while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])))
            ++digits;
        if (digits > 0 && digits < 4 && digits < line.size() &&
            (line[digits] == ':' || line[digits] == '(')) {
            const std::size_t number = std::stoul(line.substr(0, digits));
            if (number < files.size()) line = files[number] + line.substr(digits);
        }
        if (!line.empty() && line.find_first_not_of('\0') != std::string::npos) out += line + '\n';
        start = end + 1;
    }
    while (!out.empty() && out.back() == '\n')
        out.pop_back();
    return out;
}

}  // namespace

struct ShaderLibrary::Source {
    std::string text;
    std::vector<std::string> files;  // by number in #line
    std::string error;
};

Program::~Program() {
    if (name_ != 0) glDeleteProgram(name_);
}

void Program::adopt(GLuint program) {
    if (name_ != 0) glDeleteProgram(name_);
    name_ = program;
    locations_.clear();
    const GLuint block = glGetUniformBlockIndex(name_, "Frame");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(name_, block, kFrameBinding);
}

GLint Program::location(const char* uniform) {
    for (const auto& [name, location] : locations_)
        if (name == uniform) return location;
    const GLint found = glGetUniformLocation(name_, uniform);
    locations_.emplace_back(uniform, found);
    return found;
}

void Program::set(const char* uniform, int value) {
    glUniform1i(location(uniform), value);
}
void Program::set(const char* uniform, float value) {
    glUniform1f(location(uniform), value);
}
void Program::set(const char* uniform, glm::vec2 value) {
    glUniform2f(location(uniform), value.x, value.y);
}
void Program::set(const char* uniform, glm::vec4 value) {
    glUniform4f(location(uniform), value.x, value.y, value.z, value.w);
}

namespace {

// Appends `name` and its includes. Each file is included once, which also breaks cycles.
template <class Reader>
void append_file(std::string_view name, const Reader& read, std::string& text,
                 std::vector<std::string>& files, std::string& error) {
    if (std::find(files.begin(), files.end(), name) != files.end()) return;
    const std::size_t number = files.size();
    files.emplace_back(name);
    const std::optional<std::string> content = read(name);
    if (!content) {
        error = std::string(name) + ": no such shader file";
        return;
    }
    const auto mark = [&](std::size_t line) {
        text += "#line " + std::to_string(line) + ' ' + std::to_string(number) + '\n';
    };
    mark(1);
    std::size_t start = 0, line_number = 0;
    while (start < content->size() && error.empty()) {
        const std::size_t end = std::min(content->find('\n', start), content->size());
        const std::string_view line = std::string_view(*content).substr(start, end - start);
        ++line_number;
        if (const std::string_view included = included_name(line); !included.empty()) {
            append_file(included, read, text, files, error);
            mark(line_number + 1);
        } else {
            text.append(line);
            text += '\n';
        }
        start = end + 1;
    }
}

}  // namespace

std::string ShaderLibrary::embedded_source(std::string_view file, Dialect dialect, std::string_view defines) {
    std::string text(version_line(dialect));
    text += defines;
    std::vector<std::string> files;
    std::string error;
    append_file(file, embedded_text, text, files, error);
    return error.empty() ? text : std::string{};
}

ShaderLibrary::Source ShaderLibrary::assemble(std::string_view file, std::string_view defines,
                                              bool from_disk) const {
    Source source;
    source.text = version_line(context_dialect());
    source.text += defines;
    const auto read = [&](std::string_view name) -> std::optional<std::string> {
        if (from_disk && !folder_.empty())
            if (std::optional<std::string> text = disk_text(folder_ / name)) return text;
        return embedded_text(name);
    };
    append_file(file, read, source.text, source.files, source.error);
    return source;
}

GLuint ShaderLibrary::build(const Program& program, bool from_disk, std::string& error) const {
    const GLuint name = glCreateProgram();
    const std::array stages{std::pair{GLenum{GL_VERTEX_SHADER}, &program.vertex_file_},
                            std::pair{GLenum{GL_FRAGMENT_SHADER}, &program.fragment_file_}};
    for (const auto& [kind, file] : stages) {
        const Source source = assemble(*file, program.defines_, from_disk);
        error = source.error;
        if (!error.empty()) break;
        const GLuint shader = glCreateShader(kind);
        const char* text = source.text.c_str();
        glShaderSource(shader, 1, &text, nullptr);
        glCompileShader(shader);
        GLint good = GL_FALSE;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (good != GL_TRUE) {
            std::array<char, 4096> log{};
            glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
            error = with_file_names(log.data(), source.files);
            if (error.empty()) error = *file + ": does not compile";
        } else {
            glAttachShader(name, shader);
        }
        glDeleteShader(shader);  // the program keeps what it needs
        if (!error.empty()) break;
    }
    if (error.empty()) {
        glLinkProgram(name);
        GLint good = GL_FALSE;
        glGetProgramiv(name, GL_LINK_STATUS, &good);
        if (good == GL_TRUE) return name;
        std::array<char, 4096> log{};
        glGetProgramInfoLog(name, static_cast<GLsizei>(log.size()), nullptr, log.data());
        error = program.vertex_file_ + " with " + program.fragment_file_ + ": " + log.data();
    }
    glDeleteProgram(name);
    return 0;
}

Program& ShaderLibrary::add(std::string_view vertex_file, std::string_view fragment_file,
                            std::string_view defines) {
    if (programs_.empty()) seen_ = newest_change();
    auto program = std::make_unique<Program>();
    program->vertex_file_ = vertex_file;
    program->fragment_file_ = fragment_file;
    program->defines_ = defines;
    std::string error;
    GLuint name = build(*program, true, error);
    if (name == 0) {
        if (error_.empty()) error_ = error;
        std::string embedded_error;
        name = build(*program, false, embedded_error);
        if (name == 0) throw std::runtime_error("shader: " + embedded_error);
    }
    program->adopt(name);
    programs_.push_back(std::move(program));
    return *programs_.back();
}

fs::file_time_type ShaderLibrary::newest_change() const {
    fs::file_time_type newest = fs::file_time_type::min();
    if (folder_.empty()) return newest;
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(folder_, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code ignored;
        const fs::file_time_type time = entry->last_write_time(ignored);
        if (!ignored) newest = std::max(newest, time);
    }
    return newest;
}

void ShaderLibrary::reload_if_changed() {
    const fs::file_time_type newest = newest_change();
    if (newest == seen_) return;
    seen_ = newest;
    error_.clear();
    for (const std::unique_ptr<Program>& program : programs_) {
        std::string error;
        if (const GLuint name = build(*program, true, error); name != 0)
            program->adopt(name);
        else if (error_.empty())
            error_ = error;
    }
}

}  // namespace lab::render::gl
