#include "tcp_model.h"

#include <algorithm>

namespace weft::test {

namespace {

// Comparisons modulo 2^32.
bool before(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) < 0; }
bool after(uint32_t a, uint32_t b) { return before(b, a); }

constexpr uint32_t kMinAckWindow = 66'000;
constexpr uint8_t kMaxScale = 14;

uint32_t end_of(const Segment& s) { return s.sequence + s.length + (s.syn ? 1 : 0) + (s.fin ? 1 : 0); }

/// A SYN says everything about its sender anew.
void begin_side(TcpSide& side, const Segment& s) {
  side.heard = true;
  side.begin = s.sequence + 1;
  side.syn_end = side.end = side.maxend = end_of(s);
  side.maxwin = std::max<uint32_t>(s.window, 1);
  side.offers_scale = s.scale.has_value();
  side.scale = std::min(s.scale.value_or(0), kMaxScale);
}

/// "The window scale applies when both SYNs offered it."
void settle_scales(TcpConnection& c) {
  if (c.sides[0].offers_scale && c.sides[1].offers_scale) return;
  for (TcpSide& side : c.sides) side.scale = 0;
}

/// The next number that a side waits for: what it has acknowledged last, or else what stands after the SYN of the
/// other side.
uint32_t awaited(const TcpSide& side, const TcpSide& by) { return side.maxack.value_or(by.syn_end); }

/// An old ack takes nothing back.
void note_ack(TcpSide& sender, const TcpSide& receiver, const Segment& s) {
  if (!s.ack) return;
  if (after(s.acknowledgment, awaited(sender, receiver))) sender.maxack = s.acknowledgment;
}

/// RST: "not at the exact expected sequence number (closing states aside)" is refused. Expected is the number that
/// the receiver waits for, or where the sender itself has got to.
bool right_reset(const TcpConnection& c, const Segment& s, unsigned direction) {
  const TcpSide& sender = c.sides[direction];
  const TcpSide& receiver = c.sides[1 - direction];
  const bool opening = c.state == Tcp::syn_sent || c.state == Tcp::syn_sent2 || c.state == Tcp::syn_received;
  // Some stacks set ACK and leave the number 0: that says nothing.
  const bool says = s.ack && s.acknowledgment != 0;
  if (says && after(s.acknowledgment, receiver.end)) return false;
  // Who has sent nothing yet refuses a SYN: its ack must be of that SYN (RFC 793, 3.4).
  if (!sender.heard) return says && !before(s.acknowledgment, receiver.begin);
  if (s.sequence == sender.end) return true;
  if (!receiver.heard) return false;
  const uint32_t expected = awaited(receiver, sender);
  if (s.sequence == expected) return true;
  if (opening || c.state == Tcp::established) return false;
  return !before(s.sequence, expected) && !after(s.sequence, sender.maxend);
}

}  // namespace

SegmentClass class_of(const Segment& s) {
  if (s.rst) return SegmentClass::rst;
  if (s.syn) return s.ack ? SegmentClass::syn_ack : SegmentClass::syn;
  if (s.fin) return SegmentClass::fin;
  if (s.ack) return SegmentClass::ack;
  return SegmentClass::none;
}

bool valid_flags(const Segment& s) {
  if (s.syn) return !s.fin && !s.rst && !(s.ack && s.urg);
  if (s.rst) return !s.fin && !s.urg;
  return s.ack;
}

TableEntry table_entry(SegmentClass what, unsigned direction, Tcp state) {
  const TableEntry refuse{true, false, state}, ignore{false, true, state};
  const auto to = [](Tcp next) { return TableEntry{false, false, next}; };
  const bool initiator = direction == 0;
  if (state == Tcp::none) {
    if (initiator && what == SegmentClass::syn) return to(Tcp::syn_sent);
    return refuse;
  }
  const bool opening = state == Tcp::syn_sent || state == Tcp::syn_sent2;
  switch (what) {
    case SegmentClass::syn:
      if (initiator) {
        if (state == Tcp::syn_sent || state == Tcp::syn_sent2) return to(state);       // again
        if (state == Tcp::time_wait || state == Tcp::close) return to(Tcp::syn_sent);  // reopened
        return ignore;  // whoever has the connection answers with a challenge ACK
      }
      return opening ? to(Tcp::syn_sent2) : refuse;  // simultaneous open
    case SegmentClass::syn_ack:
      if (initiator) return state == Tcp::syn_sent2 || state == Tcp::syn_received ? to(Tcp::syn_received) : refuse;
      return opening ? to(Tcp::syn_received) : ignore;
    case SegmentClass::fin:
      switch (state) {
        case Tcp::syn_sent:
        case Tcp::syn_sent2: return refuse;
        case Tcp::syn_received:
        case Tcp::established: return to(Tcp::fin_wait);
        case Tcp::fin_wait:
        case Tcp::close_wait:
        case Tcp::last_ack: return to(Tcp::last_ack);
        default: return to(state);
      }
    case SegmentClass::ack:
      switch (state) {
        case Tcp::syn_sent:
        case Tcp::syn_sent2: return initiator ? refuse : ignore;
        case Tcp::syn_received: return initiator ? to(Tcp::established) : to(Tcp::syn_received);
        case Tcp::fin_wait: return to(Tcp::close_wait);
        case Tcp::last_ack: return to(Tcp::time_wait);
        default: return to(state);
      }
    case SegmentClass::rst: return to(Tcp::close);
    case SegmentClass::none: return refuse;
  }
  return refuse;
}

