// Where cycles go, by blocks and macros: a flame graph of the run, or of the range that is chosen in the history.
#pragma once

#include "flame_canvas.h"
#include "models/flame_model.h"
#include "views.h"

class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QToolBar;

namespace weft::ide {

class EmptyPage;

class FlameView final : public View {
  Q_OBJECT

 public:
  FlameView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;
  void set_theme(Theme theme) override;
  FlameModel& model() { return model_; }
  FlameCanvas& canvas() { return *canvas_; }

 private:
  void set_watching(bool on) override { model_.set_watching(on); }
  void make_bar();
  void tell();
  void tell_chosen();
  void show_place(const workbench::FlameNode* node);
  void show_menu(const QPoint& global);

  Workspace& workspace_;
  FlameModel model_;
  FlameCanvas* canvas_;
  QToolBar* bar_;
  QLineEdit* search_;
  QLabel* title_;
  EmptyPage* empty_;
  QStackedWidget* pages_;
  QAction *range_ = nullptr, *out_ = nullptr;
};

}  // namespace weft::ide
