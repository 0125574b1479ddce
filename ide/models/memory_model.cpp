#include "memory_model.h"

#include <algorithm>
#include <array>

namespace weft::ide {

namespace {

constexpr size_t kRemembered = 1u << 20;  // longwords: of what was seen

int base_of(MemoryFormat::Radix radix) {
  switch (radix) {
    case MemoryFormat::Radix::hexadecimal: return 16;
    case MemoryFormat::Radix::decimal: return 10;
    case MemoryFormat::Radix::binary: return 2;
    case MemoryFormat::Radix::octal: return 8;
  }
  return 16;
}

int digits_of(const MemoryFormat& format) {
  switch (format.radix) {
    case MemoryFormat::Radix::hexadecimal: return 2 * format.group_bytes;
    case MemoryFormat::Radix::decimal: return 0;
    case MemoryFormat::Radix::binary: return 8 * format.group_bytes;
    case MemoryFormat::Radix::octal: return (8 * format.group_bytes + 2) / 3;
  }
  return 0;
}

}  // namespace

QString group_text(uint64_t value, const MemoryFormat& format) {
  return QStringLiteral("%1").arg(qulonglong{value}, digits_of(format), base_of(format.radix), QLatin1Char('0'));
}

std::optional<uint64_t> parse_group(const QString& text, const MemoryFormat& format) {
  QString digits = text.trimmed().toLower().remove(QLatin1Char('_'));
  int base = base_of(format.radix);
  for (const auto& [prefix, of] : std::initializer_list<std::pair<const char*, int>>{{"0x", 16}, {"0b", 2}, {"0o", 8}})
    if (digits.startsWith(QLatin1String(prefix)) && !(base == 16 && of == 2)) {
      digits.remove(0, 2);
      base = of;
      break;
    }
  bool right = false;
  const qulonglong value = digits.toULongLong(&right, base);
  if (!right || (format.group_bytes < 8 && value >> (8 * format.group_bytes) != 0)) return std::nullopt;
  return value;
}

std::vector<uint8_t> parse_pattern(const QString& text, Pattern kind) {
  std::vector<uint8_t> out;
  switch (kind) {
    case Pattern::text: {
      const QByteArray bytes = text.toUtf8();
      out.assign(bytes.begin(), bytes.end());
      return out;
    }
    case Pattern::longword: {
      bool right = false;
      const QString trimmed = text.trimmed();
      const qlonglong value = trimmed.startsWith(QStringLiteral("0b")) ? trimmed.mid(2).toLongLong(&right, 2)
                                                                       : trimmed.toLongLong(&right, 0);
      if (!right || value < -(qlonglong{1} << 31) || value > 0xffffffff) return out;
      for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(value >> shift));
      return out;
    }
    case Pattern::bytes: break;
  }
  QString digits = text;
  for (const QChar c : {QLatin1Char(' '), QLatin1Char(':'), QLatin1Char('-'), QLatin1Char('\t')}) digits.remove(c);
  if (digits.startsWith(QStringLiteral("0x"), Qt::CaseInsensitive)) digits.remove(0, 2);
  if (digits.size() % 2 != 0) return out;
  for (int i = 0; i < digits.size(); i += 2) {
    bool right = false;
    out.push_back(static_cast<uint8_t>(digits.mid(i, 2).toUInt(&right, 16)));
    if (!right) return {};
  }
  return out;
}

void MemoryModel::set_target(Target* target) {
  request_.reset();
  show(0, std::nullopt);
  if (target == target_.data()) return;  // it is being built: edits_ hears of that by itself
  if (target_) disconnect(target_, nullptr, this, nullptr);
  target_ = target;
  edits_.clear();
  if (target == nullptr) return;
  connect(target, &Target::view_changed, this, [this] {
    edits_.confirm();
    refresh();
  });
  connect(target, &Target::refused, this, [this] { edits_.refuse(); });
  connect(target, &Target::state_changed, this, [this, target] { edits_.state_changed(*target); });
}

MemoryFormat MemoryModel::format() const {
  if (memory_ && memory_->kind == workbench::MemoryInfo::Kind::store) return {MemoryFormat::Radix::hexadecimal, 8, 8};
  return format_;
}

