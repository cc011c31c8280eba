// Choosing how volumes are fitted. With large meshes a fit takes seconds: in a window a job makes the fits
// that a command leads to, and the command is carried out when they are there.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "session/sandbox.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

/// The bodies that a list of ids names; those that are none are refused when the command is carried out.
std::vector<bv::BodyId> named_bodies(CommandArgs args) {
    std::vector<bv::BodyId> ids;
    for (const std::string& word : args) {
        std::uint32_t id = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
        if (error == std::errc() && end == word.data() + word.size()) ids.push_back({id});
    }
    return ids;
}

/// What a line chooses for, without the choice: `set fit.obb`, `body.set fit.obb 3 4`.
std::string chosen_for(std::string_view line) {
    const std::size_t from = line.find('='),
                      to = from == std::string_view::npos ? from : line.find(' ', from);
    std::string about(line.substr(0, from));
    if (to != std::string_view::npos) about += line.substr(to);
    return about;
}

}  // namespace

/// The fits that a line leads to and that are not made yet.
std::vector<Sandbox::MissingFits> Sandbox::missing_fits(std::string_view line) const {
    if (!scene_ || line.find("fit.") == std::string_view::npos) return {};
    std::string error;
    const auto words = split_words(line, error);
    if (!words || words->size() < 2 || check_command(line)) return {};
    const CommandArgs args = CommandArgs(*words).subspan(1);
    const bool own = words->front() == "body.set";
    Settings after = settings_;
    if (words->front() == "toggle" && after.toggle(args[0])) return {};
    if (words->front() == "set" && assign(after, args)) return {};
    if (own && assign(after, args.first(1))) return {};
    const VolumeChoice before = chosen_volumes(settings_), choice = chosen_volumes(after);
    if (choice == before && !own) return {};

    std::vector<bv::BodyId> ids = named_bodies(own ? args.subspan(1) : CommandArgs());
    if (own && ids.empty()) ids = selection_.bodies;
    std::vector<MissingFits> missing;
    for (const Body& body : std::as_const(*world_).bodies()) {
        if (own && std::find(ids.begin(), ids.end(), body.state.id) == ids.end()) continue;
        const MissingFits wanted{&meshes_[body.state.mesh], own ? choice : resolved(choice, body.state.own)};
        if (wanted.mesh->has_fits(wanted.choice)) continue;
        if (std::find(missing.begin(), missing.end(), wanted) == missing.end()) missing.push_back(wanted);
    }
    return missing;
}

bool Sandbox::waits_for_fits(const CommandQueue::Entry& entry) {
    if (jobs_.mode() == JobMode::Wait) return false;
    if (entry.line.find("fit.") == std::string::npos) return false;
    // Whoever chooses again does not wait for what was chosen before.
    std::erase_if(fittings_, [this](const Fitting& f) { return !jobs_.is_running(f.job); });
    for (const Fitting& earlier : fittings_)
        if (earlier.about == chosen_for(entry.line)) jobs_.cancel(earlier.job);
    const std::vector<MissingFits> missing = missing_fits(entry.line);
    if (missing.empty()) return false;
    JobSpec job;
    job.title = entry.line;
    job.work = [missing](const JobControl& control) {
        for (std::size_t i = 0; i < missing.size(); ++i) {
            const float share = static_cast<float>(i) / static_cast<float>(missing.size());
            if (!control.report(share, fmt::format("fitting volumes around {}", missing[i].mesh->name)))
                return;
            (void)missing[i].mesh->volumes(missing[i].choice);
        }
    };
    job.end = [this, entry](JobEnd end, std::string_view why) {
        if (end == JobEnd::Cancelled) messages_.info(fmt::format("`{}` was given up", entry.line));
        if (end == JobEnd::Failed) refuse(entry.origin, fmt::format("`{}`: {}", entry.line, why));
        if (end == JobEnd::Done) carry_out(entry);  // there may be other bodies by now, which need more
    };
    fittings_.push_back({chosen_for(entry.line), jobs_.start(std::move(job))});
    return true;
}

/// What was chosen for bodies that are gone.
void Sandbox::give_up_fits_of_bodies() {
    for (const Fitting& fitting : fittings_)
        if (fitting.about.starts_with("body.set")) jobs_.cancel(fitting.job);
}

}  // namespace lab
