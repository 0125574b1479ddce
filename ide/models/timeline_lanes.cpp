#include "timeline_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "packets_model.h"
#include "weft/workbench/causes.h"

namespace weft::ide {

using emulator::History;
using emulator::kNever;
using emulator::PacketRecord;
using emulator::PacketTracker;
using emulator::Reference;
using emulator::Tick;
using Kind = TimelineRow::Kind;

namespace {

constexpr uint64_t kSettled = 4096;  // cycles after which a command has been served
constexpr size_t kBlock = 64;        // entries

uint64_t cell_begin(uint64_t begin, uint64_t end, unsigned cells, uint64_t cell) {
  return begin + cell * (end - begin) / std::max(cells, 1u);
}
unsigned cell_of(uint64_t begin, uint64_t end, unsigned cells, uint64_t cycle) {
  auto cell = static_cast<unsigned>((cycle - begin) * cells / (end - begin));
  while (cell + 1 < cells && cell_begin(begin, end, cells, cell + 1) <= cycle) ++cell;
  return cell;
}

/// Cycles in which a command lay in the inlet: from its acceptance until it was served. Second 0: it was not.
std::pair<uint64_t, uint64_t> waiting(const Reference& r, uint64_t period) {
  if (r.accepted == kNever || r.served == kNever || r.served <= r.accepted) return {0, 0};
  return {r.accepted / period, (r.served + period - 1) / period};
}

std::string unit_name(std::pair<unsigned, unsigned> inlet) {
  return to_text(workbench::Inlet{static_cast<isa::Unit>(inlet.first), inlet.second});
}

size_t first_from(const History& history, Tick at) {
  size_t low = 0, high = history.reference_count();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (history.reference(middle).accepted < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

std::pair<unsigned, unsigned> inlet_of(const Reference& r) {
  const workbench::Inlet inlet = workbench::inlet_of(r);
  return {static_cast<unsigned>(inlet.unit), inlet.channel};
}

// ---- reading on

void TimelineLanes::update(const workbench::Inspector& machine, unsigned number) {
  if (chips_.size() <= number) chips_.resize(number + 1);
  Chip& chip = chips_[number];
  if (const PacketTracker* tracker = machine.packets(number)) read_packets(*tracker, chip);
  if (const History* history = machine.history(number)) read_references(*history, machine.observed_cycle(), chip);
}

void TimelineLanes::read_packets(const PacketTracker& tracker, Chip& chip) {
  const auto& records = tracker.records();
  const uint64_t gone = tracker.totals().not_kept;
  const size_t before = chip.entries.size();
  for (chip.records_read = std::max(chip.records_read, gone); chip.records_read < gone + records.size();
       ++chip.records_read) {
    const PacketRecord& r = records[chip.records_read - gone];
    chip.entries.push_back({r.arrived, r.ended, r.number, r.verdict, r.port, r.out_port});
  }
  if (chip.entries.size() > before) {
    const auto middle = chip.entries.begin() + static_cast<std::ptrdiff_t>(before);
    std::ranges::sort(middle, chip.entries.end(), {}, &Entry::number);
    // Those that were longer under way than the last ones that were known come between them.
    const auto from = std::ranges::lower_bound(chip.entries.begin(), middle, middle->number, {}, &Entry::number);
    size_t block = static_cast<size_t>(from - chip.entries.begin()) / kBlock;
    std::ranges::inplace_merge(from, middle, chip.entries.end(), {}, &Entry::number);
    chip.latest.resize((chip.entries.size() + kBlock - 1) / kBlock);
    for (; block < chip.latest.size(); ++block) {
      chip.latest[block] = 0;
      for (size_t i = block * kBlock; i < std::min((block + 1) * kBlock, chip.entries.size()); ++i)
        chip.latest[block] = std::max(chip.latest[block], chip.entries[i].ended);
    }
  }
  const auto& changes = tracker.queue_changes();
  const uint64_t lost = tracker.queue_changes_lost();
  chip.queues.resize(tracker.queues().size());
  for (chip.changes_read = std::max(chip.changes_read, lost); chip.changes_read < lost + changes.size();
       ++chip.changes_read) {
    const emulator::QueueChange& change = changes[chip.changes_read - lost];
    Chip::Queue& queue = chip.queues[change.queue];
    if (!queue.changes.empty() && queue.changes.back().first == change.cycle)
      queue.changes.back().second = change.depth;
    else
      queue.changes.emplace_back(change.cycle, change.depth);
    queue.deepest = std::max(queue.deepest, change.depth);
  }
}

void TimelineLanes::read_references(const History& history, uint64_t now, Chip& chip) {
  const size_t count = history.reference_count();
  if (count == 0) return;
  const uint64_t period = history.machine().timing().period, first = history.reference(0).sequence;
  if (chip.references_read < first) chip.references_read = first;
  for (; chip.references_read < first + count; ++chip.references_read) {
    const Reference r = history.reference(chip.references_read - first);
    if (r.accepted / period + kSettled >= now) break;
    const auto stay = waiting(r, period);
    if (stay.second == 0) continue;
    UnitTrack& track = chip.units[inlet_of(r)];
    if (track.area.size() <= stay.second / kBucket) track.area.resize(stay.second / kBucket + 1);
    for (uint64_t b = stay.first / kBucket; b * kBucket < stay.second; ++b)
      track.area[b] +=
          static_cast<uint32_t>(std::min(stay.second, (b + 1) * kBucket) - std::max(stay.first, b * kBucket));
  }
  // Buckets to which nothing can come any more get their sum.
  const uint64_t settled_now = now > kSettled ? (now - kSettled) / kBucket : 0;
  for (auto& [unit, track] : chip.units)
    for (uint64_t sum = track.sum_before(track.settled);
         track.settled < std::min<size_t>(settled_now, track.area.size());) {
      if (track.settled % UnitTrack::kStride == 0) track.before.push_back(sum);
      const uint32_t area = track.area[track.settled++];
      track.deepest = std::max(track.deepest, static_cast<float>(area) / kBucket);
      sum += area;
    }
}

uint64_t TimelineLanes::UnitTrack::sum_before(size_t bucket) const {
  if (before.empty()) return 0;
  const size_t stride = std::min(bucket / kStride, before.size() - 1);
  const auto from = area.begin() + static_cast<std::ptrdiff_t>(stride * kStride);
  return std::accumulate(from, area.begin() + static_cast<std::ptrdiff_t>(bucket), before[stride]);
}

// ---- how full

/// Cells of less than a bucket are counted from the commands themselves; wider ones from the sums, and only the end
/// from commands.
TimelineLanes::Depths TimelineLanes::unit_depths(const History& history, const Chip& chip,
                                                 std::pair<unsigned, unsigned> unit, uint64_t begin, uint64_t end,
                                                 unsigned cells, uint64_t now) const {
  Depths out(cells);
  if (cells == 0 || begin >= end) return out;
  std::vector<double> area(cells);
  const uint64_t period = history.machine().timing().period;
  const bool fine = (end - begin) / cells < 2 * kBucket;
  const auto track = chip.units.find(unit);
  // Up to here the sums know everything.
  const uint64_t summed =
      fine || track == chip.units.end()
          ? 0
          : std::min(track->second.settled * kBucket, now > kSettled ? (now - kSettled) / kBucket * kBucket : 0);
  if (summed > begin) {
    const UnitTrack& known = track->second;
    const auto upto = [&](uint64_t cycle) {
      const uint64_t b = std::min(cycle, summed) / kBucket;
      const double part = b < known.settled ? static_cast<double>(known.area[b]) *
                                                  static_cast<double>(std::min(cycle, summed) % kBucket) / kBucket
                                            : 0;
      return static_cast<double>(known.sum_before(b)) + part;
    };
    for (unsigned cell = 0; cell < cells; ++cell)
      area[cell] = upto(cell_begin(begin, end, cells, cell + 1)) - upto(cell_begin(begin, end, cells, cell));
  }
  const uint64_t from = std::max(begin, summed);
  if (from < end) {
    const size_t last = first_from(history, end * period);
    for (size_t i = first_from(history, from > kSettled ? (from - kSettled) * period : 0); i < last; ++i) {
      const Reference r = history.reference(i);
      if (inlet_of(r) != unit) continue;
      auto stay = waiting(r, period);
      if (stay.second == 0 && r.served == kNever && r.accepted != kNever) stay = {r.accepted / period, now};
      stay.first = std::max(stay.first, from);
      stay.second = std::min(stay.second, end);
      if (stay.first >= stay.second) continue;
      for (unsigned cell = cell_of(begin, end, cells, stay.first); cell < cells; ++cell) {
        const uint64_t cell_from = cell_begin(begin, end, cells, cell),
                       cell_to = cell_begin(begin, end, cells, cell + 1);
        if (cell_from >= stay.second) break;
        area[cell] += static_cast<double>(std::min(cell_to, stay.second) - std::max(cell_from, stay.first));
      }
    }
  }
  for (unsigned cell = 0; cell < cells; ++cell) {
    const uint64_t width = cell_begin(begin, end, cells, cell + 1) - cell_begin(begin, end, cells, cell);
    out[cell].mean = out[cell].max = static_cast<float>(area[cell] / static_cast<double>(std::max<uint64_t>(width, 1)));
  }
  return out;
}

TimelineLanes::Depths TimelineLanes::queue_depths(const Chip::Queue& queue, uint64_t begin, uint64_t end,
                                                  unsigned cells) {
  Depths out(cells);
  if (cells == 0 || begin >= end) return out;
  auto at = std::ranges::upper_bound(queue.changes, begin, {}, [](const auto& change) { return change.first; });
  uint32_t depth = at == queue.changes.begin() ? 0 : std::prev(at)->second;
  uint64_t now = begin;
  for (unsigned cell = 0; cell < cells; ++cell) {
    const uint64_t from = cell_begin(begin, end, cells, cell), to = cell_begin(begin, end, cells, cell + 1);
    double area = 0;
    uint32_t max = depth;
    while (at != queue.changes.end() && at->first < to) {
      area += static_cast<double>(at->first - now) * depth;
      now = at->first;
      depth = at->second;
      max = std::max(max, depth);
      ++at;
    }
    area += static_cast<double>(to - now) * depth;
    now = to;
    out[cell] = {static_cast<float>(area / static_cast<double>(std::max<uint64_t>(to - from, 1))),
                 static_cast<float>(max)};
  }
  return out;
}

// ---- packets

void TimelineLanes::packet_rows(const workbench::Inspector& machine, unsigned number, uint64_t begin, uint64_t end,
                                unsigned cells, const std::vector<TimelineRow>& rows, TimelineLaneAnswer& out) const {
  const PacketTracker* tracker = machine.packets(number);
  if (tracker == nullptr || cells == 0 || begin >= end) return;
  std::map<std::pair<Kind, unsigned>, uint32_t> wanted;
  for (uint32_t i = 0; i < rows.size(); ++i)
    if (rows[i].id.chip == number && (rows[i].kind == Kind::port_in || rows[i].kind == Kind::port_out))
      wanted[{rows[i].kind, rows[i].id.engine}] = i;
  if (wanted.empty()) return;
  // Where packets begin and end, by cell: what is between follows by adding up.
  std::map<uint32_t, std::vector<std::array<int32_t, emulator::kVerdicts>>> steps;
  for (const auto& [key, row] : wanted) steps[row].resize(cells + 1);
  std::vector<TimelinePacket> found;
  size_t many = 0;
  const auto add = [&](const Entry& e) {
    if (e.arrived >= end || e.ended < begin) return;
    for (const auto& [kind, port] : {std::pair(Kind::port_in, static_cast<int>(e.port)),
                                     std::pair(Kind::port_out, static_cast<int>(e.out_port))}) {
      const auto row = port < 0 ? wanted.end() : wanted.find({kind, static_cast<unsigned>(port)});
      if (row == wanted.end()) continue;
      auto& of = steps[row->second];
      const auto v = static_cast<size_t>(e.verdict);
      ++of[cell_of(begin, end, cells, std::max(e.arrived, begin))][v];
      --of[cell_of(begin, end, cells, std::min(std::max(e.ended, begin), end - 1)) + 1][v];
      if (++many <= kMaxPackets * 2)
        found.push_back(
            {packet_id(number, e.number), e.verdict, e.arrived, std::max(e.ended, e.arrived + 1), row->second, 0});
    }
  };
  const Chip& chip = chips_[number];
  for (size_t block = 0; block < chip.latest.size(); ++block) {
    if (chip.latest[block] < begin) continue;
    if (chip.entries[block * kBlock].arrived >= end) break;
    for (size_t i = block * kBlock; i < std::min((block + 1) * kBlock, chip.entries.size()); ++i) add(chip.entries[i]);
  }
  for (const PacketRecord* r : tracker->under_way())
    add({r->arrived, machine.observed_cycle(), r->number, r->verdict, r->port, r->out_port});
  for (auto& [row, of] : steps) {
    auto& to = out.rows[row].packets;
    to.resize(cells);
    std::array<int32_t, emulator::kVerdicts> now{};
    for (unsigned cell = 0; cell < cells; ++cell)
      for (size_t v = 0; v < now.size(); ++v) {
        now[v] += of[cell][v];
        to[cell][v] = static_cast<uint32_t>(now[v]);
      }
  }
  if (many > kMaxPackets) return;
  // One by one where they have room beside each other.
  std::ranges::stable_sort(found, {}, &TimelinePacket::begin);
  std::map<uint32_t, std::vector<uint64_t>> ends;
  for (TimelinePacket& p : found) {
    auto& lanes = ends[p.row];
    while (p.lane < lanes.size() && lanes[p.lane] > p.begin) ++p.lane;
    if (p.lane == lanes.size()) lanes.push_back(0);
    lanes[p.lane] = p.end;
  }
  for (const auto& [row, lanes] : ends)
    if (lanes.size() <= kMaxLanes) out.rows[row].lanes = static_cast<uint32_t>(lanes.size());
  for (const TimelinePacket& p : found)
    if (out.rows[p.row].lanes > 0) out.packets.push_back(p);
}

TimelineLaneAnswer TimelineLanes::answer(const workbench::Inspector& machine, uint64_t begin, uint64_t end,
                                         unsigned cells, const std::vector<TimelineRow>& rows, uint32_t chosen) {
  TimelineLaneAnswer out;
  const std::vector<std::string> names = machine.machine().chips;
  const size_t chips = names.size();
  out.rows.resize(rows.size());
  const uint64_t now = machine.observed_cycle();
  for (unsigned c = 0; c < chips; ++c) {
    update(machine, c);
    const Chip& chip = chips_[c];
    const PacketTracker* tracker = machine.packets(c);
    const History* history = machine.history(c);
    const std::string of_chip = chips > 1 ? names[c] + " " : "";
    std::vector<bool> in(256), left(256);
    for (const Entry& e : chip.entries) {
      in[e.port] = true;
      if (e.out_port >= 0) left[static_cast<size_t>(e.out_port)] = true;
    }
    if (tracker != nullptr)
      for (const PacketRecord* r : tracker->under_way()) in[r->port] = true;
    for (unsigned port = 0; port < 256; ++port)
      if (in[port]) out.known.push_back({{Kind::port_in, {c, port, 0}}, fmt::format("{}port {} in", of_chip, port)});
    for (unsigned port = 0; port < 256; ++port)
      if (left[port])
        out.known.push_back({{Kind::port_out, {c, port, 0}}, fmt::format("{}port {} out", of_chip, port)});
    for (const auto& [inlet, track] : chip.units)
      out.known.push_back({{Kind::unit, {c, inlet.first, inlet.second}}, of_chip + unit_name(inlet)});
    for (unsigned q = 0; tracker != nullptr && q < chip.queues.size(); ++q) {
      const emulator::QueueName& queue = tracker->queues()[q];
      out.known.push_back(
          {{Kind::queue, {c, q, 0}},
           of_chip + queue.name(),
           queue.kind == emulator::QueueName::Kind::scratch_ring ? static_cast<int>(queue.number) : -1});
    }
    packet_rows(machine, c, begin, end, cells, rows, out);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].id.chip != c) continue;
      if (rows[i].kind == Kind::unit && history != nullptr) {
        const std::pair unit(rows[i].id.engine, rows[i].id.context);
        out.rows[i].depths = unit_depths(*history, chip, unit, begin, end, cells, now);
        if (const auto track = chip.units.find(unit); track != chip.units.end())
          out.rows[i].deepest = track->second.deepest;
      } else if (rows[i].kind == Kind::queue && rows[i].id.engine < chip.queues.size()) {
        out.rows[i].depths = queue_depths(chip.queues[rows[i].id.engine], begin, end, cells);
        out.rows[i].deepest = static_cast<float>(chip.queues[rows[i].id.engine].deepest);
      }
      for (const QueueDepth& d : out.rows[i].depths) out.rows[i].deepest = std::max(out.rows[i].deepest, d.max);
    }
  }
  if (chosen == 0 || chip_of_packet(chosen) >= chips) return out;
  const PacketTracker* tracker = machine.packets(chip_of_packet(chosen));
  if (tracker == nullptr) return out;
  const auto take = [&](const PacketRecord& r) {
    for (const emulator::PacketStep& s : r.steps)
      out.stages.push_back(
          {{chip_of_packet(chosen), s.engine, s.context}, s.from, s.to, s.place, tracker->places()[s.place].name()});
  };
  const auto& records = tracker->records();
  for (auto at = records.rbegin(); at != records.rend(); ++at)
    if (at->number == number_of_packet(chosen)) {
      take(*at);
      return out;
    }
  for (const PacketRecord* r : tracker->under_way())
    if (r->number == number_of_packet(chosen)) take(*r);
  return out;
}

}  // namespace weft::ide
