#include "packet_path_model.h"

#include <QLocale>

namespace weft::ide {

QString place_text(const CodePlace& place, const FileNames& names) {
  if (place.line != 0) return names.place(place.file, place.line);
  if (!place.label.empty()) return QString::fromStdString(place.label);
  return QStringLiteral("0x%1").arg(place.pc, 0, 16);
}

QString context_name(workbench::ContextId id) { return QStringLiteral("me%1.%2").arg(id.engine).arg(id.context); }

void PacketPathModel::show(std::vector<PacketStepView> steps, uint64_t arrived, const FileNames& names) {
  beginResetModel();
  names_ = names;
  steps_ = std::move(steps);
  arrived_ = arrived;
  endResetModel();
}

QVariant PacketPathModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const PacketStepView& s = step(index.row());
  if (role == Qt::TextAlignmentRole && (index.column() == kFrom || index.column() >= kCycles))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole)
    return tr("cycles %L1 to %L2, %L3 behind the arrival")
        .arg(s.from)
        .arg(s.to)
        .arg(s.from - std::min(s.from, arrived_));
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kFrom: return QVariant::fromValue<qulonglong>(s.from);
    case kContext: return context_name(s.place.who);
    case kStage: return QString::fromStdString(s.place.stage);
    case kPlace: return place_text(s.place, names_);
    case kCycles: return QVariant::fromValue<qulonglong>(s.to - s.from);
    case kBusy: return s.busy;
    default: return {};
  }
}

QStringList PacketPathModel::names() const {
  return names_of<kColumns>(tr("Cycle"), tr("Context"), tr("Stage"), tr("Line"), tr("Cycles"), tr("Busy"));
}

}  // namespace weft::ide
