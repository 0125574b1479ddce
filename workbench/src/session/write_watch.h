// Looks for writes of one thing while a run is gone through: a longword of a memory or media buffer, a register, a CSR.
#pragma once

#include <map>
#include <optional>

#include "inspect/names.h"
#include "weft/emulator/writes.h"
#include "weft/workbench/writer.h"

namespace weft::workbench {

/// What is looked for, fixed at the moment of the question: a register by name is that of its live range there.
struct Spot {
  enum class Kind : uint8_t { memory, buffer, slot, local_csr, cap, msf } kind = Kind::memory;
  unsigned chip = 0;
  StateRef place;
  Location where;
  emulator::MemorySpace space{};
  emulator::MediaBuffer buffer{};
  unsigned channel = 0;
  uint64_t address = 0;            ///< bytes
  const uint32_t* slot = nullptr;  ///< in the state of `engine`
  unsigned engine = 0, context = 0;
};
/// Diagnostics: writer-place, and those of read().
Result<Spot> spot_of(const EvalContext& scene, const StateRef& place, const Location& where);

class WriteWatch final : public emulator::Observer {
 public:
  WriteWatch(const EvalContext& scene, const Spot& spot, bool stop_at_first)
      : scene_(scene), spot_(spot), stop_at_first_(stop_at_first) {
    look();
  }

  /// The last write that was seen, or the first one.
  const std::optional<Writer>& found() const { return found_; }
  /// Its command, when that was issued before the watch began: who sent it must be looked for there.
  const std::optional<emulator::Command>& unknown_sender() const { return unknown_sender_; }
  /// Something was pushed into the register that was sent off before the watch began: it must begin earlier.
  bool begun_before() const { return found_ && begun_before_; }
  /// Where the machine stood directly after it.
  emulator::Position behind() const { return behind_; }
  /// The present value is the one to compare with.
  void look() { known_ = value(); }
  void edited(uint32_t before);

  void on_execute(emulator::ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_issue(const emulator::Command& command) override;
  void on_serve(const emulator::Command& command, emulator::Tick at) override;
  void on_core(isa::Unit serves, bool write, uint32_t address, unsigned count, emulator::Tick at) override;
  void on_host_ring(unsigned ring, bool put, uint32_t word) override;
  void on_media(const emulator::MediaEvent& event) override;
  void on_push(emulator::ContextRef to, bool d, unsigned number, uint32_t value, emulator::Tick at) override;
  bool wants_stop() const override;

 private:
  struct Sent {
    uint16_t pc = 0;
    uint64_t cycle = 0;
  };
  uint32_t value() const;
  uint64_t cycle_of(emulator::Tick at) const { return at / scene_.machine->timing().period; }
  bool hits(const std::vector<emulator::Extent>& extents) const;
  bool hits_register(const emulator::Command& command) const;
  /// Where a command that is served now takes the longword of the spot from.
  std::vector<Source> data_of(const emulator::Command& command, emulator::Tick at) const;
  void wrote(Writer writer, std::optional<emulator::Command> unknown = std::nullopt) const;
  void by_command(const emulator::Command& command, emulator::Tick at, std::string how, std::vector<Source> data);
  void by_control(emulator::Tick at, std::string how) const;
  Writer by_instruction(emulator::ContextRef who, uint16_t pc, uint64_t cycle, std::string how) const;

  const EvalContext& scene_;
  const Spot& spot_;
  bool stop_at_first_;
  std::map<uint64_t, Sent> sent_;  ///< by sequence: commands that are not served yet
  struct Answering {
    emulator::Command command;
    emulator::Moved moved;
    Instant served = 0;
  };
  std::map<uint64_t, Answering> answering_;  ///< served, and their data may go to the register
  struct Last {
    emulator::ContextRef who;
    uint16_t pc = 0;
    uint64_t cycle = 0;
  };
  std::optional<Last> last_;  ///< executed in the engine of the spot
  struct RingPuts {
    uint32_t tail = 0, told = 0;
  };
  std::map<unsigned, RingPuts> puts_;  ///< in this event
  // wants_stop() is asked after every event.
  mutable std::optional<Writer> found_, fresh_;
  mutable std::optional<emulator::Command> unknown_sender_;
  mutable uint32_t known_ = 0;
  mutable emulator::Position behind_;
  mutable bool begun_before_ = false;
  mutable bool strange_push_ = false;                     ///< the write that is not taken yet is such a one
  std::map<std::pair<unsigned, unsigned>, bool> handed_;  ///< context and register that get a status
  mutable uint64_t csr_written_ = ~uint64_t{0};           ///< cycle of a write that is not seen yet
  mutable bool event_over_ = true;
};

/// Finds the instruction that sends a command, by its sequence.
class SenderWatch final : public emulator::Observer {
 public:
  SenderWatch(const emulator::Machine& machine, uint64_t sequence) : machine_(machine), sequence_(sequence) {}
  void on_issue(const emulator::Command& command) override;
  bool wants_stop() const override { return found_; }
  bool found() const { return found_; }
  uint16_t pc() const { return pc_; }

 private:
  const emulator::Machine& machine_;
  uint64_t sequence_;
  bool found_ = false;
  uint16_t pc_ = 0;
};

/// "sram[write] of 4 longwords".
std::string command_text(const emulator::Command& command);

/// File and line of a word.
void set_place(const EvalContext& scene, Writer& writer);

}  // namespace weft::workbench
