// A value that is changed while the machine stands in the past makes another run of it, and what was the present is
// gone. Nobody should lose a long run by a slip of the mouse.
#pragma once

#include "models/value_edits.h"

class QWidget;

namespace weft::ide {

class Workspace;

/// Does what it is given at once while the machine stands in the present; in the past it asks first, by a dialog
/// "change_past" that nobody has to wait for.
Careful careful(Workspace& workspace, QWidget* parent);

}  // namespace weft::ide
