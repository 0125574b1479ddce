// Why the cursor's context sleeps at the cursor's cycle, without the window: what the history view draws as an arrow,
// and its steps as rows that lead to their places.
#pragma once

#include <optional>

#include "table_model.h"
#include "weft/workbench/causes.h"
#include "workspace.h"

namespace weft::ide {

class SleepCauses final : public TableModel {
  Q_OBJECT

 public:
  enum Column { kCycle, kContext, kWhat, kPlace, kColumns };

  explicit SleepCauses(Workspace& workspace, QObject* parent = nullptr);

  bool on() const { return on_; }
  void set_on(bool on);
  /// Nothing: it does not sleep there, or nobody knows.
  const std::optional<workbench::SleepCause>& cause() const { return cause_; }
  QString title() const;
  /// The cursor goes to the step, and the text to its place.
  void go(int row);

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 Q_SIGNALS:
  void changed();

 private:
  size_t rows() const override { return rows_.size(); }
  QStringList names() const override;

  struct Row {
    uint64_t cycle = 0;
    ContextId who;
    QString what, place, file;
    uint32_t line = 0;
  };
  struct Answer {
    std::optional<workbench::SleepCause> cause;
    std::vector<Row> rows;
  };
  static Answer look(const Inspector& machine, ContextId id, uint64_t cycle, const FileNames& names);
  void attach();
  void ask();
  void take(Answer answer);

  Workspace& workspace_;
  bool on_ = true;
  std::optional<workbench::SleepCause> cause_;
  std::vector<Row> rows_;
  unsigned asked_ = 0;  ///< only the last answer counts
  /// Where go() has led: the steps stay, so that one can go to the next.
  std::optional<std::pair<ContextId, uint64_t>> kept_at_;
};

}  // namespace weft::ide
