// The table: the public functions that a row calls, their arguments, and the rule for their results. Every
// number of every argument is replaced by every special value, one at a time.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fields.hpp"
#include "samples.hpp"

namespace bv::test {

/// What is checked of a row's results, besides that nothing crashes, hangs, or is undefined.
enum class Promise {
    Formula,          ///< Plain arithmetic: no NaN from finite numbers.
    NoNan,            ///< No NaN for any input.
    EmptyStaysEmpty,  ///< No NaN, and an argument that is empty by the rule gives an empty result.
};

struct Row {
    /// As printed by checks/public_functions.py.
    std::vector<std::string> functions;
    std::function<void(const std::string& name)> run;
};
/// All rows, in the order of the public folders.
std::vector<Row> shape_rows();
std::vector<Row> fit_rows();
std::vector<Row> query_rows();
std::vector<Row> pair_rows();
std::vector<Row> mesh_rows();
std::vector<Row> tree_rows();
std::vector<Row> moving_tree_rows();  ///< A part of tree_rows.
std::vector<Row> other_rows();

// --- arguments --------------------------------------------------------------------------------------------

/// An ordinary value of the type, near the origin and about one across.
template <class T>
struct Sample {
    static T of(int turned) {
        if constexpr (requires { Shape<T>::at(glm::vec3(0.0f), 1.0f, turned); })
            return Shape<T>::at(turned ? glm::vec3(0.4f, 0.2f, 0.1f) : glm::vec3(0.0f), 1.0f, turned);
        else
            return T{};
    }
};

/// True if the argument is an empty set by the rule. Shapes: by the model of the rule; others: if they hold a
/// NaN, vectors also an infinity.
template <class T>
bool is_empty_argument(const T& x) {
    if constexpr (std::is_same_v<T, Ray>) {
        return is_empty_argument(x.origin) || is_empty_argument(x.direction) || std::isnan(x.t_max) ||
               std::isnan(x.t_min) || x.t_min == std::numeric_limits<float>::infinity();
    } else if constexpr (requires { Shape<T>::ref(x); }) {
        return Shape<T>::ref(x).no_points;
    } else {
        bool no_points = false;
        for_each_number(x, [&](const auto& number) {
            if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(number)>>)
                no_points = no_points || std::isnan(number);
        });
        return no_points;
    }
}

template <class Matrix>
bool is_orthonormal(const Matrix& axes) {
    for (int i = 0; i < static_cast<int>(Matrix::length()); ++i)
        for (int j = 0; j <= i; ++j) {
            double product = 0.0;
            for (int k = 0; k < static_cast<int>(Matrix::col_type::length()); ++k)
                product += static_cast<double>(axes[i][k]) * static_cast<double>(axes[j][k]);
            if (!(std::abs(product - (i == j ? 1.0 : 0.0)) < 1e-3)) return false;
        }
    return true;
}

/// True if the fields satisfy the type's header: perpendicular axes, a hull made by a fit.
template <class T>
bool keeps_contract(const T& x) {
    if constexpr (requires { x.axes; })
        return is_orthonormal(x.axes);
    else if constexpr (requires { x.rotation; })
        return is_orthonormal(x.rotation);
    else if constexpr (std::is_same_v<T, Hull>)
        return Shape<Hull>::ref(x).known;
    else
        return true;
}

template <class T>
bool is_finite_argument(const T& x) {
    bool finite = true;
    for_each_number(x, [&](const auto& number) {
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(number)>>)
            finite = finite && std::isfinite(number);
    });
    return finite;
}

