// Soak: random microcode on every chip with random frames, and the forwarder with malformed ones, round after round. Nothing
// may crash, run away in memory, or differ when a round is taken up again from a snapshot.
//
//   weft_soak [--seconds N | --rounds N] [--seed S]
//
// Each round has a seed of its own, which is printed when it fails: --seed S --rounds 1 does that round alone.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"
#include "weft/workbench/session.h"

using namespace weft;

namespace {

/// Frames of any length and content; some are nearly right.
class RandomFrames final : public emulator::FrameSource {
 public:
  RandomFrames(uint64_t seed, uint64_t count) : seed_(seed), count_(count) {}
  std::optional<emulator::Frame> next() override {
    if (given_ == count_) return std::nullopt;
    Random random(seed_ + given_++);
    emulator::Frame frame;
    const uint64_t kind = random.below(10);
    const uint64_t length = kind == 0 ? random.below(14) : kind == 1 ? random.between(1500, 9700) : random.between(14, 200);
    for (uint64_t i = 0; i < length; ++i) frame.bytes.push_back(static_cast<uint8_t>(random.next32()));
    if (kind >= 4 && length >= 34) {  // an IPv4 header with some wrong octets
      static constexpr uint8_t kHeader[] = {0x02, 0, 0, 0, 0x01, 0x0a, 0x02, 0, 0, 0, 0, 1, 0x08, 0, 0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0, 198, 19, 0, 1, 198, 51, 100, 7};
      std::copy(std::begin(kHeader), std::end(kHeader), frame.bytes.begin());
      for (uint64_t n = random.below(3); n > 0; --n) frame.bytes[random.between(12, 33)] = static_cast<uint8_t>(random.next32());
    }
    frame.damaged = random.chance(1, 20);
    return frame;
  }
  void rewind(uint64_t given) override { given_ = given; }

