#include "generated_model.h"

#include <QFont>
#include <QFontDatabase>
#include <array>

namespace weft::ide {

void GeneratedModel::set_rows(std::vector<GeneratedRow> rows, unsigned word_bytes, const FileNames& names) {
  names_ = names;
  const bool same = rows.size() == rows_.size() && rowCount() > 0;
  if (!same) beginResetModel();
  rows_ = std::move(rows);
  word_bytes_ = word_bytes;
  if (same)
    all_changed();
  else
    endResetModel();
}

void GeneratedModel::set_contexts(std::map<uint32_t, QString> contexts, std::optional<uint32_t> next) {
  contexts_ = std::move(contexts);
  next_ = next;
  all_changed();
}

void GeneratedModel::set_breakpoints(std::map<uint32_t, bool> all) {
  breakpoints_ = std::move(all);
  all_changed();
}

void GeneratedModel::set_next_colour(const QColor& background) {
  next_colour_ = background;
  all_changed();
}

void GeneratedModel::all_changed() {
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int GeneratedModel::row_of(uint32_t address) const {
  for (size_t row = 0; row < rows_.size(); ++row)
    if (rows_[row].word.address == address) return static_cast<int>(row);
  return -1;
}

// Signs for eyes; words for those who hear the table.
QString GeneratedModel::here(uint32_t address, bool spoken) const {
  QStringList parts;
  if (const auto b = breakpoints_.find(address); b != breakpoints_.end())
    parts << (spoken      ? (b->second ? tr("breakpoint") : tr("breakpoint, switched off"))
              : b->second ? QStringLiteral("●")
                          : QStringLiteral("○"));
  if (const auto c = contexts_.find(address); c != contexts_.end()) {
    const bool next = next_ == address;
    parts << (spoken ? (next ? tr("next of %1") : tr("%1 stands here")).arg(c->second)
                     : (next ? QStringLiteral("▶ ") : QStringLiteral("▷ ")) + c->second);
  }
  return parts.join(spoken ? QStringLiteral("; ") : QStringLiteral(" "));
}

QVariant GeneratedModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const GeneratedRow& row = rows_[static_cast<size_t>(index.row())];
  const workbench::GeneratedWord& w = row.word;
  const int column = index.column();
  if (role == Qt::BackgroundRole && next_ == w.address && next_colour_.isValid()) return next_colour_;
  if (role == Qt::FontRole && (column == kAddress || column == kWord || column == kInstruction))
    return QFontDatabase::systemFont(QFontDatabase::FixedFont);
  if (role == Qt::TextAlignmentRole && (column == kAddress || column == kCycles || column == kExecuted))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::AccessibleTextRole && column == kHere) return here(w.address, true);
  if (role == Qt::ToolTipRole) {
    if (column == kHere) return here(w.address, true);
    if (column == kCycles && w.cycles.if_taken > 0)
      return tr("%1 cycle, and %2 more when it is taken").arg(w.cycles.always).arg(w.cycles.if_taken);
    if (column == kFrom) return QString::fromStdString(w.file) + QLatin1Char(':') + QString::number(w.line);
  }
  if (role != Qt::DisplayRole) return {};
  switch (column) {
    case kHere: return here(w.address, false);
    case kAddress: return w.address;
    case kWord: return QStringLiteral("%1").arg(w.word, static_cast<int>(2 * word_bytes_), 16, QLatin1Char('0'));
    case kInstruction: return QString::fromStdString(w.label.empty() ? w.text : w.label + ": " + w.text);
    case kCycles: return QString::fromStdString(assembler::text_of(w.cycles));
    case kExecuted:
      return row.executed ? QVariant(static_cast<qulonglong>(*row.executed)) : QVariant(QStringLiteral("–"));
    case kNames: {
      QStringList names;
      for (const workbench::GeneratedName& n : w.names) names << QString::fromStdString(n.name + " " + n.place);
      return names.join(QStringLiteral(", "));
    }
    case kFrom: {
      const QString place = names_.place(w.file, w.line);
      const QString macro = w.macro.empty() ? place : QString::fromStdString(w.macro) + QLatin1Char(' ') + place;
      return row.text.isEmpty() ? macro : macro + QStringLiteral("  ") + row.text;
    }
    default: return {};
  }
}

QStringList GeneratedModel::names() const {
  return names_of<kColumns>(tr("Here"), tr("Address"), tr("Instruction"), tr("Names"), tr("Cycles"), tr("Executed"),
                            tr("Word"), tr("Written at"));
}

QVariant GeneratedModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::ToolTipRole || orientation != Qt::Horizontal || section < 0 || section >= kColumns)
    return TableModel::headerData(section, orientation, role);
  const std::array tips{tr("Breakpoints and contexts; the filled arrow is what a step executes next"),
                        tr("In the control store"),
                        tr("Read back from the word: registers by their places"),
                        tr("What the program calls the registers and signals, and where they were allocated"),
                        tr("1+2: two more when the branch is taken"),
                        tr("By all contexts of these microengines"),
                        tr("As loaded, in hexadecimal"),
                        tr("The innermost macro, and its line")};
  static_assert(tips.size() == kColumns);
  return tips[static_cast<size_t>(section)];
}

}  // namespace weft::ide
