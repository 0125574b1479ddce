// Rules for the packet tracker: numbers of packets, places and writes that name something that is there.
#include <algorithm>

#include "serialization/observer_validation.h"

namespace weft::emulator {

ObserverValidation::Sizes ObserverValidation::sizes(const PacketTracker& v) {
  Sizes out{{Mending::contexts(v).size(), Mending::tbuf(v).size(), Mending::neighbor(v).size(),
             Mending::ports(v).size(), Mending::owners(v).size(), v.totals().engine_busy.size()},
            {},
            v.places()};
  for (const auto& buffers : Mending::owners(v)) out.counts.push_back(buffers.size());
  return out;
}

bool ObserverValidation::valid(const PacketTracker& v) const {
  if (v.totals().stage_time.size() != v.places().size()) return false;
  // Receive elements are as many as a new tracker has, or more when an element with a higher number was filled.
  for (const size_t elements : {Mending::rbuf(v).size(), Mending::held(v).size()})
    if (elements < 256 || elements > kWords) return false;
  if (Mending::freeing(v) && *Mending::freeing(v) >= v.pools().size()) return false;
  for (const auto& [page, tags] : Mending::tags(v))
    if (tags == nullptr) return false;
  for (const auto& [number, live] : Mending::live(v))
    if (live == nullptr || live->record.number != number || number == 0 || !place_exists(v, live->record)) return false;
  for (const PacketRecord& record : v.records())
    if (!place_exists(v, record)) return false;
  for (const auto& context : Mending::contexts(v)) {
    const auto live = Mending::live(v).find(context.packet);
    const size_t steps = live != Mending::live(v).end() ? live->second->record.steps.size() : 0;
    if (context.step < -1 || (context.step >= 0 && static_cast<size_t>(context.step) >= steps)) return false;
  }
  if (Mending::pulling(v).write.place >= v.places().size() && !v.places().empty()) return false;
  for (const auto& port : Mending::ports(v)) {
    // A piece belongs to the frame that is gathered, or to the one that its element carries.
    if (!std::all_of(port.pieces.begin(), port.pieces.end(), [&](const PacketPiece& piece) {
          return piece.source < 0 || pieces_exist(v, port.gathering, {piece});
        }))
      return false;
    for (const auto& leaving : port.leaving)
      if (!pieces_exist(v, leaving.packet, leaving.pieces)) return false;
  }
  if (!sources_exist(v, Mending::elements(v))) return false;
  for (const auto& [number, live] : Mending::live(v))
    if (!sources_exist(v, live->buffer)) return false;
  return std::all_of(v.queue_changes().begin(), v.queue_changes().end(),
                     [&](const QueueChange& change) { return change.queue < v.queues().size(); });
}

bool ObserverValidation::place_exists(const PacketTracker& v, const PacketRecord& record) {
  const auto exists = [&](const auto& one) { return one.place < v.places().size(); };
  return record.port < Mending::ports(v).size() && record.out_port >= -1 &&
         record.out_port < static_cast<int>(Mending::ports(v).size()) &&
         std::all_of(record.steps.begin(), record.steps.end(), exists) &&
         std::all_of(record.bytes_of.writes.begin(), record.bytes_of.writes.end(), exists);
}

bool ObserverValidation::pieces_exist(const PacketTracker& v, uint32_t packet, const std::vector<PacketPiece>& pieces) {
  const auto live = Mending::live(v).find(packet);
  if (live == Mending::live(v).end()) return true;  // nobody looks at them
  const auto writes = static_cast<int64_t>(live->second->record.bytes_of.writes.size());
  return std::all_of(pieces.begin(), pieces.end(), [&](const PacketPiece& piece) { return piece.source < writes; });
}

bool ObserverValidation::sources_exist(const PacketTracker& v, const ByteSources& sources) {
  const auto& runs = Mending::field<0>(sources);
  return std::all_of(runs.begin(), runs.end(), [&](const auto& at) {
    return pieces_exist(v, at.second.packet, {{at.second.length, at.second.source, at.second.from}});
  });
}

bool ObserverValidation::valid(const PacketRecord& v) const { return v.bytes <= kFrame && v.data.size() <= kFrame; }

bool ObserverValidation::valid(const PacketWrite& v) const {
  constexpr auto kOffset = static_cast<int32_t>(kFrame);
  return v.engine < engines() && v.context < kContexts && v.offset >= -kOffset && v.offset <= kOffset &&
         v.length <= kFrame;
}

bool ObserverValidation::valid(const PacketPiece& v) const {
  return v.length <= kFrame && v.from <= 16 * kFrame && v.source >= PacketPiece::kUnknown;
}

// Bytes of a write are in `written`, and the frame that left is one.
bool ObserverValidation::valid(const PacketBytes& v) const {
  const auto written = [&](const PacketWrite& write) {
    const bool kept = write.kind == PacketWrite::Kind::buffer || write.kind == PacketWrite::Kind::element;
    return !kept || uint64_t{write.first} + write.length <= v.written.size();
  };
  uint64_t sent = 0;
  for (const PacketPiece& piece : v.sent) {
    sent += piece.length;
    if (piece.source >= static_cast<int64_t>(v.writes.size())) return false;
  }
  return sent <= kFrame && v.writes.size() <= kFrame && std::all_of(v.writes.begin(), v.writes.end(), written);
}

bool ObserverValidation::valid(const ByteSources& v) const {
  const auto& runs = Mending::field<0>(v);
  return std::all_of(runs.begin(), runs.end(),
                     [](const auto& at) { return at.first == at.second.at && at.second.at <= kLastTick; });
}

}  // namespace weft::emulator
