// What a name in an expression refers to: registers as the source calls them, CSRs, memories, rings, ports and figures
// of the run. The grammar is in docs/debugging.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"
#include "weft/image/image.h"

namespace weft::workbench {

/// Figures of the whole run.
enum class Figure : uint8_t { packets, received, transmitted, dropped, core, lost };

/// One chip as expressions see it, with the figures of the run.
struct EvalContext {
  std::string chip;  ///< its name; empty on a board of one chip
  emulator::Machine* machine = nullptr;
  emulator::Units* units = nullptr;
  /// Ports of the board, also those of other chips: whose, and which of them. Empty: those of `units`.
  std::vector<std::pair<const emulator::Units*, unsigned>> ports;
  uint64_t ticks_per_second = 0;
  isa::Profile profile = isa::Profile::me2;
  std::vector<const image::Image*> images;   ///< by engine; null: no program, or raw words
  std::map<std::string, int64_t> constants;  ///< of the project, and addresses of memory blocks
  std::function<uint64_t(Figure)> figure;
};

/// Whose registers a name without microengine or context means; -1: nobody's.
struct Location {
  int engine = -1, context = -1;
};

size_t port_count(const EvalContext& scene);
const emulator::PortCounters& port_counters(const EvalContext& scene, size_t port);

/// One thing in the machine. An engine of -1 is that of Location; a context of -1 that of Location if the engine is the
/// same one, and otherwise the executing one (0 when none is).
struct StateRef {
  enum class Kind : uint8_t {
    constant,
    symbol,  ///< a register by name: the live range at the PC says where it is
    gpr_a,
    gpr_b,  ///< physical 0-127
    local_memory,
    csr,
    pc,
    state,
    signals,
    named_signal,
    instructions,
    scratch,
    sram,
    dram,
    cap,
    msf,  ///< `number` is the address
    rbuf,
    tbuf,
    rfifo,
    tfifo,  ///< media buffers: `number` is the byte in it
    ring_count,
    ring_size,
    ring_head,
    ring_tail,
    port_received,
    port_transmitted,
    port_lost,
    figure,
    cycle,
    tick,
    nanoseconds,
    engine_number,
    context_number,
  } kind = Kind::constant;
  int engine = -1, context = -1;
  int64_t number = 0;                                       ///< register, address, port, ring, value or Figure
  std::string name;                                         ///< as written, for messages
  std::string symbol;                                       ///< symbols and signals: the name in the Image
  bool write_side = false;                                  ///< transfer registers: "$x.out"
  std::vector<std::vector<const image::Register*>> ranges;  ///< symbols: live ranges, by engine
  /// What the name of a symbol means where no microengine is known, or its program has no such register: a figure of
  /// the run or a constant. Null: nothing.
  std::shared_ptr<const StateRef> elsewhere;
};

/// The place that `name` means. `index` is what stands in [] after it, if anything does; the address of a memory may
/// be given later as Place::number. Diagnostics: inspect-name, with the nearest name.
Result<StateRef> resolve(const EvalContext& scene, std::string_view name, std::optional<int64_t> index, bool indexed,
                         const Location& where);

/// The live range that the register has at `pc`: the one that holds it there, or the one whose last use is just after.
/// Transfer registers have two sides. Null when there is none.
const image::Register* live_range(const std::vector<const image::Register*>& ranges, uint32_t pc, bool write_side);

/// True for names after which [expression] is an address or number: memories and lm.
bool takes_index(std::string_view name);

/// Diagnostics: inspect-dead (a register that holds nothing at the PC), inspect-name (an address outside the memory).
Result<int64_t> read(const EvalContext& scene, const StateRef& place, const Location& where);
/// Where a register or a longword of local memory is now. Diagnostics: those of read(), and inspect-fixed for other
/// places.
Result<uint32_t*> register_slot(const EvalContext& scene, const StateRef& place, const Location& where);
/// What can be known of a write before it is made. Diagnostics: inspect-fixed (what cannot be written), inspect-name (a
/// register of no microengine).
Result<bool> check_write(const StateRef& place, const Location& where);
/// Those of check_write() and read(). Call wake() afterwards.
Result<bool> write(const EvalContext& scene, const StateRef& place, const Location& where, uint32_t word);

}  // namespace weft::workbench
