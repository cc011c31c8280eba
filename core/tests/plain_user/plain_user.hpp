// A user's program without optimization: each kind of tree is built, copied, assigned, moved and queried in a
// source of its own that includes the header of that tree alone. The linker keeps one copy of each inline
// function by name: if types in two headers share a name, one tree gets the other's functions. Each function
// returns the number of results that differ from the original's, and prints them.
#pragma once

#include <cstdio>

#include "workloads/meshes.hpp"
#include "workloads/rays.hpp"

namespace plain_user {

int use_broadphases();
int use_bsp_tree();
int use_dynamic_tree();
int use_mesh_bvh();
int use_mesh_bvh_wide();
int use_volume_trees();
int use_wide_tree();

inline int expect(bool holds, const char* what) {
    if (holds) return 0;
    std::fprintf(stderr, "does not hold: %s\n", what);
    return 1;
}

/// A copy, a copy assigned over another tree, and a moved tree all give the original's results. `answer` maps
/// a tree to a comparable value.
template <class Tree, class Answer>
int same_after_copies(const Tree& tree, const char* what, const Answer& answer) {
    const auto expected = answer(tree);
    Tree copy = tree;
    int wrong = expect(answer(copy) == expected, what);
    Tree assigned;
    assigned = tree;
    const Tree& itself = assigned;
    assigned = itself;  // Must change nothing.
    wrong += expect(answer(assigned) == expected, what);
    Tree moved = std::move(copy);
    wrong += expect(answer(moved) == expected, what);
    assigned = std::move(moved);
    return wrong + expect(answer(assigned) == expected, what);
}

}  // namespace plain_user
