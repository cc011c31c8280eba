// Runs each tree's part; see plain_user.hpp.
#include "plain_user.hpp"

int main() {
    const int wrong = plain_user::use_dynamic_tree() + plain_user::use_wide_tree() +
                      plain_user::use_mesh_bvh() + plain_user::use_mesh_bvh_wide() +
                      plain_user::use_volume_trees() + plain_user::use_bsp_tree() +
                      plain_user::use_broadphases();
    if (wrong == 0) std::puts("all trees and their copies give the same results");
    return wrong == 0 ? 0 : 1;
}
