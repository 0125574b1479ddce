// A guided tour under way: what to do next, over the texts, and a frame around where that is. It goes on by itself when
// the step is done.
#pragma once

#include <QWidget>

#include "models/tours.h"

class QLabel;
class QMainWindow;
class QPushButton;

namespace weft::ide {

class TourBar final : public QWidget {
  Q_OBJECT

 public:
  TourBar(Workspace& workspace, QMainWindow& window);
  void begin(const Tour& tour);
  void end();
  bool under_way() const { return step_ < tour_.steps.size(); }
  size_t step() const { return step_; }
  QString text() const;
  QPushButton* next_button() const { return next_; }
  QPushButton* show_button() const { return show_; }
  /// What the frame is around; null: nothing.
  QWidget* pointed_at() const;

 private:
  void attach();
  void look();
  void go_to(size_t step);
  void point();
  TourScene scene() const;

  Workspace& workspace_;
  QMainWindow& window_;
  QLabel* text_;
  QPushButton *show_, *next_;
  QWidget* frame_;
  Tour tour_;
  size_t step_ = 0;
  uint64_t began_at_ = 0;
};

}  // namespace weft::ide
