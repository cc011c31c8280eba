#pragma once

namespace bv::test {

void check_pairs();

}  // namespace bv::test
