// One packet: why it ended as it did, its way through the programs with what it cost, and its bytes.
#pragma once

#include <QWidget>

#include "models/packet_path_model.h"
#include "models/workspace.h"
#include "theme.h"

class QLabel;
class QPushButton;
class QTabWidget;
class QTableView;

namespace weft::ide {

class PacketBytesPane;

class PacketDetails final : public QWidget {
  Q_OBJECT

 public:
  PacketDetails(Workspace& workspace, Theme theme, QWidget* parent = nullptr);
  void set_theme(Theme theme);
  /// 0: none.
  void show_packet(uint32_t id);
  const PacketDetail& detail() const { return detail_; }
  PacketBytesPane* bytes() { return bytes_; }
  QPushButton* go_button() { return go_; }
  QTableView* path_table() { return path_; }
  QString headline() const;
  QString cost_text() const;

 private:
  void resizeEvent(QResizeEvent* event) override;
  void take(const PacketDetail& detail);
  void go_to(const CodePlace& place);

  Workspace& workspace_;
  uint32_t wanted_ = 0;
  PacketDetail detail_;
  QLabel *headline_, *cost_;
  QPushButton* go_;
  QTabWidget* tabs_;
  QTableView* path_;
  PacketPathModel* path_model_;
  PacketBytesPane* bytes_;
};

}  // namespace weft::ide
