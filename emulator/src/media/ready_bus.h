// The ready-bus sequencer of the IXP1200: it walks through a program of up to twelve steps again and again, and each
// step copies the ready lines of eight ports into the flags that programs read. So flags are as old as the last step
// that read them. Nothing happens at a step but that copy, therefore flags are worked out when somebody looks.
#pragma once

#include <array>
#include <cstdint>

#include "weft/base/fields.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

struct ReadyLine {
  bool level = false;  ///< of the line, since `changed`
  bool shown = false;  ///< the flag as it stood at `changed`
  Tick changed = 0;
  WEFT_FIELDS(ReadyLine, level, shown, changed)
};

struct ReadyBusState {
  std::array<uint32_t, 3> program{};  ///< RDYBUS_TEMPLATE_PROG1-3: four steps each, first in 7:0
  uint32_t control = 0;               ///< RDYBUS_TEMPLATE_CTL: 3:0 steps, 31 runs
  uint32_t rest = 0;                  ///< RDYBUS_SYNCH_COUNT_DEFAULT: steps without action after each loop
  Tick begin = 0;                     ///< of the first loop
  uint32_t count = 0;                 ///< RCV_RDY_CNT at `begin`
  std::array<ReadyLine, 64> receive{}, transmit{};
  WEFT_FIELDS(ReadyBusState, program, control, rest, begin, count, receive, transmit)
};

class ReadyBus {
 public:
  enum class Side : uint8_t {
    receive = 1,
    transmit = 2
  };  ///< also bits 7:4 of a step; 3:0 of it are the eighth of ports

  ReadyBus(Tick step, ReadyBusState& state) : step_(step), state_(state) {}
  /// The state is another one.
  void refresh();

  /// Flags of other ports are never up.
  void add_port(unsigned port) { ports_ |= uint64_t{1} << (port & 63); }
  void set_line(Side side, unsigned port, bool level, Tick now);
  bool flag(Side side, unsigned port, Tick now) const;
  uint32_t flags(Side side, unsigned first, Tick now) const;
  /// Counts loops, modulo 2^32.
  uint32_t count(Tick now) const { return state_.count + loops(now); }
  void set_count(uint32_t value, Tick now) { state_.count = value - loops(now); }
  /// A new program starts with its first step; flags stay as they are until it reads them.
  void set_program(unsigned word, uint32_t value, Tick now);
  void set_control(uint32_t value, Tick now);
  void set_rest(uint32_t value, Tick now);

 private:
  unsigned steps() const { return state_.control & 15u; }
  bool runs() const { return (state_.control >> 31 & 1) != 0 && steps() != 0; }
  Tick loop() const { return (steps() + Tick{state_.rest & 0xffff}) * step_; }
  /// Where the sequencer is just before a moment.
  struct Place {
    bool started = false, again = false;  ///< the first loop has started; the loop is not the first
    Tick loop_start = 0, into = 0;        ///< of the loop it is in, and how far
  };
  Place place_before(Tick now) const;
  /// By eighth of ports: the end of the last step before the place that read it; 0 when there was none.
  std::array<Tick, 8> last_looks(Side side, const Place& place) const;
  /// What of the state is asked most, for one side.
  struct Summary {
    uint64_t levels = 0;            ///< of the lines, by port
    std::array<Tick, 8> changed{};  ///< the last change of a line, by eighth
    Tick changed_last = 0;          ///< of all
    uint64_t read = 0;              ///< ports that steps of the program read
    struct Step {
      uint8_t eighth = 0;
      Tick end = 0;  ///< in the loop
    };
    std::array<Step, 12> steps{};
    unsigned count = 0;
  };
  Summary& summary(Side side) { return summaries_[side == Side::receive ? 0 : 1]; }
  const Summary& summary(Side side) const { return summaries_[side == Side::receive ? 0 : 1]; }
  bool flag(const ReadyLine& line, Tick look) const { return look > line.changed ? line.level : line.shown; }
  uint32_t loops(Tick now) const;
  void freeze(Tick now);
  std::array<ReadyLine, 64>& lines(Side side) const { return side == Side::receive ? state_.receive : state_.transmit; }

  Tick step_;
  uint64_t ports_ = 0;
  ReadyBusState& state_;
  std::array<Summary, 2> summaries_;
};

}  // namespace weft::emulator
