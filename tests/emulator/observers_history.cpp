// Execution history: states that sum to the counters, references with their times, bounds, and both files. The Perfetto
// file is read back by a decoder of its own, written from the wire format.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "observers_support.h"
#include "weft/base/render.h"
#include "weft/emulator/observers/history.h"

using namespace weft::test;
using namespace weft::emulator;

namespace {

Instruction swap_read(uint32_t signal) { return scratch_read(0, 16, signal, true); }

CycleCounters sums(const History& history, ContextRef who) {
  CycleCounters sum;
  uint64_t at = history.from_cycle();
  history.segments(who, [&](const Segment& s) {
    CHECK(s.begin == at);
    at = s.end;
    const uint64_t length = s.end - s.begin;
    switch (s.activity) {
      case Activity::executing: sum.executing += length; break;
      case Activity::aborted: sum.aborted += length; break;
      case Activity::stalled: sum.stalled += length; break;
      default: sum.idle += length;
    }
  });
  return sum;
}

// --- a reader of the protobuf wire format
struct Field {
  unsigned number = 0, type = 0;
  uint64_t value = 0;
  std::string bytes;
};
uint64_t get_varint(const std::string& in, size_t& at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    REQUIRE(at < in.size());
    REQUIRE(shift < 64);
    const auto byte = static_cast<uint8_t>(in[at++]);
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
}
std::vector<Field> decode(const std::string& in) {
  std::vector<Field> out;
  for (size_t at = 0; at < in.size();) {
    const uint64_t key = get_varint(in, at);
    Field f{static_cast<unsigned>(key >> 3), static_cast<unsigned>(key & 7), 0, {}};
    if (f.type == 0) {
      f.value = get_varint(in, at);
    } else if (f.type == 1) {
      REQUIRE(at + 8 <= in.size());
      for (unsigned i = 0; i < 8; ++i) f.value |= uint64_t{static_cast<uint8_t>(in[at++])} << (8 * i);
    } else {
      REQUIRE(f.type == 2);
      const uint64_t length = get_varint(in, at);
      REQUIRE(at + length <= in.size());
      f.bytes = in.substr(at, length);
      at += length;
    }
    out.push_back(f);
  }
  return out;
}
const Field* find(const std::vector<Field>& fields, unsigned number) {
  for (const Field& f : fields)
    if (f.number == number) return &f;
  return nullptr;
}

}  // namespace

TEST_CASE("history: states of a small program, cycle by cycle") {
  // 0 nop, 1 br with two lost slots, 2 skipped, 3 swap (two lost), wait for signal 5, 4 halt.
  Bench m;
  History history(m);
  m.attach(history);
  m.load(0, encode({nop(), branch(InsnId::br, 3), nop(), ctx_arb(1u << 5), halt()}));
  m.start(0, 1);
  m.run_until(200);
  m.signal({0, 0}, 5);
  m.run_until(1000);  // to the halt
  m.run_until(1000);
  std::vector<std::tuple<std::string, uint64_t, uint64_t>> seen;
  history.segments({0, 0}, [&](const Segment& s) { seen.emplace_back(to_text(s.activity), s.begin, s.end); });
  const decltype(seen) expected{{"executing", 0, 2}, {"aborted", 2, 4},     {"executing", 4, 5}, {"aborted", 5, 7},
                                {"sleep", 7, 20},    {"executing", 20, 21}, {"aborted", 21, 23}, {"inactive", 23, 100}};
  CHECK(seen == expected);
}

TEST_CASE("history: states sum to the counters in every context") {
  for (const Tick end : {Tick{1000}, Tick{1007}, Tick{23456}}) {
    StallingBench m;
    History history(m);
    m.attach(history);
    m.run_until(end);
    uint64_t stalled = 0;
    for (uint8_t c = 0; c < kContexts; ++c) {
      const CycleCounters sum = sums(history, {0, c}), counted = m.counters(0, c);
      CHECK(sum.executing == counted.executing);
      CHECK(sum.aborted == counted.aborted);
      CHECK(sum.stalled == counted.stalled);
      CHECK(sum.idle == counted.idle);
      stalled += sum.stalled;
    }
    CHECK(stalled > 0);
  }
}

