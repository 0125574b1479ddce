#include "packets_model.h"

#include <algorithm>
#include <set>

#include "weft/workbench/dissect.h"

namespace weft::ide {

using emulator::PacketRecord;
using emulator::Verdict;

namespace {

constexpr size_t kMaxFlying = 2000;

PacketRow row_of_record(unsigned chip, const PacketRecord& r) {
  PacketRow row;
  row.id = packet_id(chip, r.number);
  row.verdict = r.verdict;
  row.port = r.port;
  row.out_port = r.out_port;
  row.damaged = r.damaged;
  row.bytes = r.bytes;
  row.arrived = r.arrived;
  row.ended = r.ended;
  row.budget = r.budget;
  for (const emulator::PacketCost& c : r.cost) row.busy += uint64_t{c.executing} + c.aborted + c.stalled;
  row.reason = QString::fromStdString(r.reason);
  row.line = QString::fromStdString(r.line);
  if (!r.data.empty()) row.summary = QString::fromStdString(workbench::packet_summary(r.data));
  return row;
}

QString csv_field(const QString& text) {
  if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n')))
    return text;
  QString quoted = text;
  return QLatin1Char('"') + quoted.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

}  // namespace

QString verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::in_flight: return QObject::tr("in flight");
    case Verdict::forwarded: return QObject::tr("forwarded");
    case Verdict::dropped: return QObject::tr("dropped");
    case Verdict::to_core: return QObject::tr("to core");
    case Verdict::lost_in: return QObject::tr("lost in");
    case Verdict::lost_out: return QObject::tr("lost out");
  }
  return {};
}

PacketsModel::PacketsModel(Target& target, QObject* parent) : TableModel(kColumns, parent), target_(target) {
  connect(&target, &Target::state_changed, this, [this] {
    if (target_.state() == Target::State::building)
      renew();
    else
      ask();
  });
  connect(&target, &Target::view_changed, this, [this] {
    // While it runs every look costs the run something, and nobody reads so fast.
    if (target_.state() == Target::State::running) {
      if (!later_.isActive()) later_.start(kPause);
    } else {
      ask();
    }
  });
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, &PacketsModel::ask);
  ask();
}

void PacketsModel::renew() {
  ++run_;
  asking_ = more_ = stale_ = false;
  beginResetModel();
  rows_.clear();
  shown_.clear();
  taken_.clear();
  finished_ = 0;
  not_kept_ = 0;
  recorded_ = false;
  endResetModel();
  Q_EMIT updated();
}

PacketsModel::Answer PacketsModel::look(const Inspector& machine, std::vector<uint64_t> taken) {
  Answer out;
  const size_t chips = machine.machine().chips.size();
  taken.resize(chips);
  size_t room = kMax;
  for (unsigned chip = 0; chip < chips; ++chip) {
    const emulator::PacketTracker* tracker = machine.packets(chip);
    if (tracker == nullptr) continue;
    out.recorded = true;
    const auto& records = tracker->records();
    const uint64_t gone = tracker->totals().not_kept;
    out.not_kept += gone;
    uint64_t& next = taken[chip];
    for (next = std::max(next, gone); next < gone + records.size() && room > 0; ++next, --room) {
      const PacketRecord& r = records[next - gone];
      out.finished.push_back(row_of_record(chip, r));
      out.frames = out.frames || !r.data.empty();
    }
    out.more = out.more || next < gone + records.size();
    for (const PacketRecord* r : tracker->under_way()) {
      if (out.flying.size() == kMaxFlying) break;
      out.flying.push_back(row_of_record(chip, *r));
      out.flying.back().ended = machine.observed_cycle();
      out.flying.back().reason.clear();  // nothing is decided
      out.flying.back().line.clear();
      out.frames = out.frames || !r->data.empty();
    }
  }
  out.taken = std::move(taken);
  return out;
}

void PacketsModel::ask() {
  if (asking_) {
    stale_ = true;
    return;
  }
  asking_ = true;
  target_.ask(
      this, [taken = taken_](const Inspector& machine) { return look(machine, taken); },
      [this, run = run_](const Answer& answer) {
        if (run == run_) take(answer);
      });
}

