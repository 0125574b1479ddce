#include "packet_service.h"

#include <algorithm>

#include "weft/control/layout.h"

namespace weft::control {

namespace {

/// The engines do not put on a ring that is so full (chip files: near_full_percent), and neither does the core: what is
/// left is for engines that have tested before the core has put.
constexpr uint32_t kFullLongwords = kRingLongwords * 3 / 4;

packet::Bytes octets(const std::vector<uint32_t>& longwords, size_t count) {
  packet::Bytes out;
  out.reserve(longwords.size() * 4);
  for (const uint32_t w : longwords) packet::put32(out, w);
  out.resize(std::min(out.size(), count));
  return out;
}

std::vector<uint32_t> longwords(const packet::Bytes& bytes) {
  std::vector<uint32_t> out((bytes.size() + 3) / 4, 0);
  for (size_t i = 0; i < bytes.size(); ++i) out[i / 4] |= uint32_t{bytes[i]} << (24 - i % 4 * 8);
  return out;
}

/// The router as a packet sees it whose destination is translated: where the station is that it is for.
class TranslatedView final : public RouterView {
 public:
  TranslatedView(const RouterView& router, uint32_t written, uint32_t meant)
      : router_(router), written_(written), meant_(meant) {}
  const std::vector<LinkView>& links() const override { return router_.links(); }
  HopView lookup(uint32_t address) const override {
    if (address != written_) return router_.lookup(address);
    HopView hop = router_.lookup(meant_);
    if (!hop.gateway) hop.gateway = meant_;
    return hop;
  }
  HopView lookup6(const packet::Ipv6Address& address) const override { return router_.lookup6(address); }
  bool martians() const override { return router_.martians(); }

