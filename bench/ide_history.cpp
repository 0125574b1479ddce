// What is asked of a long execution history costs: an artificial past of 64 contexts. Prints milliseconds of the
// machine's thread for causes, searches, figures of a range and the flame graph, the longest single question, and
// frames of the window's thread. weft_bench_ide_history [CYCLES]; it needs no screen with QT_QPA_PLATFORM=offscreen.
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "measure.h"
#include "timeline_fixture.h"
#include "weft/workbench/causes.h"
#include "weft/workbench/flame.h"
#include "weft/workbench/history_search.h"
#include "weft/workbench/range_figures.h"
#include "widgets/flame_canvas.h"

using namespace weft;
using namespace weft::ide;
using namespace weft::ide::test;
using namespace weft::workbench;

namespace {

double milliseconds(const std::function<void()>& what) {
  QElapsedTimer timer;
  timer.start();
  what();
  return 1e-6 * static_cast<double>(timer.nsecsElapsed());
}

/// A part in each question, as the window asks.
template <class Look>
void print_parts(const char* what, Look&& look) {
  double all = 0, longest = 0;
  int parts = 0;
  for (bool done = false; !done; ++parts) {
    const double one = milliseconds([&] { done = look(); });
    all += one;
    longest = std::max(longest, one);
  }
  std::printf("%-34s %9.1f ms in %3d questions, the longest %7.1f ms\n", what, all, parts, longest);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const uint64_t cycles = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 10'000'000;
  const emulator::Machine machine{emulator::MachineDescription()};
  History history(machine);
  live(history, 0, cycles);
  const PastOnly past(history, cycles);
  size_t words = 0;
  for (uint8_t e = 0; e < 8; ++e)
    for (uint8_t c = 0; c < 8; ++c) words += history.past({e, c}).words.size();
  std::printf("%llu cycles, 64 contexts, %zu words of history\n", static_cast<unsigned long long>(cycles), words);

  for (const char* text : {"stall > 0", "sleep > 80", "ready"}) {
    HistorySearch search(*parse_history_query(text));
    print_parts(text, [&] { return search.look(past, 1'000'000); });
    HistoryHits hits;
    const double sorted = milliseconds([&] { hits = search.hits(past); });
    std::printf("%-34s %9.1f ms for %llu hits\n", "  in order", sorted, static_cast<unsigned long long>(hits.count));
  }
  double worst = 0, sum = 0;
  constexpr int kCauses = 64;
  for (int i = 0; i < kCauses; ++i) {
    const double one = milliseconds([&] {
      cause_of(past, {0, static_cast<unsigned>(i / 8), static_cast<unsigned>(i % 8)},
               cycles / kCauses * static_cast<uint64_t>(i) + 50);
    });
    worst = std::max(worst, one);
    sum += one;
  }
  std::printf("%-34s %9.2f ms, at most %.2f ms\n", "a cause", sum / kCauses, worst);
  RangeProfile all({0, cycles}), tenth({cycles / 2, cycles / 2 + cycles / 10});
  print_parts("profile of all cycles", [&] { return all.look(past, 2'000'000); });
  print_parts("profile of a tenth", [&] { return tenth.look(past, 2'000'000); });
  std::printf("%-34s %9.1f ms\n", "units and contexts of a tenth", milliseconds([&] {
                statistics_of(past, 0, {cycles / 2, cycles / 2 + cycles / 10});
              }));

  std::vector<emulator::ProfileFigures> figures;
  for (const RangeProfile::Chip& chip : all.figures()) figures.push_back(chip.figures);
  std::shared_ptr<const FlameNode> root;
  std::printf("%-34s %9.1f ms\n", "flame graph",
              milliseconds([&] { root = std::make_shared<const FlameNode>(flame_of(past, figures, {})); }));
  FlameCanvas canvas(Theme::light);
  canvas.resize(1440, 500);
  canvas.show();
  canvas.show_tree(root, {});
  std::vector<double> frames;
  for (int i = 0; i < 15; ++i) {
    canvas.grab();
    frames.push_back(canvas.frame_milliseconds());
  }
  std::printf("%-34s %9.2f ms\n", "  a frame", bench::median(frames));
  return 0;
}