TcpVerdict inspect(TcpConnection& c, const Segment& s, unsigned direction, const TcpRules& rules) {
  if (!valid_flags(s)) return TcpVerdict::refused;
  const SegmentClass what = class_of(s);
  const TableEntry entry = table_entry(what, direction, c.state);
  if (entry.refuse) return TcpVerdict::refused;
  if (entry.ignore) return TcpVerdict::ignored;

  if (what == SegmentClass::syn && direction == 0 &&
      (c.state == Tcp::none || c.state == Tcp::time_wait || c.state == Tcp::close)) {
    c = {};
    begin_side(c.sides[0], s);
    c.state = Tcp::syn_sent;
    return TcpVerdict::passed;
  }
  TcpSide& sender = c.sides[direction];
  TcpSide& receiver = c.sides[1 - direction];
  if (what == SegmentClass::rst) {
    if (!right_reset(c, s, direction)) return TcpVerdict::refused;
    c.state = Tcp::close;
    return TcpVerdict::passed;
  }
  // The first segment of a side has no past to be compared with; an ack that comes with it must be of the SYN that it
  // answers. The initiator may begin anew with a higher number as long as nobody has answered.
  const bool again =
      what == SegmentClass::syn && c.state == Tcp::syn_sent && direction == 0 && after(end_of(s), sender.end);
  if (!sender.heard && !s.syn) return TcpVerdict::refused;  // a side begins with a SYN
  if (!sender.heard || again) {
    if (s.ack && (before(s.acknowledgment, receiver.begin) || after(s.acknowledgment, receiver.end)))
      return TcpVerdict::refused;
    begin_side(sender, s);
    if (receiver.heard) settle_scales(c);
    if (s.ack) sender.maxack = s.acknowledgment;
    if (s.ack) receiver.maxend = s.acknowledgment + sender.maxwin;
    c.state = entry.next;
    return TcpVerdict::passed;
  }

  uint32_t first = s.sequence, end = end_of(s);
  if (first == end) first = end = sender.end;  // without data: by its ack only
  const uint32_t ack = s.ack ? s.acknowledgment : receiver.end;
  const uint32_t sack = s.sack_right && after(*s.sack_right, ack) ? *s.sack_right : ack;
  const bool a = !after(rules.strict ? end : first, sender.maxend);
  const bool b = !before(end, sender.end - receiver.maxwin);
  const bool right = !after(sack, receiver.end);
  const bool d = !before(sack, receiver.end - std::max(sender.maxwin, kMinAckWindow));
  if (!a || !b || !right || !d) {
    if (rules.strict) return TcpVerdict::refused;
    if (!right) return TcpVerdict::refused;
    if (!a) {
      if (!b || !d || end - sender.maxend > receiver.maxwin) return TcpVerdict::refused;
      // Linux since 2022: only the upper edge, by at most a window.
      if (after(end, sender.end)) sender.end = end;
      c.state = entry.next;
      return TcpVerdict::passed;
    }
    return TcpVerdict::ignored;  // old data or an old ack
  }
  const uint32_t window = s.syn ? s.window : uint32_t{s.window} << sender.scale;
  sender.maxwin = std::max(sender.maxwin, window + (sack - ack));
  if (after(end, sender.end)) sender.end = end;
  note_ack(sender, receiver, s);
  if (after(end, sender.maxend)) receiver.maxwin += end - sender.maxend;  // it took more than it had promised
  const uint32_t allowed = sack + std::max<uint32_t>(window, 1);
  if (after(allowed, receiver.maxend)) receiver.maxend = allowed;
  c.state = entry.next;
  return TcpVerdict::passed;
}

}  // namespace weft::test
