// What the margin of a text offers at a line, and what rows of other views offer: for a place, a register, a context, a
// packet.
#pragma once

#include <QPoint>
#include <QString>
#include <functional>
#include <vector>

#include "models/workspace.h"

class QAbstractItemView;
class QMenu;
class QModelIndex;
class QWidget;

namespace weft::ide {

/// Fills a menu for a line of a file: set, change, switch, remove, only for the chosen context, run to here.
void fill_line_menu(QMenu& menu, Workspace& workspace, const QString& path, int line, QWidget* parent);
/// Stops at accesses to a register or longword, by its name in expressions: "me0.ctx3.temp", "scratch[0x40]". What can
/// only be watched for a change (CSRs, rings, figures) has `only_changes`.
void fill_watch_menu(QMenu& menu, Workspace& workspace, const QString& name, QWidget* parent,
                     bool only_changes = false);
/// Stops at what a context does.
void fill_context_menu(QMenu& menu, Workspace& workspace, ContextId id, QWidget* parent);
/// "me2.ctx3", with the chip in front when there are several.
QString name_of_context(const Workspace& workspace, ContextId id);
/// A target with the name of its chip in front, when there are several.
QString of_chip(const Workspace& workspace, unsigned chip, const QString& target);
/// A location of that line.
workbench::Breakpoint breakpoint_at(const Workspace& workspace, const QString& path, int line);

/// What a row of a view stands for, as far as breakpoints are concerned.
struct BreakpointRow {
  QString path = {};                               ///< with a line: a place
  int line = 0;                                    ///< as the machine names it, of the text that was built
  QString who = {};                                ///< a context or microengine by its name in expressions; empty: none
  std::vector<workbench::Breakpoint> events = {};  ///< of packets and rings
  bool of_text = false;                            ///< the line is one of the text as it is now
};
/// A menu for each thing that the row stands for, at the end of `menu`.
void add_breakpoint_menus(QMenu& menu, Workspace& workspace, const BreakpointRow& row, QWidget* parent);
/// For a place that the machine must be asked for: the menu has the title `meanwhile` until the place is given; line 0:
/// there is none. To be called while the menu may be gone.
using GivePlace = std::function<void(const QString& path, int line)>;
GivePlace add_awaited_place(QMenu& menu, Workspace& workspace, const QString& meanwhile, QWidget* parent);
/// The context menu of a table or tree: breakpoints of the row under the mouse, or of the current one; then the view's
/// own actions.
void add_breakpoint_menus(QAbstractItemView* view, Workspace& workspace,
                          const std::function<BreakpointRow(const QModelIndex&)>& row_of);

/// Events of frames and packets, as targets say them: "in", "dropped filtered". A port's number is that of the board,
/// which is known on boards of one chip; on others any port of the chip is meant.
workbench::Breakpoint packet_event(const Workspace& workspace, unsigned chip, int port, const QString& event);

}  // namespace weft::ide
