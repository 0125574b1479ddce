// The cell of an editor's margin that says how often a line was executed, and which way its branches went: by colour
// and as text.
#pragma once

#include "models/line_coverage.h"
#include "theme.h"

class QFontMetrics;
class QPainter;
class QRect;

namespace weft::ide {

/// Pixels that cells of a text take; `branches`: some line has one.
int heat_cell_width(const QFontMetrics& metrics, bool branches);
/// `max`: of the hottest line of the text.
void paint_heat_cell(QPainter& painter, const QRect& cell, const LineCoverage& line, uint64_t max, bool branches,
                     Theme theme, const QColor& text);

}  // namespace weft::ide
