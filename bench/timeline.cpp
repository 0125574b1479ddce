// What a frame of the execution history costs: the IPv4 forwarder with its history and packets, and an artificial past
// of 64 contexts. Prints milliseconds of painting (the window's thread) and of answers (the machine's thread) at
// several zooms.
#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <cstdio>

#include "widgets/timeline_view.h"

using namespace weft::ide;

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const QStringList args = QApplication::arguments();
  const uint64_t cycles = args.size() > 1 ? args[1].toULongLong() : 1'000'000;
  Workspace workspace;
  weft::workbench::Observation observation;
  observation.history = observation.packets = true;
  workspace.set_observation(observation);
  TimelineView view(workspace, Theme::light);
  view.resize(1440, 64 * 20 + 460);
  view.show();
  if (!workspace.open(QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router"))) return 1;
  const auto wait = [&](auto&& done) {
    QElapsedTimer timer;
    timer.start();
    while (!done() && timer.elapsed() < 3'600'000) QTest::qWait(20);
  };
  wait([&] { return workspace.target()->state() == Target::State::stopped; });
  QElapsedTimer timer;
  timer.start();
  workspace.target()->run_until(QStringLiteral("%1 cycles").arg(cycles).toStdString());
  wait([&] {
    return workspace.target()->state() == Target::State::ended || workspace.target()->state() == Target::State::faulted;
  });
  const uint64_t lived = workspace.target()->view()->cycle;
  std::printf("%llu cycles of dual-stack-router with history and packets in %.1f s\n",
              static_cast<unsigned long long>(lived), static_cast<double>(timer.elapsed()) / 1000);
  Timeline& timeline = view.timeline();
  TimelineCanvas& canvas = view.canvas();
  wait([&] { return timeline.answer() != nullptr && timeline.answer()->to == lived; });
  timeline.set_all_open(true);
  workspace.cursor().set_packet(100);
  std::printf("%10s %6s %8s %8s %10s %10s %8s\n", "cycles", "rows", "cells", "packets", "answer ms", "frame ms",
              "worst");
  for (double share = 1; static_cast<double>(lived) * share > 200; share /= 8) {
    const double middle = static_cast<double>(lived) * 0.4, half = static_cast<double>(lived) * share / 2;
    timer.start();
    canvas.show_cycles(std::max(0.0, middle - half), middle + half);
    const double wanted = canvas.axis().end() - canvas.axis().begin();
    wait([&] {
      return !timeline.asking() &&
             static_cast<double>(timeline.answer()->question.end - timeline.answer()->question.begin) <= wanted + 3 &&
             timeline.answer()->question.rows.size() > 60;
    });
    const double answered = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    std::vector<double> frames;
    for (int i = 0; i < 15; ++i) {
      canvas.set_labels(canvas.labels());  // everything is painted anew
      canvas.grab();
      frames.push_back(canvas.work().milliseconds);
    }
    std::ranges::sort(frames);
    std::printf("%10.0f %6zu %8llu %8zu %10.1f %10.2f %8.2f\n", wanted, timeline.answer()->question.rows.size(),
                static_cast<unsigned long long>(canvas.work().cells), timeline.answer()->lanes.packets.size(), answered,
                frames[frames.size() / 2], frames.back());
  }
  return 0;
}
