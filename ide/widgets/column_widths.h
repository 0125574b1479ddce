// Widths of the columns of a table that changes while one looks: what was once needed stays, numbers are read whole,
// and texts share what is left of the room, or give way to a scroll bar.
#pragma once

#include <QObject>
#include <map>
#include <vector>

class QTableView;

namespace weft::ide {

class ColumnWidths final : public QObject {
  Q_OBJECT

 public:
  /// `texts`: columns that may be cut off, and take what is left. The others are as wide as what stands in them.
  ColumnWidths(QTableView* table, std::vector<int> texts);
  /// Measures what stands there now.
  void fit();
  /// Another model.
  void forget();

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void lay_out();

  QTableView* table_;
  std::vector<int> texts_;
  std::vector<int> wanted_;
  std::map<int, int> chosen_;  ///< what the user has made of a column
  bool laying_out_ = false;
};

}  // namespace weft::ide
