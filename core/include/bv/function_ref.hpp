// A non-owning reference to a callable: two words, no allocation. Lets a traversal live in a source file and
// still call any lambda.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace bv {

template <class Signature>
class FunctionRef;

/// Refers to a callable that outlives it, so use it only as a parameter. Calling costs one indirect call.
template <class R, class... Args>
class FunctionRef<R(Args...)> {
  public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
        // A lambda is meant to convert; copies of a FunctionRef are kept out by the constraint.
        // NOLINTNEXTLINE(bugprone-forwarding-reference-overload,google-explicit-constructor)
        FunctionRef(F&& f)
    noexcept
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
          call_([](void* object, Args... args) -> R {
              return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
          }) {}

    R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

  private:
    void* object_;
    R (*call_)(void*, Args...);
};

}  // namespace bv
