#include "coverage_table.h"

#include <QLocale>
#include <algorithm>
#include <string_view>

namespace weft::ide {

CoverageTable::CoverageTable(CoverageModel& model, QObject* parent) : TableModel(kColumns, parent), model_(model) {
  connect(&model, &CoverageModel::hits_changed, this, &CoverageTable::refresh);
  refresh();
}

// The same words keep their rows, so that a selection stays while counts grow.
void CoverageTable::refresh() {
  const bool same = model_.hits() == hits_ && !hits_.empty();
  Q_EMIT headerDataChanged(Qt::Horizontal, kCount, kCount);
  if (!same) beginResetModel();
  hits_ = model_.hits();
  std::vector<uint32_t> rows = ordered();
  const bool moved = same && rows != rows_;
  QModelIndexList before;
  std::vector<uint32_t> addresses;
  if (moved) {
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    before = persistentIndexList();
    for (const QModelIndex& at : before) addresses.push_back(address(at.row()));
  }
  rows_ = std::move(rows);
  places_.assign(model_.series().size(), -1);
  for (size_t row = 0; row < rows_.size(); ++row) places_[rows_[row]] = static_cast<int>(row);
  if (!same) return endResetModel();
  if (moved) {
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
      after << index(row_of(addresses[static_cast<size_t>(i)]), before[i].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
  }
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int CoverageTable::row_of(uint32_t address) const { return address < places_.size() ? places_[address] : -1; }

void CoverageTable::sort(int column, Qt::SortOrder order) {
  column_ = column;
  order_ = order;
  refresh();
}

std::vector<uint32_t> CoverageTable::ordered() const {
  std::vector<uint32_t> out = hits_;
  const bool up = order_ == Qt::AscendingOrder;
  const CoverageSeries& series = model_.series();
  const auto by = [&](auto&& key) {
    using Key = decltype(key(uint32_t{}));
    std::vector<Key> keys(series.size());
    for (const uint32_t address : out) keys[address] = key(address);
    std::ranges::stable_sort(out, [&](uint32_t a, uint32_t b) {
      if (keys[a].has_value() != keys[b].has_value()) return keys[a].has_value();
      return up ? keys[a] < keys[b] : keys[b] < keys[a];
    });
  };
  const auto ways = [&](uint32_t address, bool taken) -> std::optional<uint64_t> {
    const CoverageCounts& counts = series.counts[address];
    if (!counts.branch || !counts.conditional) return std::nullopt;
    return taken ? counts.all_taken() : counts.all_not_taken();
  };
  const auto text = [&](uint32_t address, std::string CoverageWord::*member) -> std::optional<std::string_view> {
    const std::string& value = series.program->words[address].*member;
    return value.empty() ? std::nullopt : std::optional<std::string_view>(value);
  };
  switch (column_) {
    case kCount: by([&](uint32_t a) { return std::optional(series.count(a, model_.filter().context)); }); break;
    case kTaken: by([&](uint32_t a) { return ways(a, true); }); break;
    case kNotTaken: by([&](uint32_t a) { return ways(a, false); }); break;
    case kKept: by([&](uint32_t a) { return model_.kept_count(a); }); break;
    case kDifference: by([&](uint32_t a) { return model_.difference(a); }); break;
    case kLabel: by([&](uint32_t a) { return text(a, &CoverageWord::label); }); break;
    case kInstruction: by([&](uint32_t a) { return text(a, &CoverageWord::text); }); break;
    case kPlace:
      by([&](uint32_t a) -> std::optional<std::pair<std::string_view, uint32_t>> {
        const CoverageWord& word = series.program->words[a];
        return word.line == 0 ? std::nullopt : std::optional(std::pair(std::string_view(word.file), word.line));
      });
      break;
    default:
      if (!up) std::ranges::reverse(out);
  }
  return out;
}

QVariant CoverageTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const uint32_t at = rows_[static_cast<size_t>(index.row())];
  const CoverageSeries& series = model_.series();
  if (at >= series.size()) return {};
  const bool numeric = index.column() <= kDifference || index.column() >= kTaken;
  if (role == Qt::TextAlignmentRole && numeric) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return model_.tip(at);
  if (role != Qt::DisplayRole && role != kNumberRole) return {};
  const CoverageWord& word = series.program->words[at];
  const CoverageCounts& counts = series.counts[at];
  const bool two_ways = counts.branch && counts.conditional;
  const auto number = [role](auto value) {
    return role == kNumberRole ? QVariant::fromValue<qlonglong>(static_cast<qlonglong>(value))
                               : QVariant(QLocale().toString(value));
  };
  switch (index.column()) {
    case kAddress: return role == kNumberRole ? QVariant(at) : QVariant(QStringLiteral("0x%1").arg(at, 0, 16));
    case kCount: return number(static_cast<qulonglong>(series.count(at, model_.filter().context)));
    case kTaken: return two_ways ? number(static_cast<qulonglong>(counts.all_taken())) : QVariant();
    case kNotTaken: return two_ways ? number(static_cast<qulonglong>(counts.all_not_taken())) : QVariant();
    case kKept: {
      const auto kept = model_.kept_count(at);
      return kept ? number(static_cast<qulonglong>(*kept)) : model_.kept() ? QVariant(tr("none")) : QVariant();
    }
    case kDifference: {
      const auto change = model_.difference(at);
      if (!change) return {};
      return role == kNumberRole || *change <= 0
                 ? number(static_cast<qlonglong>(*change))
                 : QVariant(QLatin1Char('+') + QLocale().toString(static_cast<qlonglong>(*change)));
    }
    case kLabel: return label_text(word.label);
    case kPlace: return word.line == 0 ? QString() : model_.workspace().names().place(word.file, word.line);
    case kInstruction: return QString::fromStdString(word.text);
    default: return {};
  }
}

QStringList CoverageTable::names() const {
  return names_of<kColumns>(tr("Address"), tr("Count"), tr("A"), tr("Difference"), tr("Instruction"), tr("Place"),
                            tr("Label"), tr("Taken"), tr("Not taken"));
}

QVariant CoverageTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section == kCount && model_.filter().context >= 0)
    return tr("Count of ctx%1").arg(model_.filter().context);
  return TableModel::headerData(section, orientation, role);
}

}  // namespace weft::ide
