#include "breakpoint_menu.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QMenu>
#include <QPointer>

#include "breakpoint_dialog.h"
#include "models/breakpoint_text.h"
#include "models/contexts_model.h"

namespace weft::ide {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("BreakpointMenu", text); }

bool has_chips(const Workspace& workspace) {
  const auto view = workspace.target() ? workspace.target()->view() : nullptr;
  return view && view->chips.size() > 1;
}

struct StopAt {
  workbench::Breakpoint::Kind kind;
  QString target;
};
/// An entry that sets a breakpoint, at once or after its dialog.
void add_breakpoint_entry(QMenu& menu, Workspace& workspace, const QString& text, const StopAt& at, bool dialog,
                          QWidget* parent) {
  menu.addAction(text, parent, [&workspace, at, dialog, parent] {
    workbench::Breakpoint b;
    b.kind = at.kind;
    b.target = at.target.toStdString();
    if (dialog)
      edit_breakpoint(workspace, b, std::nullopt, parent);
    else
      workspace.add_breakpoint(std::move(b));
  });
}

/// Stops at what a context, or any of a microengine, does.
void fill_who_menu(QMenu& menu, Workspace& workspace, const QString& name, QWidget* parent) {
  using Kind = workbench::Breakpoint::Kind;
  const auto add = [&](const QString& text, Kind kind, const QString& target, bool dialog) {
    add_breakpoint_entry(menu, workspace, text, {kind, target}, dialog, parent);
  };
  const bool context = name.contains(QStringLiteral(".ctx"));
  add(context ? tr("Stop when %1 leaves its &microengine").arg(name) : tr("Stop when a context leaves %1").arg(name),
      Kind::swap, name, false);
  add(context ? tr("Stop at each of its &signals") : tr("Stop at each &signal of its contexts"), Kind::signal,
      name + QStringLiteral(".*"), false);
  add(tr("Stop when it reads what &nothing has written"), Kind::uninitialised, name, false);
  add(tr("Stop when it s&talls for long..."), Kind::stall, name + QStringLiteral(" 100"), true);
}

void fill_event_menu(QMenu& menu, Workspace& workspace, const std::vector<workbench::Breakpoint>& events,
                     QWidget* parent) {
  for (const workbench::Breakpoint& b : events) {
    const BreakpointChoice& choice = breakpoint_choices()[choice_of(b)];
    const QString title = QCoreApplication::translate("Breakpoint", choice.title), field = field_of(b);
    menu.addAction(field.isEmpty()
                       ? tr("Stop when %1").arg(title)
                       : tr("Stop when %1 (%2 %3)")
                             .arg(title, QCoreApplication::translate("Breakpoint", choice.what).toLower(), field),
                   parent, [&workspace, b] { workspace.add_breakpoint(b); });
  }
  menu.addAction(tr("With a con&dition, a count or a text..."), parent,
                 [&workspace, b = events.front(), parent] { edit_breakpoint(workspace, b, std::nullopt, parent); });
}

QString place_title(const Workspace& workspace, const QString& path, int line) {
  return tr("Breakpoint at %1:%2").arg(workspace.short_name(path)).arg(line);
}

}  // namespace

QString of_chip(const Workspace& workspace, unsigned chip, const QString& target) {
  return has_chips(workspace)
             ? QString::fromStdString(workspace.target()->view()->chips.at(chip)) + QStringLiteral(": ") + target
             : target;
}

QString name_of_context(const Workspace& workspace, ContextId id) {
  return of_chip(workspace, id.chip, QStringLiteral("me%1.ctx%2").arg(id.engine).arg(id.context));
}

workbench::Breakpoint packet_event(const Workspace& workspace, unsigned chip, int port, const QString& event) {
  workbench::Breakpoint b;
  b.kind = workbench::Breakpoint::Kind::packet;
  b.target =
      of_chip(workspace, chip, port < 0 || has_chips(workspace) ? event : QStringLiteral("%1 %2").arg(port).arg(event))
          .toStdString();
  return b;
}

