// Takes the place of the library's choice of an instruction set: the tests that this is linked into run every
// algorithm in its plain form, as on a processor without AVX2.
#include "bv/query/batch.hpp"

namespace bv {

Simd best_simd() noexcept {
    return Simd::Scalar;
}

}  // namespace bv
