// Runs the table of public functions; `--rows` prints their names for checks/public_functions.py.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "pairs.hpp"
#include "table.hpp"

namespace bv::test {
namespace {

void run_all(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        std::string name;
        for (const std::string& function : row.functions)
            name += (name.empty() ? "" : ", ") + function;
        row.run(name);
    }
}

TEST(NotFinite, Shapes) {
    run_all(shape_rows());
}
TEST(NotFinite, Fits) {
    run_all(fit_rows());
}
TEST(NotFinite, Queries) {
    run_all(query_rows());
}
TEST(NotFinite, Pairs) {
    run_all(pair_rows());
}
TEST(NotFinite, PairsAgainstTheModel) {
    check_pairs();
}
TEST(NotFinite, Meshes) {
    run_all(mesh_rows());
}
TEST(NotFinite, TreesOfBoxes) {
    run_all(tree_rows());
}
TEST(NotFinite, Others) {
    run_all(other_rows());
}

}  // namespace
}  // namespace bv::test

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "--rows") == 0) {
        using namespace bv::test;
        for (const auto& rows :
             {shape_rows(), fit_rows(), query_rows(), pair_rows(), mesh_rows(), tree_rows(), other_rows()})
            for (const Row& row : rows)
                for (const std::string& function : row.functions)
                    std::puts(function.c_str());
        return 0;
    }
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
