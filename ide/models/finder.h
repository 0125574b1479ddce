// What the one field finds: files, macros, labels, views, commands, packets, lines and cycles, by a few letters of
// their names. It knows no window: who asks says what there is, and does what was chosen.
#pragma once

#include <QString>
#include <vector>

#include "language.h"
#include "packets_model.h"

namespace weft::ide {

struct FinderItem {
  enum class Kind { command, view, file, macro, label, line, packet, cycle };
  Kind kind = Kind::command;
  QString text = {}, detail = {};  ///< what is searched; what stands after it
  QString id = {};                 ///< of a command or a view; path of a file, macro or label
  int line = 0, column = 1;
  uint64_t number = 0;              ///< packet (its id), cycle
  bool enabled = true;              ///< a command that cannot be given now
  std::vector<int> positions = {};  ///< letters of `text` that were typed
};

/// What is asked for by the first letter: ">" commands, "@" labels and macros, ":" a line of the text, "#" packets;
/// else everything by its name, and a number is a cycle.
struct FinderQuery {
  enum class What { all, commands, names, line, packets } what = What::all;
  QString text;  ///< without that letter
};
FinderQuery read_query(const QString& text);

/// Macros and labels with their places, and files, of all programs; each once, labels as they are written.
std::vector<FinderItem> names_of_programs(const Language& language, const FileNames& names);

/// The best `max` for what was typed, best first. `lines`: of the text that is open, 0: none.
std::vector<FinderItem> find_items(const QString& text, const std::vector<FinderItem>& all, int lines,
                                   size_t max = 200);

/// Packets by number, or by a text in what they are, became and why; at most so many, of the latest moment.
std::vector<FinderItem> find_packets(const Inspector& machine, const QString& text, size_t max = 50);

QString kind_text(FinderItem::Kind kind);

}  // namespace weft::ide