uint64_t MemoryModel::total_rows() const {
  const auto bytes = static_cast<uint64_t>(format().row_bytes);
  return memory_ ? (memory_->bytes + bytes - 1) / bytes : 0;
}

void MemoryModel::show(unsigned chip, std::optional<workbench::MemoryInfo> memory) {
  if (chip == chip_ && memory == memory_) return;
  beginResetModel();
  chip_ = chip;
  memory_ = std::move(memory);
  longwords_.clear();
  texts_.clear();
  since_.forget();
  first_ = 0;
  endResetModel();
  refresh();
}

void MemoryModel::set_format(const MemoryFormat& format) {
  if (format == format_) return;
  beginResetModel();
  const uint64_t address = first_ * static_cast<uint64_t>(this->format().row_bytes);
  format_ = format;
  first_ = address / static_cast<uint64_t>(this->format().row_bytes);
  endResetModel();
  refresh();
}

void MemoryModel::set_window(uint64_t first, int rows) {
  const uint64_t total = total_rows();
  const int kept = static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(std::max(rows, 0)), total));
  const uint64_t last = total - static_cast<uint64_t>(kept);
  first = std::min(first, last);
  if (kept != rows_) {
    beginResetModel();
    rows_ = kept;
    first_ = first;
    endResetModel();
  } else if (first != first_) {
    first_ = first;
    if (rows_ > 0) Q_EMIT dataChanged(index(0, 0), index(rows_ - 1, columnCount() - 1));
  } else {
    return;
  }
  refresh();
}

void MemoryModel::refresh() {
  if (!memory_ || !target_ || rows_ == 0 || !target_->view()) return;
  if (!request_.begin()) return;
  const workbench::MemoryInfo memory = *memory_;
  const unsigned chip = chip_;
  const uint64_t address = first_ * static_cast<uint64_t>(format().row_bytes);
  const auto count = static_cast<unsigned>(rows_ * format().row_bytes / 4);
  target_->ask(
      this,
      [memory, chip, address, count](const Inspector& machine) {
        Answer out{chip, memory.name, address, machine.longwords(chip, memory.name, address, count), {}};
        if (memory.kind != workbench::MemoryInfo::Kind::store) return out;
        const auto engine = static_cast<unsigned>(std::atoi(memory.name.c_str() + 2));
        const image::Image* image = machine.program(chip, engine);
        for (size_t i = 0; image != nullptr && i + 1 < out.longwords.size(); i += 2) {
          const uint64_t word = uint64_t{out.longwords[i]} << 32 | out.longwords[i + 1];
          const auto insn = isa::decode(image->profile, word);
          out.texts.push_back(insn ? isa::print(image->profile, *insn, {}) : std::string("?"));
        }
        return out;
      },
      [this](const Answer& answer) { take(answer); });
}

void MemoryModel::take(const Answer& answer) {
  const bool again = request_.end();
  if (memory_ && answer.memory == memory_->name && answer.chip == chip_) {
    begin_ = answer.address;
    longwords_ = answer.longwords;
    texts_ = answer.texts;
    if (target_) since_.look(moment_of(*target_));
    if (since_.noted() < kRemembered)
      for (size_t i = 0; i < longwords_.size(); ++i) since_.note(begin_ + 4 * i, longwords_[i]);
    if (rows_ > 0) Q_EMIT dataChanged(index(0, 0), index(rows_ - 1, columnCount() - 1));
    Q_EMIT answered();
  }
  if (again) refresh();
}

uint64_t MemoryModel::address_of(const QModelIndex& index) const {
  const uint64_t row =
      (first_ + static_cast<uint64_t>(std::max(index.row(), 0))) * static_cast<uint64_t>(format().row_bytes);
  if (index.column() < 1 || index.column() >= text_column()) return row;
  return row + static_cast<uint64_t>((index.column() - 1) * format().group_bytes);
}

QModelIndex MemoryModel::index_of(uint64_t address) const {
  const auto bytes = static_cast<uint64_t>(format().row_bytes);
  if (!memory_ || address >= memory_->bytes || address / bytes < first_ ||
      address / bytes >= first_ + static_cast<uint64_t>(rows_))
    return {};
  return index(static_cast<int>(address / bytes - first_),
               1 + static_cast<int>(address % bytes) / format().group_bytes);
}

