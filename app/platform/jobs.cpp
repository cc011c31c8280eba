#include "platform/jobs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "platform/clock.hpp"

namespace lab {

namespace {
constexpr const char* kNoMemory = "there is not enough memory";
}  // namespace

struct JobControl::Shared {
    std::atomic<bool> cancelled{false};
    std::atomic<bool> ended{false};
    bv::BuildProgress build;
    bool in_slices = false;  // set before the work begins
    bool waits = false;      // used only in slices, which run on one thread
    std::mutex mutex;        // guards the members below
    float fraction = 0.0f;
    float build_share = 0.0f;  // what the build of `build` adds to `fraction` when it is done
    std::string phase;
    std::string failure;

    Shared() { failure.reserve(std::char_traits<char>::length(kNoMemory)); }

    /// Notes the exception being handled. There is always memory to say that there is none.
    void fail() noexcept {
        const std::lock_guard lock(mutex);
        try {
            throw;
        } catch (const std::bad_alloc&) {
            failure = kNoMemory;
        } catch (const std::exception& problem) {
            try {
                failure = problem.what();
            } catch (const std::bad_alloc&) {
                failure = kNoMemory;
            }
        }
    }
};

JobControl::JobControl() : shared_(std::make_shared<Shared>()) {}

bool JobControl::report(float fraction, std::string_view phase) const {
    if (cancelled()) return false;
    const std::lock_guard lock(shared_->mutex);
    shared_->fraction = from_ + (to_ - from_) * std::clamp(fraction, 0.0f, 1.0f);
    shared_->build_share = 0.0f;
    if (shared_->phase != phase) shared_->phase = phase;
    return true;
}

bv::BuildProgress& JobControl::build(std::string_view phase) const {
    const std::lock_guard lock(shared_->mutex);
    shared_->fraction = from_;
    shared_->build_share = to_ - from_;
    shared_->phase = phase;
    shared_->build.reset();
    // A cancel may have come just before the reset; one that comes now finds the build.
    if (cancelled()) shared_->build.cancel();
    return shared_->build;
}

bool JobControl::cancelled() const {
    return shared_->cancelled.load(std::memory_order_relaxed);
}

JobControl JobControl::part(float from, float to) const {
    JobControl inner = *this;
    inner.from_ = from_ + (to_ - from_) * from;
    inner.to_ = from_ + (to_ - from_) * to;
    return inner;
}

bool JobControl::may_wait() const {
    return shared_->in_slices;
}

void JobControl::wait() const {
    shared_->waits = true;
}

struct Jobs::Task {
    JobControl control;
    std::function<void(const JobControl&)> work;
    std::function<bool(const JobControl&)> more;
    std::vector<std::shared_ptr<Task>> after;  ///< Jobs that write files which this one might read.

    [[nodiscard]] bool has_ended() const { return control.shared_->ended.load(std::memory_order_acquire); }
    [[nodiscard]] bool may_begin() const {
        return std::all_of(after.begin(), after.end(), [](const auto& task) { return task->has_ended(); });
    }
};

Jobs::~Jobs() {
    cancel_all();
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    wake_.notify_all();
    for (Lane& lane : lanes_)
        if (lane.worker.joinable()) lane.worker.join();
}

void Jobs::perform(Task& task) {
    while (!task.has_ended())
        perform_part(task);
}

/// No exception of a job may end the program.
void Jobs::perform_part(Task& task) {
    JobControl::Shared& shared = *task.control.shared_;
    bool goes_on = false;
    try {
        if (!task.control.cancelled()) {
            if (const auto work = std::exchange(task.work, nullptr)) {
                work(task.control);
                goes_on = task.more != nullptr;
            } else {
                goes_on = task.more && task.more(task.control);
            }
        }
    } catch (const std::exception&) {
        shared.fail();
        goes_on = false;
    }
    if (goes_on && !task.control.cancelled()) return;
    task.work = nullptr;  // its captures are destroyed on the thread that used them
    task.more = nullptr;
    shared.ended.store(true, std::memory_order_release);
}

/// Serves the jobs that write first: the user relies on their files.
void Jobs::perform_slice() {
    const platform::Clock clock;
    for (Lane& lane : {std::ref(lanes_[1]), std::ref(lanes_[0])})
        while (!lane.waiting.empty() && lane.waiting.front()->may_begin() &&
               clock.milliseconds() < kSlice_ms) {
            Task& task = *lane.waiting.front();
            perform_part(task);
            const bool waits = std::exchange(task.control.shared_->waits, false);
            if (task.has_ended())
                lane.waiting.pop_front();
            else if (waits)
                break;
        }
}

void Jobs::work(Lane& lane) {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock,
                   [&] { return closing_ || (!lane.waiting.empty() && lane.waiting.front()->may_begin()); });
        if (closing_) return;
        const std::shared_ptr<Task> task = std::move(lane.waiting.front());
        lane.waiting.pop_front();
        lock.unlock();
        perform(*task);
        lock.lock();
        wake_.notify_all();
    }
}