 private:
  const RouterView& router_;
  uint32_t written_, meant_;
};

/// The IPv4 destination of an untagged or tagged frame.
std::optional<uint32_t> destination_of(const packet::Bytes& frame) {
  const size_t network = frame.size() > 14 && packet::get16(frame, 12) == 0x8100 ? 18 : 14;
  if (frame.size() < network + 20 || packet::get16(frame, network - 2) != 0x0800) return std::nullopt;
  return packet::get32(frame, network + 16);
}

Access ring(Access::Kind kind, uint32_t number, uint32_t count, std::vector<uint32_t> values = {}) {
  return {kind, image::Region::scratch, number, count, std::move(values)};
}

}  // namespace

void PacketService::ask_for_message(Reaction& out) {
  out.accesses.push_back(ring(Access::Kind::ring_get, kCoreRing, kCoreMessageLongwords));
  waits_ = Waits::message;
}

Reaction PacketService::results(const Event& event, const RouterView& router) {
  switch (std::exchange(waits_, Waits::nothing)) {
    case Waits::message: return message(event.results);
    case Waits::frame: return frame(event, router);
    case Waits::room: return room(event.results);
    case Waits::written: return written();
    case Waits::retry: return retry(event);
    case Waits::nothing: break;
  }
  return {};
}

Reaction PacketService::message(const std::vector<uint32_t>& values) {
  if (values.size() < kCoreMessageLongwords || values[0] == 0) return {};  // the ring is empty
  std::copy_n(values.begin(), kCoreMessageLongwords, message_.begin());
  ++packets_;
  spare_ = buffer_of(message_[0], options_.buffer_bytes);
  // What a firewall's engines leave to the core is not an answer: packets of its stations that are on their way.
  const auto reason = static_cast<Reason>(message_[2] % kReasons);
  const bool on_its_way = options_.guarded && (reason == Reason::to_fragment || reason == Reason::fragment_early);
  if (!options_.answers && !on_its_way) {
    count("counted", false);
    Reaction out{options_.cycles_per_packet, {}, false};
    next_frame(out);
    return out;
  }
  waits_ = Waits::frame;
  const uint32_t start = message_[0] & ~3u;
  const uint32_t bytes = std::min(message_[1] & 0xffff, spare_ + options_.buffer_bytes - start);
  return {0, {{Access::Kind::read, image::Region::dram, start, std::max(1u, (bytes + 3) / 4), {}}}, false};
}

Reaction PacketService::frame(const Event& event, const RouterView& router) {
  const packet::Bytes bytes = octets(event.results, message_[1] & 0xffff);
  const auto reason = static_cast<Reason>(message_[2] % kReasons);
  if (options_.guarded && reason == Reason::fragment_early) return hold(event, bytes);
  if (options_.guarded && reason == Reason::to_fragment) {
    Answer cut = fragment(router, bytes);
    count(outcome_name(cut.outcome), refused(cut.outcome));
    leaving_.assign(std::make_move_iterator(cut.frames.begin()), std::make_move_iterator(cut.frames.end()));
    Reaction out{options_.cycles_per_packet, {}, false};
    next_frame(out);
    return out;
  }
  const uint32_t meant = options_.guarded ? message_[3] : 0;
  const TranslatedView translated(router, destination_of(bytes).value_or(meant), meant);
  Answer found = answer(meant != 0 ? translated : router, port(), reason, bytes, answer_state_, event.nanoseconds);
  if (options_.guarded && (found.outcome == Outcome::forwarded || found.outcome == Outcome::fragmented)) {
    found.frames.clear();
    count("not_forwarded", true);
  } else {
    count(outcome_name(found.outcome), refused(found.outcome));
  }
  learnt_.insert(learnt_.end(), found.learnt.begin(), found.learnt.end());
  leaving_.assign(std::make_move_iterator(found.frames.begin()), std::make_move_iterator(found.frames.end()));
  Reaction out{options_.cycles_per_packet, {}, false};
  next_frame(out);
  return out;
}

/// Room on the ring of the next frame, and a buffer when there is none in hand; or the end of this message.
void PacketService::next_frame(Reaction& out) {
  if (leaving_.empty()) {
    if (spare_ != 0) out.accesses.push_back(ring(Access::Kind::ring_put, kFreeRing, 0, {std::exchange(spare_, 0)}));
    return ask_for_message(out);
  }
  out.accesses.push_back(ring(Access::Kind::ring_count, kTransmitRing + leaving_.front().port % kPorts, 1));
  if (spare_ == 0) out.accesses.push_back(ring(Access::Kind::ring_get, kFreeRing, 1));
  waits_ = Waits::room;
}

Reaction PacketService::room(const std::vector<uint32_t>& values) {
  Reaction out;
  if (values.empty()) return out;
  if (spare_ == 0) spare_ = values.size() > 1 ? values[1] : 0;
  const OutgoingFrame& next = leaving_.front();
  Lost lost = Lost::sent;
  if (spare_ == 0)
    lost = Lost::no_buffer;
  else if (values[0] >= kFullLongwords)
    lost = Lost::transmit_ring_full;
  else if (next.bytes.size() + kFrameStart > options_.buffer_bytes)
    lost = Lost::too_long;
  if (lost != Lost::sent) {
    ++frames_[{next.port, lost}];
    leaving_.pop_front();
    next_frame(out);
    return out;
  }
  out.accesses.push_back({Access::Kind::write, image::Region::dram, spare_ + kFrameStart, 0, longwords(next.bytes)});
  waits_ = Waits::written;
  return out;
}

/// The octets are in memory: only now may an engine hear of them.
Reaction PacketService::written() {
  const OutgoingFrame next = std::move(leaving_.front());
  leaving_.pop_front();
  ++frames_[{next.port, Lost::sent}];
  Reaction out;
  const uint32_t where = port() << 16 | static_cast<uint32_t>(next.bytes.size());
  std::vector<uint32_t> message{std::exchange(spare_, 0) + kFrameStart, where};
  message.resize(options_.transmit_longwords, 0);
  out.accesses.push_back(ring(Access::Kind::ring_put, kTransmitRing + next.port % kPorts, 0, std::move(message)));
  next_frame(out);
  return out;
}

// ---- later fragments that came first

/// Those whose fragments have gone on, or have been lost.
void PacketService::forget_early(uint64_t now) {
  std::erase_if(early_, [&](const auto& e) {
    return now - e.second.seen > kHeldBack && std::ranges::find(held_, e.first, &Held::of) == held_.end();
  });
}

Reaction PacketService::hold(const Event& event, const packet::Bytes& bytes) {
  const uint64_t now = event.nanoseconds;
  forget_early(now);
  const size_t network = bytes.size() > 14 && packet::get16(bytes, 12) == 0x8100 ? 18 : 14;
  Held held{{message_[0], message_[1]}, now, {}};
  bool waits = bytes.size() >= network + 20 && held_.size() < kHeldMost;
  if (waits) {
    held.of = {packet::get32(bytes, network + 12), packet::get32(bytes, network + 16),
               uint32_t{packet::get16(bytes, network + 4)} << 16 | bytes[network + 9]};
    Early& early = early_.try_emplace(held.of, Early{now, now}).first->second;
    early.seen = now;
    const uint64_t waited = now - early.since;
    waits = waited < options_.hold_nanoseconds;
    held.again = now + std::min(std::clamp(waited, kHeldFirst, kHeldLast), options_.hold_nanoseconds - waited);
  }
  if (!waits) {
    held.message[1] |= kLastTry;
    held.again = now;
  }
  count(waits ? "held" : "given_up", false);  // the engines count what becomes of it
  held_.push_back(held);
  spare_ = 0;  // its buffer stays its own
  Reaction out{options_.cycles_per_packet, {}, false};
  next_frame(out);
  return out;
}

std::vector<uint32_t> PacketService::kept_buffers() const {
  std::vector<uint32_t> out;
  for (const Held& h : held_) out.push_back(buffer_of(h.message[0], options_.buffer_bytes));
  if (spare_ != 0) out.push_back(spare_);
  return out;
}

std::optional<uint64_t> PacketService::due() const {
  if (held_.empty()) return std::nullopt;
  return std::ranges::min_element(held_, {}, &Held::again)->again;
}

Reaction PacketService::timer() {
  waits_ = Waits::retry;
  return {0, {ring(Access::Kind::ring_count, kForwardRing, 1)}, false};
}

/// Back to the ring where they came from, as far as it has room.
Reaction PacketService::retry(const Event& event) {
  uint32_t taken = event.results.empty() ? kFullLongwords : event.results[0];
  Reaction out;
  for (auto h = held_.begin(); h != held_.end();) {
    if (h->again > event.nanoseconds) {
      ++h;
    } else if (taken >= kFullLongwords) {
      (h++)->again = event.nanoseconds + kHeldFirst;
    } else {
      taken += kMessageLongwords;
      if (const auto early = early_.find(h->of); early != early_.end()) early->second.seen = event.nanoseconds;
      out.accesses.push_back(ring(Access::Kind::ring_put, kForwardRing, 0, {h->message[0], h->message[1]}));
      h = held_.erase(h);
    }
  }
  ask_for_message(out);  // an interrupt may have come meanwhile
  return out;
}

void PacketService::count(std::string_view outcome, bool dropped) {
  Tally& tally = counts_[{message_[2] % kReasons, outcome, port()}];
  ++tally.packets;
  tally.dropped = dropped;
}

std::vector<ControlCount> PacketService::counts() const {
  std::vector<ControlCount> list;
  for (const auto& [key, tally] : counts_) {
    list.push_back(
        {std::string(reason_name(key.reason)), key.port, tally.dropped, tally.packets, std::string(key.outcome)});
  }
  static constexpr std::array<std::string_view, 4> kLost{"sent", "no_buffer", "transmit_ring_full", "too_long"};
  for (const auto& [key, frames] : frames_) {
    list.push_back(
        {"frame", key.first, key.second != Lost::sent, frames, std::string(kLost[static_cast<size_t>(key.second)])});
  }
  return list;
}

}  // namespace weft::control