std::optional<uint32_t> MemoryModel::longword(uint64_t address) const {
  address &= ~uint64_t{3};
  if (address < begin_ || (address - begin_) / 4 >= longwords_.size()) return std::nullopt;
  return longwords_[(address - begin_) / 4];
}

std::optional<uint64_t> MemoryModel::group(uint64_t address) const {
  const int bytes = format().group_bytes;
  const auto first = longword(address);
  if (!first) return std::nullopt;
  if (bytes == 8) {
    const auto second = longword(address + 4);
    return second ? std::optional(uint64_t{*first} << 32 | *second) : std::nullopt;
  }
  const int shift = 8 * (4 - bytes - static_cast<int>(address % 4));
  return (uint64_t{*first} >> shift) & ((uint64_t{1} << (8 * bytes)) - 1);
}

// The bytes of the cell, not the longword around it.
bool MemoryModel::changed(uint64_t address) const {
  const int bytes = format().group_bytes;
  for (uint64_t at = address & ~uint64_t{3}; at < address + static_cast<uint64_t>(bytes); at += 4) {
    const auto known = since_.last(at);
    const auto now = longword(at);
    if (!known || !now) continue;
    const int shift = bytes >= 4 ? 0 : 8 * (4 - bytes - static_cast<int>(address % 4));
    const uint32_t mask = bytes >= 4 ? ~0u : ((1u << (8 * bytes)) - 1) << shift;
    if (((*known ^ *now) & mask) != 0) return true;
  }
  return false;
}

QString MemoryModel::characters(uint64_t row_address) const {
  if (memory_->kind == workbench::MemoryInfo::Kind::store) {
    const size_t word = (row_address - begin_) / 8;
    return row_address >= begin_ && word < texts_.size() ? QString::fromStdString(texts_[word]) : QString();
  }
  QString out;
  for (uint64_t at = row_address;
       at < std::min(row_address + static_cast<uint64_t>(format().row_bytes), memory_->bytes); ++at) {
    const auto value = longword(at);
    if (!value) return out;
    const auto byte = static_cast<uint8_t>(*value >> (24 - 8 * (at % 4)));
    out += byte >= 0x20 && byte < 0x7f ? QLatin1Char(static_cast<char>(byte)) : QChar(0xb7);
  }
  return out;
}

int MemoryModel::rowCount(const QModelIndex& parent) const { return parent.isValid() || !memory_ ? 0 : rows_; }
int MemoryModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2 + groups(); }

QVariant MemoryModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !memory_) return {};
  const uint64_t address = address_of(index);
  if (role == kAddressRole) return qulonglong{address};
  const bool store = memory_->kind == workbench::MemoryInfo::Kind::store;
  const bool is_group = index.column() > 0 && index.column() < text_column();
  if (role == kChangedRole) return is_group && changed(address);
  if (role == Qt::TextAlignmentRole && is_group) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && is_group && address < memory_->bytes) {
    const auto value = longword(address);
    const std::string name = workbench::longword_name(*memory_, address);
    if (!value || name.empty()) return {};
    return tr("%1 = 0x%2 = %3").arg(QString::fromStdString(name)).arg(*value, 8, 16, QLatin1Char('0')).arg(*value);
  }
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  if (index.column() == 0) {
    if (store) return QStringLiteral("0x%1").arg(qulonglong{address / 8}, 4, 16, QLatin1Char('0'));
    if (memory_->kind == workbench::MemoryInfo::Kind::local)
      return QStringLiteral("[%1]").arg(qulonglong{address / 4}, 3);
    return QStringLiteral("0x%1").arg(qulonglong{address}, memory_->bytes > 0x10000 ? 8 : 4, 16, QLatin1Char('0'));
  }
  if (index.column() == text_column()) return characters(address);
  if (address >= memory_->bytes) return {};
  const auto value = group(address);
  if (!value) return QStringLiteral("…");
  return store ? QStringLiteral("%1").arg(qulonglong{*value}, 10, 16, QLatin1Char('0')) : group_text(*value, format());
}

