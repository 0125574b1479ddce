#include "figures_table.h"

#include <QLocale>
#include <algorithm>
#include <map>

namespace weft::ide {

namespace {

QString key_of(const FigureTable& table, const FigureRow& row) {
  QString key;
  for (int i = 0; i < table.keys; ++i) key += row.values[static_cast<size_t>(i)].toString() + QLatin1Char('\n');
  return key;
}

std::vector<QString> keys_of(const FigureTable& table) {
  std::vector<QString> keys;
  for (const FigureRow& row : table.rows) keys.push_back(key_of(table, row));
  return keys;
}

bool is_number(FigureColumn::Kind kind) {
  return kind == FigureColumn::Kind::count || kind == FigureColumn::Kind::percent ||
         kind == FigureColumn::Kind::decimal;
}

}  // namespace

void FiguresModel::show(FigureTable table, const FigureTable* kept) {
  std::vector<Shown> shown;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    shown.push_back({c, false});
    if (kept != nullptr && table.columns[c].compared) shown.push_back({c, true});
  }
  std::map<QString, const FigureRow*> known;
  if (kept != nullptr)
    for (const FigureRow& row : kept->rows) known.emplace(key_of(*kept, row), &row);
  std::vector<std::optional<FigureRow>> kept_rows;
  for (const FigureRow& row : table.rows) {
    const auto same = known.find(key_of(table, row));
    kept_rows.push_back(same == known.end() ? std::nullopt : std::optional(*same->second));
  }
  const bool stays = std::string_view(table.name) == table_.name && shown == shown_ && !table.rows.empty() &&
                     keys_of(table) == keys_of(table_);
  if (!stays) beginResetModel();
  table_ = std::move(table);
  kept_rows_ = std::move(kept_rows);
  compares_ = kept != nullptr;
  shown_ = std::move(shown);
  if (!stays)
    endResetModel();
  else
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int FiguresModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}
int FiguresModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int FiguresModel::row_of(workbench::ContextId id) const {
  const auto row = std::ranges::find(table_.rows, std::optional(id), &FigureRow::context);
  return row == table_.rows.end() ? -1 : static_cast<int>(row - table_.rows.begin());
}

QVariant FiguresModel::value(int row, Shown shown) const {
  const QVariant& now = table_.rows[static_cast<size_t>(row)].values[shown.column];
  if (!shown.difference) return now;
  const auto& kept = kept_rows_[static_cast<size_t>(row)];
  if (!kept || !now.isValid() || !kept->values[shown.column].isValid()) return {};
  const QVariant& then = kept->values[shown.column];
  if (table_.columns[shown.column].kind == FigureColumn::Kind::count)
    return QVariant::fromValue<qlonglong>(static_cast<qlonglong>(now.toULongLong() - then.toULongLong()));
  return now.toDouble() - then.toDouble();
}

QVariant FiguresModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Shown shown = shown_[static_cast<size_t>(index.column())];
  const FigureColumn& column = table_.columns[shown.column];
  const FigureRow& of = table_.rows[static_cast<size_t>(index.row())];
  if (role == Qt::TextAlignmentRole && is_number(column.kind)) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == kIdleRole) return column.idle;
  if (role == kHistogramRole && column.kind == FigureColumn::Kind::depth && !of.histogram.empty()) {
    QVariantList shares;
    for (const double share : of.histogram) shares << share;
    return shares;
  }
  if (role == Qt::ToolTipRole && column.kind == FigureColumn::Kind::depth) {
    QStringList parts;
    for (size_t n = 0; n < of.histogram.size(); ++n)
      if (of.histogram[n] > 0)
        parts << tr("%1 commands: %2 % of the time").arg(n).arg(100 * of.histogram[n], 0, 'f', 2);
    return parts.join(QLatin1Char('\n'));
  }
  if (role == Qt::ToolTipRole && of.line != 0)
    return QStringLiteral("%1:%2").arg(QString::fromStdString(of.file)).arg(of.line);
  if (role != Qt::DisplayRole && role != kSortRole && role != kShareRole) return {};
  const QVariant v = value(index.row(), shown);
  if (role == kShareRole)
    return column.kind == FigureColumn::Kind::percent && !shown.difference && v.isValid() ? QVariant(v.toDouble() / 100)
                                                                                          : QVariant();
  if (role == kSortRole || !v.isValid() || !is_number(column.kind)) return v;
  const QString sign = shown.difference && v.toDouble() > 0 ? QStringLiteral("+") : QString();
  switch (column.kind) {
    case FigureColumn::Kind::count:
      return shown.difference ? sign + QLocale().toString(v.toLongLong()) : QLocale().toString(v.toULongLong());
    case FigureColumn::Kind::percent:
      return QStringLiteral("%1%2 %").arg(sign, QLocale().toString(v.toDouble(), 'f', column.digits));
    default: return sign + QLocale().toString(v.toDouble(), 'f', column.digits);
  }
}

QVariant FiguresModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const Shown shown = shown_[static_cast<size_t>(section)];
  if (role == Qt::TextAlignmentRole && is_number(table_.columns[shown.column].kind))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && shown.difference)
    return tr("%1: by how much it is more than in the run that was kept").arg(table_.columns[shown.column].name);
  if (role != Qt::DisplayRole) return {};
  return shown.difference ? QStringLiteral("± ") + table_.columns[shown.column].name
                          : table_.columns[shown.column].name;
}

QString FiguresModel::csv() const {
  QString out;
  const auto field = [](QString text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n')))
      return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
  };
  for (int row = -1; row < rowCount(); ++row) {
    for (int column = 0; column < columnCount(); ++column) {
      if (column > 0) out += QLatin1Char(',');
      if (row < 0) {
        out += field(headerData(column, Qt::Horizontal).toString());
        continue;
      }
      const QVariant v = value(row, shown_[static_cast<size_t>(column)]);
      out += v.typeId() == QMetaType::Double ? QString::number(v.toDouble(), 'g', 12) : field(v.toString());
    }
    out += QLatin1Char('\n');
  }
  return out;
}

}  // namespace weft::ide
