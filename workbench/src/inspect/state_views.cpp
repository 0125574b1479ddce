// Memories, CSRs, CAM and signals, as views show them.
#include "inspect/state_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "weft/isa/effects.h"
#include "weft/workbench/inspect.h"

namespace weft::workbench {

using emulator::MediaBuffer;
using emulator::MemorySpace;

namespace {

constexpr unsigned kChunk = 16 * 1024;  // bytes that a search looks at together: a page of memory

std::optional<unsigned> engine_of(const std::string& memory, std::string_view what) {
  if (!memory.starts_with("me") || !memory.ends_with(what)) return std::nullopt;
  unsigned value = 0;
  const auto [stop, error] = std::from_chars(memory.data() + 2, memory.data() + memory.size(), value);
  if (error != std::errc() || std::string_view(stop) != what) return std::nullopt;
  return value;
}

constexpr std::array<std::pair<MediaBuffer, const char*>, 4> kBuffers{{{MediaBuffer::rbuf, "rbuf"},
                                                                       {MediaBuffer::tbuf, "tbuf"},
                                                                       {MediaBuffer::rfifo, "rfifo"},
                                                                       {MediaBuffer::tfifo, "tfifo"}}};

/// Registers of the media interface that hold something (media/msf.h).
constexpr std::array<std::pair<uint32_t, const char*>, 6> kMsfRegisters{{{0x00, "RX_CONTROL"},
                                                                         {0x04, "TX_CONTROL"},
                                                                         {0x40, "RX_PORT_MAP"},
                                                                         {0x60, "TX_SEQUENCE_0"},
                                                                         {0x64, "TX_SEQUENCE_1"},
                                                                         {0x68, "TX_SEQUENCE_2"}}};

}  // namespace

std::string longword_name(const MemoryInfo& memory, uint64_t address) {
  if (memory.kind == MemoryInfo::Kind::store) return {};
  if (memory.kind == MemoryInfo::Kind::local) return fmt::format("{}[{}]", memory.name, address / 4);
  return fmt::format("{}[0x{:x}]", memory.name, address & ~uint64_t{3});
}

std::vector<MemoryInfo> StateViews::memories() const {
  using Kind = MemoryInfo::Kind;
  std::vector<MemoryInfo> out;
  const emulator::HostPort& host = units_.host();
  const bool first = me1();
  out.push_back({Kind::memory, "scratch", "Scratch", host.size(MemorySpace::scratch), true});
  for (unsigned channel = 0; channel < 4; ++channel)
    if (const uint64_t bytes = host.size(MemorySpace::sram, channel))
      out.push_back({Kind::memory, fmt::format("sram{}", channel),
                     first ? "SRAM" : fmt::format("SRAM channel {}", channel), bytes, true});
  if (const uint64_t bytes = host.size(MemorySpace::dram))
    out.push_back({Kind::memory, "dram", first ? "SDRAM" : "DRAM", bytes, true});
  const emulator::UnitInspector look(units_);
  for (const auto& [buffer, name] : kBuffers)
    if (const uint32_t bytes = look.buffer_bytes(buffer)) {
      std::string title = name;
      std::ranges::transform(title, title.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
      out.push_back({Kind::buffer, name, title, bytes, buffer == MediaBuffer::tbuf || buffer == MediaBuffer::rfifo});
    }
  for (unsigned e = 0; e < machine_.engine_count(); ++e) {
    if (machine_.words(e).empty()) continue;
    if (!first)
      out.push_back({Kind::local, fmt::format("me{}.lm", e), fmt::format("Local memory of me{}", e),
                     emulator::kLocalMemory * 4, true});
    out.push_back({Kind::store, fmt::format("me{}.store", e), fmt::format("Control store of me{}", e),
                   machine_.words(e).size() * 8, false});
  }
  return out;
}

std::vector<uint32_t> StateViews::longwords(const std::string& memory, uint64_t address, unsigned count) const {
  std::vector<uint32_t> out;
  const auto all = [&](uint64_t bytes, const std::function<uint32_t(uint64_t)>& read) {
    if (address >= bytes) return;
    out.reserve(std::min<uint64_t>(count, (bytes - address) / 4));
    for (uint64_t at = address & ~uint64_t{3}; out.size() < count && at + 4 <= bytes; at += 4) out.push_back(read(at));
  };
  if (const auto engine = engine_of(memory, ".lm"); engine && *engine < machine_.engine_count()) {
    all(emulator::kLocalMemory * 4, [&](uint64_t at) { return machine_.state(*engine).local_memory[at / 4]; });
    return out;
  }
  if (const auto engine = engine_of(memory, ".store"); engine && *engine < machine_.engine_count()) {
    const auto words = machine_.words(*engine);
    all(words.size() * 8,
        [&](uint64_t at) { return static_cast<uint32_t>(at % 8 == 0 ? words[at / 8] >> 32 : words[at / 8]); });
    return out;
  }
  const emulator::UnitInspector look(units_);
  for (const auto& [buffer, name] : kBuffers)
    if (memory == name) {
      const MediaBuffer which = buffer;
      all(look.buffer_bytes(which), [&](uint64_t at) { return look.read_buffer(which, static_cast<uint32_t>(at)); });
      return out;
    }
  const emulator::HostPort& host = units_.host();
  const bool sram = memory.size() == 5 && memory.starts_with("sram") && memory[4] >= '0' && memory[4] <= '3';
  if (!sram && memory != "dram" && memory != "scratch") return out;
  const unsigned channel = sram ? static_cast<unsigned>(memory[4] - '0') : 0;
  const MemorySpace space = sram ? MemorySpace::sram : memory == "dram" ? MemorySpace::dram : MemorySpace::scratch;
  all(host.size(space, channel),
      [&](uint64_t at) { return host.read(space, static_cast<uint32_t>(at) | channel << 30); });
  return out;
}

std::optional<uint64_t> StateViews::find(const std::string& memory, const std::vector<uint8_t>& bytes, uint64_t from,
                                         uint64_t end, unsigned align) const {
  if (bytes.empty() || align == 0) return std::nullopt;
  std::vector<uint8_t> text;
  // Pages that nobody has written hold zeros.
  const bool zeros = std::ranges::all_of(bytes, [](uint8_t b) { return b == 0; });
  const bool sram = memory.starts_with("sram") && memory.size() == 5;
  const bool paged = !zeros && (sram || memory == "dram");
  const auto saved = paged ? units_.save() : nullptr;
  const auto written = [&](uint64_t address) {
    return !paged || emulator::memory_page(*saved, sram ? MemorySpace::sram : MemorySpace::dram,
                                           sram ? static_cast<unsigned>(memory[4] - '0') & 3 : 0, address) != nullptr;
  };
  bool known = written(from);
  for (uint64_t at = from & ~uint64_t{3}, next = 0; at < end; at = next) {
    next = (at / kChunk + 1) * kChunk;
    const bool here = known;
    known = written(next);
    if (!here && !known) continue;
    // A match may begin in one chunk and end in the next one.
    const auto wanted = static_cast<unsigned>((next - at + bytes.size() + 3) / 4);
    const std::vector<uint32_t> words = longwords(memory, at, wanted);
    text.clear();
    for (const uint32_t w : words)
      for (int shift = 24; shift >= 0; shift -= 8) text.push_back(static_cast<uint8_t>(w >> shift));
    for (auto begin = text.begin();;) {
      const auto hit = std::search(begin, text.end(), bytes.begin(), bytes.end());
      if (hit == text.end()) break;
      const uint64_t address = at + static_cast<uint64_t>(hit - text.begin());
      if (address >= end || address >= next) break;
      if (address >= from && address % align == 0) return address;
      begin = hit + 1;
    }
    if (words.size() < wanted) break;
  }
  return std::nullopt;
}

// "15:8 context enables; 17, 16 LM_ADDR_1, _0 global": a part begins with bits, the last ones of it are the lowest.
std::vector<CsrField> csr_fields(std::string_view doc) {
  std::vector<CsrField> out;
  while (!doc.empty()) {
    const size_t semicolon = doc.find("; ");
    std::string_view part = doc.substr(0, semicolon);
    doc = semicolon == std::string_view::npos ? std::string_view() : doc.substr(semicolon + 2);
    for (const std::string_view word :
         {std::string_view("Bits "), std::string_view("Bit "), std::string_view("bits "), std::string_view("bit ")})
      if (part.starts_with(word)) part.remove_prefix(word.size());
    const auto number = [&part]() -> std::optional<unsigned> {
      unsigned value = 0;
      const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
      if (error != std::errc() || value > 31) return std::nullopt;
      part.remove_prefix(static_cast<size_t>(stop - part.data()));
      return value;
    };
    std::vector<CsrField> fields;
    for (bool more = true; more;) {
      const auto high = number();
      if (!high) {
        fields.clear();
        break;
      }
      CsrField field{*high, *high, {}};
      if (part.starts_with(":")) {
        part.remove_prefix(1);
        const auto low = number();
        if (!low || *low > *high) {
          fields.clear();
          break;
        }
        field.low = *low;
      }
      fields.push_back(field);
      more = part.starts_with(", ");
      if (more) part.remove_prefix(2);
    }
    while (part.starts_with(" ") || part.starts_with(":") || part.starts_with("=")) part.remove_prefix(1);
    while (part.ends_with(".") || part.ends_with(" ")) part.remove_suffix(1);
    for (CsrField& field : fields) {
      field.text = std::string(part);
      out.push_back(std::move(field));
    }
  }
  return out;
}

std::vector<CsrView> StateViews::local_csrs(unsigned engine, unsigned context) const {
  std::vector<CsrView> out;
  for (const isa::CsrInfo& info : isa::csrs(machine_.timing().profile)) {
    CsrView view{fmt::format("me{}.ctx{}.csr.{}", engine, context, info.name),
                 std::string(info.name),
                 {},
                 info.writable,
                 std::string(info.doc)};
    // A read draws the next number.
    const isa::CsrEffects& effects = isa::csr_effects(machine_.timing().profile, info.offset);
    if ((effects.holds & isa::states(isa::State::random)) == 0)
      view.value = machine_.read_csr(engine, static_cast<isa::Csr>(info.offset), context);
    out.push_back(std::move(view));
  }
  return out;
}

std::vector<CsrView> StateViews::chip_csrs() const {
  std::vector<CsrView> out;
  const emulator::UnitInspector look(units_);
  for (const isa::NamedValue& csr : isa::cap_csrs(machine_.timing().profile))
    out.push_back({fmt::format("cap.{}", csr.name), std::string(csr.name), look.csr(csr.value), true,
                   me1() ? "CSR of the FBI" : "CSR of CAP"});
  if (me1()) return out;
  for (const auto& [address, name] : kMsfRegisters)
    out.push_back({fmt::format("msf[0x{:x}]", address), name, units_.host().read_msf(address), address < 0x60,
                   "register of the media interface"});
  return out;
}

EngineDetail StateViews::engine(unsigned engine, unsigned context) const {
  EngineDetail out;
  if (engine >= machine_.engine_count()) return out;
  const emulator::EngineState& s = machine_.state(engine);
  const emulator::ContextRecord& c = s.contexts[context % emulator::kContexts];
  const image::Image* image = session_.program(engine, chip_);
  if (image != nullptr) out.program = image->name;
  out.has_local_memory = !me1();
  if (!me1())
    for (unsigned e = 0; e < s.cam.tag.size(); ++e) {
      const auto order = std::ranges::find(s.cam.order, e);
      out.cam.push_back({e, s.cam.tag[e], s.cam.state[e], static_cast<unsigned>(order - s.cam.order.begin())});
    }
  for (unsigned pointer = 0; pointer < 2; ++pointer) out.lm[pointer] = s.lm_address(context, pointer);
  out.waits_for_any = c.awaits_any();
  for (unsigned number = 0; number < 16; ++number) {
    SignalView view{number, {}, (c.signals >> number & 1) != 0, c.awaits(number)};
    if (image != nullptr)
      for (const image::Signal& signal : image->signals) {
        if (c.pc < signal.begin || c.pc > signal.end) continue;
        if (signal.number == number)
          view.name = signal.name;
        else if (signal.doubled && signal.number + 1 == number)
          view.name = signal.name + " (second)";
      }
    for (const isa::NamedValue& fixed : isa::signal_names(machine_.timing().profile))
      if (view.name.empty() && fixed.value == number) view.name = std::string(fixed.name);
    if (number == 0 && view.name.empty()) view.name = "voluntary";
    if (view.arrived || view.awaited || (!view.name.empty() && number != 0)) out.signals.push_back(std::move(view));
  }
  return out;
}

}  // namespace weft::workbench
