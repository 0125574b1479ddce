// Watches: expressions with their value now and at the last stop, and their course over the stops of this run.
#pragma once

#include <deque>

#include "refresh_request.h"
#include "since_stop.h"
#include "table_model.h"
#include "workspace.h"

namespace weft::ide {

class WatchesModel final : public TableModel {
  Q_OBJECT

 public:
  enum Column { kExpression, kHexadecimal, kDecimal, kLast, kCourse, kColumns };
  static constexpr int kChangedRole = Qt::UserRole;     ///< differs from the last stop
  static constexpr int kPointsRole = Qt::UserRole + 1;  ///< QVector<double>: what it was, oldest first
  static constexpr size_t kMaxPoints = 400;             ///< then every second one goes

  explicit WatchesModel(Workspace& workspace, QObject* parent = nullptr);

  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  void remove(int row);
  /// Up or down by one; where it is then.
  int shift(int row, int by);
  /// One expression at this moment, for the chosen context; the answer comes as text.
  void evaluate(const QString& expression, const std::function<void(const QString&)>& then);

 Q_SIGNALS:
  void refused(const QString& text);

 private:
  size_t rows() const override { return rows_.size(); }
  QStringList names() const override;

  struct Value {
    std::optional<int64_t> now;
    QString problem;
  };
  struct Row {
    QString expression;
    Value value;
    bool changed = false;
    std::optional<int64_t> last;
    std::deque<std::pair<uint64_t, double>> points;  ///< cycle and value
  };
  void attach();
  void take_list();
  void refresh();
  void take(uint64_t cycle, const std::vector<Value>& values);
  ContextId where(QString& expression) const;
  static Value ask_one(const Inspector& machine, const QString& expression, ContextId where);

  Workspace& workspace_;
  std::vector<Row> rows_;
  SinceStop<QString, int64_t> since_;
  RefreshRequest request_;
};

}  // namespace weft::ide
