#include "session/edits/edits.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lab {
namespace {

/// True if no property that an edit can change differs.
bool same_body(const std::optional<Body>& a, const std::optional<Body>& b) {
    if (!a || !b) return !a && !b;
    return a->position == b->position && a->orientation == b->orientation &&
           a->state.velocity == b->state.velocity && a->state.angular_velocity == b->state.angular_velocity &&
           a->state.scale == b->state.scale && a->state.hidden == b->state.hidden &&
           a->state.shown == b->state.shown && a->state.own == b->state.own;
}

/// Appends changes. Where both lists have one, keeps the before-value of the first and takes the after-value
/// of the second.
template <class Change>
void append(std::vector<Change>& changes, std::vector<Change> later) {
    for (Change& change : later) {
        const auto at = std::find_if(changes.begin(), changes.end(),
                                     [&](const Change& known) { return known.id == change.id; });
        if (at == changes.end())
            changes.push_back(std::move(change));
        else
            at->after = std::move(change.after);
    }
}

/// The same for bodies, which are in order of their ids.
void append(std::vector<BodyChange>& changes, std::vector<BodyChange> later) {
    std::vector<BodyChange> all;
    all.reserve(changes.size() + later.size());
    auto known = changes.begin();
    for (BodyChange& change : later) {
        while (known != changes.end() && known->id < change.id)
            all.push_back(std::move(*known++));
        if (known == changes.end() || change.id < known->id) {
            all.push_back(std::move(change));
            continue;
        }
        known->after = std::move(change.after);
        all.push_back(std::move(*known++));
    }
    std::move(known, changes.end(), std::back_inserter(all));
    changes = std::move(all);
}

/// Merges `later` into `edit`.
void append(Edit& edit, Edit later) {
    append(edit.bodies, std::move(later.bodies));
    append(edit.handles, std::move(later.handles));
    append(edit.settings, std::move(later.settings));
    if (later.rays && edit.rays)
        edit.rays->after = std::move(later.rays->after);
    else if (later.rays)
        edit.rays = std::move(later.rays);
    if (later.input && edit.input)
        edit.input->after = std::move(later.input->after);
    else if (later.input)
        edit.input = std::move(later.input);
    edit.frame = later.frame;
}

}  // namespace

void EditHistory::begin(std::string label, std::string merge_key, std::uint64_t frame) {
    open_.emplace();
    open_->edit.label = label;
    open_->name = std::move(label);
    open_->edit.merge_key = std::move(merge_key);
    open_->edit.frame = frame;
}

void EditHistory::touch(const World& world, bv::BodyId id) {
    if (!open_) return;
    std::vector<BodyChange>& bodies = open_->edit.bodies;
    // Bodies are usually touched in order of their ids.
    const auto at =
        std::lower_bound(bodies.begin(), bodies.end(), id,
                         [](const BodyChange& change, bv::BodyId wanted) { return change.id < wanted; });
    if (at != bodies.end() && at->id == id) return;
    const Body* body = world.find(id);
    bodies.insert(at, {id, body ? std::optional(*body) : std::nullopt, std::nullopt});
}

void EditHistory::touch_new(bv::BodyId id) {
    if (open_) open_->edit.bodies.push_back({id, std::nullopt, std::nullopt});
}

void EditHistory::note_handle(std::string_view id, std::string_view name, const glm::vec3& before,
                              const glm::vec3& after) {
    if (!open_) return;
    append(open_->edit.handles, {{std::string(id), before, after}});
    open_->edit.label = name;
}

void EditHistory::note_input(std::string_view label, InputChange change) {
    if (!open_) return;
    if (change.before == change.after) return;
    if (open_->edit.input) {  // one of several changes in this edit, which then has the name of its command
        open_->edit.input->after = std::move(change.after);
        open_->edit.label = open_->name;
        return;
    }
    open_->edit.input = std::move(change);
    if (!label.empty()) open_->edit.label = label;
}

void EditHistory::touch_settings(const Settings& settings) {
    if (open_ && !open_->settings) open_->settings = settings;
}

