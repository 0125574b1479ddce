// Execution coverage: how often each word of a program ran, which it were that never did, and what differs from another
// run.
#pragma once

#include "coverage_canvas.h"
#include "models/coverage_table.h"
#include "views.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;
class QTableView;
class QToolBar;
class QMenu;

namespace weft::ide {

class EmptyPage;

class CoverageView final : public View {
  Q_OBJECT

 public:
  CoverageView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;
  void set_theme(Theme theme) override;

  CoverageModel& model() { return model_; }
  CoverageCanvas& canvas() { return *canvas_; }
  QTableView& table() { return *table_; }
  /// lcov (.info, .lcov), CSV, JSON or a picture (.png), by the ending of the name.
  void save(const QString& path);

 private:
  void set_watching(bool on) override { model_.set_watching(on); }
  void make_bars();
  void fill_choices();
  void tell();
  void filter_changed();
  void follow();
  void step_hit(bool forward);
  void ask_save(const char* ending);
  void ask_load();
  void fill_menu(QMenu& menu);

  Workspace& workspace_;
  CoverageModel model_;
  CoverageTable words_;
  CoverageCanvas* canvas_;
  QTableView* table_;
  QToolBar *bar_, *compare_bar_, *search_bar_;
  QComboBox *choice_, *look_, *test_;
  QLineEdit* search_;
  QSpinBox* limit_;
  QLabel *found_, *summary_;
  EmptyPage* empty_;
  QStackedWidget* pages_;
  QAction *log_ = nullptr, *difference_ = nullptr, *forget_ = nullptr;
  bool sized_ = false;
};

}  // namespace weft::ide
