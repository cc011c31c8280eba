#include "qhull_oracle.hpp"

#include <libqhull_r/qhull_ra.h>

#include <cstdio>

namespace bv::test {

double qhull_volume(const std::vector<glm::vec3>& points) {
    std::vector<coordT> coordinates;
    coordinates.reserve(points.size() * 3);
    for (const glm::vec3& p : points) {
        for (int k = 0; k < 3; ++k)
            coordinates.push_back(static_cast<coordT>(p[k]));
    }
    qhT qh_storage;
    qhT* qh = &qh_storage;
    qh_zero(qh, stderr);
    std::FILE* silent = std::fopen("/dev/null", "w");
    char command[] = "qhull Qt";
    const int status =
        qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), 0, command, nullptr, silent);
    double volume = -1.0;
    if (status == 0) {
        qh_getarea(qh, qh->facet_list);
        volume = qh->totvol;
    }
    qh_freeqhull(qh, !qh_ALL);
    int left = 0, blocks = 0;
    qh_memfreeshort(qh, &left, &blocks);
    if (silent != nullptr) std::fclose(silent);
    return volume;
}

}  // namespace bv::test
