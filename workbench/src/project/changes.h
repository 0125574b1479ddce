// Notes for what is wrong with a project where the command line or a test has changed a value of its file: the message
// shows the text of the file, which may be right.
#pragma once

#include "weft/base/diagnostic.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

/// With a note for each change of a value inside the place of a message. What has no place in the file stays as it is.
inline Diagnostics with_changes(const Diagnostics& problems, const Project& project) {
  return problems.changed([&](Diagnostic& d) {
    if (!d.range.file || d.range.begin.line == 0) return;
    for (const auto& [place, note] : project.changes)
      if (place.file && place.file->name() == d.range.file->name() && d.range.begin <= place.begin &&
          place.end <= d.range.end)
        d.notes.push_back(note);
  });
}

}  // namespace weft::workbench
