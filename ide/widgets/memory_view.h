// All memories of the chips: a window into one of them that goes wherever an address, a name or an expression leads,
// can be searched and changed, and says who wrote what stands there.
#pragma once

#include "models/memory_model.h"
#include "value_menu.h"
#include "views.h"

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollBar;
class QStackedWidget;
class QTableView;

namespace weft::ide {

class EmptyPage;

class MemoryView final : public View {
  Q_OBJECT

 public:
  MemoryView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;

  MemoryModel& model() { return model_; }
  /// Shows an address; the memory is one of the chip's.
  void go_to(unsigned chip, const QString& memory, uint64_t address);
  /// What the address line takes: a number, a name of a place, "sram0[0x40]", or an expression whose value is the
  /// address.
  void go_to(const QString& text);
  void search_next();
  void who_wrote(bool next);

 private:
  void forget();
  void attach();
  void ask_memories();
  void choose(int which);
  void fill_symbols();
  void select(uint64_t address);
  void resized();
  void scroll(int value);
  bool eventFilter(QObject* object, QEvent* event) override;
  bool key(int key, Qt::KeyboardModifiers modifiers);
  void note_pointers();
  void search_slice(uint64_t from, uint64_t end, bool wrapped);
  void set_searching(bool on);
  void say(const QString& text);
  std::optional<ValueName> chosen_value() const;
  void take_writer(const Target::WriteAnswer& answer, const QString& name, bool next);
  void watch(workbench::Breakpoint::Kind kind);
  void save_range();
  void menu(const QPoint& at);
  void showEvent(QShowEvent* event) override;
  void make_top();
  void make_bottom();
  std::optional<uint64_t> current_address() const;
  QString prefix() const;  ///< of expressions, on a board of several chips

  struct Place {
    unsigned chip = 0;
    workbench::MemoryInfo memory;
  };
  Workspace& workspace_;
  MemoryModel model_;
  std::vector<Place> places_;                     ///< by number in memory_
  std::vector<workbench::MemorySymbol> symbols_;  ///< of the chip that is shown
  QComboBox *memory_, *symbol_, *radix_, *group_, *pattern_;
  QLineEdit *address_, *search_;
  QCheckBox* follow_;
  QTableView* table_;
  QScrollBar* bar_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QLabel *found_, *note_;
  QPushButton *next_, *stop_, *undo_, *who_, *there_, *instruction_;
  uint64_t row_ = 0;  ///< first one that is shown
  uint64_t selected_ = 0;
  uint64_t search_id_ = 0;  ///< of the search under way; slices of others are dropped
  bool searching_ = false;
  uint64_t search_begin_ = 0;
  std::optional<workbench::Writer> writer_;
  QString wanted_;  ///< asked before the memories were known
  unsigned wanted_chip_ = 0;
  uint64_t wanted_address_ = 0;
};

}  // namespace weft::ide
