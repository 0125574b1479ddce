// Marks of the tools, painted in the theme's colours; each stands beside its word.
#pragma once

#include <QIcon>

#include "theme.h"

namespace weft::ide {

/// By the object name of the action: "run", "step_back" ...; null when it has none.
QIcon tool_icon(const QString& action, Theme theme);

}  // namespace weft::ide
