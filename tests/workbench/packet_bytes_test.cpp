// Who wrote which byte of a packet: the frame that is put together from what came and what was written equals the frame
// that the port sent, for every packet of three routers of two families.
#include <fmt/format.h>

#include <map>

#include "folder.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

using namespace weft;
using namespace weft::workbench;
using emulator::PacketBytes;
using emulator::PacketPiece;
using emulator::PacketRecord;
using emulator::PacketWrite;
using emulator::Verdict;

namespace {

std::unique_ptr<Session> followed(const std::string& example, uint64_t packets) {
  auto project = load_project(std::string(WEFT_SOURCE_DIR "/examples/") + example + "/weft.json");
  REQUIRE(project);
  project->keep_frames = true;
  project->limits.packets = packets;
  Observation observation;
  observation.packets = true;
  observation.packet_limits.frames = true;
  auto session = Session::create(std::move(*project), observation);
  REQUIRE(session);
  (*session)->run({});
  REQUIRE((*session)->finish());
  return std::move(*session);
}

/// Every frame that left with a number is made of pieces whose writers are known, and is what the port sent.
void all_explained(const std::string& example, uint64_t packets, bool prepends) {
  INFO(example);
  const auto session = followed(example, packets);
  const emulator::PacketTracker& tracker = *session->packets();
  const uint64_t period = session->machine().timing().period;
  std::map<std::pair<unsigned, uint64_t>, const std::vector<uint8_t>*> wire;  // by port and cycle
  std::vector<std::vector<Session::SentFrame>> sent;
  for (unsigned port = 0; port < session->ports(); ++port) sent.push_back(session->sent(port));
  for (unsigned port = 0; port < sent.size(); ++port)
    for (const auto& frame : sent[port]) wire[{port, frame.at / period}] = &frame.bytes;
  size_t forwarded = 0, changed = 0, in_front = 0, unlike = 0;
  for (const PacketRecord& r : tracker.records()) {
    if (r.verdict != emulator::Verdict::forwarded) continue;
    ++forwarded;
    const PacketBytes& bytes = r.bytes_of;
    INFO("packet " << r.number);
    if (bytes.unexplained != 0 || bytes.missing != 0)
      FAIL("unexplained " << bytes.unexplained << ", missing " << bytes.missing);
    const auto at = wire.find({static_cast<unsigned>(r.out_port), r.ended});
    if (at == wire.end()) FAIL("no frame left by port " << r.out_port << " in cycle " << r.ended);
    const auto frame = sent_frame(r.data, bytes);
    if (frame != *at->second) ++unlike;
    for (const PacketPiece& piece : bytes.sent) {
      if (piece.source < 0) continue;
      const PacketWrite& write = bytes.writes[static_cast<size_t>(piece.source)];
      ++changed;
      if (write.kind == PacketWrite::Kind::element) ++in_front;
      if (write.cycle < r.arrived || write.cycle > r.ended || write.engine >= 8 ||
          piece.from + piece.length > write.length)
        FAIL("a write that cannot be");
    }
    // The states on the way begin with what came.
    if (emulator::received_state(r.data).bytes != r.data) FAIL("the state that came");
    if (emulator::buffer_state(r.data, bytes, 0).bytes != r.data) FAIL("the buffer before any write");
  }
  CHECK(unlike == 0);
  CHECK(forwarded > packets / 2);
  CHECK(changed >= forwarded);  // a router writes into each
  CHECK((in_front > 0) == prepends);
}

}  // namespace

// All packets of the examples' own traffic.
TEST_CASE("frames that leave are explained byte by byte: dual-stack-router") {
  all_explained("dual-stack-router", 16'000, false);
}
TEST_CASE("frames that leave are explained byte by byte: ipv4-forwarder-1200") {
  all_explained("ipv4-forwarder-1200", 36'000, false);
}
TEST_CASE("frames that leave are explained byte by byte: mpls-router") { all_explained("mpls-router", 16'000, true); }

TEST_CASE("the buffer after the last write has the header that left") {
  const auto session = followed("dual-stack-router", 200);
  size_t seen = 0;
  for (const PacketRecord& r : session->packets()->records()) {
    if (r.verdict != emulator::Verdict::forwarded) continue;
    const auto state = emulator::buffer_state(r.data, r.bytes_of, r.bytes_of.writes.size());
    const auto left = sent_frame(r.data, r.bytes_of);
    REQUIRE(left.size() >= 60);
    REQUIRE(state.bytes.size() >= 34);
    CHECK(std::equal(state.bytes.begin(), state.bytes.begin() + 34, left.begin()));
    CHECK(state.bytes != r.data);
    ++seen;
  }
  CHECK(seen > 50);
}

TEST_CASE("writes beyond the limit are counted, and what they wrote is not ascribed to anybody else") {
  auto project = load_project(WEFT_SOURCE_DIR "/examples/dual-stack-router/weft.json");
  REQUIRE(project);
  project->limits.packets = 100;
  project->keep_frames = true;
  Observation observation;
  observation.packets = observation.packet_limits.frames = true;
  observation.packet_limits.writes = 1;
  auto session = Session::create(std::move(*project), observation);
  REQUIRE(session);
  (*session)->run({});
  size_t forwarded = 0;
  for (const PacketRecord& r : (*session)->packets()->records()) {
    CHECK(r.bytes_of.writes.size() <= 1);
    if (r.verdict != emulator::Verdict::forwarded) continue;
    ++forwarded;
    CHECK(r.bytes_of.missing > 0);
    CHECK(r.bytes_of.unexplained > 0);
    // The frame itself is still what left.
    bool found = false;
    for (const auto& sent : (*session)->sent(static_cast<unsigned>(r.out_port)))
      found = found || sent.bytes == sent_frame(r.data, r.bytes_of);
    CHECK(found);
  }
  CHECK(forwarded > 10);
}
