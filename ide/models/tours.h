// Guided tours: a few steps that somebody does in the real window, each with what to do, where that is, and how one
// sees that it was done. They know no window; who shows them says what can be seen in it.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "workspace.h"

namespace weft::ide {

/// What a step may look at.
struct TourScene {
  const Workspace& workspace;
  std::function<bool(const QString& view)> shown;  ///< some of a view can be seen
  uint64_t began_at = 0;                           ///< cycle at which the step began
  /// The machine stands; null otherwise.
  std::shared_ptr<const MachineView> still() const;
};

struct TourStep {
  QString text;    ///< what to do, and what one sees then
  QString action;  ///< object name of the action that is meant, to be pointed at; empty: none
  QString view;    ///< the view that is meant
  /// None: the step ends when the user says so.
  std::function<bool(const TourScene&)> done;
};

struct Tour {
  QString name, about;
  QString example;  ///< the project that it is about
  std::vector<TourStep> steps;
};

std::vector<Tour> tours();

}  // namespace weft::ide
