// weft-ide: opens a project; or shows a view of it and writes it to a file, for tests and for documentation.
#include <QApplication>
#include <QCommandLineParser>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QTextStream>
#include <QTimer>
#include <functional>

#include "widgets/main_window.h"

namespace {

int complain(const QString& text) {
  QTextStream(stderr) << "weft-ide: " << text << '\n';
  return 2;
}

/// Pictures and help need no screen. Without this Qt ends the process where there is none.
bool has_screen_or_needs_none(int argc, char** argv) {
#ifdef Q_OS_LINUX
  if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")) return true;
  for (int i = 1; i < argc; ++i) {
    const QByteArray argument(argv[i]);
    for (const char* batch : {"--screenshot", "--dump-state", "--help", "-h"})
      if (argument.startsWith(batch)) return qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  return false;
#else
  return static_cast<void>(argc), static_cast<void>(argv), true;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  using namespace weft::ide;
  if (!has_screen_or_needs_none(argc, argv)) return complain(QStringLiteral("there is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set); --screenshot and --dump-state need none"));
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("weft-ide"));
  QApplication::setStyle(QStringLiteral("Fusion"));  // the same everywhere

  QCommandLineParser options;
  options.setApplicationDescription(QStringLiteral("The desktop program of Weft: write microcode, run it on the emulated chip, and see what happened."));
  options.addHelpOption();
  options.addPositionalArgument(QStringLiteral("PROJECT"), QStringLiteral("a folder with a weft.json, that file, or a recording of weft run --record"), QStringLiteral("[PROJECT]"));
  const QCommandLineOption dark(QStringLiteral("dark"), QStringLiteral("dark colours"));
  const QCommandLineOption until(QStringLiteral("until"), QStringLiteral("run to a condition or limit first: \"5000 cycles\", \"20us\", \"packets > 10\""), QStringLiteral("CONDITION"));
  const QCommandLineOption screenshot(QStringLiteral("screenshot"), QStringLiteral("write a picture of VIEW (window, editor, contexts ...) to FILE and end"), QStringLiteral("VIEW=FILE"));
  const QCommandLineOption dump(QStringLiteral("dump-state"), QStringLiteral("write what the views show as JSON and end"), QStringLiteral("FILE"));
  const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("size of the window in pixels"), QStringLiteral("WIDTHxHEIGHT"), QStringLiteral("1440x900"));
  const QCommandLineOption observe(QStringLiteral("observe"), QStringLiteral("what the run is watched for, with commas between: coverage, history, statistics, profile, packets; none. Without it what was chosen last (Run, Watch the run for), at first coverage, history, statistics and packets"), QStringLiteral("LIST"));
  const QCommandLineOption place(QStringLiteral("at"), QStringLiteral("open a text and show a line of it"), QStringLiteral("FILE:LINE"));
  options.addOptions({place, dark, until, screenshot, dump, size, observe});
  options.process(app);
  QStringList given = options.positionalArguments();
  // VIEW=FILE, or FILE behind it.
  QString view = options.value(screenshot).section(QLatin1Char('='), 0, 0), picture = options.value(screenshot).section(QLatin1Char('='), 1);
  if (options.isSet(screenshot) && picture.isEmpty() && !given.isEmpty() && given.last().endsWith(QStringLiteral(".png"))) picture = given.takeLast();
  if (given.size() > 1) return complain(QStringLiteral("one PROJECT at a time"));

