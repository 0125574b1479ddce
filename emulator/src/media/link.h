// One end of a link that joins the media interfaces of two chips. Rules L1 to L3 of docs/timing.md.
//
// The sending end may send while the other one has a free place: it counts them down itself, and up again when word of
// a place that became free has come back. So no mpacket is lost, and what a chip does is seen by the other one after
// the latency of the link, never before. The board carries what is under way from one chip to the other
// (LinkEnd::carry).
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "media/port.h"
#include "weft/base/fields.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/media.h"

namespace weft::emulator {

/// An mpacket as it left its TBUF element.
struct LinkPart {
  Tick at = 0;  ///< when it is there
  SharedBytes bytes;
  bool sop = false, eop = false;
  WEFT_FIELDS(LinkPart, at, bytes, sop, eop)
};

struct LinkEndState {
  // Sending
  uint32_t places = 0;             ///< that are free at the other end
  std::deque<Tick> places_coming;  ///< when word of a free place is here
  std::deque<LinkPart> sent;       ///< not carried over yet
  Tick waits_since = kNever;       ///< an element finds no free place
  // Receiving
  std::deque<LinkPart> coming, stored;
  uint32_t taken = 0;             ///< bytes of the first stored mpacket that stand in RBUF
  uint32_t frame_bytes = 0;       ///< of the frame so far, for observers
  std::deque<Tick> places_freed;  ///< when the other end knows of it; not carried over yet
  LinkCounters counters;
  WEFT_FIELDS(LinkEndState, places, places_coming, sent, waits_since, coming, stored, taken, frame_bytes, places_freed,
              counters)
};

class LinkEnd {
 public:
  explicit LinkEnd(LinkEndDescription description) : description_(std::move(description)) {
    state_.places = description_.sends ? description_.buffer_mpackets : 0;
  }

  Tick next_event() const;
  void run(Tick now);

  // --- sending
  /// False when there is no place: then the element waits, and all others after it.
  bool may_send(Tick now);
  void send(std::vector<uint8_t> bytes, bool sop, bool eop, Tick now);

  // --- receiving
  bool has_mpacket() const { return !state_.stored.empty(); }
  /// Bytes of the first mpacket that RBUF does not have yet; elements may be smaller here than at the other end.
  uint32_t left() const { return static_cast<uint32_t>(state_.stored.front().bytes->size()) - state_.taken; }
  /// So many of them stand in RBUF now.
  void take(uint32_t bytes, Tick now);

  /// False when there was nothing.
  static bool carry(LinkEnd& from, LinkEnd& to);

  /// Frames whose first mpacket is on the link, or waits at its end.
  uint64_t frames() const;
  bool idle() const { return state_.sent.empty() && state_.coming.empty() && state_.stored.empty(); }
  const LinkEndDescription& description() const { return description_; }
  const LinkEndState& state() const { return state_; }
  void restore(const LinkEndState& state) { state_ = state; }

 private:
  LinkEndDescription description_;
  LinkEndState state_;
};

}  // namespace weft::emulator
