#include "render/gl/debug.hpp"
#include "render/gl/dialect.hpp"

namespace lab::render::gl {

Dialect context_dialect() {
    return Dialect::Es300;
}

// Linked, not loaded.
bool load_functions(platform::GlLoader) {
    return true;
}

void convert_to_srgb(bool) {}
bool can_write_bytes() {
    return false;
}
bool instances_cost_draws() {
    return true;
}
void fill_polygons() {}

// The browser prints them on its console.
void watch_errors(DriverLog&) {}

}  // namespace lab::render::gl
