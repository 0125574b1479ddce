// How long the IDE's window is not awake while the machine runs: the gaps between the beats of a timer of one
// millisecond, with every view in front for a while. weft_bench_ide_gap [PROJECT [MILLISECONDS]]; it needs no screen
// with QT_QPA_PLATFORM=offscreen.
#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "widgets/main_window.h"

using namespace weft::ide;
using State = Target::State;

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setStyle(QStringLiteral("Fusion"));
  const QTemporaryDir settings;
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const QString project =
      argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router");
  const int each = argc > 2 ? std::max(std::atoi(argv[2]), 10) : 500;

  QElapsedTimer begin;
  begin.start();
  MainWindow window(Theme::light);
  weft::workbench::Observation all;
  all.coverage = all.history = all.statistics = all.packets = true;
  window.workspace().set_observation(all);
  window.show();
  if (!window.open_project(project)) {
    std::fprintf(stderr, "%s cannot be opened\n", qPrintable(project));
    return 2;
  }
  const auto wait_until = [](const auto& done) {
    while (!done()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  };
  const auto target = [&] { return window.workspace().target(); };
  bool refused = false;
  QObject::connect(target(), &Target::problems_changed, &window,
                   [&](const weft::Diagnostics& problems) { refused = problems.has_errors(); });
  wait_until([&] { return refused || target()->state() == State::stopped; });
  if (refused) {
    std::fprintf(stderr, "%s cannot be built\n", qPrintable(project));
    return 2;
  }
  std::printf("open and built after %lld ms\n", static_cast<long long>(begin.elapsed()));

  std::vector<qint64> gaps;
  QElapsedTimer since;
  QTimer beat;
  beat.setTimerType(Qt::PreciseTimer);
  QObject::connect(&beat, &QTimer::timeout, &window, [&] {
    gaps.push_back(since.nsecsElapsed());
    since.restart();
  });
  std::printf("%-14s %9s %9s %9s   %s\n", "view in front", "largest", "99 %", "median", "cycle");
  for (const QString& name : window.view_names()) {
    if (target()->state() != State::running) {
      if (target()->state() == State::ended) {
        target()->go_to(0);
        wait_until([&] { return target()->state() == State::stopped; });
      }
      target()->run();
    }
    if (auto* dock = qobject_cast<QDockWidget*>(window.view(name))) {
      dock->show();
      dock->raise();
    }
    gaps.clear();
    since.start();
    beat.start(1);
    QElapsedTimer shown;
    shown.start();
    while (shown.elapsed() < each) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    beat.stop();
    std::sort(gaps.begin(), gaps.end());
    const auto at = [&](double share) {
      return gaps.empty()
                 ? 0.0
                 : static_cast<double>(gaps[static_cast<size_t>(share * static_cast<double>(gaps.size() - 1))]) / 1e6;
    };
    std::printf("%-14s %6.1f ms %6.1f ms %6.1f ms   %llu\n", qPrintable(name), at(1.0), at(0.99), at(0.5),
                static_cast<unsigned long long>(target()->view() ? target()->view()->cycle : 0));
  }
  return 0;
}
