// Longer texts: paragraphs, headings, lists and formulas, wrapped to the available width.
#pragma once

#include <vector>

#include "lessons/markdown.hpp"
#include "panels/context.hpp"

namespace lab::panels {

/// All blocks from the cursor down, over the whole width of the content.
void rich_text(const PanelContext& c, const std::vector<lessons::Block>& blocks);
/// One run of words, `width` pixels wide.
void flowing_text(const PanelContext& c, const std::vector<lessons::Span>& spans, float width);

}  // namespace lab::panels
