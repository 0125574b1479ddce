// The mark of the contexts that stand at a line: an arrow in the colour of the state of the one that counts most there.
#pragma once

#include <QPointF>
#include <QString>

#include "theme.h"
#include "weft/emulator/engine.h"

class QPainter;

namespace weft::ide {

struct ContextMark {
  QString text;  ///< "me2.3 here, executing; me2.5 here, asleep"
  emulator::ContextState state = emulator::ContextState::inactive;
  bool looked_at = false;  ///< one of them is the context that the run stopped at, or that is chosen

  /// The one that is looked at counts most, then those that do something.
  void add(const QString& name, emulator::ContextState of, bool is_looked_at);
  bool operator==(const ContextMark&) const = default;
};

/// Of an arrow: filled, or hollow for a context that does not have its microengine and does not ask for it.
QColor context_colour(emulator::ContextState state, Theme theme);
void paint_context_mark(QPainter& painter, QPointF left_middle, const ContextMark& mark, Theme theme);

}  // namespace weft::ide
