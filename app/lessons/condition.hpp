// Conditions that complete a task of a lesson: comparisons of displayed values with expected ones.
//
//   SUBJECT = | != | < | <= | > | >= | contains VALUE
//   SUBJECT RELATION SUBJECT
//
//   setting NAME                            its value
//   table ID ROW COLUMN                     a cell: the row by its first or second cell, as #N, or as * for
//                                           all rows; the column by its heading
//   table ID ROW COLUMN x|y|z               a component of a cell that holds a vector
//   handle ID x|y|z                         where a point of the scene was dragged to
//   value ID x|y|z                          the same as under Values: a direction counts from its origin
//   tree ID height|optimum|leaves|nodes
//   ray hit|visited|tested                  of the first pinned ray, or else the first; hit is yes or no
//   bodies | broad | volume | exact | steps | picks | pinned | scene | selected
//   tests                                   box tests of the broadphase in this step
//   differences                             that `verify` found so far, once it has compared pairs
//   rows ID                                 how many rows a table has
//   selected mesh                           of the selected body
//   walk steps|sentence|rises|falls         of the algorithm that is stepped; the last two count the steps at
//                                           which its curve rises or falls
//   walk changed                            whether the step on show changed the answer: yes or no
//   triangles                               of the first body's mesh
//
// Numbers are compared as numbers, and are equal if they are shown alike: 0.3333 in a cell of three decimals
// equals 0.333. `contains` looks into the text of a cell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/table.hpp"

namespace lab {
struct FrameResults;
struct SessionState;
}  // namespace lab

namespace lab::lessons {

class Condition {
  public:
    /// Empty, with the reason in `error`, if the line cannot be parsed.
    static std::optional<Condition> parse(std::string_view line, std::string& error);
    /// False also where there is nothing of that name to compare.
    [[nodiscard]] bool holds(const SessionState& state, const FrameResults& results) const;

  private:
    [[nodiscard]] bool holds_for(const SessionState& state, const FrameResults& results,
                                 const std::vector<std::string>& subject) const;
    /// Compares a cell with the value, or with the cell that the other subject names.
    [[nodiscard]] bool compares(const Cell& cell, const std::optional<Cell>& other) const;

    std::vector<std::string> subject_, other_;  ///< The second is empty where there is a value.
    std::string relation_, value_;
};

}  // namespace lab::lessons