template <class Number>
std::vector<Number> special_values() {
    std::vector<Number> values;
    if constexpr (std::is_floating_point_v<Number>) {
        for (const float f : special_floats())
            values.push_back(static_cast<Number>(f));
        values.push_back(std::numeric_limits<Number>::max());
        values.push_back(std::numeric_limits<Number>::denorm_min());
    } else {
        using Limits = std::numeric_limits<Number>;
        values = {Number{0},
                  Number{1},
                  Limits::max(),
                  static_cast<Number>(Limits::max() - 1),
                  Limits::min(),
                  static_cast<Number>(-1),
                  static_cast<Number>(std::uint64_t{1} << (sizeof(Number) * 8 - 1)),
                  static_cast<Number>(0x7fffffff)};
    }
    return values;
}

// --- answers ----------------------------------------------------------------------------------------------

template <class T>
bool has_nan_in(const T& answer) {
    bool nan = false;
    for_each_number(answer, [&](const auto& number) {
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(number)>>)
            nan = nan || std::isnan(number);
    });
    return nan;
}

template <class T>
bool is_empty_result(const T& answer) {
    if constexpr (std::is_same_v<T, bool>)
        return !answer;
    else if constexpr (std::is_same_v<T, Side>)
        return answer == Side::Intersecting;
    else if constexpr (std::is_same_v<T, PlaneProjection>)
        return answer.side == Side::Intersecting;
    else if constexpr (std::is_floating_point_v<T>)
        return answer == std::numeric_limits<T>::infinity();
    else if constexpr (std::is_same_v<T, ClosestPoints> || std::is_same_v<T, Separation>)
        return answer.distance == std::numeric_limits<float>::infinity();
    else if constexpr (std::is_same_v<T, QueryStats> || std::is_same_v<T, CollideStats>)
        return answer.hits == 0;
    else if constexpr (std::is_same_v<T, CollideResult>)
        return !answer.touching && answer.stats.hits == 0;
    else if constexpr (std::is_same_v<T, MeshRayResult>)
        return !answer.hit;
    else if constexpr (std::is_same_v<T, MeshNearestResult> || std::is_same_v<T, MeshDistanceResult>)
        return !answer.nearest;
    else if constexpr (std::is_same_v<T, TreeStatus>)
        return answer != TreeStatus::Ok;
    else if constexpr (requires { answer.is_empty(); })
        return answer.is_empty();
    else if constexpr (requires { answer.has_value(); })
        return !answer.has_value();
    else if constexpr (requires { answer.empty(); })
        return answer.empty();
    else if constexpr (requires { std::tuple_size<T>::value; })
        return std::apply([](const auto&... one) { return (is_empty_result(one) && ...); }, answer);
    else
        static_assert(sizeof(T) == 0, "no definition of an empty result of this type");
}

template <class... Args>
std::string text_of(const std::tuple<Args...>& arguments) {
    std::ostringstream text;
    text.precision(9);
    int count = 0;
    const auto one = [&](const auto& argument) {
        text << "(";
        for_each_number(argument, [&](const auto& number) {
            if (++count < 80) text << " " << +number;
        });
        text << " )";
    };
    std::apply([&](const auto&... argument) { (one(argument), ...); }, arguments);
    return text.str();
}

/// Set by `require` within a row's function.
inline std::string& complaint() {
    static std::string text;
    return text;
}
inline void require(bool holds, const char* what) {
    if (!holds && complaint().empty()) complaint() = what;
}

/// Failures of one row: prints the first in full, counts the others.
class Verdicts {
  public:
    explicit Verdicts(std::string name) : name_(std::move(name)) {}
    Verdicts(const Verdicts&) = delete;
    Verdicts& operator=(const Verdicts&) = delete;
    ~Verdicts() {
        EXPECT_GT(calls_, 0) << name_ << ": never called";
        if (wrong_ > 0)
            ADD_FAILURE() << name_ << ": " << wrong_ << " of " << calls_ << " wrong, first: " << first_;
    }
    template <class... Args>
    void add(bool holds, const std::string& what, const std::tuple<Args...>& arguments) {
        if (holds) return;
        if (wrong_++ == 0) first_ = what + text_of(arguments);
    }
    void count() { ++calls_; }

