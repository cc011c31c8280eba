#include "bv/tasks.hpp"

namespace bv {
namespace {

class SerialTasks final : public TaskRunner {
  public:
    [[nodiscard]] unsigned concurrency() const noexcept override { return 1; }
    void run(std::size_t count, const Job& job) override {
        for (std::size_t i = 0; i < count; ++i)
            job(i);
    }
};

}  // namespace

TaskRunner& serial_tasks() noexcept {
    static SerialTasks runner;
    return runner;
}

}  // namespace bv
