// All that a session shows, bit for bit, as text that tests compare.
#pragma once

#include <algorithm>
#include <string>

#include "io/sessions/report.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "volumes_of.hpp"
#include "world/world.hpp"

namespace lab::test {

/// The whole report without measured times, and all numbers of the world's bodies and trees.
inline std::string seen(const Session& session) {
    io::Report report = make_report(session, "test");
    io::erase_timings(report);
    std::string text = io::report_text(report);
    const auto add = [&text](const void* data, std::size_t bytes) {
        static constexpr char kDigits[] = "0123456789abcdef";
        for (std::size_t i = 0; i < bytes; ++i) {
            const auto byte = static_cast<const unsigned char*>(data)[i];
            text += kDigits[byte >> 4];
            text += kDigits[byte & 15];
        }
        text += '\n';
    };
    for (const BodyState& body : session.results().bodies) {
        add(&body.transform, sizeof(body.transform));
        add(&body.velocity, sizeof(body.velocity));
        const bv::Aabb tight = tight_of(session, body);
        add(&tight, sizeof(tight));
    }
    for (const auto& [id, tree] : session.results().trees) {
        text += id + '\n';
        add(tree.source_nodes.data(), tree.source_nodes.size() * sizeof(tree.source_nodes[0]));
        add(tree.boxes.data(), tree.boxes.size() * sizeof(tree.boxes[0]));
    }
    for (const Exhibit& exhibit : session.results().exhibits)
        text += exhibit.label + '\n';
    return text;
}

/// The first difference of two texts, shortened.
inline std::string difference(const std::string& a, const std::string& b) {
    std::size_t i = 0;
    while (i < std::min(a.size(), b.size()) && a[i] == b[i])
        ++i;
    const std::size_t from = i > 60 ? i - 60 : 0;
    return a == b ? "" : "..." + a.substr(from, 120) + "...\nbecame\n..." + b.substr(from, 120) + "...";
}

}  // namespace lab::test