Qt::ItemFlags MemoryModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags out = QAbstractTableModel::flags(index);
  if (index.isValid() && memory_ && memory_->writable && index.column() > 0 && address_of(index) < memory_->bytes)
    out |= Qt::ItemIsEditable;
  return out;
}

void MemoryModel::write(const Writes& all) {
  for (const auto& [address, value] : all) {
    const auto old = longword(address);
    if (!old || !target_ || *old == value) continue;
    const std::string name = workbench::longword_name(*memory_, address);
    edits_.add({name, *old, value, chip_, 0}, *target_);
    target_->write(name, value, {chip_, 0, 0});
    Q_EMIT edited(tr("%1: 0x%2 stood there, now 0x%3")
                      .arg(QString::fromStdString(name))
                      .arg(*old, 8, 16, QLatin1Char('0'))
                      .arg(value, 8, 16, QLatin1Char('0')));
    longwords_[((address & ~uint64_t{3}) - begin_) / 4] = value;
  }
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

bool MemoryModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || (flags(index) & Qt::ItemIsEditable) == 0) return false;
  const uint64_t address = address_of(index);
  Writes all;
  const auto now = [&](uint64_t at) {
    for (const auto& [known, written] : all)
      if (known / 4 == at / 4) return std::optional(written);
    return longword(at);
  };
  if (index.column() == text_column()) {
    const QByteArray typed = value.toString().toLatin1();
    const QByteArray then = characters(address).toLatin1();
    for (int i = 0; i < std::min<int>(static_cast<int>(typed.size()), format().row_bytes); ++i) {
      const uint64_t at = address + static_cast<uint64_t>(i);
      const auto old = now(at);
      if (!old || (i < then.size() && then[i] == typed[i])) continue;  // also what stands for no character stays
      const int shift = 24 - 8 * static_cast<int>(at % 4);
      const uint32_t word = (*old & ~(0xffu << shift)) | uint32_t{static_cast<uint8_t>(typed[i])} << shift;
      std::erase_if(all, [&](const auto& known) { return known.first / 4 == at / 4; });
      all.emplace_back(at & ~uint64_t{3}, word);
    }
  } else {
    const auto number = parse_group(value.toString(), format());
    if (!number) {
      Q_EMIT refused(tr("'%1' is not a number of %2 bytes in this radix; 0x1f is hexadecimal in any")
                         .arg(value.toString())
                         .arg(format().group_bytes));
      return false;
    }
    const int bytes = format().group_bytes;
    if (bytes == 8) {
      all = {{address, static_cast<uint32_t>(*number >> 32)}, {address + 4, static_cast<uint32_t>(*number)}};
    } else if (const auto old = longword(address)) {
      const int shift = 8 * (4 - bytes - static_cast<int>(address % 4));
      const uint32_t mask = bytes == 4 ? ~0u : ((1u << (8 * bytes)) - 1) << shift;
      all = {{address, (*old & ~mask) | (static_cast<uint32_t>(*number << shift) & mask)}};
    }
  }
  if (all.empty()) return false;
  careful_([this, all, memory = memory_->name] {
    if (memory_ && memory_->name == memory) write(all);
  });
  return true;
}

void MemoryModel::undo() {
  if (edits_.empty() || !target_) return;
  if (edits_.is_ahead(*target_)) return Q_EMIT refused(tr("The machine stands before the last change"));
  careful_([this] {
    if (edits_.empty() || !target_) return;
    const Edit last = edits_.take_last();
    target_->write(last.name, last.before, {last.chip, 0, 0});
    Q_EMIT edited(
        tr("%1: 0x%2 again").arg(QString::fromStdString(last.name)).arg(last.before, 8, 16, QLatin1Char('0')));
    refresh();
  });
}

QVariant MemoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount()) return {};
  if (section == 0) return tr("Address");
  const bool store = memory_ && memory_->kind == workbench::MemoryInfo::Kind::store;
  if (section == text_column()) return store ? tr("Instruction") : tr("Characters");
  if (store) return tr("Word");
  return QStringLiteral("+%1").arg((section - 1) * format().group_bytes, 0, 16);
}

}  // namespace weft::ide
