// Registers, commands and time of the MSF; receive.cpp and transmit.cpp have the data paths.
#include "media/msf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace weft::emulator {

Msf::Msf(const MsfDescription& description, const MediaBusDescription& media, const std::vector<PortDescription>& ports,
         const std::vector<LinkEndDescription>& links, const ChipDescription& chip, Bus& bus)
    : UnitModel("msf", description.timing, chip.engine.period, bus),
      description_(description),
      media_(media),
      engines_(chip.engines) {
  for (const PortDescription& port : ports) ports_.emplace_back(port);
  for (const LinkEndDescription& link : links) links_.emplace_back(link);
  const uint32_t size = media.mpacket_bytes == 256 ? 2 : media.mpacket_bytes == 128 ? 1 : 0;
  state_.registers[0] = state_.registers[1] = size << 2;
  if (media.enabled_at_start) {
    for (const PortDescription& port : ports) {
      state_.registers[0] |= 1u << (28 + port.channel);
      state_.registers[1] |= 1u << (28 + port.channel);
    }
    for (const LinkEndDescription& link : links)
      if (link.channel <= 3) state_.registers[link.sends ? 1 : 0] |= 1u << (28 + link.channel);
    for (uint32_t e = 0; e < rbuf_elements(); ++e) free_element(e);
  }
  if (const size_t count = ports_.size() + links_.size(); count != 0)
    state_.last_port = static_cast<uint8_t>(count - 1);
}

Tick Msf::bus_time(uint32_t bytes) const {
  return ((bytes + media_.bytes_per_clock - 1) / media_.bytes_per_clock + media_.overhead_clocks) * media_.period;
}

Tick Msf::timeout_due(unsigned list) const {
  const uint32_t cycles_allowed = state_.registers[(msf::kRxFreelistTimeout + 4 * list) / 4];
  if (cycles_allowed == 0 || state_.waiting[list].empty()) return kNever;
  return std::max(state_.waiting[list].front().since, state_.last_push[list]) + cycles(cycles_allowed);
}

Tick Msf::first_timeout() const {
  const uint32_t* const timeouts = state_.registers.data() + msf::kRxFreelistTimeout / 4;
  if ((timeouts[0] | timeouts[1] | timeouts[2]) == 0) return kNever;
  return std::min({timeout_due(0), timeout_due(1), timeout_due(2)});
}

Tick Msf::next_event() const {
  Tick next = ports_next();
  for (const LinkEnd& link : links_) next = std::min(next, link.next_event());
  return std::min({next, first_timeout(), state_.receive.end, state_.transmit.end});
}

Tick Msf::ports_next() const {
  if (ports_known_) return ports_next_;
  ports_next_ = kNever;
  for (const Port& port : ports_) ports_next_ = std::min(ports_next_, port.next_event());
  ports_known_ = true;
  return ports_next_;
}

void Msf::advance(Tick now) {
  if (ports_next() <= now)
    for (Port& port : ports_)
      if (port.next_event() <= now) run_port(port, now);
  for (LinkEnd& link : links_)
    if (link.next_event() <= now) run_link(link, now);
  if (state_.receive.end <= now) end_receive(now);
  if (state_.transmit.end <= now) end_transmit(now);
}

void Msf::settle(Tick now) {
  pump(now);
  if (first_timeout() > now) return;
  for (unsigned list = 0; list < 3; ++list)
    if (timeout_due(list) <= now) push_status(list, {msf::kStatusNull, 0}, now);
}

void Msf::tell(MediaEvent::Kind kind, const Port& port, Tick now, std::string_view cause,
               const std::vector<uint8_t>* bytes) const {
  MediaEvent event;
  event.kind = kind;
  event.port = static_cast<uint8_t>(port.description().number);
  event.cause = cause;
  event.bytes = bytes;
  if (bytes != nullptr) event.length = static_cast<uint32_t>(bytes->size());
  event.damaged = kind == MediaEvent::Kind::arrived && port.state().received.back().damaged;
  event.at = now;
  bus_.watcher->on_media(event);
}

void Msf::run_port(Port& port, Tick now) {
  may_start_ |= kReceive | kTransmit;
  ports_known_ = false;
  if (bus_.watcher == nullptr) return port.run(now, receive_enabled(port));
  const PortCounters before = port.state().counters;
  const SharedBytes arriving = port.state().arriving, sending = port.state().sending;
  port.run(now, receive_enabled(port));
  const PortCounters& after = port.state().counters;
  using Kind = MediaEvent::Kind;
  if (after.accepted_frames != before.accepted_frames) tell(Kind::arrived, port, now, {}, arriving.get());
  if (after.lost_overflow != before.lost_overflow) tell(Kind::lost_in, port, now, "mac-full", arriving.get());
  if (after.lost_disabled != before.lost_disabled) tell(Kind::lost_in, port, now, "channel-disabled", arriving.get());
  if (after.lost_length != before.lost_length) tell(Kind::lost_in, port, now, "too-long", arriving.get());
  if (after.transmitted_frames != before.transmitted_frames) tell(Kind::sent, port, now, {}, sending.get());
}

