// A stretch of a memory as a table: an address, groups of bytes, characters. Only the rows that are to be seen are
// asked for, so that a memory may have any size. What has another value than at the last stop is marked, where it was
// seen then.
#pragma once

#include <QAbstractTableModel>

#include "refresh_request.h"
#include "since_stop.h"
#include "value_edits.h"

namespace weft::ide {

struct MemoryFormat {
  enum class Radix { hexadecimal, decimal, binary, octal } radix = Radix::hexadecimal;
  int row_bytes = 16;   ///< a multiple of group_bytes and of 4
  int group_bytes = 4;  ///< 1, 2, 4 or 8
  bool operator==(const MemoryFormat&) const = default;
};

/// A group of bytes, the first one on the left, as big-endian as the chip.
QString group_text(uint64_t value, const MemoryFormat& format);
/// 0x, 0b and 0o count in any radix. Nothing: no number, or too large for the group.
std::optional<uint64_t> parse_group(const QString& text, const MemoryFormat& format);
/// What is searched: hex bytes "de ad", a longword (any expression's number), or characters. Empty: it is none.
enum class Pattern { bytes, longword, text };
std::vector<uint8_t> parse_pattern(const QString& text, Pattern kind);

class MemoryModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kChangedRole = Qt::UserRole, kAddressRole = Qt::UserRole + 1;

  explicit MemoryModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  void set_target(Target* target);
  void show(unsigned chip, std::optional<workbench::MemoryInfo> memory);
  void set_format(const MemoryFormat& format);
  /// The row of the memory that the first row of the table shows, and how many the table has.
  void set_window(uint64_t first, int rows);

  const std::optional<workbench::MemoryInfo>& memory() const { return memory_; }
  unsigned chip() const { return chip_; }
  /// Control stores have a form of their own: a word a row.
  MemoryFormat format() const;
  uint64_t first() const { return first_; }
  uint64_t total_rows() const;
  int groups() const { return format().row_bytes / format().group_bytes; }
  int text_column() const { return 1 + groups(); }

  /// Of the first byte of a cell; of the address column and the characters that of the row.
  uint64_t address_of(const QModelIndex& index) const;
  QModelIndex index_of(uint64_t address) const;  ///< not valid: it is not in the window
  std::optional<uint32_t> longword(uint64_t address) const;

  struct Edit {
    std::string name;
    uint32_t before = 0, after = 0;
    unsigned chip = 0;
    uint64_t cycle = 0;
  };
  const std::vector<Edit>& edits() const { return edits_.all(); }
  void undo();
  /// How values are written; at first at once.
  void set_careful(Careful careful) { careful_ = std::move(careful); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void refresh();

 Q_SIGNALS:
  void edited(const QString& text);  ///< one sentence
  void refused(const QString& text);
  void answered();

 private:
  struct Answer {
    unsigned chip = 0;
    std::string memory;
    uint64_t address = 0;
    std::vector<uint32_t> longwords;
    std::vector<std::string> texts;  ///< control stores: instructions
  };
  void take(const Answer& answer);
  std::optional<uint64_t> group(uint64_t address) const;
  bool changed(uint64_t address) const;
  using Writes = std::vector<std::pair<uint64_t, uint32_t>>;  ///< longwords by address
  void write(const Writes& all);
  QString characters(uint64_t row_address) const;

  QPointer<Target> target_;
  unsigned chip_ = 0;
  std::optional<workbench::MemoryInfo> memory_;
  MemoryFormat format_;
  uint64_t first_ = 0;
  int rows_ = 0;
  uint64_t begin_ = 0;  ///< address of longwords_[0]
  std::vector<uint32_t> longwords_;
  std::vector<std::string> texts_;
  SinceStop<uint64_t, uint32_t> since_;  ///< longwords by address
  RefreshRequest request_;
  EditList<Edit> edits_;
  Careful careful_ = [](const std::function<void()>& then) { then(); };
};

}  // namespace weft::ide
