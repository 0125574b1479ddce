// The one field: what there is to find in this window, and what happens with what was chosen.
#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

#include "code_editor.h"
#include "finder.h"
#include "main_window.h"
#include "models/project_tree.h"
#include "texts.h"

namespace weft::ide {

namespace {

/// The entries of menus: "Run: Step line", as people see them, so that what is found can be found there too.
void add_commands(const QMenu& menu, const QString& path, std::vector<FinderItem>& out) {
  for (QAction* action : menu.actions()) {
    const QString text = action->text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
    if (action->menu() != nullptr) {
      add_commands(*action->menu(), path + text + QStringLiteral(": "), out);
    } else if (!action->isSeparator() && !action->objectName().isEmpty() &&
               !action->objectName().startsWith(QStringLiteral("view_"))) {
      out.push_back({.kind = FinderItem::Kind::command,
                     .text = path + text,
                     .detail = action->shortcut().toString(QKeySequence::NativeText),
                     .id = action->objectName(),
                     .enabled = action->isEnabled()});
    }
  }
}

}  // namespace

std::vector<FinderItem> MainWindow::all_to_find() {
  std::vector<FinderItem> out = names_of_programs(workspace_.language(), workspace_.names());
  for (const Text& text : texts_->all())
    if (std::ranges::none_of(
            out, [&](const FinderItem& i) { return i.kind == FinderItem::Kind::file && i.id == text.path; }))
      out.push_back(
          {.kind = FinderItem::Kind::file, .text = workspace_.names().name(text.path), .detail = {}, .id = text.path});
  for (const QString& path : workspace_.target() ? other_files(workspace_.project()) : QStringList())
    out.push_back({.kind = FinderItem::Kind::file, .text = workspace_.names().name(path), .detail = {}, .id = path});
  for (const auto& [dock, view] : views_) {
    const QAction* key = findChild<QAction*>(QStringLiteral("raise_") + dock->objectName());
    out.push_back({.kind = FinderItem::Kind::view,
                   .text = dock->accessibleName(),
                   .detail = key ? key->shortcut().toString(QKeySequence::NativeText) : QString(),
                   .id = dock->objectName()});
  }
  for (QAction* menu : menuBar()->actions())
    if (menu->menu() != nullptr)
      add_commands(*menu->menu(), menu->text().remove(QLatin1Char('&')) + QStringLiteral(": "), out);
  return out;
}

void MainWindow::make_finder(QMenu* menu) {
  finder_ = new Finder(workspace_, this);
  connect(finder_, &Finder::chosen, this, &MainWindow::go_to_found);
  add_action(menu, "find_anything", tr("&Go to anything..."), QKeySequence(Qt::CTRL | Qt::Key_P),
             [this] { open_finder({}); });
  add_action(menu, "find_command", tr("Find a co&mmand..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
             [this] { open_finder(QStringLiteral(">")); });
  add_action(menu, "go_to_line", tr("Go to &line..."), QKeySequence(Qt::CTRL | Qt::Key_G),
             [this] { open_finder(QStringLiteral(":")); });
  add_action(menu, "go_to_label", tr("Go to a la&bel or macro..."), QKeySequence(Qt::CTRL | Qt::Key_R),
             [this] { open_finder(QStringLiteral("@")); });
}

void MainWindow::open_finder(const QString& text) {
  const CodeEditor* editor = texts_->current_editor();
  finder_->open(text, all_to_find(), editor ? editor->blockCount() : 0);
}

void MainWindow::go_to_found(const FinderItem& item) {
  using Kind = FinderItem::Kind;
  switch (item.kind) {
    case Kind::command: actions_.at(item.id)->trigger(); break;
    case Kind::view: go_to_view(item.id); break;
    case Kind::file:
      if (CodeEditor* editor = open_file(item.id)) editor->setFocus();
      break;
    case Kind::macro:
    case Kind::label: show_place(item.id, item.line, item.column); break;
    case Kind::line:
      if (const Text* text = texts_->current()) show_place(text->path, item.line);
      break;
    case Kind::packet:
      go_to_view(QStringLiteral("packets"));
      workspace_.cursor().look_at_packet(static_cast<uint32_t>(item.number));
      break;
    case Kind::cycle:
      if (target() == nullptr || !target()->view())
        Q_EMIT workspace_.message(tr("There is no machine yet that could go to a cycle: build first"));
      else if (item.number <= target()->present())
        target()->go_to(item.number);
      else
        build_and([this, item] { target()->run_until(std::to_string(item.number) + " cycles"); });
      break;
  }
}

}  // namespace weft::ide
