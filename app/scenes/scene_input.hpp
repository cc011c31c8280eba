// What the user has added, removed, dragged or cut in a scene, as one value of any type that can be compared.
#pragma once

#include <any>
#include <concepts>
#include <utility>

namespace lab {

class SceneInput {
  public:
    /// The value for a scene without an input.
    SceneInput() = default;
    template <std::equality_comparable Value>
    requires(!std::same_as<Value, SceneInput>) explicit SceneInput(Value value)
        : value_(std::move(value)), is_same_([](const std::any& a, const std::any& b) {
              const auto *x = std::any_cast<Value>(&a), *y = std::any_cast<Value>(&b);
              return x && y && *x == *y;
          }) {}

    [[nodiscard]] explicit operator bool() const { return value_.has_value(); }
    /// Null if it holds another type.
    template <class Value>
    [[nodiscard]] const Value* get() const {
        return std::any_cast<Value>(&value_);
    }
    friend bool operator==(const SceneInput& a, const SceneInput& b) {
        return a && b ? a.is_same_(a.value_, b.value_) : !a && !b;
    }

  private:
    std::any value_;
    bool (*is_same_)(const std::any&, const std::any&) = nullptr;
};

}  // namespace lab
