// weft_bench_ide PATH...: how long the IDE takes to open projects and recordings, without its window: until the
// workspace has the sources (meanwhile its thread does nothing else), until the machine stands, and for recordings to
// the middle of the run and a step back.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <cstdio>
#include <functional>

#include "models/workspace.h"

using namespace weft;
using namespace weft::ide;

namespace {

/// On the clock: who waits does not care which thread works.
double seconds(const std::function<void()>& work) {
  QElapsedTimer timer;
  timer.start();
  work();
  return 1e-9 * static_cast<double>(timer.nsecsElapsed());
}

/// Until something holds after a change of the target.
void wait(Target& target, const std::function<bool()>& holds) {
  QEventLoop loop;
  const auto look = [&] {
    if (holds()) loop.quit();
  };
  QObject::connect(&target, &Target::state_changed, &loop, look);
  QObject::connect(&target, &Target::view_changed, &loop, look);
  if (!holds()) loop.exec();
}

bool stands(const Target& target) {
  return target.state() != Target::State::building && target.state() != Target::State::running;
}

int measure(const QString& path) {
  Workspace workspace;
  workspace.set_observation(workbench::recorded_observation());
  bool opened = false;
  const double open = seconds([&] { opened = workspace.open(path).has_value(); });
  if (!opened) return std::fprintf(stderr, "%s cannot be opened\n", qPrintable(path)), 1;
  Target& target = *workspace.target();
  const double ready =
      seconds([&] { wait(target, [&] { return stands(target) && target.state() != Target::State::empty; }); });
  std::printf("%-50s sources %6.0f ms, machine %6.0f ms", qPrintable(path), 1e3 * open, 1e3 * (open + ready));
  if (workspace.recording() != nullptr) {
    const uint64_t middle = workspace.recording()->info().cycle / 2;
    const double jump = seconds([&] {
      target.go_to(middle);
      wait(target, [&] { return target.view()->cycle == middle; });
    });
    const double back = seconds([&] {
      target.step_back({0, 0, 0});
      wait(target, [&] { return target.view()->cycle < middle; });
    });
    std::printf(", to the middle %6.0f ms, a step back %6.0f ms", 1e3 * jump, 1e3 * back);
  }
  std::printf("\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  if (argc < 2) return std::fprintf(stderr, "weft_bench_ide: name projects or recordings\n"), 2;
  for (int i = 1; i < argc; ++i)
    if (const int status = measure(QString::fromLocal8Bit(argv[i])); status != 0) return status;
  return 0;
}
