// weft_bench_snapshots: what a snapshot of the forwarder costs in time and memory, and how long a step back takes.
#include <fmt/format.h>

#include <cstdlib>

#include "measure.h"
#include "weft/base/render.h"
#include "weft/workbench/session.h"

using namespace weft;

namespace {

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}", render_text(result.error()));
  std::exit(1);
}

std::unique_ptr<workbench::Session> forwarder() {
  workbench::Overrides o;
  o.set = {{"ports.0.in.generate.count", "400"}, {"ports.1.in.generate.count", "400"}};
  return must(workbench::Session::create(must(workbench::load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder", o))));
}

workbench::RunControl to(uint64_t cycles) {
  workbench::RunControl control;
  control.limits.cycles = cycles;
  return control;
}

}  // namespace

int main() {
  constexpr int kSnapshots = 200;
  constexpr uint64_t kEach = 2000;
  const auto session = forwarder();
  session->run(to(100'000));
  std::vector<workbench::Snapshot> kept;
  std::vector<double> saves, restores;
  for (int i = 0; i < kSnapshots; ++i) {
    saves.push_back(bench::seconds([&] { kept.push_back(session->save()); }));
    session->run(to(100'000 + kEach * static_cast<uint64_t>(i + 1)));
  }
  for (int i = 0; i < kSnapshots; ++i) {
    const auto& snapshot = kept[static_cast<size_t>(i * 7 % kSnapshots)];
    restores.push_back(bench::seconds([&] { must(session->restore(snapshot)); }));
  }
  fmt::print("save: median {:.1f} us, restore: median {:.1f} us\n", 1e6 * bench::median(saves),
             1e6 * bench::median(restores));
  const auto run = [](bool snapshots) {
    return bench::peak_megabytes([snapshots] {
      const auto other = forwarder();
      std::vector<workbench::Snapshot> list;
      for (int i = 0; i < kSnapshots; ++i) {
        other->run(to(100'000 + kEach * static_cast<uint64_t>(i + 1)));
        if (snapshots) list.push_back(other->save());
      }
    });
  };
  const double without = run(false), with = run(true);
  fmt::print("memory: {:.1f} MB without, {:.1f} MB with {} snapshots each {} cycles: {:.0f} KB each\n", without, with,
             kSnapshots, kEach, (with - without) * 1024 / kSnapshots);
  const auto recorded = forwarder();
  recorded->record();
  recorded->run(to(900'000));
  std::vector<double> backs;
  for (int i = 0; i < 10; ++i) backs.push_back(bench::seconds([&] { must(recorded->step_back(1)); }));
  fmt::print("step back: median {:.1f} ms at {} checkpoints\n", 1e3 * bench::median(backs), recorded->checkpoints());
  return 0;
}