TEST_CASE("history: of signals under way the one that is due is raised, not the first that was sent") {
  Bench m(2);
  History history(m);
  m.attach(history);
  // Signal 5 for context 1 of engine 0: from engine 1, which takes 12 cycles, and two cycles later from engine 0, 8.
  m.program(1, {csr_wr(Csr::prev_neighbor_signal, k(5 << 3 | 1)), kill()});
  m.program(0, {nop(), nop(), csr_wr(Csr::same_me_signal, k(5 << 3 | 1)), kill()});
  m.run_until(500);
  const auto& raised = history.raised();
  REQUIRE(raised.size() == 2);
  for (const RaisedSignal& signal : raised) {
    CHECK(signal.by == RaisedSignal::By::engine);
    CHECK(signal.to == ContextRef{0, 1});
    CHECK(signal.number == 5);
  }
  CHECK(raised[0].from == ContextRef{0, 0});
  CHECK(raised[0].pc == 2);
  CHECK(raised[1].from == ContextRef{1, 0});
  CHECK(raised[1].pc == 0);
}

TEST_CASE("history: the life of a reference") {
  Board b({nop(), swap_read(4), halt()});
  History history(b.machine);
  b.machine.attach(history);
  b.machine.run_until(10000);
  REQUIRE(history.reference_count() == 1);
  const Reference r = history.reference(0);
  const Tick period = b.machine.timing().period;
  const UnitTiming& timing = b.board.chips[0].chip.scratch.timing;
  CHECK(r.op == InsnId::scratch_read);
  CHECK(r.pc == 1);
  CHECK(r.address == 16);
  CHECK(r.signal == 4);
  CHECK(r.issued == period);
  CHECK(r.accepted == period);
  CHECK(r.queued == period + timing.command * period);
  CHECK(r.served == r.queued);
  CHECK(r.done == r.served + (timing.access + timing.reply) * period);
  CHECK(r.signalled == r.done);
  CHECK(r.done - r.issued == 60 * period);  // docs/timing.md: scratch
}

TEST_CASE("history: a reference that waits, and one that is not finished") {
  Bench m;
  EchoUnit unit(m, 500, 1);
  m.attach(weft::isa::Unit::scratch, unit);
  m.program(0, {scratch_read(0, 4, 3, false), scratch_read(1, 4, 4, false), ctx_arb(1u << 4),
                scratch_read(2, 4, 5, true), halt()});
  History history(m);
  m.attach(history);
  m.run_until(700);
  REQUIRE(history.reference_count() == 2);
  CHECK(history.reference(1).issued == 10);     // first tried in cycle 1
  CHECK(history.reference(1).accepted == 500);  // when the first had left
  CHECK(history.reference(1).done == kNever);
  m.run_until(3000);
  REQUIRE(history.reference_count() == 3);
  CHECK(history.reference(2).issued == history.reference(2).accepted);  // it did not wait
}

