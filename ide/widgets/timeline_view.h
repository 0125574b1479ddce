// The execution history: what every context did in every cycle, the life of its references, and figures of a stretch of
// time.
#pragma once

#include "models/timeline.h"
#include "timeline_canvas.h"
#include "views.h"

class QComboBox;
class QLabel;
class QMenu;
class QStackedWidget;
class QLineEdit;
class QSplitter;
class QTableWidget;
class QToolBar;

namespace weft::ide {

class CausePanel;
class EmptyPage;

class TimelineView final : public View {
  Q_OBJECT

 public:
  TimelineView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;
  void set_theme(Theme theme) override;

  Timeline& timeline() { return timeline_; }
  TimelineCanvas& canvas() { return *canvas_; }
  CausePanel& causes() { return *cause_; }
  QLineEdit* search_field() { return search_; }
  /// As CSV: the figures of the range; without a range, what is shown.
  QString csv() const;

 private:
  void make_bar();
  void make_search();
  void tell_search();
  void tell();  ///< bars, or why there are none
  void fill_statistics();
  void follow();  ///< the figures of the cursor's context are chosen
  void show_menu(const QPoint& global, uint64_t cycle, int row);
  void add_breakpoints(QMenu& menu, uint64_t cycle, const TimelineRow& row);
  void save_picture();
  void save_csv();

  Workspace& workspace_;
  Timeline timeline_;
  TimelineCanvas* canvas_;
  QToolBar *bar_, *rows_bar_, *search_bar_;
  QLineEdit* search_;
  QLabel* found_;
  QComboBox* event_;
  QLabel* note_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QSplitter* side_;
  CausePanel* cause_;
  QWidget* figures_;
  QLabel* figures_title_;
  QTableWidget* table_;
};

}  // namespace weft::ide
