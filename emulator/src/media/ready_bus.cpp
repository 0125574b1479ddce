#include "media/ready_bus.h"

#include <algorithm>
#include <bit>

namespace weft::emulator {

ReadyBus::Place ReadyBus::place_before(Tick now) const {
  if (!runs() || now <= state_.begin) return {};
  const Tick elapsed = now - 1 - state_.begin, into = elapsed % loop();
  return {true, into != elapsed, state_.begin + elapsed - into, into};
}

void ReadyBus::refresh() {
  for (const Side side : {Side::receive, Side::transmit}) {
    Summary& out = summary(side);
    out = {};
    for (unsigned port = 0; port < 64; ++port) {
      const ReadyLine& line = lines(side)[port];
      out.levels |= uint64_t{line.level} << port;
      out.changed[port / 8] = std::max(out.changed[port / 8], line.changed);
    }
    out.changed_last = *std::max_element(out.changed.begin(), out.changed.end());
    for (unsigned i = 0; i < std::min(12u, steps()); ++i) {
      const uint32_t code = state_.program[i / 4] >> (8 * (i % 4)) & 0xff;
      if (code >> 4 != static_cast<uint32_t>(side) || (code & 15) >= out.changed.size()) continue;
      out.steps[out.count++] = {static_cast<uint8_t>(code & 15), (i + 1) * step_};
      out.read |= uint64_t{0xff} << 8 * (code & 15);
    }
  }
}

// One walk through the program for all eighths: later steps of a loop are later looks.
std::array<Tick, 8> ReadyBus::last_looks(Side side, const Place& place) const {
  std::array<Tick, 8> last{};
  if (!place.started) return last;
  const Summary& s = summary(side);
  for (unsigned i = 0; i < s.count; ++i) {
    const auto [eighth, end] = s.steps[i];
    if (end <= place.into)
      last[eighth] = std::max(last[eighth], place.loop_start + end);
    else if (place.again)
      last[eighth] = std::max(last[eighth], place.loop_start - loop() + end);
  }
  return last;
}

uint32_t ReadyBus::flags(Side side, unsigned first, Tick now) const {
  const Summary& s = summary(side);
  const auto asked = static_cast<uint32_t>(ports_ >> first);
  // A whole loop has gone by since the last change, so that every step has read the lines as they are.
  if (runs() && now > state_.begin + loop() && s.changed_last + loop() < now &&
      (asked & ~static_cast<uint32_t>(s.read >> first)) == 0)
    return static_cast<uint32_t>(s.levels >> first) & asked;
  uint32_t out = 0;
  const std::array<Tick, 8> looks = last_looks(side, place_before(now));
  for (unsigned eighth = 0; eighth < 4; ++eighth) {
    const unsigned begin = first + 8 * eighth;
    auto rest = static_cast<unsigned>(ports_ >> begin & 0xff);
    if (rest == 0) continue;
    const Tick look = looks[begin / 8 & 7];  // one step reads all eight
    if (look > s.changed[begin / 8 & 7]) {
      out |= static_cast<uint32_t>(s.levels >> begin & rest) << 8 * eighth;
      continue;
    }
    for (; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(rest));
      const ReadyLine& line = lines(side)[begin + i];
      out |= uint32_t{flag(line, look)} << (8 * eighth + i);
    }
  }
  return out;
}

bool ReadyBus::flag(Side side, unsigned port, Tick now) const {
  return flag(lines(side)[port], last_looks(side, place_before(now))[port / 8 & 7]);
}

void ReadyBus::set_line(Side side, unsigned port, bool level, Tick now) {
  ReadyLine& line = lines(side)[port];
  if (line.level == level) return;
  line.shown = flag(side, port, now + 1);  // a step that ends now has read the line as it was
  line.level = level;
  line.changed = now;
  Summary& s = summary(side);
  s.levels ^= uint64_t{1} << (port & 63);
  s.changed[port / 8 & 7] = std::max(s.changed[port / 8 & 7], now);
  s.changed_last = std::max(s.changed_last, now);
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
  refresh();
}

void ReadyBus::set_control(uint32_t value, Tick now) {
  freeze(now);
  state_.control = value;
  refresh();
}

void ReadyBus::set_rest(uint32_t value, Tick now) {
  freeze(now);
  state_.rest = value;
  refresh();
}

}  // namespace weft::emulator
