// What views of memories, CSRs, CAMs, signals, queues and rings show: values of one moment, with the names of
// docs/debugging.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/emulator/unit_inspector.h"

namespace weft::workbench {

/// A memory of a chip that can be looked at.
struct MemoryInfo {
  enum class Kind : uint8_t { memory, local, buffer, store } kind = Kind::memory;
  std::string name;    ///< "sram0", "me3.lm", "rbuf"; "me3.store" has no name in expressions
  std::string title;   ///< for people: "SRAM channel 0"
  uint64_t bytes = 0;  ///< a word of a control store counts as 8, its upper part first
  bool writable = true;
  bool operator==(const MemoryInfo&) const = default;
};
/// The longword at a byte address, as an expression: "sram0[0x40]", "me3.lm[16]". Empty for control stores.
std::string longword_name(const MemoryInfo& memory, uint64_t address);

/// A place in a memory that has a name: a table, a block, a ring, a counter.
struct MemorySymbol {
  std::string name;
  std::string memory;               ///< MemoryInfo::name
  uint64_t address = 0, bytes = 0;  ///< 0 bytes: not known
};

struct CsrView {
  std::string name;               ///< "me0.ctx3.csr.ACTIVE_LM_ADDR_0", "cap.HASH_MULTIPLIER_48_1", "msf[0x0]"
  std::string shown;              ///< "ACTIVE_LM_ADDR_0"
  std::optional<uint32_t> value;  ///< none: looking would change it
  bool writable = false;
  std::string doc;
};
/// Bits [low, high] and what they are: "15:8 context enables; 17, 16 LM_ADDR_1, _0 global" has three of them.
struct CsrField {
  unsigned high = 31, low = 0;
  std::string text;
};
std::vector<CsrField> csr_fields(std::string_view doc);

struct SignalView {
  unsigned number = 0;
  std::string name;  ///< in the program, where the context stands; empty: none
  bool arrived = false, awaited = false;
};
struct CamEntryView {
  unsigned entry = 0;
  uint32_t tag = 0;
  unsigned state = 0;
  unsigned age = 0;  ///< 0: least recently used, replaced next
};
struct EngineDetail {
  std::string program;
  std::vector<CamEntryView> cam;    ///< empty: the microengine has none
  std::vector<SignalView> signals;  ///< of the context: those that have a name there, have arrived or are awaited
  bool waits_for_any = false;
  std::array<uint32_t, 2> lm{};  ///< LM_ADDR_0 and _1 of the context, byte addresses
  bool has_local_memory = false;
};

/// A ring, queue or list with what is on it.
struct RingDetail {
  enum class Kind : uint8_t { scratch, neighbor, sram_ring, sram_list, hardware_list } kind = Kind::scratch;
  std::string name;              ///< "ring 3", "queue 5 of sram0", "me2 next neighbor", "list 1"
  std::string label;             ///< of the project; empty: none
  std::string memory;            ///< where its body lies; empty: in the microengine
  std::optional<uint32_t> size;  ///< longwords; none: without a bound
  uint32_t count = 0;
  uint32_t head = 0, tail = 0;  ///< rings: longword numbers from the base; SRAM: longword addresses
  bool shows_full = false;      ///< the status line of a scratch ring says "full" or "nearly full"
  struct Element {
    std::optional<uint64_t> address;  ///< in `memory`, bytes
    uint32_t value = 0;
  };
  std::vector<Element> elements;  ///< from the head on, at most kElements
  static constexpr size_t kElements = 1024;
};

/// A command in a unit.
struct CommandDetail {
  emulator::WaitingCommand waiting;
  std::string text;     ///< "sram[read]"
  std::string address;  ///< an expression: "sram0[0x40]"; empty: it has none
  unsigned longwords = 0;
  std::string signal;                ///< its name in the program; empty: none
  uint64_t issued = 0, arrival = 0;  ///< engine cycles
  std::optional<uint32_t> pc;        ///< with the execution history only
  std::string file;
  uint32_t line = 0;
};
struct CommandQueueDetail {
  std::string unit, queue;
  unsigned capacity = 0;  ///< 0: without a bound
  bool held = false;
  std::vector<CommandDetail> commands;
  size_t answers = 0;  ///< under way from this unit
};

struct UnitsDetail {
  std::vector<CommandQueueDetail> queues;
  std::vector<RingDetail> rings;
  std::vector<std::pair<emulator::MediaBuffer, std::vector<emulator::BufferElement>>> buffers;
  std::vector<emulator::WaitingContext> waiting;
  std::vector<uint32_t> locks;  ///< byte addresses
  bool has_locks = false;       ///< IXP1200
  std::optional<emulator::ReadyFlags> ready;
};

}  // namespace weft::workbench
