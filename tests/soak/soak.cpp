// Soak: random microcode on every board with random frames, and the examples that forward with malformed ones, round
// after round. Nothing may crash, run away in memory, or differ when a round is taken up again from a snapshot.
//
//   weft_soak [--seconds N | --rounds N] [--seed S]
//
// Each round has a seed of its own, which is printed when it fails: --seed S --rounds 1 does that round alone. The
// digest over the state and trace hashes of all rounds is the same in every build (scripts/test).
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/emulator/board.h"
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
    const uint64_t length = kind == 0   ? random.below(14)
                            : kind == 1 ? random.between(1500, 9700)
                                        : random.between(14, 200);
    for (uint64_t i = 0; i < length; ++i) frame.bytes.push_back(static_cast<uint8_t>(random.next32()));
    if (kind >= 4 && length >= 34) {  // an IPv4 header with some wrong octets
      static constexpr uint8_t kHeader[] = {0x02, 0, 0, 0, 0x01, 0x0a, 0x02, 0, 0, 0,   0,  1, 0x08, 0,   0x45, 0,   0,
                                            46,   0, 0, 0, 0,    64,   17,   0, 0, 198, 19, 0, 1,    198, 51,   100, 7};
      std::copy(std::begin(kHeader), std::end(kHeader), frame.bytes.begin());
      for (uint64_t n = random.below(3); n > 0; --n)
        frame.bytes[random.between(12, 33)] = static_cast<uint8_t>(random.next32());
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
void run(emulator::Board& board, Random& random, emulator::Tick end) {
  while (board.now() < end) {
    const auto [reason, chip] = board.run_to({end, 0});
    if (reason.kind == emulator::StopKind::limit || reason.kind == emulator::StopKind::idle) return;
    emulator::Machine& machine = board.machine(chip);
    emulator::EngineState& state = machine.state(reason.engine);
    emulator::ContextRecord& context = state.contexts[reason.context];
    const size_t words = machine.words(reason.engine).size();
    context.pc = static_cast<uint16_t>(random.below(words));
    if (random.chance(3, 4)) machine.resume(reason.engine);
  }
}

/// Over everything that must be the same on every host.
class Digest {
 public:
  void add(uint64_t value) { value_ = (value_ ^ value) * 0x100000001b3, value_ ^= value_ >> 29; }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

void random_microcode(uint64_t seed, Digest& digest) {
  Random random(seed);
  static const char* const kBoards[] = {"generic-2400", "generic-2800", "enp2611",
                                        "generic-1200", "nctu-1200",    "itj-dual-2400"};
  const auto description =
      must(emulator::load_board(kBoards[random.below(std::size(kBoards))], {WEFT_SOURCE_DIR "/emulator"}), seed);
  emulator::Board board(description);
  for (unsigned c = 0; c < board.chip_count(); ++c) {
    emulator::Machine& machine = board.machine(c);
    emulator::Units& units = board.units(c);
    const emulator::ChipDescription& chip = description.chips[c].chip;
    for (unsigned port = 0; port < units.port_count(); ++port)
      units.set_source(port, std::make_shared<RandomFrames>(random.next64(), 200));
    for (unsigned ring = 0; ring < 8; ++ring) units.host().set_ring(ring, 0x800 * ring, 512, ring % 2 != 0);
    for (unsigned e = 0; e < machine.engine_count(); ++e) {
      machine.load(e, random_program(random, chip.profile, 20 + random.below(300)));
      machine.start(e, (1u << chip.contexts) - 1, static_cast<unsigned>(random.below(20)));
    }
    // Random programs hardly ever write a whole transmit element: some stand there, also for links.
    for (uint32_t element = 0; element < 32 && chip.profile == isa::Profile::me2; ++element) {
      units.host().write_msf(0x1800 + 8 * element, random.next32() & 0xff000307, 0);
      units.host().write_msf(0x1804 + 8 * element, 0, 0);
    }
  }
  const emulator::Tick period = board.machine().timing().period;
  run(board, random, (1000 + random.below(5000)) * period);
  const emulator::BoardState state = board.save();
  const emulator::Tick end = board.now() + (1000 + random.below(10'000)) * period;
  std::optional<std::vector<uint64_t>> first;
  const uint64_t choices = random.next64();
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<emulator::TraceHash> traces(board.chip_count());
    for (unsigned c = 0; c < traces.size(); ++c) board.machine(c).attach(traces[c]);
    Random same(choices);
    run(board, same, end);
    std::vector<uint64_t> result;
    for (unsigned c = 0; c < traces.size(); ++c) {
      board.machine(c).detach(traces[c]);
      result.push_back(traces[c].value());
      result.push_back(board.units(c).state_hash());
    }
    if (first && *first != result) die(seed, fmt::format("the run after a snapshot of {} differs", description.name));
    first = result;
    board.restore(state);
  }
  for (const uint64_t hash : *first) digest.add(hash);
}

/// An example with frames of ours in place of its own, once by each engine.
void example(uint64_t seed, const char* name, const std::vector<std::pair<unsigned, unsigned>>& ports, bool counts,
             Digest& digest) {
  std::optional<uint64_t> reference;
  for (const bool fast : {false, true}) {
    Random random(seed);
    workbench::Overrides overrides;
    // Frames of 9,600 bytes at several ports leave two-chips all at the end, long after the last one has entered.
    overrides.set = {{"limits.quiet", "250000"}, {"limits.cycles", "1200000"}};
    for (const auto& [entry, port] : ports)
      overrides.set.emplace_back(fmt::format("ports.{}.in.generate.count", entry), "1");
    auto session =
        must(workbench::Session::create(
                 must(workbench::load_project(std::string(WEFT_SOURCE_DIR "/examples/") + name, overrides), seed)),
             seed);
    session->board().set_execution({.fast = fast});
    for (const auto& [entry, port] : ports) {
      const uint64_t count = 20 + random.below(60);  // apart: compilers evaluate arguments in different orders
      session->units().set_source(port, std::make_shared<RandomFrames>(random.next64(), count));
    }
    const workbench::Stop stop = session->run({});
    if (stop.kind != workbench::Stop::Kind::quiet && stop.kind != workbench::Stop::Kind::cycles)
      die(seed, fmt::format("{} has stopped: {}", name, stop.text));
    const workbench::Report report = session->report();
    uint64_t of_the_core = 0;  // what the control processor has sent itself
    for (const workbench::ReasonFigures& row : report.core) of_the_core += row.reason == "frame: sent" ? row.count : 0;
    const uint64_t gone = report.frames_out - of_the_core + report.dropped + report.handed_to_core + report.lost;
    if (counts && stop.kind == workbench::Stop::Kind::quiet && gone != report.frames_in)
      die(seed,
          fmt::format(
              "{}: {} frames came in; {} left ({} of the core), {} were dropped, {} went to the core, {} were lost",
              name, report.frames_in, report.frames_out, of_the_core, report.dropped, report.handed_to_core,
              report.lost));
    if (reference && *reference != session->state_hash())
      die(seed, fmt::format("{}: the fast engine ends in another state", name));
    reference = session->state_hash();
  }
  digest.add(*reference);
}

/// The most memory that was resident, in bytes.
uint64_t peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
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
  uint64_t rounds = full ? 0 : 9;
  uint64_t seed = env_seed ? std::strtoull(env_seed, nullptr, 0) : 1;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return std::fputs("usage: weft_soak [--seconds N | --rounds N] [--seed S]\n", stderr), 2;
    if (std::strcmp(argv[i], "--seconds") == 0)
      seconds = std::atof(argv[i + 1]), rounds = 0;
    else if (std::strcmp(argv[i], "--rounds") == 0)
      rounds = std::strtoull(argv[i + 1], nullptr, 0), seconds = 0;
    else if (std::strcmp(argv[i], "--seed") == 0)
      seed = std::strtoull(argv[i + 1], nullptr, 0);
    else
      return std::fputs("usage: weft_soak [--seconds N | --rounds N] [--seed S]\n", stderr), 2;
  }
  // What one round may hold: the memories of a machine whose every page is written.
  constexpr uint64_t kMax = uint64_t{1} << 30;
  const auto begin = std::chrono::steady_clock::now();
  uint64_t done = 0;
  const uint64_t begin_seed = seed;
  Digest digest;
  for (; rounds != 0 ? done < rounds
                     : std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds;
       ++done, ++seed) {
    switch (seed % 6) {
      case 0: example(seed, "ipv4-forwarder", {{0, 0}, {1, 1}}, true, digest); break;
      case 1: example(seed, "two-chips", {{0, 0}, {1, 2}}, true, digest); break;
      case 2:
        example(seed, "ixp1200", {{0, 0}}, false, digest);
        break;  // frames that a full MAC has cut stay in the program
      default: random_microcode(seed, digest);
    }
    if (resident() > kMax) die(seed, fmt::format("{} MB are resident after {} rounds", resident() >> 20, done + 1));
  }
  fmt::print("{} rounds from seed {}, digest {:016x}\n", done, begin_seed, digest.value());
  fmt::print(stderr, "{:.0f} s, {} MB resident, {} MB at most\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), resident() >> 20,
             peak() >> 20);
  return 0;
}
