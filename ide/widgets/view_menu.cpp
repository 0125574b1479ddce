// The View menu: layouts, and each view by its name and by a key.
#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <array>

#include "code_editor.h"
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
    connect(raise, &QAction::triggered, this, [this, dock] {
      raise_view(qPrintable(dock->objectName()));
      QWidget* content = content_of(*dock);
      (content != nullptr ? content : dock->widget())->setFocus(Qt::ShortcutFocusReason);
    });
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
  add_action(menu, "layout_reset", tr("&Reset layout"), {}, [this] { layouts_->reset(); });
  menu->addSeparator();
  for (const auto& [dock, view] : views_) add_view(menu, dock);
  menu->addSeparator();
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
  for (const auto& [dock, view] : views_)
    if (view != nullptr) view->set_theme(theme_);
  actions_.at("theme")->setChecked(theme_ == Theme::dark);
}

}  // namespace weft::ide
