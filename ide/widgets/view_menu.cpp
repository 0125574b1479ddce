// The View menu: layouts, and each view by its name and by a key.
#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QToolBar>
#include <array>

#include "code_editor.h"
#include "icons.h"
#include "line_values.h"
#include "main_window.h"
#include "texts.h"

namespace weft::ide {

namespace {

// Alt+1 and so on.
constexpr std::array kKeys{"project",    "contexts", "breakpoints", "problems", "timeline",
                           "statistics", "packets",  "registers",   "memory"};

/// Some of it can be seen: it is neither closed nor behind another one.
bool in_front(const QDockWidget& dock) { return dock.isVisible() && !dock.visibleRegion().isEmpty(); }

/// What has the keyboard when somebody goes to a view.
QWidget* content_of(const QDockWidget& dock) {
  QWidget* other = nullptr;
  for (QWidget* w : dock.widget()->findChildren<QWidget*>()) {
    if (!w->isVisible() || (w->focusPolicy() & Qt::TabFocus) == 0) continue;
    if (qobject_cast<QAbstractScrollArea*>(w) != nullptr) return w;
    if (other == nullptr) other = w;
  }
  return other;
}

}  // namespace

void MainWindow::go_to_view(const QString& name) {
  raise_view(qPrintable(name));
  const auto* dock = qobject_cast<const QDockWidget*>(view(name));
  if (dock == nullptr) return;
  QWidget* content = content_of(*dock);
  (content != nullptr ? content : dock->widget())->setFocus(Qt::ShortcutFocusReason);
}

// An entry raises a view that lies behind another one, and closes one that can be seen; its key always raises it.
void MainWindow::add_view(QMenu* menu, QDockWidget* dock) {
  const QString name = dock->objectName();
  const auto number = std::ranges::find(kKeys, name.toStdString());
  QString text = dock->accessibleName();
  if (number != kKeys.end()) {
    const QKeySequence key(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + (number - kKeys.begin())));
    text += QLatin1Char('\t') + key.toString(QKeySequence::NativeText);
    auto* raise = new QAction(tr("Go to %1").arg(dock->accessibleName()), this);
    raise->setObjectName(QStringLiteral("raise_") + name);
    raise->setShortcut(key);
    connect(raise, &QAction::triggered, this, [this, dock] { go_to_view(dock->objectName()); });
    addAction(raise);
  }
  auto* entry = new QAction(text, this);
  entry->setObjectName(QStringLiteral("view_") + name);
  entry->setCheckable(true);
  connect(dock, &QDockWidget::visibilityChanged, entry, &QAction::setChecked);
  connect(entry, &QAction::triggered, this, [this, dock, entry] {
    if (in_front(*dock))
      dock->close();
    else
      raise_view(qPrintable(dock->objectName()));
    entry->setChecked(dock->isVisible());
  });
  connect(menu, &QMenu::aboutToShow, entry, [dock, entry] { entry->setChecked(in_front(*dock)); });
  menu->addAction(entry);
  actions_[entry->objectName()] = entry;
}

void MainWindow::make_view_menu(QMenu* menu) {
  QMenu* layouts = menu->addMenu(tr("&Layouts"));
  add_action(layouts, "layout_edit", tr("&Edit"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_1),
             [this] { layouts_->reset(Layout::edit); });
  add_action(layouts, "layout_debug", tr("&Debug"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_2),
             [this] { layouts_->reset(Layout::debug); });
  add_action(layouts, "layout_analyse", tr("&Analyse"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_3),
             [this] { layouts_->reset(Layout::analyse); });
  add_action(menu, "other_side", tr("Text to the other &side"), QKeySequence(Qt::CTRL | Qt::Key_Backslash),
             [this] { texts_->move_to_other_side(); });
  add_action(menu, "go_other_side", tr("&Go to the text beside"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O),
             [this] { texts_->go_to_other_side(); });
  add_action(menu, "layout_reset", tr("&Reset layout"), {}, [this] { layouts_->reset(); });
  menu->addSeparator();
  for (const auto& [dock, view] : views_) add_view(menu, dock);
  menu->addSeparator();
  auto* line_values = findChild<LineValues*>();
  QAction* values = add_action(menu, "line_values", tr("&Values at the ends of lines"), {}, [this, line_values] {
    const bool on = actions_.at("line_values")->isChecked();
    line_values->set_on(on);
    if (keeps_) user_settings().setValue(QStringLiteral("window/line_values"), on);
  });
  values->setCheckable(true);
  values->setChecked(line_values->on());
  QAction* dark = add_action(menu, "theme", tr("Dar&k colours"), {}, [this] {
    set_theme(theme_ == Theme::light ? Theme::dark : Theme::light);
    if (keeps_) user_settings().setValue(QStringLiteral("window/dark"), theme_ == Theme::dark);
  });
  dark->setCheckable(true);
  dark->setChecked(theme_ == Theme::dark);
}

void MainWindow::set_theme(Theme theme) {
  theme_ = theme;
  QApplication::setPalette(palette_of(theme_));
  texts_->set_theme(theme_);
  colour_tool_bars(*this, theme_);
  for (QAction* action : bar_->actions())
    if (!action->icon().isNull()) action->setIcon(tool_icon(action->objectName(), theme_));
  show_state();
  for (const auto& [dock, view] : views_)
    if (view != nullptr) view->set_theme(theme_);
  actions_.at("theme")->setChecked(theme_ == Theme::dark);
}

}  // namespace weft::ide