void PacketsModel::take(const Answer& answer) {
  asking_ = false;
  more_ = answer.more;
  const bool changes =
      !answer.finished.empty() || !answer.flying.empty() || rows_.size() != finished_ || recorded_ != answer.recorded;
  recorded_ = answer.recorded;
  frames_ = answer.frames || (frames_ && answer.finished.empty() && answer.flying.empty());
  not_kept_ = answer.not_kept;
  taken_ = answer.taken;
  if (changes) {
    beginResetModel();
    rows_.resize(finished_);
    rows_.insert(rows_.end(), answer.finished.begin(), answer.finished.end());
    finished_ = rows_.size();
    rows_.insert(rows_.end(), answer.flying.begin(), answer.flying.end());
    arrange();
    endResetModel();
  }
  Q_EMIT updated();
  if (more_ || std::exchange(stale_, false)) ask();
}

bool PacketsModel::passes(const PacketRow& row) const {
  if (filter_.verdict && row.verdict != *filter_.verdict) return false;
  if (!filter_.reason.isEmpty() && row.reason != filter_.reason) return false;
  if (filter_.port >= 0 && row.port != filter_.port && row.out_port != filter_.port) return false;
  if (filter_.range &&
      (row.arrived >= filter_.range->second || std::max(row.ended, row.arrived) < filter_.range->first))
    return false;
  if (filter_.text.isEmpty()) return true;
  const auto in = [&](const QString& text) { return text.contains(filter_.text, Qt::CaseInsensitive); };
  return in(row.summary) || in(row.reason) || in(row.line) || in(verdict_text(row.verdict)) ||
         QString::number(number_of_packet(row.id)) == filter_.text;
}

void PacketsModel::arrange() {
  shown_.clear();
  for (uint32_t i = 0; i < rows_.size(); ++i)
    if (passes(rows_[i])) shown_.push_back(i);
  const auto by = [&](auto&& key) {
    const auto less = [&](uint32_t a, uint32_t b) {
      const auto& x = key(rows_[a]);
      const auto& y = key(rows_[b]);
      if (x != y) return order_ == Qt::AscendingOrder ? x < y : y < x;
      return rows_[a].id < rows_[b].id;
    };
    std::sort(shown_.begin(), shown_.end(), less);
  };
  switch (column_) {
    case kIn: by([](const PacketRow& r) -> const uint8_t& { return r.port; }); break;
    case kOut: by([](const PacketRow& r) -> const int16_t& { return r.out_port; }); break;
    case kVerdict: by([](const PacketRow& r) -> const Verdict& { return r.verdict; }); break;
    case kReason: by([](const PacketRow& r) -> const QString& { return r.reason; }); break;
    case kLine: by([](const PacketRow& r) -> const QString& { return r.line; }); break;
    case kSize: by([](const PacketRow& r) -> const uint32_t& { return r.bytes; }); break;
    case kArrived: by([](const PacketRow& r) -> const uint64_t& { return r.arrived; }); break;
    case kLatency: by([](const PacketRow& r) { return r.latency(); }); break;
    case kBusy: by([](const PacketRow& r) -> const uint64_t& { return r.busy; }); break;
    case kSummary: by([](const PacketRow& r) -> const QString& { return r.summary; }); break;
    default: by([](const PacketRow& r) -> const uint32_t& { return r.id; }); break;
  }
}

void PacketsModel::sort(int column, Qt::SortOrder order) {
  if (column == column_ && order == order_) return;
  column_ = column;
  order_ = order;
  beginResetModel();
  arrange();
  endResetModel();
}

void PacketsModel::set_filter(const PacketFilter& filter) {
  if (filter == filter_) return;
  filter_ = filter;
  beginResetModel();
  arrange();
  endResetModel();
}

