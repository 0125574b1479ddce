#include "registers_model.h"

#include <QFileInfo>
#include <QStringList>
#include <array>

namespace weft::ide {

QString range_text(const workbench::LiveRange& range) {
  const uint32_t last = range.end > range.begin ? range.end - 1 : range.begin;
  QString out = QStringLiteral("0x%1").arg(range.begin, 0, 16);
  if (last != range.begin) out += QStringLiteral("-0x%1").arg(last, 0, 16);
  const auto name = [](const std::string& file) { return QFileInfo(QString::fromStdString(file)).fileName(); };
  if (range.line == 0) return out;
  out += QStringLiteral(", %1:%2").arg(name(range.file)).arg(range.line);
  if (range.last_line == 0 || (range.file == range.last_file && range.line == range.last_line)) return out;
  return out + (range.file == range.last_file
                    ? QStringLiteral("-%1").arg(range.last_line)
                    : QStringLiteral("-%1:%2").arg(name(range.last_file)).arg(range.last_line));
}

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
  since_.forget();
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
        if (id_ == answer.first)
          take(answer.second);
        else
          refresh();
      });
}

void RegistersModel::take(std::vector<workbench::RegisterView> registers) {
  beginResetModel();
  rows_ = std::move(registers);
  changed_.assign(rows_.size(), false);
  since_.look(moment_of(target_));
  for (size_t i = 0; i < rows_.size(); ++i) {
    const std::string key = rows_[i].physical.ends_with(" out") ? rows_[i].name + ".out" : rows_[i].name;
    since_.note(key, rows_[i].value);
    changed_[i] = since_.changed(key, rows_[i].value);
  }
  endResetModel();
}

int RegistersModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int RegistersModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant RegistersModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto row = static_cast<size_t>(index.row());
  const workbench::RegisterView& r = rows_[row];
  if (role == kChangedRole) return bool(changed_[row]);
  if (role == Qt::ToolTipRole) {
    QStringList lines;
    if (!r.value)
      lines << tr("%1 holds nothing at this place: it is written before it is read again")
                   .arg(QString::fromStdString(r.name));
    for (const workbench::LiveRange& range : r.ranges)
      lines << tr("%1 at %2").arg(QString::fromStdString(range.physical), range_text(range));
    return lines.join(QLatin1Char('\n'));
  }
  if (role == Qt::TextAlignmentRole && (index.column() == kHexadecimal || index.column() == kDecimal))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kName: return QString::fromStdString(r.name);
    case kPhysical: return QString::fromStdString(r.physical);
    case kHexadecimal:
      return r.value ? QStringLiteral("%1").arg(*r.value, 8, 16, QLatin1Char('0')) : QStringLiteral("–");
    case kDecimal: return r.value ? QString::number(*r.value) : QString();
    case kLive: {
      QStringList ranges;
      for (const workbench::LiveRange& range : r.ranges) ranges << range_text(range);
      return ranges.join(QStringLiteral("; "));
    }
    default: return {};
  }
}

QVariant RegistersModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  const std::array names{tr("Register"), tr("Place"), tr("Hexadecimal"), tr("Decimal"), tr("Live")};
  static_assert(names.size() == kColumns);
  return names[static_cast<size_t>(section)];
}

}  // namespace weft::ide
