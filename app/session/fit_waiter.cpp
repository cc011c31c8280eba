#include "session/fit_waiter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "session/parts.hpp"
#include "world/mesh_title.hpp"
#include "world/tree_settings.hpp"

namespace lab {
namespace {

/// The bodies named by a list of ids. Wrong ids are ignored here and refused when the command runs.
std::vector<bv::BodyId> named_bodies(CommandArgs args) {
    std::vector<bv::BodyId> ids;
    for (const std::string& word : args) {
        std::uint32_t id = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
        if (error == std::errc() && end == word.data() + word.size()) ids.push_back({id});
    }
    return ids;
}

/// True if the later line changes the choice of the earlier one, for the same bodies: `set fit.obb=exact`,
/// `set fit.obb=pca`. `reset all` changes every one.
bool replaces(const ParsedLine& earlier, const ParsedLine& later) {
    if (earlier.command->per_body != later.command->per_body) return false;
    if (!later.setting) return later.command->setting != nullptr;
    return earlier.setting == later.setting &&
           (!later.command->per_body || std::equal(earlier.words.begin() + 2, earlier.words.end(),
                                                   later.words.begin() + 2, later.words.end()));
}

}  // namespace

FitWaiter::FitWaiter(SessionParts& parts) : parts_(parts), state_(parts.state) {}

/// The fits that a line needs and that do not exist yet.
std::vector<FitWaiter::Missing> FitWaiter::missing_fits(const ParsedLine& line) const {
    if (!state_.scene.running || parts_.table.check(line)) return {};
    const CommandArgs args = line.args();
    const bool own = line.command->per_body;
    Settings after = state_.settings;
    if (line.command->change(after, args)) return {};
    const VolumeChoice before = chosen_volumes(state_.settings), choice = chosen_volumes(after);
    const VolumeSet drawn = drawn_volumes(after);
    if (choice == before && drawn == drawn_volumes(state_.settings) && !own) return {};

    std::vector<bv::BodyId> ids = named_bodies(own ? args.subspan(1) : CommandArgs());
    if (own && ids.empty()) ids = state_.view.selection.bodies;
    std::vector<Missing> missing;
    for (const Body& body : state_.world.bodies()) {
        if (own && std::find(ids.begin(), ids.end(), body.state.id) == ids.end()) continue;
        const Missing wanted{&parts_.meshes[body.state.mesh], own ? choice : resolved(choice, body.state.own),
                             drawn_from_start() | drawn};
        if (wanted.mesh->has_fits(wanted.choice, wanted.kinds)) continue;
        if (std::find(missing.begin(), missing.end(), wanted) == missing.end()) missing.push_back(wanted);
    }
    return missing;
}

/// The line with the bodies that it means now, which may not be those selected when it runs.
ParsedLine FitWaiter::with_bodies(const ParsedLine& line) const {
    if (!line.command->per_body || line.args().size() > 1) return line;
    std::string text = line.text;
    for (const bv::BodyId id : state_.view.selection.bodies)
        text += fmt::format(" {}", id.value);
    return parts_.table.parse(text, line.origin);
}

bool FitWaiter::postpones(const ParsedLine& given) {
    if (parts_.jobs.mode() == JobMode::Wait || given.problem) return false;
    if (!given.command || !given.command->change) return false;
    const ParsedLine line = with_bodies(given);
    // A newer choice replaces one that still waits for its fits.
    std::erase_if(fittings_, [this](const Fitting& f) { return !parts_.jobs.is_running(f.job); });
    for (const Fitting& earlier : fittings_)
        if (replaces(earlier.line, line)) parts_.jobs.cancel(earlier.job);
    const std::vector<Missing> missing = line.setting ? missing_fits(line) : std::vector<Missing>();
    if (missing.empty()) return false;
    JobSpec job;
    job.title = line.text;
    job.more = [missing, next = std::size_t{0}](const JobControl& control) mutable {
        const float share = static_cast<float>(next) / static_cast<float>(missing.size());
        const Missing& fit = missing[next];
        if (!control.report(share, fmt::format("fitting volumes around {}", title_of(*fit.mesh))))
            return false;
        next += !fit.mesh->make_next_fit(fit.choice, fit.kinds);
        return next < missing.size();
    };
    job.end = [this, line](JobEnd end, std::string_view why) {
        if (end == JobEnd::Cancelled) parts_.messages.info(fmt::format("`{}` was canceled", line.text));
        if (end == JobEnd::Failed) parts_.runner.refuse(line.origin, fmt::format("`{}`: {}", line.text, why));
        if (end == JobEnd::Done) parts_.runner.handle(line);  // again, since new bodies may need more fits
    };
    fittings_.push_back({line, parts_.jobs.start(std::move(job))});
    return true;
}

void FitWaiter::cancel_all() {
    for (const Fitting& fitting : fittings_)
        parts_.jobs.cancel(fitting.job);
}

/// Drops pending choices for bodies that are gone.
void FitWaiter::cancel_for_bodies() {
    for (const Fitting& fitting : fittings_)
        if (fitting.line.command->per_body) parts_.jobs.cancel(fitting.job);
}

}  // namespace lab
