// How a long recording opens in the window: milliseconds until History has its first picture, and memory.
// weft_bench_ide_recording FILE; it needs no screen with QT_QPA_PLATFORM=offscreen. To make one of ten million cycles:
//   weft run examples/dual-stack-router --cycles 10000000 --record FILE
#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>
#include <fstream>
#include <string>

#include "widgets/main_window.h"
#include "widgets/timeline_view.h"

using namespace weft::ide;

namespace {

/// Megabytes: "VmRSS:" as it is, "VmHWM:" at most.
double memory(const std::string& which) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(which)) return std::stod(line.substr(which.size())) / 1024;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  if (argc != 2) return std::fprintf(stderr, "weft_bench_ide_recording: name a recording\n"), 2;
  QApplication::setStyle(QStringLiteral("Fusion"));
  const QTemporaryDir settings;
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
  MainWindow window(Theme::light);
  window.show();
  QApplication::processEvents();
  std::printf("%-36s %8.1f MB\n", "the empty window", memory("VmRSS:"));
  QElapsedTimer timer;
  timer.start();
  if (!window.open_project(QString::fromLocal8Bit(argv[1])))
    return std::fprintf(stderr, "%s cannot be opened\n", argv[1]), 1;
  const double sources = 1e-6 * static_cast<double>(timer.nsecsElapsed());
  auto* dock = qobject_cast<QDockWidget*>(window.view(QStringLiteral("history")));
  dock->show();
  dock->raise();
  auto* view = window.findChild<TimelineView*>();
  const auto wait = [](const auto& done) {
    while (!done()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
  };
  wait([&] { return window.workspace().target()->state() == Target::State::ended; });
  const double machine = 1e-6 * static_cast<double>(timer.nsecsElapsed());
  const auto& timeline = view->timeline();
  wait([&] { return timeline.answer() != nullptr && timeline.answer()->recorded && !timeline.asking(); });
  view->canvas().grab();
  const double picture = 1e-6 * static_cast<double>(timer.nsecsElapsed());
  std::printf("%-36s %8.0f ms\n%-36s %8.0f ms\n%-36s %8.0f ms, a frame %.1f ms\n", "sources", sources, "machine",
              machine, "first picture of History", picture, view->canvas().work().milliseconds);
  std::printf("%-36s %8.1f MB, at most %.1f MB\n", "memory", memory("VmRSS:"), memory("VmHWM:"));
  return 0;
}
