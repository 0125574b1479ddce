#include "media/ready_bus.h"

#include <bit>

namespace weft::emulator {

ReadyBus::Place ReadyBus::place_before(Tick now) const {
  if (!runs() || now <= state_.begin) return {};
  const Tick elapsed = now - 1 - state_.begin, into = elapsed % loop();
  return {true, into != elapsed, state_.begin + elapsed - into, into};
}

Tick ReadyBus::last_look(Side side, unsigned port, const Place& place) const {
  if (!place.started) return 0;
  const uint32_t wanted = static_cast<uint32_t>(side) << 4 | port / 8;
  Tick last = 0;
  for (unsigned i = 0; i < steps() && i < 12; ++i) {
    if ((state_.program[i / 4] >> (8 * (i % 4)) & 0xff) != wanted) continue;
    const Tick end = (i + 1) * step_;  // in the loop
    if (end <= place.into)
      last = std::max(last, place.loop_start + end);
    else if (place.again)
      last = std::max(last, place.loop_start - loop() + end);
  }
  return last;
}

bool ReadyBus::flag(Side side, unsigned port, Tick now) const {
  return flag(lines(side)[port], last_look(side, port, place_before(now)));
}

uint32_t ReadyBus::flags(Side side, unsigned first, Tick now) const {
  uint32_t out = 0;
  const Place place = place_before(now);
  for (unsigned eighth = 0; eighth < 4; ++eighth) {
    const unsigned begin = first + 8 * eighth;
    auto rest = static_cast<unsigned>(ports_ >> begin & 0xff);
    if (rest == 0) continue;
    const Tick look = last_look(side, begin, place);  // one step reads all eight
    for (; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(rest));
      const ReadyLine& line = lines(side)[begin + i];
      out |= uint32_t{flag(line, look)} << (8 * eighth + i);
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

}  // namespace weft::emulator
