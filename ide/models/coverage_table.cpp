#include "coverage_table.h"

#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <array>

namespace weft::ide {

CoverageTable::CoverageTable(CoverageModel& model, QObject* parent) : QAbstractTableModel(parent), model_(model) {
  connect(&model, &CoverageModel::hits_changed, this, &CoverageTable::refresh);
  refresh();
}

// The same words keep their rows, so that a selection stays while counts grow.
void CoverageTable::refresh() {
  if (model_.hits() == rows_ && !rows_.empty()) {
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    return;
  }
  beginResetModel();
  rows_ = model_.hits();
  endResetModel();
}

int CoverageTable::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }
int CoverageTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

int CoverageTable::row_of(uint32_t address) const {
  const auto at = std::ranges::lower_bound(rows_, address);
  return at != rows_.end() && *at == address ? static_cast<int>(at - rows_.begin()) : -1;
}

QVariant CoverageTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const uint32_t at = rows_[static_cast<size_t>(index.row())];
  const CoverageSeries& series = model_.series();
  if (at >= series.size()) return {};
  const bool numeric = index.column() <= kDifference;
  if (role == Qt::TextAlignmentRole && numeric) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return model_.tip(at);
  if (role != Qt::DisplayRole && role != kSortRole) return {};
  const CoverageWord& word = series.program->words[at];
  const CoverageCounts& counts = series.counts[at];
  const bool two_ways = counts.branch && counts.conditional;
  const auto number = [role](auto value) { return role == kSortRole ? QVariant::fromValue<qlonglong>(static_cast<qlonglong>(value)) : QVariant(QLocale().toString(value)); };
  switch (index.column()) {
    case kAddress: return role == kSortRole ? QVariant(at) : QVariant(QStringLiteral("0x%1").arg(at, 0, 16));
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
      return role == kSortRole || *change <= 0 ? number(static_cast<qlonglong>(*change)) : QVariant(QLatin1Char('+') + QLocale().toString(static_cast<qlonglong>(*change)));
    }
    case kLabel: return QString::fromStdString(word.label);
    case kPlace: return word.line == 0 ? QString() : QStringLiteral("%1:%2").arg(QFileInfo(QString::fromStdString(word.file)).fileName()).arg(word.line);
    case kInstruction: return QString::fromStdString(word.text);
    default: return {};
  }
}

QVariant CoverageTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  const std::array names{tr("Address"), tr("Count"), tr("Taken"), tr("Not taken"), tr("A"), tr("Difference"), tr("Label"), tr("Place"), tr("Instruction")};
  static_assert(names.size() == kColumns);
  return names[static_cast<size_t>(section)];
}

}  // namespace weft::ide