/// Observers count links on after the ports.
void Msf::tell(MediaEvent event, const LinkEnd& link, Tick now) const {
  event.port = static_cast<uint8_t>(ports_.size() + static_cast<size_t>(&link - links_.data()));
  event.at = now;
  bus_.watcher->on_media(event);
}

void Msf::run_link(LinkEnd& link, Tick now) {
  const size_t before = link.state().stored.size();
  link.run(now);
  if (bus_.watcher == nullptr) return;
  for (size_t i = before; i < link.state().stored.size(); ++i) {
    const LinkPart& part = link.state().stored[i];
    if (!part.sop) continue;
    MediaEvent event;
    event.kind = MediaEvent::Kind::arrived;
    event.bytes = part.bytes.get();
    event.length = static_cast<uint32_t>(part.bytes->size());
    tell(event, link, now);
  }
}

LinkEnd* Msf::link_of(unsigned channel) {
  const auto link = std::find_if(links_.begin(), links_.end(), [&](const LinkEnd& l) {
    return l.description().sends && l.description().channel == channel;
  });
  return link == links_.end() ? nullptr : &*link;
}

void Msf::pump(Tick now) {
  const unsigned may_start = links_.empty() ? may_start_ : kAnything;  // a link may send when its time has come
  may_start_ = 0;
  if ((may_start & kHandOut) != 0) hand_out(now);
  if ((may_start & kReceive) != 0) start_receive(now);
  if ((may_start & kTransmit) != 0) start_transmit(now);
}

namespace {

/// Registers, control words of TBUF and data; what lies between is that of other buses.
bool is_modelled(uint32_t address) { return address < 256 || address >= msf::kTbufControl; }
/// The datum is in the upper half of the address.
bool has_datum_in_address(const Command& command) { return traits_of(command.op).xfer == isa::XferUse::none; }
unsigned words(const Command& command) { return std::max(1u, UnitModel::longwords(command)); }
std::string not_modelled(uint32_t address) { return fmt::format("MSF address {:#x} is not modelled", address); }

}  // namespace

bool Msf::is_private(const Command& command) const { return traits_of(command.op).access == isa::Access::media_read; }

// Data of TBUF.
bool Msf::fills_buffers(const Command& command) const {
  if (is_private(command)) return false;
  const uint32_t first = command.address & (has_datum_in_address(command) ? 0xfffc : 0x3ffc);
  return first + 4 * words(command) > msf::kBufferData;
}

Times Msf::plan(const Command& command, Tick arrival, PlanUndo& undo) {
  undo.was[0] = state_.free;
  const Tick word = cycles(description_.clock_divider);
  Times out;
  out.start = std::max(arrival, state_.free);
  out.busy = words(command) * word;
  out.at = done(out.start, out.busy - word);
  state_.free = out.start + out.busy;
  return out;
}

void Msf::perform(Service& service) {
  using isa::InsnId;
  const Command& command = service.command;
  const Tick start = service.times.start;
  const unsigned n = words(command);
  const uint32_t address = command.address & 0x3ffc;
  switch (command.op) {
    case InsnId::msf_read:
    case InsnId::msf_read64:
      for (unsigned i = 0; i < n; ++i) {
        if (!is_modelled(address + 4 * i)) fault(not_modelled(address + 4 * i));
        service.data()[i] = read_register(address + 4 * i);
      }
      return service.answer(n);
    case InsnId::msf_write:
    case InsnId::msf_write64:
      for (unsigned i = 0; i < n; ++i) write_register(address + 4 * i, service.pull(i), start);
      break;
    case InsnId::msf_fast_wr: return write_register(command.address & 0xfffc, command.address >> 16, start);
    default: fault("a command that the MSF does not know");
  }
  service.answer();
}

ServedAtOnce Msf::read_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                               uint32_t* registers, Tick arrival) {
  auto& self = static_cast<Msf&>(unit);
  const unsigned longwords = word.longwords;
  const Tick start = std::max(arrival, self.state_.free);
  address &= 0x3ffc;
  if (start >= terms.until || longwords == 0) return {kNever, kNever};
  for (unsigned i = 0; i < longwords; ++i)
    if (!is_modelled(address + 4 * i)) return {kNever, kNever};
  for (unsigned i = 0; i < longwords; ++i) registers[i] = self.read_register(address + 4 * i);
  return self.occupied(start, longwords, terms);
}

ServedAtOnce Msf::occupied(Tick start, unsigned longwords, const AtOnceTerms& terms) {
  const Tick each = cycles(description_.clock_divider), busy = longwords * each;
  state_.free = start + busy;
  terms.counters->busy += busy;
  return {start, done(start, busy - each)};
}

