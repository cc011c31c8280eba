// Replaces the library's choice of an instruction set: tests linked with this run every algorithm in its
// scalar form, as on a processor without AVX2.
#include "bv/query/batch.hpp"

namespace bv {

Simd best_simd() noexcept {
    return Simd::Scalar;
}

}  // namespace bv
