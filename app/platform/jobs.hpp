// Work that takes longer than a frame: reading a file, fitting volumes, building trees, writing. It runs on a
// worker thread, one job after the other, reports progress and can be cancelled. The session takes its
// results between two frames; a job that is cancelled or fails has changed nothing. A second worker writes
// files; jobs started later find them written.
//
// Where there are no threads, as on a web page, each frame does one slice of a job.
//
// Without a window no frame rate has to be kept: `start` does the work at once, so that headless runs and
// tests behave as if there were no jobs.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bv/ids.hpp"
#include "bv/progress.hpp"

namespace lab {

using JobId = bv::Id<struct JobTag>;

enum class JobMode : unsigned char {
    Wait,        ///< `start` returns when the job has ended.
    Background,  ///< `start` returns at once; `finish_ended` delivers the results.
    Slices       ///< As Background, but `advance` does the work: slices of `kSlice_ms`, or one part.
};

enum class JobEnd : unsigned char {
    Done,
    Cancelled,
    Failed  ///< The work threw, for example when out of memory.
};

/// The worker's side of a job. Copies refer to the same job; safe from several threads at once.
class JobControl {
  public:
    JobControl();
    /// Reports the fraction done, 0 to 1, and the current task, like "building the tree". False once the job
    /// was cancelled: then the work should return soon, and its results are discarded.
    bool report(float fraction, std::string_view phase) const;
    [[nodiscard]] bool cancelled() const;
    /// Progress for the library's next build: it counts from 0 to 1 until the next report, and cancelling the
    /// job cancels it.
    [[nodiscard]] bv::BuildProgress& build(std::string_view phase) const;
    /// Progress that maps reports of 0 to 1 to the range `from` to `to` of this job.
    [[nodiscard]] JobControl part(float from, float to) const;
    /// True in slices: a part that waits for something outside of the program then calls `wait` and returns,
    /// and the next frame goes on with it. Elsewhere it does the work itself.
    [[nodiscard]] bool may_wait() const;
    void wait() const;

  private:
    friend class Jobs;
    struct Shared;
    std::shared_ptr<Shared> shared_;
    float from_ = 0.0f, to_ = 1.0f;
};

struct JobSpec {
    std::string title;                            ///< For the user, like `dragon.ply`.
    std::function<void(const JobControl&)> work;  ///< On the worker thread; may be empty.
    /// Work in parts, after `work`, called as long as it returns true: the shorter each part, the smoother
    /// the frames where there are no threads.
    std::function<bool(const JobControl&)> more;
    /// Then on the caller's thread, for what only it may do: once per `advance`, until it returns true.
    std::function<bool(const JobControl&)> slice;
    std::function<void(JobEnd, std::string_view)>
        end;                ///< At the end, on the caller's thread; with the reason if it failed.
    bool of_scene = false;  ///< Dropped silently when the scene ends.
    bool writes = false;    ///< Writes a file, which must not be lost.
};

/// A job as its progress bar shows it.
struct JobView {
    JobId id;
    std::string title;
    std::string phase;
    float fraction = 0.0f;
    double age_s = 0.0;  ///< Since it started, by `set_time`.
};

/// Everything here is for one thread, except JobControl.
class Jobs {
  public:
    Jobs() = default;
    /// Cancels running work and waits for the worker.
    ~Jobs();
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    void set_mode(JobMode mode) { mode_ = mode; }
    [[nodiscard]] JobMode mode() const { return mode_; }

    /// For the age of jobs: the session's own time, so that runs repeat.
    void set_time(double time_s) { time_s_ = time_s; }

    JobId start(JobSpec spec);
    /// False if there is no such job any more. The next `finish_ended` calls its `end`.
    bool cancel(JobId id);
    void cancel_all();
    /// Cancels the jobs of the scene; their `end` is never called.
    void drop_scene_jobs();
    /// Advances every job whose next part belongs to this thread.
    void advance();
    static constexpr double kSlice_ms = 20.0;
    /// Calls `end` of every job that has ended, oldest first. Returns how many of them belonged to the scene.
    int finish_ended();
    /// Cancels the others and returns once every job that writes has ended and its `end` was called.
    void finish_writing();

    [[nodiscard]] bool is_running(JobId id) const;
    [[nodiscard]] bool has_scene_jobs() const;
    [[nodiscard]] bool empty() const { return jobs_.empty(); }
    /// True while the worker is busy.
    [[nodiscard]] bool is_working() const;
    /// Oldest first.
    [[nodiscard]] std::vector<JobView> views() const;

  private:
    struct Task;
    struct Job {
        JobId id;
        JobSpec spec;
        std::shared_ptr<Task> task;
        double started_s = 0.0;
        bool in_slice = false;
    };
    [[nodiscard]] static bool is_over(const Job& job);
    static void perform(Task& task);
    static void perform_part(Task& task);
    void perform_slice();
    void advance_slice(Job& job);
    static void stop(Job& job);
    struct Lane {
        std::deque<std::shared_ptr<Task>> waiting;
        std::thread worker;
    };
    void work(Lane& lane);

    JobMode mode_ = JobMode::Wait;
    std::deque<Job> jobs_;
    std::uint32_t next_id_ = 1;
    double time_s_ = 0.0;

    std::mutex mutex_;  // guards the waiting jobs and `closing_`
    std::condition_variable wake_;
    bool closing_ = false;
    std::array<Lane, 2> lanes_;  // the second writes files, so that saving never waits for a build
};

}  // namespace lab