// Several longwords only of control words, none of which can be wrong.
ServedAtOnce Msf::write_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                uint32_t* registers, Tick arrival) {
  auto& self = static_cast<Msf&>(unit);
  const unsigned longwords = word.longwords;
  const Tick start = std::max(arrival, self.state_.free);
  address &= 0x3ffc;
  if (start >= terms.until || longwords == 0 || address + 4 * longwords > msf::kBufferData ||
      (address < msf::kTbufControl && (longwords != 1 || !self.may_write_register(address, registers[0]))))
    return {kNever, kNever};
  for (unsigned i = 0; i < longwords; ++i) self.write_register(address + 4 * i, registers[i], start);
  terms.counters->longwords_written += longwords;
  return self.occupied(start, longwords, terms);
}

ServedAtOnce Msf::fast_wr_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord&, uint32_t address,
                                  uint32_t*, Tick arrival) {
  auto& self = static_cast<Msf&>(unit);
  const Tick start = std::max(arrival, self.state_.free);
  const uint32_t to = address & 0xfffc, value = address >> 16;
  if (start >= terms.until || !self.may_write_register(to, value)) return {kNever, kNever};
  self.write_register(to, value, start);
  return self.occupied(start, 1, terms);
}

ServeAtOnce Msf::at_once(isa::InsnId op) const {
  using isa::InsnId;
  switch (op) {
    case InsnId::msf_read:
    case InsnId::msf_read64: return &read_at_once;
    case InsnId::msf_write:
    case InsnId::msf_write64: return &write_at_once;
    case InsnId::msf_fast_wr: return &fast_wr_at_once;
    default: return nullptr;
  }
}

uint32_t Msf::read_register(uint32_t address) const {
  if (address >= msf::kBufferData) return state_.rbuf[address / 4 & 2047];
  if (address >= msf::kTbufControl) return state_.tbuf_control[(address - msf::kTbufControl) / 4 & 255];
  if (address >= msf::kTxSequence && address < msf::kTxSequence + 12) {
    const unsigned n = (address - msf::kTxSequence) / 4;
    const Partitions parts = tbuf_partitions();
    const auto begin = state_.tbuf_valid.begin() + (n < parts.count ? parts.first(n, tbuf_elements()) : 0);
    const auto end = n < parts.count ? state_.tbuf_valid.begin() + parts.first(n + 1, tbuf_elements()) : begin;
    const bool all_sent = begin == end || std::memchr(&*begin, 1, static_cast<size_t>(end - begin)) == nullptr;
    return state_.tx_sequence[n] | (all_sent ? 1u << 31 : 0);
  }
  return is_modelled(address) ? state_.registers[address / 4] : 0;
}

void Msf::write_register(uint32_t address, uint32_t value, Tick now) {
  if (address >= msf::kBufferData) {
    state_.tbuf[address / 4 & 2047] = value;
    return;
  }
  if (address >= msf::kTbufControl) return write_tbuf_control((address - msf::kTbufControl) / 4 & 255, value);
  if (address >= msf::kRxThreadFreelist && address < msf::kRxThreadFreelist + 12)
    return add_waiting((address - msf::kRxThreadFreelist) / 4, value, now);
  if (address == msf::kRbufElementDone) return free_element(value);
  if (address == msf::kTxValidate) {
    state_.tbuf_valid[value & 127] = true;
    may_start_ |= kTransmit;
    return;
  }
  if (address >= msf::kTxSequence && address < msf::kTxSequence + 12) return;  // read-only
  if (address >= msf::kRxFreelistTimeout && address < msf::kRxFreelistTimeout + 12)
    state_.last_push[(address - msf::kRxFreelistTimeout) / 4] = now;  // the timer starts here
  if (!is_modelled(address)) return fault(not_modelled(address));
  state_.registers[address / 4] = value;
  may_start_ = kAnything;
  if (address == msf::kRxControl) divide_rbuf();
}

bool Msf::may_write_register(uint32_t address, uint32_t value) const {
  if (address >= msf::kBufferData || !is_modelled(address)) return false;
  if (address == msf::kRbufElementDone) return value < rbuf_elements() && !state_.rbuf_free[value];
  if (address < msf::kRxThreadFreelist || address >= msf::kRxThreadFreelist + 12) return true;
  const unsigned list = (address - msf::kRxThreadFreelist) / 4;
  return is_list(list, freelist_entry(value, engines_)) && state_.waiting[list].size() < description_.freelist_depth;
}

bool Msf::idle() const {
  if (state_.receive.active || state_.transmit.active) return false;
  for (const auto& list : state_.full)
    if (!list.empty()) return false;
  if (std::any_of(state_.tbuf_valid.begin(), state_.tbuf_valid.end(), [](bool v) { return v; })) return false;
  return std::all_of(ports_.begin(), ports_.end(), [](const Port& port) { return port.idle(); }) &&
         std::all_of(links_.begin(), links_.end(), [](const LinkEnd& link) { return link.idle(); });
}

}  // namespace weft::emulator
