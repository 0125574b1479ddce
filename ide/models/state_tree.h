// A tree of named values that keeps its rows while their names stay: what was open stays open, and what has another
// value than at the last stop is marked. What the rows are about travels with them: a place in memory, an instruction,
// a name that can be written.
#pragma once

#include <QStandardItemModel>

#include "since_stop.h"

namespace weft::ide {

/// A row and those below it. The first cell is its name among its sisters.
struct StateRow {
  QStringList cells;
  QString tip = {};
  std::string write = {};  ///< a name that Target::write takes; empty: it cannot be written
  QString memory = {};     ///< with `address`: a place to show in the memory view
  quint64 address = 0;
  QString file = {};  ///< with `line`: a place in a text
  int line = 0;
  std::optional<ContextId> context = {};
  std::optional<emulator::Command> command = {};  ///< whose sender can be asked for
  std::vector<StateRow> below = {};
};

class StateTree final : public QStandardItemModel {
  Q_OBJECT

 public:
  static constexpr int kChangedRole = Qt::UserRole, kWriteRole = Qt::UserRole + 1, kMemoryRole = Qt::UserRole + 2,
                       kAddressRole = Qt::UserRole + 3, kFileRole = Qt::UserRole + 4, kLineRole = Qt::UserRole + 5,
                       kContextRole = Qt::UserRole + 6, kCommandRole = Qt::UserRole + 7,
                       kMarkedRole = Qt::UserRole + 8;  ///< of the cell of a value that has changed

  /// `value`: the column whose changes are marked.
  StateTree(const QStringList& columns, int value, QObject* parent = nullptr);

  /// Marks are against the values of the last stop before this moment.
  void show(const std::vector<StateRow>& rows, Moment moment);
  /// What stands there next has nothing to do with this.
  void forget();

 private:
  void show(QStandardItem& under, const std::vector<StateRow>& rows, const QString& path);

  int value_;
  SinceStop<QString, QString> since_;  ///< values by path
};

}  // namespace weft::ide

Q_DECLARE_METATYPE(weft::emulator::Command)
Q_DECLARE_METATYPE(weft::workbench::ContextId)
