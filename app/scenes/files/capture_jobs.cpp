#include "scenes/files/capture_jobs.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "scenes/files/capture_settings.hpp"

namespace lab::scenes {

void start_examination(Jobs& jobs, const std::string& name, const io::CaptureFile& file,
                       const std::shared_ptr<ExaminedCapture>& examined) {
    jobs.drop_scene_jobs();
    auto reader = std::make_shared<io::CaptureFile>(file.another());
    auto made = std::make_shared<ExaminedCapture>();
    JobSpec job;
    job.title = name;
    job.of_scene = true;
    auto surveyor = std::make_shared<capture::Surveyor>(*reader);
    job.more = [reader, surveyor, made](const JobControl& control) {
        if (surveyor->next())
            return control.report(0.8f * static_cast<float>(surveyor->done()), "examining every frame");
        capture::Survey survey = surveyor->take();
        const capture::FrameSetting held(*reader, static_cast<int>(kCaptureFrame.max));
        made->curves = capture_curves(survey, kCaptureFrame, held);
        made->diagnosis = capture::diagnose(*reader, survey, [&control](double done) {
            return control.report(0.8f + 0.2f * static_cast<float>(done), "diagnosing");
        });
        made->marks =
            std::make_shared<const std::vector<Film::Mark>>(capture_marks(survey, made->diagnosis, held));
        made->marks_left_out = survey.marks_left_out;
        made->changes = std::make_shared<const capture::NodeChanges>(std::move(survey.changes));
        return false;
    };
    job.end = [made, examined](JobEnd end, std::string_view) {
        if (end != JobEnd::Done) return;
        examined->curves = std::move(made->curves);
        if (examined->diagnosis && made->diagnosis)
            examined->earlier = capture::earlier_findings(std::move(examined->earlier), *examined->diagnosis,
                                                          *made->diagnosis);
        examined->diagnosis = std::move(made->diagnosis);
        examined->marks = std::move(made->marks);
        examined->marks_left_out = made->marks_left_out;
        examined->changes = std::move(made->changes);
        ++examined->news;
    };
    jobs.start(std::move(job));
}

void start_replay(Jobs& jobs, const std::string& name, const io::CaptureFile& file,
                  const std::shared_ptr<ExaminedCapture>& examined) {
    auto reader = std::make_shared<io::CaptureFile>(file.another());
    auto replay = std::make_shared<capture::Replay>(*reader);
    JobSpec job;
    job.title = fmt::format("{} in other structures", name);
    job.of_scene = true;
    job.more = [reader, replay](const JobControl& control) {
        return replay->next() && control.report(static_cast<float>(replay->done()), "replaying");
    };
    job.end = [reader, replay, examined](JobEnd end, std::string_view) {
        if (end != JobEnd::Done) return;
        examined->what_if = replay->take();
        examined->what_ifs = ++examined->news;
    };
    jobs.start(std::move(job));
}

}  // namespace lab::scenes
