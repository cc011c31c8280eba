#include <glad/gl.h>

#include "render/gl/dialect.hpp"

namespace lab::render::gl {

Dialect context_dialect() {
    return Dialect::Core330;
}

bool load_functions(platform::GlLoader loader) {
    return loader && gladLoadGL(loader) != 0 && GLAD_GL_VERSION_3_3;
}

void convert_to_srgb(bool on) {
    if (on)
        glEnable(GL_FRAMEBUFFER_SRGB);
    else
        glDisable(GL_FRAMEBUFFER_SRGB);
}

bool can_write_bytes() {
    return true;
}

bool instances_cost_draws() {
    return false;
}

void fill_polygons() {
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

}  // namespace lab::render::gl
