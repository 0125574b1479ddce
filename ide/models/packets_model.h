// All packets of the run, a row each: where they came from and went to, what became of them and why. Sorted and
// filtered here, so that a hundred thousand rows take some milliseconds; new ones are fetched bit by bit.
#pragma once

#include <QSet>
#include <QTimer>
#include <memory>
#include <vector>

#include "table_model.h"
#include "target.h"

namespace weft::ide {

/// Cursor::packet(): the chip in the upper bits, so that it is the number on boards of one chip.
inline constexpr uint32_t packet_id(unsigned chip, uint32_t number) { return chip << 28 | number; }
inline constexpr unsigned chip_of_packet(uint32_t id) { return id >> 28; }
inline constexpr uint32_t number_of_packet(uint32_t id) { return id & 0xfffffff; }

struct PacketRow {
  uint32_t id = 0;
  emulator::Verdict verdict = emulator::Verdict::in_flight;
  uint8_t port = 0;
  int16_t out_port = -1;
  bool damaged = false;
  uint32_t bytes = 0;
  uint64_t arrived = 0, ended = 0, budget = 0;
  uint64_t busy = 0;  ///< cycles in which an engine was held, of all engines
  QString reason, line, summary;
  uint64_t latency() const { return ended > arrived ? ended - arrived : 0; }
};

struct PacketFilter {
  std::optional<emulator::Verdict> verdict;
  QString reason;  ///< empty: all
  int port = -1;   ///< of arrival or departure; -1: all
  QString text;    ///< in any text column, whatever case
  /// Cycles in which it was on its way at least in part; none: all.
  std::optional<std::pair<uint64_t, uint64_t>> range = {};
  bool operator==(const PacketFilter&) const = default;
};

QString verdict_text(emulator::Verdict verdict);

class PacketsModel final : public TableModel {
  Q_OBJECT

 public:
  // What became of it, why, and how long it took, come first: a narrow list shows no more.
  enum Column { kNumber, kVerdict, kReason, kIn, kOut, kLatency, kSummary, kBusy, kSize, kArrived, kLine, kColumns };

  explicit PacketsModel(Target& target, QObject* parent = nullptr);

  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

  void set_filter(const PacketFilter& filter);
  const PacketFilter& filter() const { return filter_; }
  const PacketRow& row(int row) const { return rows_[shown_[static_cast<size_t>(row)]]; }
  int row_of(uint32_t id) const;             ///< -1: not shown
  const PacketRow* find(uint32_t id) const;  ///< null: not known; a filter may hide it

  bool recorded() const { return recorded_; }  ///< packets are followed
  bool frames() const { return frames_; }      ///< with their bytes
  size_t all() const { return rows_.size(); }
  uint64_t not_kept() const { return not_kept_; }
  /// Reasons and ports that occur, for the filter.
  QStringList reasons() const;
  std::vector<int> ports() const;
  /// True when all that the machine knows is here.
  bool complete() const { return !asking_ && !more_; }
  QString csv() const;

 Q_SIGNALS:
  void updated();  ///< rows came, or another run

 private:
  size_t rows() const override { return shown_.size(); }
  QStringList names() const override;

  struct Answer {
    bool recorded = false, frames = false;
    std::vector<PacketRow> finished, flying;
    std::vector<uint64_t> taken;  ///< by chip: records that were looked at
    uint64_t not_kept = 0;
    bool more = false;
  };
  static Answer look(const Inspector& machine, std::vector<uint64_t> taken);
  void renew();
  void ask();
  void take(const Answer& answer);
  void arrange();
  bool passes(const PacketRow& row) const;

  static constexpr size_t kMax = 4000;  ///< rows in one answer
  static constexpr int kPause = 250;    ///< ms between two questions while the run goes on
  Target& target_;
  std::vector<PacketRow> rows_;  ///< finished ones, then those under way
  size_t finished_ = 0;
  std::vector<uint32_t> shown_;  ///< indices into rows_
  std::vector<uint64_t> taken_;
  PacketFilter filter_;
  int column_ = kNumber;
  Qt::SortOrder order_ = Qt::AscendingOrder;
  bool recorded_ = false, frames_ = false, asking_ = false, more_ = false, stale_ = false;
  uint64_t not_kept_ = 0;
  unsigned run_ = 0;
  QTimer later_;
};

}  // namespace weft::ide
