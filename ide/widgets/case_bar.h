// The bar over the texts while the machine is that of a test case: what is wrong with it, and the way back.
#pragma once

#include <QWidget>

#include "models/workspace.h"

class QLabel;
class QPushButton;

namespace weft::ide {

class CaseBar final : public QWidget {
  Q_OBJECT

 public:
  explicit CaseBar(Workspace& workspace, QWidget* parent = nullptr);
  QString text() const;

 private:
  void attach();
  void tell();

  Workspace& workspace_;
  QLabel* text_;
  QPushButton *again_, *expected_;
  std::optional<workbench::WrongPlace> wrong_;
  QString reason_;
  bool begins_ = false;  ///< the case was just opened: it runs as soon as its machine stands
};

}  // namespace weft::ide
