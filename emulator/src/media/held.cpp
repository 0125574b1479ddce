// Where the frames are that have come and have not left: for reports, at the end of a run.
#include <algorithm>

#include "media/msf.h"
#include "media/port.h"

namespace weft::emulator {

using Where = HeldFrames::Where;

void add_held(std::vector<HeldFrames>& out, Where where, unsigned port, uint64_t frames, ContextRef to) {
  if (frames == 0) return;
  const auto same = std::find_if(out.begin(), out.end(),
                                 [&](const HeldFrames& h) { return h.where == where && h.port == port && h.to == to; });
  if (same != out.end())
    same->frames += frames;
  else
    out.push_back({where, port, to, frames});
}

uint64_t Port::frames_waiting() const {
  const auto untouched = [](const StoredFrame& frame) { return frame.taken == 0; };
  return static_cast<uint64_t>(std::count_if(state_.received.begin(), state_.received.end(), untouched));
}

uint64_t Port::frames_leaving() const {
  return state_.ready.size() + (state_.sending ? 1u : 0u) + (state_.in_frame && !state_.discarding ? 1u : 0u);
}

uint64_t LinkEnd::frames() const {
  uint64_t count = 0;
  for (const auto* list : {&state_.sent, &state_.coming, &state_.stored})
    count += static_cast<uint64_t>(std::count_if(list->begin(), list->end(), [](const LinkPart& p) { return p.sop; }));
  const bool begun = state_.taken != 0 && !state_.stored.empty() && state_.stored.front().sop;
  return count - (begun ? 1 : 0);
}

void Msf::add_held(std::vector<HeldFrames>& out) const {
  using emulator::add_held;
  const auto ports = static_cast<unsigned>(ports_.size());
  for (unsigned n = 0; n < links_.size(); ++n) add_held(out, Where::mac, ports + n, links_[n].frames(), {});
  // The mpacket of a link stays there until it stands in RBUF.
  if (state_.receive.active && state_.receive.first == 0 && state_.receive.port < ports)
    add_held(out, Where::waiting, state_.receive.port, 1, {});
  for (unsigned e = 0; e < rbuf_elements(); ++e) {
    const RbufFrame& frame = state_.rbuf_frames[e];
    if (state_.rbuf_free[e] || !frame.sop) continue;
    add_held(out, frame.handed ? Where::handed : Where::waiting, frame.port, 1, frame.to);
  }
  for (unsigned e = 0; e < tbuf_elements(); ++e) {
    if (!state_.tbuf_valid[e]) continue;
    const TbufFields fields = tbuf_fields(e);
    if (fields.skip || !fields.sop) continue;
    for (const Port& port : ports_)
      if (port.description().channel == fields.channel) add_held(out, Where::leaving, port.description().number, 1, {});
    for (unsigned n = 0; n < links_.size(); ++n)
      if (links_[n].description().sends && links_[n].description().channel == fields.channel)
        add_held(out, Where::leaving, ports + n, 1, {});
  }
}

}  // namespace weft::emulator
