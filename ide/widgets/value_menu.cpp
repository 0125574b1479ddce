#include "value_menu.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QMenu>
#include <QTextBlock>

#include "breakpoint_menu.h"
#include "code_editor.h"

namespace weft::ide {

namespace {

QString text(const char* what) { return QCoreApplication::translate("ValueMenu", what); }

constexpr auto kWroteKey = Qt::CTRL | Qt::SHIFT | Qt::Key_W;
constexpr auto kWatchKey = Qt::CTRL | Qt::SHIFT | Qt::Key_A;

}  // namespace

ValueName register_value(const QString& name, ContextId where) {
  const QString engine = QStringLiteral("me%1.").arg(where.engine);
  return {
      name.startsWith(QLatin1Char('@')) ? engine + name : engine + QStringLiteral("ctx%1.").arg(where.context) + name,
      where};
}

void ask_origin(Workspace& workspace, const ValueName& value) {
  workbench::Holder what;
  what.name = value.name.toStdString();
  what.where = value.where;
  Q_EMIT workspace.origin_requested(what);
}

void add_watch(Workspace& workspace, const ValueName& value) {
  workspace.add_watch(of_chip(workspace, value.where.chip, value.name));
}

void fill_value_menu(QMenu& menu, Workspace& workspace, const ValueName& value, bool has_writer) {
  if (has_writer)
    menu.addAction(text("&Who wrote this, who reads it next?"), &menu,
                   [&workspace, value] { ask_origin(workspace, value); })
        ->setShortcut(kWroteKey);
  menu.addAction(text("&Add to watches"), &menu, [&workspace, value] { add_watch(workspace, value); })
      ->setShortcut(kWatchKey);
}

void add_value_keys(QWidget* view, Workspace& workspace, std::function<std::optional<ValueName>()> chosen) {
  const auto add = [&](const QString& what, const QKeySequence& key, void (*then)(Workspace&, const ValueName&)) {
    auto* action = new QAction(what, view);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(action, &QAction::triggered, view, [&workspace, chosen, then] {
      if (const auto value = chosen()) then(workspace, *value);
    });
    view->addAction(action);
  };
  add(text("Who wrote this, who reads it next?"), kWroteKey, &ask_origin);
  add(text("Add to watches"), kWatchKey, &add_watch);
}

CodeValues::CodeValues(Workspace& workspace, CodeEditor& editor)
    : QObject(&editor), workspace_(workspace), editor_(editor) {
  editor.viewport()->installEventFilter(this);
  add_value_keys(&editor, workspace, [this] { return value_at(editor_.textCursor().position()); });
}

// Where the assembler knows of no register, what is selected may be an expression.
std::optional<ValueName> CodeValues::value_at(int character) const {
  const ContextId where = workspace_.cursor().context().value_or(ContextId());
  if (const QString chosen = editor_.textCursor().selectedText().trimmed(); !chosen.isEmpty())
    return ValueName{chosen, where};
  const auto file = editor_.index_file();
  if (!file || !editor_.is_current()) return std::nullopt;
  for (const assembler::IndexReference* r : editor_.index()->at(*file, editor_.position_of(character))) {
    const assembler::IndexName& name = editor_.index()->names()[r->name];
    if (name.kind != assembler::NameKind::reg) continue;
    return register_value(QString::fromStdString(name.name), where);
  }
  return std::nullopt;
}

bool CodeValues::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ContextMenu) return QObject::eventFilter(watched, event);
  const auto* asked = static_cast<QContextMenuEvent*>(event);
  const auto value = value_at(editor_.cursorForPosition(asked->pos()).position());
  QMenu* menu = editor_.createStandardContextMenu(asked->pos());
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (value) {
    menu->addSeparator();
    fill_value_menu(*menu, workspace_, *value);
  }
  menu->popup(asked->globalPos());
  return true;
}

}  // namespace weft::ide
