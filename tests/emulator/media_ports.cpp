// Ports: the pace of the wire, captures in and out, snapshots with traffic under way.
#include <filesystem>

#include "media_support.h"
#include "weft/packet/pcap.h"

using namespace weft;
using namespace weft::emulator;

namespace {

std::string temporary(const char* name) {
  return (std::filesystem::temp_directory_path() / (std::string("weft_media_") + name)).string();
}

}  // namespace

TEST_CASE("R1: frames come in at line rate, to the tick") {
  for (const size_t length : {60u, 64u, 1514u, 9000u}) {
    Bench t;
    Receiver receiver(t);
    t.units.set_source(0, frames_of(std::vector<std::vector<uint8_t>>(50, pattern(length, 1))));
    t.settle(Tick{48} * (length + 24) * 60);
    const PortCounters& counters = t.units.counters(0);
    CHECK(counters.received_frames == 50);
    CHECK(counters.first_received == (8 + length + 4) * 48);
    CHECK(counters.last_received - counters.first_received == 49 * (8 + length + 4 + 12) * 48);
    CHECK(counters.received_bytes == 50 * (length + 4));
    CHECK(counters.lost_overflow == 0);
  }
  // 64 bytes with check sequence: 672 ns, 1,488,095 frames a second.
  CHECK((8 + 60 + 4 + 12) * 48 == 672 * 6);
}

TEST_CASE("R2: a frame waits for its time, and a late one follows at once") {
  Bench t;
  Receiver receiver(t);
  t.units.set_source(
      0, std::make_shared<ListSource>(std::vector<Frame>{
             {pattern(60, 0), 100'000, false}, {pattern(60, 1), 100'010, false}, {pattern(60, 2), 200'000, false}}));
  t.run_until(100'000 + 72 * 48 - 1);
  CHECK(t.units.counters(0).received_frames == 0);
  t.run_until(100'000 + 72 * 48);
  CHECK(t.units.counters(0).received_frames == 1);
  t.settle();
  CHECK(t.units.counters(0).last_received == 200'000 + 72 * 48);
  CHECK(receiver.mpackets.size() == 3);
  CHECK(receiver.mpackets[1].at - receiver.mpackets[0].at < 84 * 48 + 45);
}

TEST_CASE("a source that is attached later starts then, and replaces the one before") {
  Bench t;
  Receiver receiver(t);
  t.units.set_source(0, frames_of(std::vector<std::vector<uint8_t>>(1000, pattern(60, 1))));
  t.run_until(48 * 84 * 10 + 1000);
  const uint64_t before = t.units.counters(0).received_frames;
  CHECK(before == 10);
  t.units.set_source(0, frames_of({pattern(100, 2)}), t.bus.now);
  t.settle();
  CHECK(t.units.counters(0).received_frames == before + 1);
  CHECK(t.units.counters(0).last_received >= 48 * 84 * 10 + 1000 + 112 * 48);
  CHECK(receiver.mpackets.back().bytes.size() == 100 - 64);
  t.units.set_source(0, nullptr);
  CHECK(t.units.input_finished());
}

TEST_CASE("R3: frames longer than the port takes are lost by name") {
  Bench t;
  Receiver receiver(t);
  t.units.set_source(0, frames_of({pattern(9601, 0), pattern(60, 1)}));
  t.settle();
  CHECK(t.units.counters(0).lost_length == 1);
  CHECK(receiver.mpackets.size() == 1);
}

TEST_CASE("captures are sent at their own distances or back to back") {
  const std::string path = temporary("in.pcap");
  REQUIRE(packet::write_pcap(
      path, {{5'000'000'000, pattern(60, 0)}, {5'000'010'000, pattern(70, 1)}, {5'000'009'000, pattern(80, 2)}}));
  {
    auto source = pcap_source(path, {.line_rate = false});
    REQUIRE(source);
    CHECK((*source)->next()->earliest == 0);
    CHECK((*source)->next()->earliest == 60'000);  // 10 us in sixths of a nanosecond
    CHECK((*source)->next()->earliest == 54'000);  // earlier than its predecessor: the port sends it after
    CHECK_FALSE((*source)->next().has_value());
  }
  {
    auto source = pcap_source(path, {.line_rate = true, .repeat = 3, .start = 77});
    REQUIRE(source);
    for (unsigned i = 0; i < 9; ++i) {
      const auto frame = (*source)->next();
      REQUIRE(frame);
      CHECK(frame->earliest == 77);
      CHECK(frame->bytes.size() == 60 + 10 * (i % 3));
    }
    CHECK_FALSE((*source)->next().has_value());
    (*source)->rewind(1);
    CHECK((*source)->next()->bytes.size() == 70);
  }
  CHECK(pcap_source("no-such.pcap").error().list().at(0).code == "file-missing");
  std::filesystem::remove(path);
}

TEST_CASE("what was sent is written as a capture whose times count from tick 0") {
  const std::string path = temporary("out.pcap");
  RecordingSink sink;
  sink.take(pattern(60, 1), 0, 6 * 1500);
  sink.take(pattern(61, 2), 0, Tick{6'000'000'000} * 3 + 6 * 7);
  REQUIRE(sink.write_pcap(path, 6'000'000'000));
  const auto back = packet::read_pcap(path);
  REQUIRE(back);
  REQUIRE(back->size() == 2);
  CHECK(back->at(0).nanoseconds == 1500);
  CHECK(back->at(1).nanoseconds == 3'000'000'007);
  CHECK(back->at(1).bytes == pattern(61, 2));
  std::filesystem::remove(path);
}

TEST_CASE("a snapshot with traffic under way goes on exactly as the first time") {
  Bench t;
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(2, sink);
  for (unsigned port = 0; port < 3; ++port) {
    std::vector<std::vector<uint8_t>> frames;
    for (unsigned i = 0; i < 30; ++i) frames.push_back(pattern(60 + 40 * i + port, static_cast<uint8_t>(i)));
    t.units.set_source(port, frames_of(frames));
  }
  unsigned element = 0;
  for (unsigned i = 0; i < 10; ++i) element = send(t, element, pattern(200 + i, static_cast<uint8_t>(i)), 2);
  t.run_until(48 * 1000);
  const auto saved = t.units.save();
  const uint64_t hash = t.units.state_hash();
  const size_t sent = sink->frames().size();
  REQUIRE(sent > 0);
  REQUIRE(sent < 10);
  t.run_until(48 * 20'000);
  const uint64_t later = t.units.state_hash();
  const PortCounters counters = t.units.counters(2);
  CHECK(sink->frames().size() == 10);
  t.units.restore(*saved);
  CHECK(t.units.state_hash() == hash);
  CHECK(sink->frames().size() == sent);
  t.bus.now = 48 * 1000;
  t.run_until(48 * 20'000);
  CHECK(t.units.state_hash() == later);
  CHECK(t.units.counters(2) == counters);
  CHECK(sink->frames().size() == 10);
}