JobId Jobs::start(JobSpec spec) {
    auto task = std::make_shared<Task>();
    task->work = std::move(spec.work);
    task->more = std::move(spec.more);
    task->control.shared_->in_slices = mode_ == JobMode::Slices;
    const JobId id{next_id_++};
    Lane& lane = lanes_[spec.writes ? 1 : 0];
    for (const Job& job : jobs_)
        if (job.spec.writes && !spec.writes) task->after.push_back(job.task);
    if (mode_ == JobMode::Wait) {
        jobs_.push_back({id, std::move(spec), task, time_s_});
        perform(*task);
        for (finish_ended(); is_running(id); finish_ended())
            advance();
        return id;
    }
    {
        const std::lock_guard lock(mutex_);
        if (mode_ == JobMode::Background && !lane.worker.joinable())
            lane.worker = std::thread([this, &lane] { work(lane); });
        lane.waiting.push_back(task);
        try {
            jobs_.push_back({id, std::move(spec), task, time_s_});
        } catch (...) {  // listed and waiting, or neither
            lane.waiting.pop_back();
            throw;
        }
    }
    wake_.notify_all();
    return id;
}

bool Jobs::cancel(JobId id) {
    for (Job& job : jobs_) {
        if (job.id != id) continue;
        stop(job);
        return true;
    }
    return false;
}

void Jobs::stop(Job& job) {
    JobControl::Shared& shared = *job.task->control.shared_;
    shared.cancelled = true;
    shared.build.cancel();
}

void Jobs::cancel_all() {
    for (Job& job : jobs_)
        stop(job);
}

void Jobs::drop_scene_jobs() {
    for (Job& job : jobs_)
        if (job.spec.of_scene) stop(job);
    std::erase_if(jobs_, [](const Job& job) { return job.spec.of_scene; });
}

void Jobs::advance() {
    if (mode_ == JobMode::Slices) perform_slice();
    // A slice may start other jobs and finish them: go on by ids. Without memory, every job still ends.
    const std::uint32_t first_new = next_id_;
    for (std::uint32_t from = 0;;) {
        const auto at = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& job) {
            return job.id.value >= from && job.id.value < first_new && job.spec.slice && !job.in_slice &&
                   job.task->has_ended();
        });
        if (at == jobs_.end()) return;
        from = at->id.value + 1;
        if (!is_over(*at)) advance_slice(*at);
    }
}

/// Runs a slice of a job. The slice may drop the job, and then `job` is gone.
void Jobs::advance_slice(Job& job) {
    const JobId id = job.id;
    const JobControl control = job.task->control;
    std::function<bool(const JobControl&)> slice = std::move(job.spec.slice);
    job.in_slice = true;
    bool done = true;
    try {
        done = slice(control);
    } catch (const std::exception&) {
        control.shared_->fail();
    }
    const auto at = std::find_if(jobs_.begin(), jobs_.end(), [id](const Job& j) { return j.id == id; });
    if (at == jobs_.end()) return;
    at->in_slice = false;
    at->spec.slice = done ? nullptr : std::move(slice);
}

bool Jobs::is_over(const Job& job) {
    JobControl::Shared& shared = *job.task->control.shared_;
    // A cancelled job may take a while to end: nothing waits for it.
    if (job.in_slice) return false;
    if (shared.cancelled.load()) return true;
    if (!shared.ended.load(std::memory_order_acquire)) return false;
    const std::lock_guard lock(shared.mutex);
    return !job.spec.slice || !shared.failure.empty();
}

int Jobs::finish_ended() {
    int of_scene = 0;
    // `end` may start and drop other jobs.
    for (;;) {
        const auto at = std::find_if(jobs_.begin(), jobs_.end(), is_over);
        if (at == jobs_.end()) return of_scene;
        const Job job = std::move(*at);
        jobs_.erase(at);
        JobControl::Shared& shared = *job.task->control.shared_;
        JobEnd end = JobEnd::Done;
        std::string why;
        if (shared.cancelled) {
            end = JobEnd::Cancelled;
        } else {
            const std::lock_guard lock(shared.mutex);
            why = std::move(shared.failure);
            if (!why.empty()) end = JobEnd::Failed;
        }
        of_scene += job.spec.of_scene;
        if (job.spec.end) job.spec.end(end, why);
    }
}

void Jobs::finish_writing() {
    const auto writes = [](const Job& job) { return job.spec.writes; };
    for (Job& job : jobs_)
        if (!writes(job)) stop(job);
    for (finish_ended(); std::any_of(jobs_.begin(), jobs_.end(), writes); finish_ended())
        if (mode_ == JobMode::Slices)
            perform_slice();
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

bool Jobs::is_working() const {
    return std::any_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return !job.task->has_ended(); });
}

bool Jobs::has_scene_jobs() const {
    return std::any_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.spec.of_scene; });
}

bool Jobs::is_running(JobId id) const {
    return std::any_of(jobs_.begin(), jobs_.end(), [&](const Job& job) { return job.id == id; });
}

std::vector<JobView> Jobs::views() const {
    std::vector<JobView> views;
    for (const Job& job : jobs_) {
        JobControl::Shared& shared = *job.task->control.shared_;
        const std::lock_guard lock(shared.mutex);
        views.push_back({job.id, job.spec.title, shared.phase,
                         shared.fraction + shared.build_share * shared.build.done(),
                         time_s_ - job.started_s});
    }
    return views;
}

}  // namespace lab
