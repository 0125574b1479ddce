// The views of the window. Each is a widget that gets the workspace, and stands in a dock; a new one needs a line in
// views.cpp.
#pragma once

#include <QJsonValue>
#include <QWidget>
#include <span>

#include "models/workspace.h"
#include "theme.h"

namespace weft::ide {

/// What a view is made of beside its own widget. Views without colours of their own keep the default of set_theme().
class View : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  /// What it shows, for --dump-state and for tests.
  virtual QJsonValue state() const = 0;
  virtual void set_theme(Theme theme) { static_cast<void>(theme); }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  /// Whether somebody sees it: what is asked of the machine for it alone is not asked otherwise.
  virtual void set_watching(bool on) { static_cast<void>(on); }
};

struct ViewKind {
  const char* name;   ///< object name of the dock; also for --screenshot and --dump-state
  const char* title;  ///< translated
  Qt::DockWidgetArea area;
  const char* page;  ///< that F1 opens: docs/ide/PAGE.md
  View* (*make)(Workspace& workspace, Theme theme);
};

std::span<const ViewKind> view_kinds();
/// A view's name for people, on the command line and in the documents: that of its title. Docks have kept older ones,
/// by which layouts know them, and which are understood too.
QString view_name(const QString& dock);
QString dock_name(const QString& view);
/// The document that says what a view is for, by its name for people, or of "editor"; below find_documents(). The first
/// page of the IDE for anything else.
QString help_page(const QString& view);

}  // namespace weft::ide