int PacketsModel::row_of(uint32_t id) const {
  for (size_t i = 0; i < shown_.size(); ++i)
    if (rows_[shown_[i]].id == id) return static_cast<int>(i);
  return -1;
}

const PacketRow* PacketsModel::find(uint32_t id) const {
  const auto at = std::ranges::find(rows_, id, &PacketRow::id);
  return at != rows_.end() ? &*at : nullptr;
}

QStringList PacketsModel::reasons() const {
  std::set<QString> all;
  for (const PacketRow& row : rows_)
    if (!row.reason.isEmpty()) all.insert(row.reason);
  return QStringList(all.begin(), all.end());
}

std::vector<int> PacketsModel::ports() const {
  std::set<int> all;
  for (const PacketRow& row : rows_) {
    all.insert(row.port);
    if (row.out_port >= 0) all.insert(row.out_port);
  }
  return {all.begin(), all.end()};
}

QVariant PacketsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const PacketRow& r = row(index.row());
  const int column = index.column();
  if (role == Qt::TextAlignmentRole && column != kVerdict && column != kReason && column != kSummary && column != kLine)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && column == kBusy && r.budget > 0)
    return tr("%L1 cycles in which engines were held for it; on the wire it takes %L2 cycles, its budget at line rate "
              "of one engine")
        .arg(r.busy)
        .arg(r.budget);
  if (role == Qt::ToolTipRole && (column == kSummary || column == kReason)) return data(index, Qt::DisplayRole);
  if (role != Qt::DisplayRole) return {};
  switch (column) {
    case kNumber:
      return chip_of_packet(r.id) == 0 ? QString::number(number_of_packet(r.id))
                                       : QStringLiteral("%1:%2").arg(chip_of_packet(r.id)).arg(number_of_packet(r.id));
    case kIn: return r.port;
    case kOut: return r.out_port >= 0 ? QVariant(r.out_port) : QVariant();
    case kVerdict: return r.damaged ? tr("%1 (damaged)").arg(verdict_text(r.verdict)) : verdict_text(r.verdict);
    case kReason: return r.reason;
    case kLine: return r.line;
    case kSize: return r.bytes;
    case kArrived: return QVariant::fromValue<qulonglong>(r.arrived);
    case kLatency: return QVariant::fromValue<qulonglong>(r.latency());
    case kBusy:
      return r.budget == 0 ? QString::number(r.busy)
                           : tr("%1 (%2 %)")
                                 .arg(r.busy)
                                 .arg(100.0 * static_cast<double>(r.busy) / static_cast<double>(r.budget), 0, 'f', 0);
    case kSummary: return r.summary;
    default: return {};
  }
}

QStringList PacketsModel::names() const {
  return names_of<kColumns>(tr("Packet"), tr("Verdict"), tr("Reason"), tr("In"), tr("Out"), tr("Latency"),
                            tr("What it is"), tr("Busy"), tr("Size"), tr("Arrived"), tr("Line"));
}

QVariant PacketsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == kBusy)
    return tr(
        "Cycles in which engines were held for the packet, and their share of its time on the wire (the budget of one "
        "engine at line rate)");
  if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == kLatency)
    return tr("Cycles from the last bit that came to the verdict");
  return TableModel::headerData(section, orientation, role);
}

QString PacketsModel::csv() const {
  QString out = QStringLiteral("packet,chip,in,out,verdict,reason,line,size,arrived,latency,busy,budget,what\n");
  for (const uint32_t i : shown_) {
    const PacketRow& r = rows_[i];
    out += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,%9")
               .arg(number_of_packet(r.id))
               .arg(chip_of_packet(r.id))
               .arg(r.port)
               .arg(r.out_port >= 0 ? QString::number(r.out_port) : QString())
               .arg(verdict_text(r.verdict), csv_field(r.reason), csv_field(r.line))
               .arg(r.bytes)
               .arg(r.arrived);
    out += QStringLiteral(",%1,%2,%3,%4\n").arg(r.latency()).arg(r.busy).arg(r.budget).arg(csv_field(r.summary));
  }
  return out;
}

}  // namespace weft::ide
