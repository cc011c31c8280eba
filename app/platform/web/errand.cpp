// Errands go through the page (app/web/page.js), which starts a worker for each.
#include "platform/errand.hpp"

#include <emscripten.h>

#include "platform/web/page.hpp"

// clang-format off
EM_JS(int, bvlab_errand_send, (int kind, const char* bytes, int size), { return Module["page"].sendErrand(kind, HEAPU8.slice(bytes, bytes + size)); });
EM_JS(int, bvlab_errand_size, (int id), { return Module["page"].errandSize(id); });
EM_JS(void, bvlab_errand_take, (int id, char* to), { Module["page"].takeOfErrand(id, (part, at) => HEAPU8.set(part, to + at)); });
EM_JS(int, bvlab_errand_state, (int id), { return Module["page"].errandState(id); });
EM_JS(void, bvlab_errand_end, (int id), { Module["page"].endErrand(id); });
// clang-format on

namespace lab::platform {
namespace {

class PageErrand final : public Errand {
  public:
    explicit PageErrand(int id) : id_(id) {}
    ~PageErrand() override { bvlab_errand_end(id_); }

    std::string read() override {
        std::string bytes(static_cast<std::size_t>(bvlab_errand_size(id_)), '\0');
        if (!bytes.empty()) bvlab_errand_take(id_, bytes.data());
        return bytes;
    }
    [[nodiscard]] bool has_ended() const override { return bvlab_errand_state(id_) != 0; }
    [[nodiscard]] bool has_failed() const override { return bvlab_errand_state(id_) == 2; }

  private:
    int id_;
};

}  // namespace

std::unique_ptr<Errand> send_errand(ErrandKind kind, std::string_view bytes) {
    if (!page::is_there()) return nullptr;
    const int id = bvlab_errand_send(static_cast<int>(kind), bytes.data(), static_cast<int>(bytes.size()));
    return id != 0 ? std::make_unique<PageErrand>(id) : nullptr;
}

}  // namespace lab::platform