  const Theme theme = options.isSet(dark) ? Theme::dark : Theme::light;
  QApplication::setPalette(palette_of(theme));
  MainWindow window(theme);
  const QStringList sides = options.value(size).split(QLatin1Char('x'));
  if (sides.size() != 2 || sides[0].toInt() < 400 || sides[1].toInt() < 300) return complain(QStringLiteral("--size wants WIDTHxHEIGHT, for example 1440x900"));
  window.resize(sides[0].toInt(), sides[1].toInt());
  window.layouts().reset();
  weft::workbench::Observation observation;
  observation.coverage = observation.history = observation.statistics = observation.packets = true;
  window.workspace().set_observation(observation);
  const bool batch = options.isSet(screenshot) || options.isSet(dump);
  if (batch) window.read_breakpoints();
  else window.keep();
  if (!batch && options.isSet(size)) window.resize(sides[0].toInt(), sides[1].toInt());
  window.show();
  if (given.isEmpty()) {
    if (batch) return complain(QStringLiteral("name a PROJECT to show"));
    return QApplication::exec();
  }
  if (options.isSet(observe)) observation = {};
  else observation = window.workspace().observation();
  for (const QString& what : options.value(observe).split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    if (what == QStringLiteral("coverage")) observation.coverage = true;
    else if (what == QStringLiteral("history")) observation.history = true;
    else if (what == QStringLiteral("statistics")) observation.statistics = true;
    else if (what == QStringLiteral("profile")) observation.profile = true;
    else if (what == QStringLiteral("packets")) observation.packets = true;
    else if (what != QStringLiteral("none")) return complain(QStringLiteral("--observe: there is no '%1'; coverage, history, statistics, profile, packets or none can be watched").arg(what));
  }
  window.workspace().set_observation(observation);
  const bool open = window.open_project(given[0]);
  if (open && options.isSet(place)) {
    const QString at = options.value(place);
    const qsizetype colon = at.lastIndexOf(QLatin1Char(':'));
    window.show_place(QFileInfo(at.left(colon)).absoluteFilePath(), at.mid(colon + 1).toInt());
  }
  if (!batch) return QApplication::exec();
  if (!open) return complain(QStringLiteral("%1 cannot be opened: %2").arg(given[0], window.reason()));

  // A view behind others has no size, and asks nothing.
  if (auto* dock = qobject_cast<QDockWidget*>(window.view(view))) {
    dock->show();
    dock->raise();
    if (window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea) window.resizeDocks({dock}, {window.height() * 3 / 5}, Qt::Vertical);
  }
  const auto finish = [&] {
    int status = 0;
    if (options.isSet(screenshot)) {
      QWidget* widget = window.view(view);
      if (widget == nullptr || picture.isEmpty())
        status = complain(QStringLiteral("there is no view '%1'; write VIEW=FILE.png with one of: %2").arg(view, window.view_names().join(QStringLiteral(", "))));
      else if (!widget->grab().save(picture)) status = complain(QStringLiteral("%1 cannot be written").arg(picture));
    }
    if (options.isSet(dump)) {
      QFile file(options.value(dump));
      if (!file.open(QIODevice::WriteOnly) || file.write(window.state_json()) < 0) status = complain(QStringLiteral("%1: %2").arg(file.fileName(), file.errorString()));
    }
    QApplication::exit(status);
  };
  // Questions are answered one behind the other: when this one is, views have the answers to theirs. Some ask again when they know more.
  constexpr int kRounds = 3;
  std::function<void(int, const std::function<void()>&)> settle = [&](int rounds, const std::function<void()>& then) {
    window.workspace().target()->ask(&window, [](const Inspector& machine) { return machine.cycle(); }, [&settle, rounds, then](uint64_t) {
      if (rounds > 1) settle(rounds - 1, then);
      else then();
    });
  };
  // When it is built the views look first, so that what changes in the run is marked; when it has run as far as asked, they look again.
  bool started = !options.isSet(until), done = false;
  const auto look = [&] {
    const Target::State state = window.workspace().target()->state();
    if (done || state == Target::State::building || state == Target::State::running) return;
    if (!started && state == Target::State::stopped) {
      started = true;
      settle(kRounds, [&] { window.workspace().target()->run_until(options.value(until).toStdString()); });
      return;
    }
    done = true;
    QTimer::singleShot(600, &window, [&] {
      if (window.workspace().target()->view()) settle(kRounds, finish);
      else finish();
    });
  };
  QObject::connect(window.workspace().target(), &Target::state_changed, &window, look);
  return QApplication::exec();
}