  private:
    std::string name_, first_;
    int calls_ = 0, wrong_ = 0;
};

template <Promise kPromise, class F, class... Args>
void call_once(Verdicts& verdicts, const F& function, std::tuple<Args...> arguments) {
    const std::tuple<Args...> given = arguments;  // Functions may write to their own arguments.
    verdicts.count();
    complaint().clear();
    if constexpr (std::is_void_v<decltype(std::apply(function, arguments))>) {
        std::apply(function, arguments);
    } else {
        const auto answer = std::apply(function, arguments);
        const auto finite = [](const auto&... a) { return (is_finite_argument(a) && ...); };
        if (kPromise != Promise::Formula || std::apply(finite, given))
            verdicts.add(!has_nan_in(answer), "NaN from ", given);
        if constexpr (kPromise == Promise::EmptyStaysEmpty)
            if (std::apply([](const auto&... a) { return (is_empty_argument(a) || ...); }, given))
                verdicts.add(is_empty_result(answer), "a result from an empty argument: ", given);
    }
    // Further requirements of a row hold only for arguments that satisfy their contracts.
    if (std::apply([](const auto&... a) { return (keeps_contract(a) && ...); }, given))
        verdicts.add(complaint().empty(), complaint() + " with ", given);
}

template <Promise kPromise, class F, class... Args>
void call_with_specials(const std::string& name, const F& function,
                        std::type_identity<std::tuple<Args...>> /*types*/) {
    Verdicts verdicts(name);
    for (const int turned : {0, 1}) {
        std::tuple<Args...> arguments{Sample<Args>::of(turned)...};
        const auto call = [&] { call_once<kPromise>(verdicts, function, arguments); };
        call();
        const auto change = [&](auto& number) {
            using Number = std::remove_reference_t<decltype(number)>;
            const Number before = number;
            for (const Number value : special_values<Number>()) {
                number = value;
                call();
            }
            number = before;
        };
        std::apply([&](auto&... argument) { (for_each_number(argument, change), ...); }, arguments);
        // All floats of an argument at once.
        const auto change_all = [&](auto& argument) {
            const auto before = argument;
            for (const float value : special_floats()) {
                for_each_number(argument, [&](auto& number) {
                    using Number = std::remove_reference_t<decltype(number)>;
                    if constexpr (std::is_floating_point_v<Number>) number = static_cast<Number>(value);
                });
                call();
                argument = before;
            }
        };
        std::apply([&](auto&... argument) { (change_all(argument), ...); }, arguments);
    }
}

namespace detail {
template <class F>
struct Parameters;
template <class R, class C, class... Args>
struct Parameters<R (C::*)(Args...) const> {
    using Types = std::tuple<std::remove_cvref_t<Args>...>;
};
}  // namespace detail

/// A row: `function` is a lambda whose parameters are the arguments, by value or reference.
template <Promise kPromise, class F>
Row row(std::vector<std::string> functions, F function) {
    return {std::move(functions), [function = std::move(function)](const std::string& name) {
                using Types = typename detail::Parameters<decltype(&F::operator())>::Types;
                call_with_specials<kPromise>(name, function, std::type_identity<Types>{});
            }};
}
template <class F>
Row formula(std::vector<std::string> functions, F f) {
    return row<Promise::Formula>(std::move(functions), std::move(f));
}
template <class F>
Row no_nan(std::vector<std::string> functions, F f) {
    return row<Promise::NoNan>(std::move(functions), std::move(f));
}
template <class F>
Row empty_stays_empty(std::vector<std::string> functions, F f) {
    return row<Promise::EmptyStaysEmpty>(std::move(functions), std::move(f));
}
/// For functions whose only arguments are enumerations or names, or that have none.
inline Row without_numbers(std::vector<std::string> functions, std::function<void()> call) {
    return {std::move(functions), [call = std::move(call)](const std::string& name) {
                complaint().clear();
                call();
                EXPECT_TRUE(complaint().empty()) << name << ": " << complaint();
            }};
}
inline void append(std::vector<Row>& rows, std::vector<Row> more) {
    for (Row& r : more)
        rows.push_back(std::move(r));
}

