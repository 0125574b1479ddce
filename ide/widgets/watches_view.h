// Watches, and a field that evaluates one expression.
#pragma once

#include "models/watches_model.h"
#include "value_menu.h"
#include "views.h"

class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace weft::ide {

class EmptyPage;

class WatchesView final : public View {
  Q_OBJECT

 public:
  WatchesView(Workspace& workspace, Theme);
  QJsonValue state() const override;
  QTableView* table() const { return table_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void evaluate();
  void tell();
  void add();
  void move(int by);
  void remove();
  void menu(const QPoint& at);
  std::optional<ValueName> chosen() const;
  int current() const;

  Workspace& workspace_;
  WatchesModel model_;
  QLineEdit* field_;
  QLabel* answer_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QTableView* table_;
};

}  // namespace weft::ide
