#include "session_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "io/sessions/report.hpp"
#include "result_text.hpp"
#include "results/before_after.hpp"
#include "results/lineup_result.hpp"
#include "results/probe.hpp"
#include "scenes/scenes.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "settings/program.hpp"
#include "settings/view.hpp"
#include "step_text.hpp"
#include "viz/build.hpp"
#include "viz/colors/heat.hpp"
#include "volumes_of.hpp"
#include "world/world.hpp"

namespace lab::test {
namespace {

constexpr std::size_t kListed = 6;      // entries of a long list that are written out
constexpr std::size_t kLongTable = 40;  // rows; of a longer table, the first rows and a digest of all

/// A line for each entry; of a long list the first ones and the number of all.
template <class List, class Write>
std::string lines(std::string_view name, const List& list, Write&& write) {
    std::string out = fmt::format("{} {}\n", list.size(), name);
    std::size_t written = 0;
    for (const auto& entry : list) {
        if (written++ == kListed && list.size() > 2 * kListed) break;
        out += "  " + write(entry) + "\n";
    }
    return out;
}

io::Report report_of(const Session& session) {
    io::Report report = make_report(session, "test");
    io::erase_timings(report);
    return report;
}

std::string report(const Session& session) {
    return io::report_text(report_of(session));
}

std::string bodies(const Session& session) {
    return lines("bodies", report_of(session).bodies, [](const io::ReportBody& b) {
        return fmt::format("{} {} ({}) at {}, seen {}, by {}{}{}", b.id, b.name, b.mesh, text(b.position),
                           text(b.window_px), b.pairs_by, b.colliding ? ", colliding" : "",
                           b.hidden ? ", hidden" : "");
    });
}

std::string motion(const Session& session) {
    const auto& all = session.results().bodies;
    std::string out = lines("bodies", all, [](const BodyState& b) {
        return fmt::format("{} v {} w {} scale {} shown {:x} pose {}", b.id.value, text(b.velocity),
                           text(b.angular_velocity), text(b.scale), b.shown.bits(), text(b.transform));
    });
    out += lines("sets of volumes", all, [&](const BodyState& b) {
        const bv::Sphere sphere = test::sphere_of(session, b);
        return fmt::format("{} sphere {} r {}; fixed {}; tight {}; obb {}", b.id.value, text(sphere.center),
                           text(sphere.radius), text(test::fixed_of(session, b)),
                           text(test::tight_of(session, b)), text(test::obb_of(session, b)));
    });
    Sums poses, speeds, volumes;
    for (const BodyState& b : all) {
        poses.add(b.transform);
        speeds.add(b.velocity), speeds.add(b.angular_velocity);
        const bv::Sphere sphere = test::sphere_of(session, b);
        const bv::Obb obb = test::obb_of(session, b);
        volumes.add(sphere.center), volumes.add(sphere.radius);
        volumes.add(test::fixed_of(session, b)), volumes.add(test::tight_of(session, b));
        volumes.add(obb.center), volumes.add(obb.half_extents);
    }
    return out + fmt::format("sums: poses {}, speeds {}, volumes {}\n", poses.text(), speeds.text(),
                             volumes.text());
}

std::string pairs(const Session& session) {
    const FrameResults& r = session.results();
    const auto pair = [](const BodyPair& p) { return fmt::format("{} {}", p.a.value, p.b.value); };
    std::string out = lines("broad", r.pairs.broad, pair) + lines("of volumes", r.pairs.volume, pair) +
                      lines("exact", r.pairs.exact, pair);
    const NarrowCounts& n = r.pairs.counts;
    out += fmt::format("exact stage {}; tests: volumes {}, exact {}, boxes {}, parts {}\n",
                       r.pairs.exact_tested ? "on" : "off", n.volume_tests, n.exact_tests, n.box_tests,
                       n.part_tests);
    out += fmt::format("broadphase {}: {} tests, {} pairs, {}\n", r.broadphase.engine, r.broadphase.tests,
                       r.broadphase.pairs, r.broadphase.has_tree ? "keeps a tree" : "keeps no tree");
    for (const FalseAlarms& a : r.alarms)
        out += fmt::format("alarms of {}, role {}: tested {}, passed {}, touching {}\n", a.kind,
                           static_cast<int>(a.role), a.tested, a.passed, a.touching);
    return out;
}

std::string volumes(const Session& session) {
    return lines("volumes", report_of(session).volumes, [](const io::ReportVolume& v) {
        return fmt::format("{} {} by {}: volume {}, surface {}, tightness {}, holds all {}", v.body, v.kind,
                           v.algorithm, text(v.volume), text(v.surface),
                           v.tightness ? text(*v.tightness) : "-",
                           v.contains_all ? (*v.contains_all ? "yes" : "no") : "-");
    });
}

std::string trees(const Session& session) {
    std::string out = lines("measured trees", report_of(session).trees, [](const io::ReportTree& t) {
        return fmt::format(
            "{}: leaves {}, nodes {}, height {} of {}, balance {}, area ratio {}, sah {}, epo {}, fatness "
            "{}, "
            "overlap {} up to {}, dead space {}, leaf depth {}, per ray {}, per box {}, depths {}",
            t.id, t.leaves, t.nodes, t.height, t.optimal_height, t.max_balance, text(t.area_ratio),
            text(t.sah), t.epo ? text(*t.epo) : "-", text(t.fatness), text(t.sibling_overlap),
            text(t.max_sibling_overlap), text(t.dead_space), text(t.mean_leaf_depth), text(t.nodes_per_ray),
            text(t.nodes_per_box), fmt::join(t.leaf_depths, " "));
    });
    out += lines("trees on show", session.results().trees, [](const auto& named) {
        const bv::TreeSnapshot& tree = named.second;
        Sums boxes, links;
        for (std::size_t i = 0; i < tree.size(); ++i) {
            boxes.add(tree.boxes[i]);
            links.add(tree.parents[i] == bv::TreeSnapshot::kNone ? -1.0 : tree.parents[i]);
            links.add(tree.depths[i]), links.add(tree.child_count[i]);
        }
        for (const auto payload : tree.payloads)
            links.add(static_cast<double>(payload));
        return fmt::format("{}: {} nodes, boxes {}, links {}", named.first, tree.size(), boxes.text(),
                           links.text());
    });
    return out;
}

std::string rays(const Session& session) {
    std::string out = lines("queries", report_of(session).queries, [](const io::ReportQuery& q) {
        return fmt::format("{} from {} along {}: {}; visited {}, tested {} of {}", q.kind, text(q.origin),
                           text(q.direction),
                           q.hit ? fmt::format("t {} at {} normal {} body {} triangle {}", text(q.t),
                                               text(q.point), text(q.normal), *q.body, *q.triangle)
                                 : "no hit",
                           q.visited, q.tested, q.brute_force_tested);
    });
    out += lines("rays", session.results().rays, [](const RayQuery& q) {
        return fmt::format("visited [{}], culled [{}]", fmt::join(q.visited_nodes, " "),
                           fmt::join(q.culled_nodes, " "));
    });
    return out + fmt::format("hovered {}, pinned {}\n", session.results().hovered.value,
                             session.state().view.pinned_rays.size());
}

std::string stats(const Session& session) {
    const io::Report report = report_of(session);
    const FrameResults& r = session.results();
    std::string out = fmt::format("scene {} seed {} frame {}{}{}\n", report.scene, report.seed, report.frame,
                                  r.paused ? ", paused" : "", r.in_past ? ", in the past" : "");
    for (const auto& [name, value] : report.stats)
        out += fmt::format("  {} {}\n", name, text(value));
    out +=
        fmt::format("  bounds {}\n  room {}\n", text(r.bounds), r.arena.is_empty() ? "none" : text(r.arena));
    if (report.heatmap)
        out += fmt::format("  heatmap of {}: {} x {} cells of {} px, mean {}, most {}{}\n",
                           report.heatmap->counter, report.heatmap->cells_x, report.heatmap->cells_y,
                           report.heatmap->cell_px, text(report.heatmap->mean), report.heatmap->max_count,
                           report.heatmap->complete ? ", complete" : "");
    out += fmt::format("  checks {}: frames {}, pairs {}, rays {}, trees {}, {} differences\n",
                       report.checks.enabled ? "on" : "off", report.checks.frames,
                       report.checks.pairs_compared, report.checks.rays_compared,
                       report.checks.trees_validated, report.checks.differences.size());
    return out;
}

std::string tables(const Session& session) {
    std::string out;
    for (const Table& t : session.results().tables) {
        std::vector<std::string> words;
        for (const Column& column : t.columns)
            words.push_back(column.label());
        out += fmt::format("table {}: {}\n  {}\n", t.id, t.title, fmt::join(words, " | "));
        Words all;
        for (std::size_t i = 0; i < t.rows.size(); ++i) {
            const Row& row = t.rows[i];
            words.clear();
            for (const Cell& cell : row.cells)
                words.push_back(is_measured(cell) ? std::string() : to_text(cell));
            words.resize(std::max(words.size(), t.columns.size()));
            const std::string line =
                fmt::format("  {}: {}{}{}\n", row.role ? static_cast<int>(*row.role) : -1, name_of(row.mark),
                            fmt::join(words, " | "), row.command.empty() ? "" : " -> " + row.command);
            all.add(line);
            if (t.rows.size() <= kLongTable || i < kListed) out += line;
        }
        if (t.rows.size() > kLongTable) out += fmt::format("  all {} rows: {}\n", t.rows.size(), all.text());
    }
    return out;
}

std::string exhibits(const Session& session) {
    // Exhibits with a label are what a scene says, so all are listed; of others alike, the first three and
    // the sum of their bounds.
    std::string out;
    std::map<std::string, std::pair<int, Sums>> groups;
    for (const Exhibit& e : session.results().exhibits) {
        auto& [count, sums] = groups[fmt::format("kind {} role {} legend '{}'", e.shape.index(),
                                                 static_cast<int>(e.role), e.legend)];
        if (!e.label.empty() || count < 3) out += "  " + text(e) + "\n";
        ++count;
        const bv::Aabb box = bounds_of(e);
        if (!box.is_empty()) sums.add(box);
        sums.add(e.fill), sums.add(e.width_px), sums.add(e.scalar), sums.add(e.on_top);
    }
    out = fmt::format("{} exhibits\n", session.results().exhibits.size()) + out;
    for (const auto& [key, group] : groups)
        out += fmt::format("  all of {}: {}, sums {}\n", key, group.first, group.second.text());
    return out;
}

std::string charts(const Session& session) {
    std::string out;
    for (const IntervalChart& c : session.results().charts) {
        out += fmt::format("chart '{}' in {} from {} to {}{}\n", c.title, c.unit, text(c.min), text(c.max),
                           c.now ? ", now " + text(*c.now) : "");
        for (const IntervalChart::Row& r : c.rows)
            out += fmt::format("  {}: {} to {} role {} '{}'\n", r.name, text(r.from), text(r.to),
                               static_cast<int>(r.role), r.note);
    }
    for (const LineChart& c : session.results().line_charts) {
        out += fmt::format("lines '{}' over {}, room for {}\n", c.title, c.span, c.capacity);
        for (const LineChart::Line& l : c.lines) {
            Sums sums;
            for (const float v : l.values)
                sums.add(v);
            out += fmt::format("  {} role {} '{}': {} values {}\n", l.name, static_cast<int>(l.role),
                               l.mean ? to_text(*l.mean) : "", l.values.size(), sums.text());
        }
    }
    return out;
}

std::string curves(const Session& session) {
    const auto& all = session.results().curves;
    if (!all) return "no curves\n";
    Sums at;
    for (const int value : all->at)
        at.add(value);
    std::string out = fmt::format("curves '{}' over {}, {} values {}\n", all->title, all->setting->id,
                                  all->at.size(), at.text());
    for (const Curves::Line& line : all->lines) {
        Sums sums;
        for (const float v : line.values)
            sums.add(v);
        out += fmt::format("  {} role {}: {} values {}\n", line.name, static_cast<int>(line.role),
                           line.values.size(), sums.text());
    }
    return out;
}

std::string handles(const Session& session) {
    const io::Report report = report_of(session);
    std::string out;
    for (std::size_t i = 0; i < session.results().handles.size(); ++i) {
        const Handle& h = session.results().handles[i];
        out += fmt::format("handle {} '{}' at {}{}; {} {} {} parts of {}{}{}\n", h.id, h.label,
                           text(h.position), h.bare ? ", bare" : "", h.name(),
                           text(numbers_of(session.results().handles, h)), h.given.parts, h.given.unit,
                           h.given.in_view ? "" : ", not in view", h.given.listed ? "" : ", not listed");
    }
    for (const io::ReportTarget& t : report.handles)
        out += fmt::format("  {} seen at {}\n", t.id, text(t.window_px));
    return out;
}

std::string probe(const Session& session) {
    const auto& found = session.results().probe;
    if (!found) return "no probe\n";
    const bv::QueryStats& stats = found->stats;
    std::string out = fmt::format(
        "probe {} of {} at {} toward {} size {}: {} nodes visited, {} boxes and {} leaves tested, {} hits; "
        "{} by "
        "brute force\n  visited {}; culled {}\n",
        kProbeKinds[static_cast<std::size_t>(found->probe.kind)].id, found->probe.tree, text(found->probe.at),
        text(found->probe.aim), text(found->probe.size), stats.nodes_visited, stats.boxes_tested,
        stats.leaves_tested, stats.hits, found->brute_force_tested, fmt::join(found->visited, " "),
        fmt::join(found->culled, " "));
    return out + lines("hits", found->hits, [](const ProbeHit& hit) {
               return fmt::format("place {} payload {} value {}", hit.place, hit.payload, text(hit.value));
           });
}

/// What changes of algorithms and comparisons of volumes found, without times.
std::string comparisons(const Session& session) {
    const FrameResults& r = session.results();
    std::string out;
    if (r.before_after) {
        out += fmt::format("change '{}': {} frames before, {} after\n", r.before_after->change,
                           r.before_after->frames_before, r.before_after->frames_after);
        for (const CostRow& row : cost_rows())
            if (row.unit != CostRow::Unit::Milliseconds)
                out +=
                    fmt::format("  {} ({}): {} to {}\n", row.id, row.label,
                                text(r.before_after->before[row.row]), text(r.before_after->after[row.row]));
    }
    if (r.lineup) {
        out += fmt::format("lineup of {} bodies: {} candidates, {} touch\n", r.lineup->bodies,
                           r.lineup->candidates.size(), r.lineup->touching.size());
        for (std::size_t i = 0; i < r.lineup->kinds.size(); ++i) {
            const FalseAlarms& kind = r.lineup->kinds[i];
            Sums pairs;
            for (const BodyPair& p : r.lineup->passed[i])
                pairs.add(p.a.value), pairs.add(p.b.value);
            out += fmt::format("  {}: {} of {} passed, {} touch, {} alarms, pairs {}\n", kind.kind,
                               kind.passed, kind.tested, kind.touching, kind.count(), pairs.text());
        }
    }
    for (const BrokenNodes& broken : r.broken_nodes)
        out += lines(fmt::format("of {} broken nodes of {}", broken.count, broken.tree), broken.nodes,
                     [](const bv::LooseNode& n) {
                         return fmt::format("node {} child {} payload {} by {}", n.node, n.child, n.payload,
                                            text(n.excess));
                     });
    return out;
}

std::string selection(const Session& session) {
    const io::ReportSelection s = report_of(session).selection;
    std::string out = fmt::format("bodies [{}]{}{}{}; undo {}, redo {}\n", fmt::join(s.bodies, " "),
                                  s.triangle ? fmt::format(", triangle {}", *s.triangle) : "",
                                  s.ray ? fmt::format(", ray {}", *s.ray) : "",
                                  s.isolated ? ", isolated" : "", s.undo, s.redo);
    if (s.node)
        out += fmt::format(
            "  node {} {} depth {} parent {} children [{}] {} to {} seen {}\n", s.node->tree, s.node->index,
            s.node->depth, s.node->parent ? fmt::format("{}", *s.node->parent) : "-",
            fmt::join(s.node->children, " "), text(s.node->min), text(s.node->max), text(s.node->window_px));
    for (const io::ReportTarget& t : s.gizmo)
        out += fmt::format("  gizmo {} {}\n", t.id, text(t.window_px));
    if (const auto pivot = session.state().selection_pivot()) out += "  pivot " + text(*pivot) + "\n";
    return out + fmt::format("  paste {}\n", session.state().clipboard ? "yes" : "no");
}

std::string camera(const Session& session) {
    const io::ReportCamera c = report_of(session).camera;
    return fmt::format("camera target {} distance {} yaw {} pitch {}; eye {}; view {} from {}\n",
                       text(c.target), text(c.distance), text(c.yaw_rad), text(c.pitch_rad),
                       text(session.state().view.camera.eye()), text(session.state().view.rect.size_px),
                       text(session.state().view.rect.min_px));
}

std::string settings(const Session& session) {
    std::string out;
    const Settings& settings = session.state().settings;
    for (const SettingSpec* row : settings.catalog().rows())
        if (!settings.is_default(*row)) out += fmt::format("  {}={}\n", row->id, settings.get_as_text(*row));
    return "settings\n" + out;
}

std::string timeline(const Session& session) {
    const Timeline& t = session.timeline();
    return fmt::format("steps {} of {} to {}{}\n", t.place().steps, t.first_step(), t.last_step(),
                       session.timeline().in_past() ? ", in the past" : "");
}

template <class List, class Add>
std::string drawn(std::string_view name, const List& list, Add&& add) {
    if (list.empty()) return {};
    Sums shape, look;  // apart, since colors are large numbers
    for (const auto& entry : list)
        add(shape, look, entry);
    return fmt::format("  {} {}: {}, look {}\n", list.size(), name, shape.text(), look.text());
}

std::string drawing_with(const Session& session, viz::ViewInfo view) {
    viz::MeshHandles meshes;
    for (std::uint32_t i = 0; i < session.meshes().size(); ++i)
        meshes.by_mesh.push_back({i + 1});
    meshes.cube = {1000};
    view.size_px = session.state().view.rect.size_px;
    viz::HeatPicture heat;
    view.heat = heat.of(session.results().heatmap, viz::theme_of(session.state().settings));
    view.title = session.state().scene.spec->title;
    view.triangle = session.state().selected_triangle();
    if (const auto pivot = session.state().selection_pivot())
        view.gizmo = gizmo_at(*pivot, session.state().settings[kEditGizmo], session.state().view.camera,
                              session.state().view.rect.size_px, session.state().settings[kUiScale]);
    render::DrawList list;
    viz::build(session.results(), session.state().settings, session.state().view.camera, meshes, view, list);
    const auto line = [](Sums& s, Sums& look, const render::Line& l) {
        s.add(l.a), s.add(l.b), look.add(l.color), look.add(l.width_px);
    };
    const auto point = [](Sums& s, Sums& look, const render::Point& p) {
        s.add(p.position), look.add(p.color), look.add(p.size_px);
    };
    std::string out =
        fmt::format("drawing on {} {}, ground {} {} {} {}\n", text(list.background_top),
                    text(list.background_bottom), list.ground.grid ? "grid" : "-",
                    list.ground.axes ? "axes" : "-", text(list.ground.height), text(list.ground.line));
    out += drawn("meshes", list.meshes, [](Sums& s, Sums& look, const render::MeshInstance& m) {
        look.add(m.mesh.id), s.add(m.transform), look.add(m.color);
    });
    out += drawn("lines", list.lines, line) + drawn("overlay lines", list.overlay_lines, line);
    out += drawn("points", list.points, point) + drawn("overlay points", list.overlay_points, point);
    out += drawn("wire aabbs", list.wire_aabbs, [](Sums& s, Sums& look, const render::WireAabb& b) {
        s.add(b.min), s.add(b.max), look.add(b.color), look.add(b.width_px);
    });
    out += drawn("wire boxes", list.wire_boxes, [](Sums& s, Sums& look, const render::WireBox& b) {
        s.add(b.transform), look.add(b.color), look.add(b.width_px);
    });
    out += drawn("wire spheres", list.wire_spheres, [](Sums& s, Sums& look, const render::WireSphere& b) {
        s.add(b.center), s.add(b.radius), look.add(b.color), look.add(b.width_px);
    });
    out += drawn("solid boxes", list.solid_boxes, [](Sums& s, Sums& look, const render::SolidBox& b) {
        s.add(b.transform), look.add(b.color);
    });
    out += drawn("solid spheres", list.solid_spheres, [](Sums& s, Sums& look, const render::SolidSphere& b) {
        s.add(b.center), s.add(b.radius), look.add(b.color);
    });
    out += drawn("solid triangles", list.solid_triangles,
                 [](Sums& s, Sums& look, const render::SolidTriangle& t) {
                     s.add(t.a), s.add(t.b), s.add(t.c), look.add(t.color);
                 });
    out += drawn("screen rects", list.screen_rects, [](Sums& s, Sums& look, const render::ScreenRect& r) {
        s.add(r.min_px), s.add(r.max_px), look.add(r.color), look.add(r.radius_px);
    });
    for (const render::Picture& p : list.pictures) {
        Sums bytes;
        for (const std::uint8_t byte : p.image->rgba)
            bytes.add(byte);
        out += fmt::format("  picture {} x {} from {} to {} opacity {}: {}\n", p.image->size.x,
                           p.image->size.y, text(p.min), text(p.max), text(p.opacity), bytes.text());
    }
    for (const render::Label& l : list.labels)
        out += fmt::format("  label '{}' at {} + {} {} halo {} size {} anchor {}\n", l.text, text(l.position),
                           text(l.offset_px), text(l.color), text(l.halo), text(l.size_px),
                           static_cast<int>(l.anchor));
    for (const render::ScreenText& t : list.screen_texts)
        out += fmt::format("  text '{}' at {} {} size {} anchor {} panel {}\n", t.text, text(t.position_px),
                           text(t.color), text(t.size_px), static_cast<int>(t.anchor), text(t.panel));
    return out;
}

std::string drawing(const Session& session) {
    return drawing_with(session, {});
}

/// With what only a hand or a panel in front of the view adds.
std::string drawing_in_hand(const Session& session) {
    viz::ViewInfo view;
    const glm::vec2 size = session.state().view.rect.size_px;
    view.free_min_px = 0.1f * size;
    view.free_max_px = 0.9f * size;
    view.panels = true;
    view.gizmo_lit = GizmoPart::MoveY;
    view.band_min_px = {120, 90};
    view.band_max_px = {260, 150};
    view.card_min_px = {0.5f * size.x, 0.1f * size.y};
    view.card_max_px = {0.9f * size.x, 0.3f * size.y};
    if (!session.results().handles.empty()) view.held_handle = session.results().handles.front().id;
    if (const auto& node = session.results().selected_node) {
        view.marked_tree = node->tree;
        view.marked_node = node->node;
    }
    return drawing_with(session, view);
}

struct Topic {
    std::string_view name;
    std::string (*write)(const Session&);
};
constexpr Topic kTopics[] = {
    {"bodies", bodies},     {"motion", motion},
    {"pairs", pairs},       {"volumes", volumes},
    {"trees", trees},       {"rays", rays},
    {"stats", stats},       {"tables", tables},
    {"exhibits", exhibits}, {"charts", charts},
    {"handles", handles},   {"selection", selection},
    {"camera", camera},     {"settings", settings},
    {"timeline", timeline}, {"drawing", drawing},
    {"steps", steps},       {"curves", curves},
    {"report", report},     {"drawing-in-hand", drawing_in_hand},
    {"probe", probe},       {"comparisons", comparisons},
};

// ---- comparing

bool alike(std::string_view a, std::string_view b) {
    if (a == b) return true;
    const bool rounded =
        a.find_first_of(".e") != std::string_view::npos || b.find_first_of(".e") != std::string_view::npos;
    const auto x = number(a), y = number(b);
    if (!rounded || !x || !y) return false;
    return std::abs(*x - *y) <= 1e-5 + 2e-4 * std::max(std::abs(*x), std::abs(*y));
}

}  // namespace

std::string describe(const Session& session, std::string_view topic) {
    for (const Topic& t : kTopics)
        if (t.name == topic) return t.write(session);
    return fmt::format("there is no topic {}\n", topic);
}

std::string first_difference(std::string_view expected, std::string_view found) {
    std::string_view a = expected, b = found;
    std::size_t line = 1, line_a = 0, line_b = 0;  // where the lines begin
    while (!a.empty() || !b.empty()) {
        const std::string_view x = next_word(a), y = next_word(b);
        if (!alike(x, y)) {
            const auto whole = [](std::string_view text, std::size_t from) {
                return text.substr(from, text.find('\n', from) - from);
            };
            return fmt::format("line {}: '{}' instead of '{}'\n  expected: {}\n  found:    {}", line, y, x,
                               whole(expected, line_a), whole(found, line_b));
        }
        if (x == "\n") {
            ++line;
            line_a = expected.size() - a.size();
            line_b = found.size() - b.size();
        }
    }
    return {};
}

}  // namespace lab::test