TEST_CASE("history stays within its limits and says what is missing") {
  const std::vector<Instruction> program{scratch_read(0, 4, 3, true), branch(InsnId::br, 0, 0)};
  Bench m;
  EchoUnit unit(m, 50);
  m.attach(weft::isa::Unit::scratch, unit);
  m.program(0, program, 0xff);
  History history(m, {400, 100});
  m.attach(history);
  m.run_until(200'000);
  CHECK(history.reference_count() <= 100);
  CHECK(history.dropped_references() > 100);
  CHECK(history.reference(0).sequence == history.dropped_references());
  CHECK(history.dropped_segments() > 1000);
  CHECK(history.from_cycle() > 10'000);
  size_t segments = 0;
  for (uint8_t c = 0; c < kContexts; ++c) {
    CHECK(sums(history, {0, c}).total() == m.cycles(0) - history.from_cycle());
    history.segments({0, c}, [&](const Segment&) { ++segments; });
  }
  CHECK(segments <= 400 + kContexts);
  std::string text;
  write_json(history, {}, {}, [&](std::string_view part) { text += part; });
  const auto json = nlohmann::json::parse(text);
  CHECK(json["dropped"]["states"] == history.dropped_segments());
  CHECK(json["dropped"]["references"] == history.dropped_references());
  CHECK(json["from-cycle"] == history.from_cycle());
}

TEST_CASE("history as JSON") {
  Board b({nop(), swap_read(4), halt()});
  History history(b.machine);
  b.machine.attach(history);
  b.machine.run_until(10000);
  std::string text;
  write_json(history, {}, {b.board.ticks_per_second}, [&](std::string_view part) { text += part; });
  const auto json = nlohmann::json::parse(text);
  CHECK(json["version"] == 1);
  CHECK(json["ticks-per-cycle"] == 10);
  REQUIRE(json["contexts"].size() == 8);
  CHECK(json["contexts"][0]["states"][0] == nlohmann::json::array({0, 2, "executing"}));
  REQUIRE(json["references"].size() == 1);
  const auto& r = json["references"][0];
  CHECK(r["command"] == "scratch_read");
  CHECK(r["issued"] == 10);
  CHECK(r["done"] == 610);
  CHECK(r["source"].is_null());
}

TEST_CASE("history as Perfetto trace: slices nest, and their lengths are the states") {
  const std::vector<Instruction> program{scratch_read(0, 4, 3, false), scratch_read(1, 8, 4, false),
                                         ctx_arb(1u << 3 | 1u << 4), branch(InsnId::br, 0)};
  Board b(program, 0xff);
  History history(b.machine);
  b.machine.attach(history);
  b.machine.run_until(60'000);
  std::string file;
  write_perfetto(history, {}, {b.board.ticks_per_second}, [&](std::string_view part) { file += part; });

  struct Track {
    std::string name;
    std::vector<std::pair<std::string, uint64_t>> open;  // name and start of the slices that are open
    uint64_t last = 0, top = 0;                          // present time; total of outer slices
  };
  // What a sequence has said: its track, its clock (deltas), and its texts by number.
  struct Sequence {
    uint64_t track = 0, now = 0;
    std::map<uint64_t, std::string> names;
  };
  std::map<uint64_t, Sequence> sequences;
  std::map<uint64_t, Track> tracks;
  std::map<uint64_t, int> flows;
  unsigned instants = 0, processes = 0, outer_references = 0;
  for (const Field& packet : decode(file)) {
    REQUIRE(packet.number == 1);
    const auto fields = decode(packet.bytes);
    REQUIRE(find(fields, 10) != nullptr);
    CHECK(find(fields, 10)->value != 0);
    Sequence& sequence = sequences[find(fields, 10)->value];
    if (const Field* defaults = find(fields, 59)) {
      const auto d = decode(defaults->bytes);
      CHECK(find(d, 58)->value == 64);
      sequence = {};
      CHECK(find(fields, 13)->value == 1);
      sequence.track = find(decode(find(d, 11)->bytes), 11)->value;
      for (const Field& clock : decode(find(fields, 6)->bytes)) {
        const auto c = decode(clock.bytes);
        if (find(c, 1)->value == 64) CHECK(find(c, 3)->value == 1);
        sequence.now = find(c, 2)->value;
      }
      continue;
    }
    if (const Field* texts = find(fields, 12))
      for (const Field& text : decode(texts->bytes)) {
        const auto t = decode(text.bytes);
        if (text.number == 2) sequence.names[find(t, 1)->value] = find(t, 2)->bytes;
      }
    if (const Field* description = find(fields, 60)) {
      const auto d = decode(description->bytes);
      const uint64_t uuid = find(d, 1)->value;
      processes += find(d, 3) != nullptr;
      if (const Field* thread = find(d, 4))
        tracks[uuid].name = find(decode(thread->bytes), 5)->bytes;
      else if (const Field* name = find(d, 2))
        tracks[uuid].name = name->bytes;
      continue;
    }
    const uint64_t time = sequence.now += find(fields, 8)->value;
    const auto event = decode(find(fields, 11)->bytes);
    const uint64_t uuid = find(event, 11) != nullptr ? find(event, 11)->value : sequence.track;
    REQUIRE(tracks.count(uuid) == 1);
    Track& track = tracks[uuid];
    switch (find(event, 9)->value) {
      case 1:
        CHECK(time >= track.last);
        track.last = time;
        REQUIRE(sequence.names.count(find(event, 10)->value) == 1);
        track.open.emplace_back(sequence.names[find(event, 10)->value], time);
        if (const Field* flow = find(event, 47)) ++flows[flow->value];
        break;
      case 2: {
        REQUIRE_FALSE(track.open.empty());
        CHECK(time >= track.last);
        track.last = time;
        if (track.open.size() == 1) {
          track.top += time - track.open.back().second;
          outer_references += track.open.back().first == "scratch_read";
        }
        track.open.pop_back();
        break;
      }
      case 3: ++instants, --flows[find(event, 48)->value]; break;
      default: FAIL("an event of another type");
    }
  }
  CHECK(processes == 1);
  for (const auto& [uuid, track] : tracks) {
    INFO(track.name);
    CHECK(track.open.empty());
    if (track.name.starts_with("ctx ") && track.name.size() == 5) CHECK(track.top == 10'000);  // 60,000 ticks of 1/6 ns
  }
  CHECK(outer_references == history.reference_count());
  CHECK(instants > 10);
  for (const auto& [id, balance] : flows) CHECK(balance == 0);
}
