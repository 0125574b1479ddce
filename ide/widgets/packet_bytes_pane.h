// The frame of a packet at one moment of its way beside another one: fields and bytes, what has changed, and who wrote
// it.
#pragma once

#include <QWidget>
#include <functional>

#include "models/packet_detail.h"
#include "packet_hex.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::ide {

class Workspace;

class PacketBytesPane final : public QWidget {
  Q_OBJECT

 public:
  PacketBytesPane(Workspace& workspace, Theme theme, QWidget* parent = nullptr);
  void set_theme(Theme theme);
  void show_packet(const PacketDetail& detail);
  /// Indices of stages; before -1: nothing is compared.
  void show_stages(int before, int after);
  int before() const;
  int after() const;
  PacketHex* hex() { return after_hex_; }
  PacketHex* hex_before() { return before_hex_; }
  QTreeWidget* fields() { return tree_; }
  QString writer_text() const;
  /// A line a field; "ttl  64 -> 63" where frames are compared.
  QString fields_text() const;
  const std::vector<FieldRow>& rows() const { return rows_; }

 Q_SIGNALS:
  void place_requested(const weft::ide::CodePlace& place);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refresh();
  void fill_tree();
  void fit_columns();
  void field_chosen();
  void byte_chosen(PacketHex& hex, size_t byte);
  void tell_writer(const PacketHex& hex, size_t byte);

  Workspace& workspace_;
  Theme theme_;
  PacketDetail detail_;
  std::vector<FieldRow> rows_;
  std::vector<QTreeWidgetItem*> items_;  ///< by row
  QComboBox *before_box_, *after_box_;
  QTreeWidget* tree_;
  QSplitter *split_, *frames_;
  PacketHex *before_hex_, *after_hex_;
  QLabel* writer_;
  QPushButton* go_;
  std::optional<CodePlace> place_;
  bool linking_ = false;
};

}  // namespace weft::ide
