// The key of the picture: the meaning of each color. Parts of the view add a row when they draw something;
// a part that draws nothing has no row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "viz/colors/legend_row.hpp"
#include "viz/painter.hpp"
#include "viz/plates.hpp"

namespace lab::viz {

class Legend {
  public:
    /// Where there is no room for all rows, the `Asked` ones are kept longest.
    enum class Rank : unsigned char {
        Usual,
        Asked,  ///< What the user looks at now: rays, the probe with what it found, what is selected.
    };
    /// A second row with the same text is dropped.
    void add(std::string text, Color color, Swatch swatch, Rank rank = Rank::Usual);
    /// A row with the part `from` to `to` of the scalar color map, of values `low` to `high`, instead of one
    /// color.
    void add_scale(std::string text, std::string low, std::string high, float from = 0.0f, float to = 1.0f);
    [[nodiscard]] const std::vector<LegendRow>& rows() const { return rows_; }

    /// Puts the key into the lower left corner of the free part of the picture. It has one column; in a small
    /// picture it has several where that hides less of the scene, and beside panels it prefers several. It
    /// folds to the rows for which there is room, `Asked` ones first, and its last line then says how many
    /// are left out; without room for any it is not drawn. While the pointer is on a folded key, all rows are
    /// drawn over the scene. Beside panels it folds rather than hide a handle. A narrow picture has no key
    /// where, together with the charts that begin at `charts_px`, it would hide the scene.
    void draw(Painter& painter, const ViewInfo& view, glm::vec2 charts_px, Plates& plates) const;

  private:
    [[nodiscard]] std::size_t rows_below(const std::vector<glm::vec2>& handles_px, glm::vec2 low_left,
                                         std::size_t fewest) const;
    /// The rows that stay where there is room for `count`, in their order.
    [[nodiscard]] std::vector<const LegendRow*> kept(std::size_t count) const;
    /// All rows in columns of at most `lines`; empty if these would be too many or there are few rows.
    struct Columns {
        std::vector<float> widths;
        std::size_t lines = 0;
        glm::vec2 size{0.0f};
    };
    [[nodiscard]] std::optional<Columns> columns_of(std::size_t lines) const;
    /// The columns that hide the least of the scene; empty if all are too large or hide a handle.
    [[nodiscard]] std::optional<Columns> best_columns(const ViewInfo& view, glm::vec2 charts_px,
                                                      const Plates& plates) const;
    /// As few columns as have room in the free part of the view, whatever they hide.
    [[nodiscard]] std::optional<Columns> unfolded(const ViewInfo& view, const Plates& plates) const;
    void draw_columns(Painter& painter, const Columns& columns, const Plates::Rect& rect) const;

    std::vector<LegendRow> rows_;
    std::vector<Rank> ranks_;  // of the rows
};

}  // namespace lab::viz
