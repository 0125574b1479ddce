// All breakpoints of the project: a row each. The first column has a box that switches it on and off.
#pragma once

#include "table_model.h"
#include "workspace.h"

namespace weft::ide {

class BreakpointsModel final : public TableModel {
  Q_OBJECT

 public:
  enum Column { kPlace, kKind, kWho, kCondition, kFrom, kHits, kAction, kWhere, kColumns };

  explicit BreakpointsModel(Workspace& workspace, QObject* parent = nullptr);

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

  const workbench::Breakpoint* at(int row) const;

 private:
  size_t rows() const override { return rows_.size(); }
  QStringList names() const override;

  void refresh();
  Workspace& workspace_;
  std::vector<workbench::Breakpoint> rows_;
};

}  // namespace weft::ide
