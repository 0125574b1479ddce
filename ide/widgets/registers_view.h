// The registers of the cursor's context, by the names that the program gives them. A value can be changed by a double
// click.
#pragma once

#include <memory>

#include "models/registers_model.h"
#include "value_menu.h"
#include "views.h"

class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace weft::ide {

class ColumnWidths;
class EmptyPage;

class RegistersView final : public View {
  Q_OBJECT

 public:
  RegistersView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;

 private:
  void attach();
  void follow();
  void choose_again();
  void edit(const QModelIndex& index);
  std::optional<ValueName> value_of(const QModelIndex& row) const;
  void fill_menu(QMenu& menu, const QModelIndex& row);

  Workspace& workspace_;
  std::unique_ptr<RegistersModel> model_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QLabel* whose_;
  QPushButton* undo_;
  QTableView* table_;
  struct {
    QString name;
    int column = 0;
  } chosen_;  ///< when the rows last became others
  ColumnWidths* widths_;
};

}  // namespace weft::ide
