#include "media/ready_bus.h"

#include <bit>

namespace weft::emulator {

Tick ReadyBus::last_look(Side side, unsigned port, Tick now) const {
  if (!runs()) return 0;
  Tick last = 0;
  for (unsigned i = 0; i < steps() && i < 12; ++i) {
    const uint32_t code = state_.program[i / 4] >> (8 * (i % 4)) & 0xff;
    if (code >> 4 != static_cast<uint32_t>(side) || (code & 15) != port / 8) continue;
    const Tick first = state_.begin + (i + 1) * step_;
    if (now > first) last = std::max(last, first + (now - 1 - first) / loop() * loop());
  }
  return last;
}

bool ReadyBus::flag(Side side, unsigned port, Tick now) const {
  const ReadyLine& line = lines(side)[port];
  return last_look(side, port, now) > line.changed ? line.level : line.shown;
}

uint32_t ReadyBus::flags(Side side, unsigned first, Tick now) const {
  uint32_t out = 0;
  for (unsigned eighth = 0; eighth < 4; ++eighth) {
    const unsigned begin = first + 8 * eighth;
    auto rest = static_cast<unsigned>(ports_ >> begin & 0xff);
    if (rest == 0) continue;
    const Tick look = last_look(side, begin, now);  // one step reads all eight
    for (; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(rest));
      const ReadyLine& line = lines(side)[begin + i];
      out |= uint32_t{look > line.changed ? line.level : line.shown} << (8 * eighth + i);
    }
  }
  return out;
}

void ReadyBus::set_line(Side side, unsigned port, bool level, Tick now) {
  ReadyLine& line = lines(side)[port];
  if (line.level == level) return;
  line.shown = flag(side, port, now);
  line.level = level;
  line.changed = now;
}

uint32_t ReadyBus::loops(Tick now) const {
  return runs() && now > state_.begin ? static_cast<uint32_t>((now - state_.begin) / loop()) : 0;
}

void ReadyBus::freeze(Tick now) {
  for (const Side side : {Side::receive, Side::transmit}) {
    for (unsigned port = 0; port < 64; ++port) {
      ReadyLine& line = lines(side)[port];
      line.shown = flag(side, port, now);
      line.changed = std::max(line.changed, now);
    }
  }
  state_.count += loops(now);
  state_.begin = now;
}

void ReadyBus::set_program(unsigned word, uint32_t value, Tick now) {
  freeze(now);
  state_.program[word] = value;
}

void ReadyBus::set_control(uint32_t value, Tick now) {
  freeze(now);
  state_.control = value;
}

void ReadyBus::set_rest(uint32_t value, Tick now) {
  freeze(now);
  state_.rest = value;
}

void ReadyBus::hash(const ReadyBusState& state, StateHash& hash) {
  hash.add_all(state.program);
  hash.add(state.control);
  hash.add(state.rest);
  hash.add(state.begin);
  hash.add(state.count);
  for (const auto* lines : {&state.receive, &state.transmit}) {
    for (const ReadyLine& line : *lines) {
      hash.add(line.level + 2 * line.shown);
      hash.add(line.changed);
    }
  }
}

}  // namespace weft::emulator
