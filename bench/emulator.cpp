// weft_bench_emulator: how fast the reference engine is, on one core. Prints figures and the hashes of what was computed,
// so that a faster machine can be seen to do the same.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "measure.h"
#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/emulator/machine.h"
#include "weft/workbench/session.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace weft::bench {
namespace {

/// Cycles of the host's time stamp counter in a nanosecond; 0 where there is none.
double host_cycles_per_nanosecond() {
#if defined(__x86_64__)
  const auto begin = std::chrono::steady_clock::now();
  const uint64_t first = __rdtsc();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(50)) {}
  const uint64_t cycles = __rdtsc() - first;
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  return static_cast<double>(cycles) / time.count();
#else
  return 0;
#endif
}

void print(const char* what, uint64_t instructions, double time) {
  const double each = time * 1e9 / static_cast<double>(instructions);
  fmt::print("{}: {} instructions in {:.2f} s = {:.2f} million/s, {:.0f} ns or {:.0f} host cycles each\n", what,
             instructions, time, static_cast<double>(instructions) / time / 1e6, each,
             each * host_cycles_per_nanosecond());
}

[[noreturn]] void give_up(const Diagnostics& diagnostics) {
  fmt::print(stderr, "{}", render_text(diagnostics));
  std::exit(1);
}

/// Nothing but arithmetic and a branch, on one context of so many engines.
void alu_loop(unsigned engines) {
  const assembler::Assembly program = assembler::assemble(
      make_source("loop.uc", ".reg a b\nimmed[a, 1]\nimmed[b, 3]\nagain#:\nalu[a, a, +, 7]\nalu[b, a, XOR, b]\n"
                             "alu_shf[b, a, AND~, b, <<1]\nbr[again#]\n"),
      {});
  if (!program.image) give_up(program.diagnostics);
  std::vector<double> times;
  uint64_t instructions = 0, hash = 0;
  for (int round = 0; round < 5; ++round) {
    emulator::Machine machine{emulator::MachineDescription()};
    for (unsigned i = 0; i < engines; ++i) {
      machine.load(i, program.image->words);
      machine.start(i, 1);
    }
    times.push_back(seconds([&] { machine.run_until(1'000'000 * machine.timing().period / engines); }));
    instructions = machine.instructions();
    hash = machine.state(0).a[0] | uint64_t{machine.state(0).b[0]} << 32;
  }
  print(engines == 1 ? "ALU loop on one engine" : "ALU loop on eight engines", instructions, median(times));
  fmt::print("  registers {:016x}\n", hash);
}

void forwarder() {
  std::vector<double> times;
  uint64_t instructions = 0, state = 0;
  for (int round = 0; round < 3; ++round) {
    auto project = workbench::load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder");
    if (!project) give_up(project.error());
    auto session = workbench::Session::create(std::move(*project));
    if (!session) give_up(session.error());
    times.push_back(seconds([&] { (*session)->run({}); }));
    instructions = (*session)->machine().instructions();
    state = (*session)->state_hash();
  }
  print("IPv4 forwarder", instructions, median(times));
  // The hash of the trace costs time of its own, so it has a run of its own.
  auto session = workbench::Session::create(std::move(*workbench::load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder")));
  emulator::TraceHash trace;
  (*session)->machine().attach(trace);
  (*session)->run({});
  fmt::print("  state {:016x}, trace {:016x}\n", state, trace.value());
}

}  // namespace
}  // namespace weft::bench

int main() {
  weft::bench::alu_loop(1);
  weft::bench::alu_loop(8);
  weft::bench::forwarder();
}
