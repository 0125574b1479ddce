// What the margin of a text offers at a line, and what other views offer for a register, a context or a place in memory.
#pragma once

#include <QPoint>
#include <QString>

#include <functional>

#include "models/workspace.h"

class QMenu;
class QWidget;

namespace weft::ide {

/// Fills a menu for a line of a file: set, change, switch, remove, only for the chosen context, run to here. Runs are asked of `run`.
void fill_line_menu(QMenu& menu, Workspace& workspace, const QString& path, int line, QWidget* parent, const std::function<void(const workbench::Breakpoint&)>& run);
/// Stops at accesses to a register or longword, by its name in expressions: "me0.ctx3.temp", "scratch[0x40]". What can only be watched for
/// a change (CSRs, rings, figures) has `only_changes`.
void fill_watch_menu(QMenu& menu, Workspace& workspace, const QString& name, QWidget* parent, bool only_changes = false);
/// Stops at what a context does.
void fill_context_menu(QMenu& menu, Workspace& workspace, ContextId id, QWidget* parent);
/// "me2.ctx3", with the chip in front when there are several.
QString name_of_context(const Workspace& workspace, ContextId id);
/// A location of that line.
workbench::Breakpoint breakpoint_at(const Workspace& workspace, const QString& path, int line);

}  // namespace weft::ide
