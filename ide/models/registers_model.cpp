#include "registers_model.h"

#include <QStringList>
#include <algorithm>
#include <utility>

namespace weft::ide {

namespace {

QString hexadecimal(uint32_t value) { return QStringLiteral("0x%1").arg(value, 8, 16, QLatin1Char('0')); }

}  // namespace

QString range_text(const workbench::LiveRange& range, const FileNames& names) {
  const uint32_t last = range.end > range.begin ? range.end - 1 : range.begin;
  QString out = QStringLiteral("0x%1").arg(range.begin, 0, 16);
  if (last != range.begin) out += QStringLiteral("-0x%1").arg(last, 0, 16);
  const auto name = [&](const std::string& file) { return names.name(file); };
  if (range.line == 0) return out;
  out += QStringLiteral(", %1:%2").arg(name(range.file)).arg(range.line);
  if (range.last_line == 0 || (range.file == range.last_file && range.line == range.last_line)) return out;
  return out + (range.file == range.last_file
                    ? QStringLiteral("-%1").arg(range.last_line)
                    : QStringLiteral("-%1:%2").arg(name(range.last_file)).arg(range.last_line));
}

RegistersModel::RegistersModel(Target& target, QObject* parent) : TableModel(kColumns, parent), target_(target) {
  connect(&target, &Target::view_changed, this, [this] {
    edits_.confirm();
    refresh();
  });
  connect(&target, &Target::refused, this, [this] { edits_.refuse(); });
  // A question to the machine before may have got lost with it.
  connect(&target, &Target::state_changed, this, [this] {
    if (target_.state() == Target::State::building) request_.reset();
    edits_.state_changed(target_);
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
  if (!id_ || !target_.view() || !request_.begin()) return;
  const ContextId id = *id_;
  target_.ask(
      this, [id](const Inspector& machine) { return std::pair(id, machine.registers(id)); },
      [this](const std::pair<ContextId, std::vector<workbench::RegisterView>>& answer) {
        const bool again = request_.end();
        if (id_ == answer.first) take(answer.second);
        if (again || id_ != answer.first) refresh();
      });
}

std::string RegistersModel::name_of(int row) const {
  const workbench::RegisterView& r = rows_.at(static_cast<size_t>(row));
  return r.physical.ends_with(" out") ? r.name + ".out" : r.name;
}

Qt::ItemFlags RegistersModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags out = TableModel::flags(index);
  const bool value = index.isValid() && (index.column() == kHexadecimal || index.column() == kDecimal) &&
                     rows_[static_cast<size_t>(index.row())].value;
  return value ? out | Qt::ItemIsEditable : out;
}

bool RegistersModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !id_ || (flags(index) & Qt::ItemIsEditable) == 0) return false;
  const auto number = parse_value(value.toString());
  if (!number) {
    Q_EMIT refused(tr("'%1' is not a number: write 12, 0x1f or 0b101").arg(value.toString()));
    return false;
  }
  const Edit edit{*id_, name_of(index.row()), *rows_[static_cast<size_t>(index.row())].value, 0};
  if (static_cast<uint32_t>(*number) == edit.before) return false;
  careful_([this, edit, number] {
    edits_.add(edit, target_);
    write(edit, *number);
  });
  return true;
}

void RegistersModel::write(const Edit& edit, int64_t value) {
  target_.write(edit.name, value, edit.where);
  Q_EMIT edited(
      tr("%1: %2 stood there, now %3")
          .arg(QString::fromStdString(edit.name), hexadecimal(edit.before), hexadecimal(static_cast<uint32_t>(value))));
}

void RegistersModel::undo() {
  if (edits_.empty()) return;
  if (edits_.is_ahead(target_)) return Q_EMIT refused(tr("The machine stands before the last change"));
  careful_([this] {
    if (edits_.empty()) return;
    const Edit last = edits_.take_last();
    target_.write(last.name, last.before, last.where);
    Q_EMIT edited(tr("%1: %2 again").arg(QString::fromStdString(last.name), hexadecimal(last.before)));
  });
}

void RegistersModel::take(std::vector<workbench::RegisterView> registers) {
  // The same rows keep what is chosen.
  const bool same = !rows_.empty() && std::ranges::equal(rows_, registers, [](const auto& a, const auto& b) {
    return a.name == b.name && a.physical == b.physical;
  });
  if (!same) beginResetModel();
  const auto before = std::exchange(rows_, std::move(registers));
  const auto marked = std::exchange(changed_, std::vector<bool>(rows_.size(), false));
  since_.look(moment_of(target_));
  for (size_t i = 0; i < rows_.size(); ++i) {
    const std::string key = name_of(static_cast<int>(i));
    since_.note(key, rows_[i].value);
    changed_[i] = since_.changed(key, rows_[i].value);
  }
  if (!same) return endResetModel();
  // Only what is another one now: a cell that somebody types into stays as it is.
  for (size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].value != before[i].value || changed_[i] != marked[i]) {
      const int row = static_cast<int>(i);
      Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
    }
}

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
      lines << tr("%1 at %2").arg(QString::fromStdString(range.physical), range_text(range, target_.names()));
    return lines.join(QLatin1Char('\n'));
  }
  if (role == Qt::TextAlignmentRole && (index.column() == kHexadecimal || index.column() == kDecimal))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::EditRole && index.column() == kDecimal) return r.value ? QString::number(*r.value) : QString();
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case kName: return QString::fromStdString(r.name);
    case kPhysical: return QString::fromStdString(r.physical);
    case kHexadecimal: return r.value ? hexadecimal(*r.value) : QStringLiteral("–");
    case kDecimal: return r.value ? QVariant::fromValue(*r.value) : QVariant();
    case kLive: {
      QStringList ranges;
      for (const workbench::LiveRange& range : r.ranges) ranges << range_text(range, target_.names());
      return ranges.join(QStringLiteral("; "));
    }
    default: return {};
  }
}

QStringList RegistersModel::names() const {
  return names_of<kColumns>(tr("Register"), tr("Place"), tr("Hexadecimal"), tr("Decimal"), tr("Live"));
}

}  // namespace weft::ide
