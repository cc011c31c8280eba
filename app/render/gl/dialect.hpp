// Where OpenGL 3.3 and OpenGL ES 3.0 (WebGL 2) differ. The build chooses the source: desktop.cpp or web.cpp.
#pragma once

#include "platform/surface.hpp"
#include "render/gl/shaders.hpp"

namespace lab::render::gl {

/// The dialect that the context compiles.
[[nodiscard]] Dialect context_dialect();

/// Loads the functions of the current context. False if it lacks some.
[[nodiscard]] bool load_functions(platform::GlLoader loader);

/// Whether what is written to an sRGB target is converted from linear light. OpenGL ES always converts.
void convert_to_srgb(bool on);
/// True iff the conversion can be switched off.
[[nodiscard]] bool can_write_bytes();

/// True iff a software renderer of this dialect sets up each instance like a draw of its own. SwiftShader,
/// the browsers' renderer without a GPU, takes as long for that as for twenty triangles.
[[nodiscard]] bool instances_cost_draws();

/// Filled polygons; OpenGL ES knows no others.
void fill_polygons();

}  // namespace lab::render::gl
