// The way of a packet: a row for each stretch in which one context worked on it at one place of its program.
#pragma once

#include <QAbstractTableModel>

#include "file_names.h"
#include "packet_detail.h"

namespace weft::ide {

class PacketPathModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kFrom, kContext, kStage, kPlace, kCycles, kBusy, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void show(std::vector<PacketStepView> steps, uint64_t arrived, const FileNames& names = {});
  const PacketStepView& step(int row) const { return steps_[static_cast<size_t>(row)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<PacketStepView> steps_;
  uint64_t arrived_ = 0;
  FileNames names_;
};

/// "forward.uc:120"; the label where the line is not known.
QString place_text(const CodePlace& place, const FileNames& names = {});
/// "me2.3".
QString context_name(workbench::ContextId id);

}  // namespace weft::ide
