// The instructions that a line of source stands for, a row each: what is loaded, what it costs, how often it was
// executed, and who stands there.
#pragma once

#include <QColor>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "file_names.h"
#include "table_model.h"
#include "weft/workbench/generated.h"

namespace weft::ide {

struct GeneratedRow {
  workbench::GeneratedWord word;
  std::optional<uint64_t> executed;  ///< nothing: it was not counted
  QString text;                      ///< of the source where it is written; empty: the line itself
};

class GeneratedModel final : public TableModel {
  Q_OBJECT

 public:
  enum Column { kHere, kAddress, kInstruction, kNames, kCycles, kExecuted, kWord, kFrom, kColumns };

  explicit GeneratedModel(QObject* parent = nullptr) : TableModel(kColumns, parent) {}
  void set_rows(std::vector<GeneratedRow> rows, unsigned word_bytes, const FileNames& names = {});
  /// Contexts by the address at which they stand, and the address that a step would execute next.
  void set_contexts(std::map<uint32_t, QString> contexts, std::optional<uint32_t> next);
  /// Addresses with a breakpoint, and whether it is switched on.
  void set_breakpoints(std::map<uint32_t, bool> all);
  void set_next_colour(const QColor& background);

  const GeneratedRow* at(int row) const {
    return row < 0 || row >= rowCount() ? nullptr : &rows_[static_cast<size_t>(row)];
  }
  int row_of(uint32_t address) const;  ///< -1: none
  std::optional<uint32_t> next() const { return next_; }

  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  size_t rows() const override { return rows_.size(); }
  QStringList names() const override;

  QString here(uint32_t address, bool spoken) const;
  void all_changed();

  std::vector<GeneratedRow> rows_;
  unsigned word_bytes_ = 5;
  FileNames names_;
  std::map<uint32_t, QString> contexts_;
  std::optional<uint32_t> next_;
  std::map<uint32_t, bool> breakpoints_;
  QColor next_colour_;
};

}  // namespace weft::ide
