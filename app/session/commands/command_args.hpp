// Reads the words of a command line; refusals name the word.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "session/commands/command_table.hpp"

namespace lab {

/// Reads a command's words from left to right. After the first wrong word, `problem` describes it, and later
/// reads return defaults.
class ArgReader {
  public:
    explicit ArgReader(CommandArgs args) : args_(args) {}

    [[nodiscard]] bool more() const { return next_ < args_.size(); }
    [[nodiscard]] std::size_t left() const { return args_.size() - next_; }
    /// The next word, without consuming it; empty if there is none.
    [[nodiscard]] std::string_view peek() const {
        return more() ? std::string_view(args_[next_]) : std::string_view();
    }
    std::string_view word(std::string_view what);
    /// Always finite.
    double number(std::string_view what, double min = -1e9, double max = 1e9);
    long long integer(std::string_view what, long long min, long long max);
    glm::vec2 vec2(std::string_view what);
    glm::vec3 vec3(std::string_view what);

    [[nodiscard]] const CommandResult& problem() const { return problem_; }

  private:
    void refuse(std::string why);

    CommandArgs args_;
    std::size_t next_ = 0;
    CommandResult problem_;
};

}  // namespace lab