// --- samples that need more than a default ----------------------------------------------------------------

template <>
struct Sample<float> {
    static float of(int turned) { return turned ? 2.5f : 1.0f; }
};
template <>
struct Sample<Ray> {
    static Ray of(int turned) {
        return turned ? Ray{{-5.0f, -4.0f, -3.0f}, {1.0f, 0.9f, 0.7f}}
                      : Ray{{-5.0f, 0.1f, 0.2f}, {1, 0, 0}, 50.0f, 0.5f};
    }
};
template <>
struct Sample<Plane> {
    static Plane of(int turned) { return turned ? Plane{{0.6f, 0.8f, 0.0f}, 0.1f} : Plane{{0, 0, 1}, 0.25f}; }
};
template <>
struct Sample<glm::mat3> {
    static glm::mat3 of(int turned) { return sample_axes(turned); }
};
template <>
struct Sample<glm::mat4x3> {
    static glm::mat4x3 of(int turned) {
        glm::mat4x3 m(sample_axes(turned));
        m[3] = turned ? glm::vec3(0.3f, -0.2f, 0.1f) : glm::vec3(0.0f);
        return m;
    }
};
template <>
struct Sample<RigidTransform> {
    static RigidTransform of(int turned) { return {sample_axes(turned), glm::vec3(0.3f, 0.2f, 0.1f)}; }
};
template <>
struct Sample<Obb2> {
    static Obb2 of(int turned) {
        const float c = turned ? 0.8f : 1.0f, s = turned ? 0.6f : 0.0f;
        return {{0.2f, 0.1f}, {1.0f, 0.5f}, glm::mat2(c, s, -s, c)};
    }
};
template <>
struct Sample<Frustum> {
    static Frustum of(int turned) {
        return frustum_of(glm::perspective(1.0f, turned ? 1.5f : 1.0f, 0.1f, 100.0f) *
                          glm::lookAt(glm::vec3(5, 4, 3), glm::vec3(0), glm::vec3(0, 1, 0)));
    }
};
template <>
struct Sample<ObbPair> {
    static ObbPair of(int turned) { return make_obb_pair(Sample<Obb>::of(0), Sample<Obb>::of(turned)); }
};
template <>
struct Sample<std::vector<glm::vec3>> {
    static std::vector<glm::vec3> of(int turned) {
        const glm::mat3 m = sample_axes(turned);
        std::vector<glm::vec3> points;
        for (int i = 0; i < 8; ++i)
            points.push_back(m * glm::vec3(i & 1 ? 1.0f : -1.1f, i & 2 ? 0.7f : -0.8f, i & 4 ? 0.4f : -0.3f));
        points.emplace_back(0.1f, 0.0f, -0.1f);
        return points;
    }
};
template <>
struct Sample<std::vector<glm::vec2>> {
    static std::vector<glm::vec2> of(int) { return {{0, 0}, {2, 0.5f}, {1.5f, 2}, {0.5f, 0.6f}, {-0.5f, 1}}; }
};
/// A rotated box of 12 triangles.
template <>
struct Sample<Mesh> {
    static Mesh of(int turned) {
        const Hull box =
            Shape<Hull>::at(turned ? glm::vec3(0.4f, 0.2f, 0.1f) : glm::vec3(0.0f), 1.0f, turned);
        return {box.vertices, box.triangles};
    }
};
template <>
struct Sample<UncheckedMesh> {
    static UncheckedMesh of(int turned) { return {Sample<Mesh>::of(turned)}; }
};
template <>
struct Sample<Polytope> {
    static Polytope of(int turned) { return polytope_of(Shape<Hull>::at(glm::vec3(0.5f), 1.0f, turned)); }
};

}  // namespace bv::test