void EditHistory::touch_rays(const std::vector<bv::Ray>& rays) {
    if (open_ && !open_->edit.rays) open_->edit.rays = RaysChange{rays, {}};
}

void EditHistory::end(const World& world, const Settings& settings, const std::vector<bv::Ray>& rays) {
    if (!open_) return;
    Edit edit = std::move(open_->edit);
    const std::optional<Settings> before = std::move(open_->settings);
    open_.reset();
    for (BodyChange& change : edit.bodies)
        if (const Body* body = world.find(change.id)) change.after = *body;
    std::erase_if(edit.bodies, [](const BodyChange& c) { return same_body(c.before, c.after); });
    std::erase_if(edit.handles, [](const HandleChange& c) { return c.before == c.after; });
    if (before && *before != settings)
        for (const SettingSpec* row : settings.catalog().rows()) {
            // Settings of the window and of time are no edits of the scene.
            if (row->effect == Effect::Outside) continue;
            const std::string was = before->get_as_text(*row), is = settings.get_as_text(*row);
            if (was != is) edit.settings.push_back({std::string(row->id), was, is});
        }
    if (edit.rays) edit.rays->after = rays;
    if (edit.rays && edit.rays->before == edit.rays->after) edit.rays.reset();
    if (!edit.empty()) keep(std::move(edit));
}

void EditHistory::keep(Edit edit) {
    undone_.clear();
    const bool in_group = grouping_ && !group_fresh_ && !done_.empty();
    const bool merges = !grouping_ && !done_.empty() && !edit.merge_key.empty() &&
                        done_.back()->merge_key == edit.merge_key &&
                        edit.frame - done_.back()->frame <= kMergeFrames;
    if (in_group || merges) {
        Edit sum = *done_.back();
        append(sum, std::move(edit));
        done_.back() = std::make_shared<const Edit>(std::move(sum));
        return;
    }
    if (grouping_) {
        edit.label = group_;
        edit.merge_key.clear();
        group_fresh_ = false;
    }
    done_.push_back(std::make_shared<const Edit>(std::move(edit)));
    bound();
}

void EditHistory::bound() {
    std::size_t bodies = 0;
    for (const auto& edit : done_)
        bodies += edit->bodies.size();
    // The last edit always stays, however large.
    while (done_.size() > 1 && (done_.size() > kMaxEdits || bodies > kMaxBodies)) {
        bodies -= done_.front()->bodies.size();
        done_.erase(done_.begin());
    }
}

void EditHistory::group(std::string label) {
    group_ = std::move(label);
    grouping_ = group_fresh_ = true;
}

void EditHistory::ungroup() {
    grouping_ = false;
}

std::shared_ptr<const Edit> EditHistory::undo() {
    ungroup();
    if (done_.empty()) return nullptr;
    undone_.push_back(std::move(done_.back()));
    done_.pop_back();
    return undone_.back();
}

std::shared_ptr<const Edit> EditHistory::redo() {
    ungroup();
    if (undone_.empty()) return nullptr;
    done_.push_back(std::move(undone_.back()));
    undone_.pop_back();
    return done_.back();
}

void EditHistory::forget_missing(const World& world) {
    const auto is_missing = [&world](const BodyChange& change) { return !world.find(change.id); };
    for (auto* list : {&done_, &undone_}) {
        for (std::shared_ptr<const Edit>& edit : *list) {
            if (std::none_of(edit->bodies.begin(), edit->bodies.end(), is_missing)) continue;
            Edit rest = *edit;
            std::erase_if(rest.bodies, is_missing);
            edit = std::make_shared<const Edit>(std::move(rest));
        }
        std::erase_if(*list, [](const auto& edit) { return edit->empty(); });
    }
    group_fresh_ = grouping_;  // the edit of an open group may be among those that are gone
}

void EditHistory::clear() {
    open_.reset();
    done_.clear();
    undone_.clear();
    ungroup();
    ++times_cleared_;
}

}  // namespace lab
