#include "registers_model.h"

#include <QColor>
#include <array>

namespace weft::ide {

RegistersModel::RegistersModel(Target& target, QObject* parent) : QAbstractTableModel(parent), target_(target) {
  connect(&target, &Target::view_changed, this, &RegistersModel::refresh);
  // A question to the machine before may have got lost with it.
  connect(&target, &Target::state_changed, this, [this] {
    if (target_.state() == Target::State::building) asked_ = false;
  });
}

void RegistersModel::show(std::optional<ContextId> id) {
  if (id == id_) return;
  id_ = id;
  before_.clear();
  beginResetModel();
  rows_.clear();
  changed_.clear();
  endResetModel();
  refresh();
}

void RegistersModel::refresh() {
  if (!id_ || asked_ || !target_.view()) return;
  asked_ = true;
  const ContextId id = *id_;
  target_.ask(
      this, [id](const Inspector& machine) { return std::pair(id, machine.registers(id)); },
      [this](const std::pair<ContextId, std::vector<workbench::RegisterView>>& answer) {
        asked_ = false;
        if (id_ == answer.first) take(answer.second);
        else refresh();
      });
}

void RegistersModel::take(std::vector<workbench::RegisterView> registers) {
  beginResetModel();
  rows_ = std::move(registers);
  changed_.assign(rows_.size(), false);
  const bool first = before_.empty();
  for (size_t i = 0; i < rows_.size(); ++i) {
    auto& known = before_[rows_[i].name + "/" + rows_[i].physical];
    changed_[i] = !first && known != rows_[i].value;
    known = rows_[i].value;
  }
  endResetModel();
}

int RegistersModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }
int RegistersModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant RegistersModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto row = static_cast<size_t>(index.row());
  const workbench::RegisterView& r = rows_[row];
  if (role == kChangedRole) return bool(changed_[row]);
  if (role == Qt::ForegroundRole && changed_[row]) return QColor(0xc0, 0x39, 0x2b);
  if (role == Qt::ToolTipRole && !r.value) return tr("%1 holds nothing at this place: it is written before it is read again").arg(QString::fromStdString(r.name));
  if (role == Qt::TextAlignmentRole && index.column() >= kHexadecimal) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kName: return QString::fromStdString(r.name);
    case kPhysical: return QString::fromStdString(r.physical);
    case kHexadecimal: return r.value ? QStringLiteral("%1").arg(*r.value, 8, 16, QLatin1Char('0')) : QStringLiteral("–");
    case kDecimal: return r.value ? QString::number(*r.value) : QString();
    default: return {};
  }
}

QVariant RegistersModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  const std::array names{tr("Register"), tr("Place"), tr("Hexadecimal"), tr("Decimal")};
  static_assert(names.size() == kColumns);
  return names[static_cast<size_t>(section)];
}

}  // namespace weft::ide
