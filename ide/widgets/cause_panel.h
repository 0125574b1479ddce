// Why a context slept, beside the picture of the history: a sentence, and the steps, each of which leads to its moment
// and its place in the text.
#pragma once

#include <QWidget>

#include "models/sleep_causes.h"

class QLabel;
class QTableView;

namespace weft::ide {

class CausePanel final : public QWidget {
 public:
  CausePanel(SleepCauses& causes, Workspace& workspace, QWidget* parent = nullptr);
  QTableView* table() const { return table_; }

 private:
  void tell();
  SleepCauses& causes_;
  QLabel* title_;
  QTableView* table_;
};

}  // namespace weft::ide
