// The way of a packet: a row for each stretch in which one context worked on it at one place of its program.
#pragma once

#include "file_names.h"
#include "packet_detail.h"
#include "table_model.h"

namespace weft::ide {

class PacketPathModel final : public TableModel {
  Q_OBJECT

 public:
  enum Column { kFrom, kContext, kStage, kPlace, kCycles, kBusy, kColumns };

  explicit PacketPathModel(QObject* parent = nullptr) : TableModel(kColumns, parent) {}
  void show(std::vector<PacketStepView> steps, uint64_t arrived, const FileNames& names = {});
  const PacketStepView& step(int row) const { return steps_[static_cast<size_t>(row)]; }

  QVariant data(const QModelIndex& index, int role) const override;

 private:
  size_t rows() const override { return steps_.size(); }
  QStringList names() const override;

  std::vector<PacketStepView> steps_;
  uint64_t arrived_ = 0;
  FileNames names_;
};

/// "forward.uc:120"; the label where the line is not known.
QString place_text(const CodePlace& place, const FileNames& names = {});
/// "me2.3".
QString context_name(workbench::ContextId id);

}  // namespace weft::ide
