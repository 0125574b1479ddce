// The packets of the run: a list with filters, and beside it the chosen packet in full.
#pragma once

#include <memory>
#include <set>

#include "models/packet_detail.h"
#include "models/packets_model.h"
#include "views.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSplitter;
class QStackedWidget;
class QTableView;
class QTemporaryDir;
class QToolButton;

namespace weft::ide {

class EmptyPage;

class PacketDetails;

class PacketsView final : public View {
  Q_OBJECT

 public:
  PacketsView(Workspace& workspace, Theme theme);
  ~PacketsView() override;
  QJsonValue state() const override;
  void set_theme(Theme theme) override;

  PacketsModel* model() { return model_.get(); }
  QTableView* table() { return table_; }
  PacketDetails* details() { return details_; }
  /// Ids of the chosen rows, in their order.
  std::vector<uint32_t> chosen() const;
  /// What the menu does, without its dialogs.
  void save_pcap(const QString& path, bool sent);
  void make_case(const QString& path);
  void open_in_wireshark(const QString& program);
  void copy_hex();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void attach();
  void fit();
  void tell();          ///< list or the reason why there is none
  void follow();        ///< the cursor's packet
  void choose_again();  ///< rows have moved
  void fill_filters();
  void filter();
  void add_breakpoints(QMenu& menu, const PacketRow& row);
  void make_menu(QMenu* menu);
  void with_frames(const std::function<void(const std::vector<PacketFrame>&)>& then);

  Workspace& workspace_;
  std::unique_ptr<PacketsModel> model_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QLineEdit* text_;
  QComboBox *verdict_, *reason_, *port_;
  QToolButton *actions_, *range_;
  QLabel* count_;
  QTableView* table_;
  QSplitter* split_;
  PacketDetails* details_;
  std::set<uint32_t> kept_;                                 ///< chosen packets, while rows move
  bool filling_ = false, sized_ = false, divided_ = false;  ///< divided_: by the user, between list and packet
  std::unique_ptr<QTemporaryDir> for_others_;               ///< files that other programs were given
  unsigned given_ = 0;
};

}  // namespace weft::ide
