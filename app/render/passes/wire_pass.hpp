// Lines, wire boxes, sphere outlines and round markers.
#pragma once

#include <span>
#include <vector>

#include "render/draw_list.hpp"
#include "render/gl/frame.hpp"
#include "render/gl/instances.hpp"
#include "render/gl/shaders.hpp"
#include "render/passes/sorting.hpp"

namespace lab::render {

class WirePass {
  public:
    explicit WirePass(gl::ShaderLibrary& shaders);

    /// `extra` are lines of the renderer's own (axes), drawn like list.lines.
    void draw(const DrawList& list, std::span<const Line> extra, gl::FrameContext& frame);
    /// Draws the lines and points that are always on top. Call with the depth test off.
    void draw_overlay(const DrawList& list, gl::FrameContext& frame);

  private:
    /// One kind of instance: its buffer and its two programs.
    template <class T>
    struct Kind {
        gl::InstanceBuffer buffer;
        gl::Program& thick;
        gl::Program& thin;
        int segments;  ///< Per instance.
        std::vector<T> scratch, of_width;
    };
    /// How an instance is drawn.
    struct Shape {
        GLsizei vertices, core_vertices;  ///< All of them, and those that may hide what is behind.
        bool thin;                        ///< GL_LINES.
        bool solid;                       ///< Every vertex belongs to the core.
    };
    static void draw_instances(gl::InstanceBuffer& buffer, gl::Program& program, const Shape& shape,
                               std::size_t opaque, std::size_t all, gl::FrameContext& frame);
    template <class T>
    void draw_kind(Kind<T>& kind, std::span<const T> items, bool thin, gl::FrameContext& frame);
    /// In fast frames of a software renderer, items one pixel wide are drawn as thin lines.
    template <class T>
    void draw_by_width(Kind<T>& kind, Kind<T>& faint, std::span<const T> items, bool thin,
                       gl::FrameContext& frame);
    void draw_spheres(std::span<const WireSphere> spheres, bool thin, gl::FrameContext& frame);

    Kind<Line> lines_, faint_lines_, overlay_lines_;
    Kind<WireAabb> aabbs_, faint_aabbs_;
    Kind<WireBox> boxes_, faint_boxes_;
    Kind<WireSphere> spheres_;
    Kind<Point> points_, overlay_points_;
    std::vector<Line> with_extra_;
};

}  // namespace lab::render