void fill_watch_menu(QMenu& menu, Workspace& workspace, const QString& name, QWidget* parent, bool only_changes) {
  using Kind = workbench::Breakpoint::Kind;
  const auto add = [&](const QString& text, Kind kind, bool dialog) {
    add_breakpoint_entry(menu, workspace, text, {kind, name}, dialog, parent);
  };
  add(tr("Stop when %1 &changes").arg(name), Kind::change, false);
  if (!only_changes) {
    add(tr("Stop when it is &written"), Kind::write, false);
    add(tr("Stop when it is &read"), Kind::read, false);
  }
  add(tr("Stop with a con&dition..."), only_changes ? Kind::change : Kind::write, true);
}

void fill_context_menu(QMenu& menu, Workspace& workspace, ContextId id, QWidget* parent) {
  fill_who_menu(menu, workspace, name_of_context(workspace, id), parent);
}

workbench::Breakpoint breakpoint_at(const Workspace& workspace, const QString& path, int line) {
  workbench::Breakpoint b;
  b.target = QStringLiteral("%1:%2").arg(workspace.short_name(path)).arg(line).toStdString();
  return b;
}

void fill_line_menu(QMenu& menu, Workspace& workspace, const QString& path, int line, QWidget* parent) {
  const auto& all = workspace.breakpoints();
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_in_file(all[i], path) || file_place(all[i]).line != line) continue;
    const workbench::Breakpoint b = all[i];
    menu.addAction(tr("&Change the breakpoint..."), parent,
                   [&workspace, b, i, parent] { edit_breakpoint(workspace, b, i, parent); });
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
      if (view->chips.size() > 1) b.target.insert(0, view->chips[id->chip] + ": ");
      workspace.add_breakpoint(std::move(b));
    });
  }
  menu.addAction(tr("Set one with a con&dition, a count or a text..."), parent,
                 [&workspace, here, parent] { edit_breakpoint(workspace, here, std::nullopt, parent); });
  menu.addSeparator();
  QAction* to =
      menu.addAction(tr("Run &to here"), parent, [&workspace, here] { Q_EMIT workspace.run_to_requested(here); });
  to->setEnabled(workspace.target() != nullptr && workspace.target()->state() != Target::State::running);
}

void add_breakpoint_menus(QMenu& menu, Workspace& workspace, const BreakpointRow& row, QWidget* parent) {
  const int line = row.of_text || row.line == 0 ? row.line : workspace.line_now(row.path, row.line);
  if (line > 0 && !row.path.isEmpty())
    fill_line_menu(*menu.addMenu(place_title(workspace, row.path, line)), workspace, row.path, line, parent);
  if (!row.who.isEmpty())
    fill_who_menu(*menu.addMenu(tr("Breakpoint for %1").arg(row.who)), workspace, row.who, parent);
  if (!row.events.empty()) fill_event_menu(*menu.addMenu(tr("Breakpoint for events")), workspace, row.events, parent);
  if (!menu.isEmpty()) menu.addSeparator();
}

GivePlace add_awaited_place(QMenu& menu, Workspace& workspace, const QString& meanwhile, QWidget* parent) {
  QPointer<QMenu> place = menu.addMenu(meanwhile);
  place->setEnabled(false);
  return [place, &workspace, parent](const QString& path, int built) {
    const int line = built == 0 ? 0 : workspace.line_now(path, built);
    if (!place || line == 0) return;
    place->setTitle(place_title(workspace, path, line));
    fill_line_menu(*place, workspace, path, line, parent);
    place->setEnabled(true);
  };
}

void add_breakpoint_menus(QAbstractItemView* view, Workspace& workspace,
                          const std::function<BreakpointRow(const QModelIndex&)>& row_of) {
  view->setContextMenuPolicy(Qt::CustomContextMenu);
  QObject::connect(view, &QWidget::customContextMenuRequested, view, [view, &workspace, row_of](const QPoint& at) {
    auto* menu = new QMenu(view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const QModelIndex index = view->indexAt(at); index.isValid())
      add_breakpoint_menus(*menu, workspace, row_of(index), view);
    menu->addActions(view->actions());
    menu->popup(view->viewport()->mapToGlobal(at));
  });
}

}  // namespace weft::ide
