// Breakpoints as people read and write them: the kinds that a dialog offers, and what a table says of one.
#pragma once

#include <QString>
#include <span>
#include <vector>

#include "target.h"

namespace weft::ide {

/// A kind of breakpoint as it is offered. Packets and rings have one for each event.
struct BreakpointChoice {
  workbench::Breakpoint::Kind kind;
  const char* event;  ///< the word for it in the target: "in", "full"; empty: the target is as written
  const char* title;  ///< translated in the context "Breakpoint"
  const char* what;   ///< what stands in the field, translated
  const char* example;
  bool may_be_empty;  ///< then of any port, or for any reason
};

std::span<const BreakpointChoice> breakpoint_choices();
/// The choice that a breakpoint is of, and what stands in its field.
size_t choice_of(const workbench::Breakpoint& b);
QString field_of(const workbench::Breakpoint& b);
/// Sets kind and target.
void set_target(workbench::Breakpoint& b, const BreakpointChoice& choice, const QString& field);

QString kind_text(const workbench::Breakpoint& b);
/// "all", or "me0 me2, contexts 1 3".
QString who_text(const workbench::Breakpoint& b);
/// "stops", "stops once", "logs: n is {n}".
QString action_text(const workbench::Breakpoint& b);
/// "4 words in me0 me2", "at once", or why it is nowhere.
QString place_text(const workbench::Breakpoint& b);

/// "egress: ", when the target names a chip.
QString chip_in_front(const workbench::Breakpoint& b);
/// A location's file and line; an empty file: it is a label or an address. A chip's name in front goes.
struct FilePlace {
  QString file;
  int line = 0;
};
FilePlace file_place(const workbench::Breakpoint& b);
/// The file is one of that name in any folder, or with the folders that are written.
bool is_in_file(const workbench::Breakpoint& b, const QString& path);
/// The same breakpoint at another line.
void set_line(workbench::Breakpoint& b, int line);

}  // namespace weft::ide
