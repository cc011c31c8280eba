#include "results/put.hpp"

#include <algorithm>
#include <utility>

namespace lab {

Exhibit& put(FrameResults& results, ExhibitShape shape, Role role, std::string label, float fill) {
    Exhibit exhibit;
    exhibit.shape = std::move(shape);
    exhibit.role = role;
    exhibit.label = std::move(label);
    exhibit.fill = fill;
    return results.exhibits.emplace_back(std::move(exhibit));
}

void put_note(FrameResults& results, glm::vec3 position, Role role, std::string text) {
    Exhibit& note = put(results, Note{position}, role, std::move(text));
    note.on_top = true;
}

void put_measure(FrameResults& results, glm::vec3 a, glm::vec3 b, Role role, std::string text) {
    Exhibit& line = put(results, bv::Segment{a, b}, role, std::move(text));
    line.on_top = true;
    line.width_px = 2.5f;
}

void put_intervals(FrameResults& results, const IntervalStage& stage, Interval a, Interval b) {
    const auto bar = [&](Interval interval, int row, Role role, std::string label) {
        const glm::vec3 base = stage.origin + static_cast<float>(row) * stage.step * stage.aside;
        Exhibit& line =
            put(results,
                bv::Segment{base + interval.min * stage.direction, base + interval.max * stage.direction},
                role, std::move(label));
        line.width_px = 5.0f;
    };
    bar(a, 0, Role::ProjectionA, {});
    bar(b, 1, Role::ProjectionB, {});
    const Interval common{std::max(a.min, b.min), std::min(a.max, b.max)};
    if (common.min <= common.max)
        bar(common, 2, Role::Overlap, number(common.max - common.min));
    else
        bar({common.max, common.min}, 2, Role::Separating, "gap " + number(common.min - common.max));
}

std::string number(double value) {
    return to_text(cells::trimmed(value));
}

}  // namespace lab
