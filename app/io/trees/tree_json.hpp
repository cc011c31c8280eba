// Tree metrics as JSON, the same in the report and in exported metrics.
#pragma once

#include <nlohmann/json.hpp>

#include "io/sessions/report.hpp"

namespace lab::io {

inline nlohmann::ordered_json tree_json(const ReportTree& tree) {
    using Json = nlohmann::ordered_json;
    Json json = {{"id", tree.id},
                 {"leaves", tree.leaves},
                 {"nodes", tree.nodes},
                 {"height", tree.height},
                 {"optimal_height", tree.optimal_height},
                 {"max_balance", tree.max_balance},
                 {"area_ratio", tree.area_ratio},
                 {"sah", tree.sah},
                 {"epo", tree.epo ? Json(*tree.epo) : Json(nullptr)},
                 {"fatness", tree.fatness},
                 {"sibling_overlap", tree.sibling_overlap},
                 {"max_sibling_overlap", tree.max_sibling_overlap},
                 {"dead_space", tree.dead_space},
                 {"mean_leaf_depth", tree.mean_leaf_depth},
                 {"nodes_per_ray", tree.nodes_per_ray},
                 {"nodes_per_box", tree.nodes_per_box},
                 {"leaf_depths", tree.leaf_depths}};
    if (tree.build_ms) json["build_ms"] = *tree.build_ms;
    return json;
}

}  // namespace lab::io
