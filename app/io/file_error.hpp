// Errors of files, and a result that holds a value or such an error.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace lab::io {

/// Why a file could not be read or written, for the user.
struct FileError {
    std::string path;
    std::string where;   ///< `line 12`, `byte 4096`, or empty.
    std::string what;    ///< What is wrong, as a clause: `the fourth number is not finite`.
    std::string advice;  ///< What to do about it, as a sentence without its full stop; may be empty.

    /// The whole message in one or two sentences: `boxes.txt, line 12: the fourth number is not finite. Write
    /// ...`.
    [[nodiscard]] std::string text() const;
};

/// A value or an error.
template <class T>
class Result {
  public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(FileError error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return content_.index() == 0; }
    [[nodiscard]] explicit operator bool() const { return ok(); }
    [[nodiscard]] T& value() {
        assert(ok());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] const T& value() const {
        assert(ok());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] T& operator*() { return value(); }
    [[nodiscard]] const T& operator*() const { return value(); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }
    /// Precondition: there is no value.
    [[nodiscard]] const FileError& error() const {
        assert(!ok());
        return *std::get_if<1>(&content_);
    }

  private:
    std::variant<T, FileError> content_;
};

}  // namespace lab::io
