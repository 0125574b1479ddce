// Queues, rings, lists and buffers, as views show them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inspect/state_views.h"
#include "weft/workbench/inspect.h"

namespace weft::workbench {

using emulator::MediaBuffer;
using emulator::MemorySpace;

namespace {

constexpr uint32_t kAddress = 0xffffff;  // longword addresses in the queue array
constexpr unsigned kQueueEntries = 64;

/// What the address of a command means.
std::string address_of(const emulator::Command& c, bool me1) {
  const std::string_view what = isa::info(c.op).subcommand;
  switch (c.unit) {
    case isa::Unit::scratch:
      return what == "put" || what == "get" ? fmt::format("ring{}", c.address / 4 & 15)
                                            : fmt::format("scratch[0x{:x}]", c.address & ~3u);
    case isa::Unit::dram: return fmt::format("dram[0x{:x}]", c.address & ~7u);
    case isa::Unit::sram: {
      const unsigned channel = me1 ? 0 : c.address >> 30;
      const bool entry =
          !me1 && (what == "put" || what == "get" || what.ends_with("journal") || what == "enqueue" ||
                   what == "enqueue_tail" || what == "dequeue" || what.find("qdesc") != std::string_view::npos);
      if (entry) return fmt::format("queue {} of sram{}", c.address >> 24 & 63, channel);
      if (what == "pop") return fmt::format("list {}", c.list);
      return fmt::format("sram{}[0x{:x}]", channel, c.address & 0x3ffffffc);
    }
    case isa::Unit::msf: return fmt::format("{}[0x{:x}]", me1 ? "fifo" : "msf", c.address & 0xfffc);
    case isa::Unit::cap: return fmt::format("csr 0x{:x}", c.csr);
    default: return {};
  }
}

std::string signal_of(const image::Image* image, uint32_t pc, unsigned number, isa::Profile profile) {
  if (number == 0) return {};
  if (image != nullptr)
    for (const image::Signal& s : image->signals)
      if (s.number == number && pc >= s.begin && pc <= s.end) return s.name;
  for (const isa::NamedValue& fixed : isa::signal_names(profile))
    if (fixed.value == number) return std::string(fixed.name);
  return fmt::format("signal {}", number);
}

}  // namespace

std::vector<CommandQueueDetail> StateViews::queues() const {
  std::vector<CommandQueueDetail> out;
  const emulator::Tick period = machine_.timing().period;
  const emulator::History* history = session_.history(chip_);
  // The last references are those that may be under way.
  const auto recorded = [&](const emulator::Command& c) -> std::optional<uint32_t> {
    if (history == nullptr) return std::nullopt;
    constexpr size_t kLooked = 4096;
    for (size_t i = history->reference_count(), n = 0; i-- > 0 && n < kLooked; ++n) {
      const emulator::Reference r = history->reference(i);
      if (r.sequence == c.sequence && r.from == c.from) return r.pc;
      if (r.sequence < c.sequence) break;
    }
    return std::nullopt;
  };
  for (const emulator::UnitQueues& unit : emulator::UnitInspector(units_).queues()) {
    bool first = true;
    for (const emulator::CommandQueue& queue : unit.queues) {
      CommandQueueDetail& view = out.emplace_back();
      view.unit = unit.name;
      view.queue = queue.name;
      view.capacity = queue.capacity;
      view.held = unit.held;
      if (std::exchange(first, false)) view.answers = unit.answers.size();
      for (const emulator::WaitingCommand& waiting : queue.commands) {
        const emulator::Command& c = waiting.command;
        const isa::InsnInfo& info = isa::info(c.op);
        CommandDetail& d = view.commands.emplace_back();
        d.waiting = waiting;
        d.text = info.subcommand.empty() ? std::string(info.mnemonic)
                                         : fmt::format("{}[{}]", info.mnemonic, info.subcommand);
        d.address = address_of(c, me1());
        d.longwords = unsigned{c.count} * info.longwords_per_count;
        d.issued = c.issued / period;
        d.arrival = waiting.arrival / period;
        if (waiting.of_core) continue;
        const image::Image* image = session_.program(c.from.engine, chip_);
        d.pc = recorded(c);
        const uint32_t pc = d.pc.value_or(machine_.state(c.from.engine).contexts[c.from.context].pc);
        d.signal = signal_of(image, pc, c.signal, machine_.timing().profile);
        if (d.pc && image != nullptr && *d.pc < image->lines.size() && image->lines[*d.pc].place.line != 0) {
          const image::Line& at = image->lines[*d.pc].place;
          d.file = image->files.at(at.file);
          d.line = at.line;
        }
      }
    }
  }
  return out;
}

void StateViews::scratch_rings(UnitsDetail& out) const {
  const emulator::UnitInspector look(units_);
  const emulator::HostPort& host = units_.host();
  const std::vector<MemorySymbol> symbols = session_.symbols(chip_);
  for (unsigned number = 0; number < look.scratch_rings(); ++number) {
    const emulator::RingView r = host.ring(number);
    if (r.size == 0) continue;
    RingDetail& d = out.rings.emplace_back();
    d.kind = RingDetail::Kind::scratch;
    d.name = fmt::format("ring {}", number);
    for (const MemorySymbol& s : symbols)
      if (s.memory == "scratch" && s.address == r.base && s.bytes == uint64_t{r.size} * 4) d.label = s.name;
    d.memory = "scratch";
    d.size = r.size;
    d.count = r.count;
    d.head = r.head;
    d.tail = r.tail;
    d.shows_full = look.ring_shows_full(number);
    for (uint32_t i = 0; i < r.count && i < RingDetail::kElements; ++i) {
      const uint32_t address = r.base + 4 * ((r.head + i) % r.size);
      d.elements.push_back({address, host.read(MemorySpace::scratch, address)});
    }
  }
}

// The hardware does not say what an entry is. It is a list when its links lead from the head to the tail in as many
// steps as it counts; otherwise positions of a ring or journal.
void StateViews::sram_queues(UnitsDetail& out) const {
  const emulator::UnitInspector look(units_);
  const emulator::HostPort& host = units_.host();
  for (unsigned channel = 0; channel < look.sram_channels(); ++channel) {
    const auto read = [&](uint32_t longword) { return host.read(MemorySpace::sram, channel << 30 | longword * 4); };
    for (unsigned number = 0; number < kQueueEntries; ++number) {
      const emulator::QueueView q = host.queue(channel, number);
      if (q.head == 0 && q.tail == 0 && q.count == 0) continue;
      RingDetail d;
      d.name = fmt::format("queue {} of sram{}", number, channel);
      d.memory = fmt::format("sram{}", channel);
      d.count = q.count;
      d.head = q.head & kAddress;
      d.tail = q.tail & kAddress;
      std::set<uint32_t> seen;
      for (uint32_t at = d.head;
           at != 0 && d.elements.size() < std::min<size_t>(std::max<uint32_t>(q.count, 1), RingDetail::kElements) &&
           seen.insert(at).second;) {
        d.elements.push_back({uint64_t{at} * 4, at == d.head ? q.head : at});
        if (at == d.tail) break;
        at = read(at) & kAddress;
      }
      const bool complete = !d.elements.empty() && *d.elements.back().address / 4 == d.tail;
      const uint32_t size = 512u << q.ring_size_code;
      const bool ring = ((d.tail - d.head) & (size - 1)) == (q.count & (size - 1)) && d.head / size == d.tail / size;
      if (q.count == 0 || (complete && (d.elements.size() == q.count || look.cell_mode(channel))) || !ring) {
        d.kind = RingDetail::Kind::sram_list;
        if (q.count == 0 && d.head == 0) d.elements.clear();
      } else {
        d.kind = RingDetail::Kind::sram_ring;
        d.size = size;
        d.elements.clear();
        for (uint32_t i = 0; i < q.count && i < RingDetail::kElements; ++i) {
          const uint32_t at = (d.head & ~(size - 1)) | ((d.head + i) & (size - 1));
          d.elements.push_back({uint64_t{at} * 4, read(at)});
        }
      }
      out.rings.push_back(std::move(d));
    }
  }
}

void StateViews::neighbor_rings(UnitsDetail& out) const {
  if (me1()) return;
  for (unsigned e = 0; e < machine_.engine_count(); ++e) {
    if (machine_.words(e).empty()) continue;
    const emulator::EngineState& s = machine_.state(e);
    if (s.nn_count == 0 && s.nn_in_flight == 0 && s.nn_get == 0) continue;
    RingDetail& d = out.rings.emplace_back();
    d.kind = RingDetail::Kind::neighbor;
    d.name = fmt::format("me{} next neighbor", e);
    d.size = static_cast<uint32_t>(s.nn.size());
    d.count = s.nn_count;
    d.head = s.nn_get;
    d.tail = (s.nn_get + s.nn_count) & 127;
    for (uint32_t i = 0; i < s.nn_count; ++i) d.elements.push_back({std::nullopt, s.nn[(s.nn_get + i) & 127]});
  }
}

void StateViews::hardware_lists(UnitsDetail& out) const {
  const emulator::UnitInspector look(units_);
  const emulator::HostPort& host = units_.host();
  for (unsigned number = 0; number < look.lists(); ++number) {
    const std::vector<uint32_t> list = host.list(number);
    if (list.empty()) continue;
    RingDetail& d = out.rings.emplace_back();
    d.kind = RingDetail::Kind::hardware_list;
    d.name = fmt::format("list {}", number);
    d.memory = "sram0";
    d.count = static_cast<uint32_t>(list.size());
    d.head = list.front();
    d.tail = list.back();
    for (size_t i = 0; i < list.size() && i < RingDetail::kElements; ++i)
      d.elements.push_back({uint64_t{list[i]} * 4, list[i]});
  }
}

UnitsDetail StateViews::units() const {
  UnitsDetail out;
  const emulator::UnitInspector look(units_);
  out.queues = queues();
  scratch_rings(out);
  neighbor_rings(out);
  sram_queues(out);
  hardware_lists(out);
  for (const MediaBuffer buffer : {MediaBuffer::rbuf, MediaBuffer::tbuf, MediaBuffer::rfifo, MediaBuffer::tfifo})
    if (look.buffer_bytes(buffer) != 0) out.buffers.emplace_back(buffer, look.elements(buffer));
  out.waiting = look.waiting();
  out.locks = look.locks();
  out.has_locks = look.lists() != 0;
  out.ready = look.ready();
  return out;
}

}  // namespace weft::workbench
