#include "breakpoint_menu.h"

#include <QCoreApplication>
#include <QMenu>

#include "breakpoint_dialog.h"
#include "models/breakpoint_text.h"
#include "models/contexts_model.h"

namespace weft::ide {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("BreakpointMenu", text); }

}  // namespace

QString name_of_context(const Workspace& workspace, ContextId id) {
  const auto view = workspace.target() ? workspace.target()->view() : nullptr;
  const QString name = QStringLiteral("me%1.ctx%2").arg(id.engine).arg(id.context);
  return view && view->chips.size() > 1 ? QString::fromStdString(view->chips[id.chip]) + QStringLiteral(": ") + name : name;
}

void fill_watch_menu(QMenu& menu, Workspace& workspace, const QString& name, QWidget* parent, bool only_changes) {
  using Kind = workbench::Breakpoint::Kind;
  const auto add = [&](const QString& text, Kind kind, bool dialog) {
    menu.addAction(text, parent, [&workspace, name, kind, dialog, parent] {
      workbench::Breakpoint b;
      b.kind = kind;
      b.target = name.toStdString();
      if (dialog) edit_breakpoint(workspace, b, std::nullopt, parent);
      else workspace.add_breakpoint(std::move(b));
    });
  };
  add(tr("Stop when %1 &changes").arg(name), Kind::change, false);
  if (!only_changes) {
    add(tr("Stop when it is &written"), Kind::write, false);
    add(tr("Stop when it is &read"), Kind::read, false);
  }
  add(tr("Stop with a con&dition..."), only_changes ? Kind::change : Kind::write, true);
}

void fill_context_menu(QMenu& menu, Workspace& workspace, ContextId id, QWidget* parent) {
  using Kind = workbench::Breakpoint::Kind;
  const QString name = name_of_context(workspace, id);
  const auto add = [&](const QString& text, Kind kind, const QString& target, bool dialog) {
    menu.addAction(text, parent, [&workspace, kind, target, dialog, parent] {
      workbench::Breakpoint b;
      b.kind = kind;
      b.target = target.toStdString();
      if (dialog) edit_breakpoint(workspace, b, std::nullopt, parent);
      else workspace.add_breakpoint(std::move(b));
    });
  };
  add(tr("Stop when %1 leaves its &microengine").arg(name), Kind::swap, name, false);
  add(tr("Stop at each of its &signals"), Kind::signal, name + QStringLiteral(".*"), false);
  add(tr("Stop when it reads what &nothing has written"), Kind::uninitialised, name, false);
  add(tr("Stop when it s&talls for long..."), Kind::stall, name + QStringLiteral(" 100"), true);
}

workbench::Breakpoint breakpoint_at(const Workspace& workspace, const QString& path, int line) {
  workbench::Breakpoint b;
  b.target = QStringLiteral("%1:%2").arg(workspace.short_name(path)).arg(line).toStdString();
  return b;
}

void fill_line_menu(QMenu& menu, Workspace& workspace, const QString& path, int line, QWidget* parent, const std::function<void(const workbench::Breakpoint&)>& run) {
  const auto& all = workspace.breakpoints();
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_in_file(all[i], path) || file_place(all[i]).line != line) continue;
    const workbench::Breakpoint b = all[i];
    menu.addAction(tr("&Change the breakpoint..."), parent, [&workspace, b, i, parent] { edit_breakpoint(workspace, b, i, parent); });
    menu.addAction(b.enabled ? tr("Switch it &off") : tr("Switch it &on"), parent, [&workspace, b, i] {
      workbench::Breakpoint changed = b;
      changed.enabled = !b.enabled;
      workspace.change_breakpoint(i, std::move(changed));
    });
    menu.addAction(tr("&Remove it"), parent, [&workspace, i] { workspace.remove_breakpoint(i); });
    menu.addSeparator();
  }
  const workbench::Breakpoint here = breakpoint_at(workspace, path, line);
  menu.addAction(tr("&Set a breakpoint"), parent, [&workspace, here] { workspace.add_breakpoint(here); });
  const auto view = workspace.target() ? workspace.target()->view() : nullptr;
  if (const auto id = workspace.cursor().context(); id && view) {
    menu.addAction(tr("Set one for &%1 only").arg(context_text(*view, *id)), parent, [&workspace, here, id, view] {
      workbench::Breakpoint b = here;
      b.engines = {id->engine};
      b.contexts = 1u << id->context;
      if (id->chip > 0) b.target.insert(0, view->chips[id->chip] + ": ");
      workspace.add_breakpoint(std::move(b));
    });
  }
  menu.addAction(tr("Set one with a con&dition, a count or a text..."), parent, [&workspace, here, parent] { edit_breakpoint(workspace, here, std::nullopt, parent); });
  menu.addSeparator();
  QAction* to = menu.addAction(tr("Run &to here"), parent, [run, here] { run(here); });
  to->setEnabled(workspace.target() != nullptr && workspace.target()->state() != Target::State::running);
}

}  // namespace weft::ide
