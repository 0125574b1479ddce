// A breakpoint in the margin of a text. What it is shows by its shape, so that nobody needs to tell colours:
// a disc stops, a diamond only logs; an outline is switched off; a bar through it: it has a condition or a hit count; a
// disc with a hole is for some contexts or microengines; a cross: this program has nothing there.
#pragma once

#include <QString>

#include "weft/workbench/breakpoint.h"

class QPainter;
class QPointF;

namespace weft::ide {

struct BreakpointMark {
  bool enabled = true, logs = false, conditional = false, some = false, found = true;
  QString text;  ///< for the tip
  bool operator==(const BreakpointMark&) const = default;
};

BreakpointMark mark_of(const workbench::Breakpoint& b);
void paint_mark(QPainter& painter, const QPointF& centre, const BreakpointMark& mark);

}  // namespace weft::ide