 private:
  uint64_t seed_, count_, given_ = 0;
};

[[noreturn]] void die(uint64_t seed, const std::string& what) {
  fmt::print(stderr, "weft_soak: {}\nagain: weft_soak --rounds 1 --seed {}\n", what, seed);
  std::exit(1);
}

template <class T>
T must(Result<T> result, uint64_t seed) {
  if (!result) die(seed, render_text(result.error()));
  return std::move(*result);
}

std::vector<uint64_t> random_program(Random& random, isa::Profile profile, size_t words) {
  std::vector<uint64_t> out;
  const uint64_t mask = profile == isa::Profile::me1 ? 0xffffffff : (uint64_t{1} << 40) - 1;
  while (out.size() < words) {
    const uint64_t word = random.next64() & mask;
    if (isa::decode(profile, word) || random.chance(1, 500)) out.push_back(word);  // few stop the engine at once
  }
  return out;
}

/// Runs to a tick whatever stops: an engine that faulted or halted goes on from its next word, or stays.
void run(emulator::Machine& machine, Random& random, emulator::Tick end) {
  while (machine.now() < end) {
    const emulator::StopReason reason = machine.run_until(end);
    if (reason.kind == emulator::StopKind::limit || reason.kind == emulator::StopKind::idle) return;
    emulator::EngineState& state = machine.state(reason.engine);
    emulator::ContextRecord& context = state.contexts[reason.context];
    const size_t words = machine.words(reason.engine).size();
    context.pc = static_cast<uint16_t>(random.below(words));
    if (random.chance(3, 4)) machine.resume(reason.engine);
  }
}

void random_microcode(uint64_t seed) {
  Random random(seed);
  static const char* const kBoards[] = {"generic-2400", "generic-2800", "enp2611", "generic-1200"};
  const auto board = must(emulator::load_board(kBoards[random.below(std::size(kBoards))], {WEFT_SOURCE_DIR "/emulator"}), seed);
  const emulator::ChipOnBoard& chip = board.chips.front();
  const isa::Profile profile = chip.chip.profile;
  emulator::Machine machine{emulator::MachineDescription(chip.chip)};
  emulator::Units units(chip, machine);
  machine.attach(units);
  for (unsigned port = 0; port < units.port_count(); ++port) units.set_source(port, std::make_shared<RandomFrames>(random.next64(), 200));
  for (unsigned ring = 0; ring < 8; ++ring) units.host().set_ring(ring, 0x800 * ring, 512, ring % 2 != 0);
  for (unsigned e = 0; e < machine.engine_count(); ++e) {
    machine.load(e, random_program(random, profile, 20 + random.below(300)));
    machine.start(e, (1u << chip.chip.contexts) - 1, static_cast<unsigned>(random.below(20)));
  }
  const emulator::Tick period = machine.timing().period;
  run(machine, random, (1000 + random.below(5000)) * period);
  const emulator::MachineState engines = machine.save();
  const auto state = units.save();
  const emulator::Tick end = machine.now() + (1000 + random.below(10'000)) * period;
  std::optional<std::pair<uint64_t, uint64_t>> first;
  const uint64_t choices = random.next64();
  for (int pass = 0; pass < 2; ++pass) {
    emulator::TraceHash trace;
    machine.attach(trace);
    Random same(choices);
    run(machine, same, end);
    machine.detach(trace);
    const std::pair result{trace.value(), units.state_hash()};
    if (first && *first != result) die(seed, fmt::format("the run behind a snapshot of {} differs", board.name));
    first = result;
    units.restore(*state);
    machine.restore(engines);
  }
}

void forwarder(uint64_t seed) {
  Random random(seed);
  workbench::Overrides overrides;
  overrides.set = {{"limits.quiet", "20000"}, {"limits.cycles", "400000"}, {"ports.0.in.generate.count", "1"}, {"ports.1.in.generate.count", "1"}};
  auto session = must(workbench::Session::create(must(workbench::load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder", overrides), seed)), seed);
  for (unsigned port = 0; port < 2; ++port) {
    const uint64_t frames = 20 + random.below(60);
    session->units().set_source(port, std::make_shared<RandomFrames>(random.next64(), frames));
  }
  const workbench::Stop stop = session->run({});
  if (stop.kind != workbench::Stop::Kind::quiet && stop.kind != workbench::Stop::Kind::cycles) die(seed, "the forwarder has stopped: " + stop.text);
  const workbench::Report report = session->report();
  const uint64_t gone = report.frames_out + report.dropped + report.handed_to_core + report.lost;
  if (stop.kind == workbench::Stop::Kind::quiet && gone != report.frames_in)
    die(seed, fmt::format("{} frames came in; {} left, {} were dropped, {} went to the core, {} were lost", report.frames_in, report.frames_out,
                          report.dropped, report.handed_to_core, report.lost));
}

/// Resident memory in bytes.
uint64_t resident() {
  unsigned long long size = 0, pages = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%llu %llu", &size, &pages) != 2) pages = 0;
    std::fclose(f);
  }
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

int main(int argc, char** argv) {
  const char* full = std::getenv("WEFT_FULL");
  const char* env_seed = std::getenv("WEFT_SEED");
  double seconds = full ? 10 : 0;
  uint64_t rounds = full ? 0 : 6;
  uint64_t seed = env_seed ? std::strtoull(env_seed, nullptr, 0) : 1;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return std::fputs("usage: weft_soak [--seconds N | --rounds N] [--seed S]\n", stderr), 2;
    if (std::strcmp(argv[i], "--seconds") == 0) seconds = std::atof(argv[i + 1]), rounds = 0;
    else if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::strtoull(argv[i + 1], nullptr, 0), seconds = 0;
    else if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 0);
    else return std::fputs("usage: weft_soak [--seconds N | --rounds N] [--seed S]\n", stderr), 2;
  }
  // What one round may hold: the memories of a machine whose every page is written.
  constexpr uint64_t kMost = uint64_t{1} << 30;
  const auto begin = std::chrono::steady_clock::now();
  uint64_t done = 0;
  for (; rounds != 0 ? done < rounds : std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds; ++done, ++seed) {
    if (seed % 3 == 0) forwarder(seed);
    else random_microcode(seed);
    if (resident() > kMost) die(seed, fmt::format("{} MB are resident after {} rounds", resident() >> 20, done + 1));
  }
  fmt::print("{} rounds, {} MB resident, next seed {}\n", done, resident() >> 20, seed);
  return 0;
}
