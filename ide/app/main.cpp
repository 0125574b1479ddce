// weft-ide: opens a project; or shows a view of it and writes it to a file, for tests and for documentation.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <algorithm>

#include "batch.h"
#include "weft/base/files.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"

namespace {

/// Pictures and help need no screen. Without this Qt ends the process where there is none.
bool has_screen_or_needs_none(int argc, char** argv) {
#ifdef Q_OS_LINUX
  if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || qEnvironmentVariableIsSet("DISPLAY") ||
      qEnvironmentVariableIsSet("WAYLAND_DISPLAY"))
    return true;
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

/// Shows a line of a text, FILE:LINE; what is wrong with that otherwise. Names start at the current folder, or at the
/// project's.
QString show_at(weft::ide::MainWindow& window, const QString& at) {
  const qsizetype colon = at.lastIndexOf(QLatin1Char(':'));
  bool number = false;
  const int line = at.mid(colon + 1).toInt(&number);
  if (colon <= 0 || !number || line < 1)
    return QStringLiteral("--at %1: FILE:LINE is expected, for example --at forward.uc:120").arg(at);
  const QString name = at.left(colon);
  QString path = QFileInfo(name).absoluteFilePath();
  const QDir folder(QString::fromStdString(window.workspace().project().folder.string()));
  if (!QFileInfo::exists(path) && folder.exists(name)) path = folder.absoluteFilePath(name);
  if (const auto readable = weft::read_file(path.toStdString()); !readable) {
    const weft::Diagnostic& why = readable.error().list().front();
    return QStringLiteral("--at %1: %2; %3")
        .arg(at, QString::fromStdString(why.text), QString::fromStdString(why.remedy));
  }
  const weft::ide::CodeEditor* editor = window.open_file(path);
  if (editor == nullptr) return QStringLiteral("--at %1: this is not text in UTF-8; name a source").arg(at);
  if (line > editor->document()->blockCount())
    return QStringLiteral("--at %1: the text has %2 lines; name one of them")
        .arg(at)
        .arg(editor->document()->blockCount());
  window.show_place(path, line);
  return {};
}

/// "me0.3@5000"; what is wrong with it otherwise.
QString read_cursor(const QString& text, weft::ide::BatchOptions& out) {
  if (text.isEmpty()) return {};
  static const QRegularExpression form(QStringLiteral("^me(\\d{1,3})\\.(?:ctx)?([0-7])@(\\d{1,18})$"));
  const QRegularExpressionMatch match = form.match(text);
  if (!match.hasMatch())
    return QStringLiteral("--cursor %1: a context and a cycle are expected, for example me0.3@5000").arg(text);
  out.context = weft::ide::ContextId{0, match.captured(1).toUInt(), match.captured(2).toUInt()};
  out.cycle = match.captured(3).toULongLong();
  return {};
}

QString read_range(const QString& text, weft::ide::BatchOptions& out) {
  if (text.isEmpty()) return {};
  static const QRegularExpression form(QStringLiteral("^(\\d{1,18})-(\\d{1,18})$"));
  const QRegularExpressionMatch match = form.match(text);
  if (!match.hasMatch() || match.captured(1).toULongLong() >= match.captured(2).toULongLong())
    return QStringLiteral("--range %1: two cycles are expected, the lesser first, for example 4000-9000").arg(text);
  out.range = std::pair(match.captured(1).toULongLong(), match.captured(2).toULongLong());
  return {};
}

/// A number of an option; what is wrong with it otherwise.
QString read_number(const QCommandLineParser& options, const QCommandLineOption& option, uint64_t min, uint64_t& out) {
  if (!options.isSet(option)) return {};
  bool number = false;
  const qulonglong value = options.value(option).toULongLong(&number);
  if (!number || value < min)
    return QStringLiteral("--%1 %2: a number is expected, at least %3")
        .arg(option.names().front(), options.value(option))
        .arg(min);
  out = value;
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace weft::ide;
  if (!has_screen_or_needs_none(argc, argv))
    return complain(QStringLiteral(
        "there is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set); --screenshot and --dump-state need none"));
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("weft-ide"));
  QApplication::setStyle(QStringLiteral("Fusion"));  // the same everywhere

  QCommandLineParser options;
  options.setApplicationDescription(QStringLiteral(
      "The desktop program of Weft: write microcode, run it on the emulated chip, and see what happened."));
  options.addHelpOption();
  options.addPositionalArgument(
      QStringLiteral("PROJECT"),
      QStringLiteral("a folder with a weft.json, that file, or a recording of weft run --record"),
      QStringLiteral("[PROJECT]"));
  const QCommandLineOption dark(QStringLiteral("dark"), QStringLiteral("dark colours"));
  const QCommandLineOption until(
      QStringLiteral("until"),
      QStringLiteral("run to a condition or limit first: \"5000 cycles\", \"20us\", \"packets > 10\""),
      QStringLiteral("CONDITION"));
  const QCommandLineOption screenshot(
      QStringLiteral("screenshot"),
      QStringLiteral(
          "write a picture of VIEW (window, editor, contexts ...) to a file and end; VIEW=FILE.png works too"),
      QStringLiteral("VIEW FILE.png"));
  const QCommandLineOption dump(QStringLiteral("dump-state"),
                                QStringLiteral("write what the views show as JSON and end"),
                                QStringLiteral("FILE.json"));
  const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("size of the window in pixels"),
                                QStringLiteral("WIDTHxHEIGHT"), QStringLiteral("1440x900"));
  const QCommandLineOption observe(
      QStringLiteral("observe"),
      QStringLiteral("what the run is watched for, with commas between: coverage, history, statistics, profile, "
                     "packets; none. Without it what was chosen last (Run, Watch the run for), at first coverage, "
                     "history, statistics and packets"),
      QStringLiteral("LIST"));
  const QCommandLineOption place(QStringLiteral("at"), QStringLiteral("open a text and show a line of it"),
                                 QStringLiteral("FILE:LINE"));
  const QCommandLineOption between(
      QStringLiteral("checkpoint-cycles"),
      QStringLiteral(
          "cycles from one moment to go back to, to the next (Run, Watch the run for, Checkpoints; at first 100000)"),
      QStringLiteral("N"));
  const QCommandLineOption max(QStringLiteral("checkpoints"),
                               QStringLiteral("how many of them are kept; then every second one goes (at first 64)"),
                               QStringLiteral("N"));
  const QCommandLineOption press(
      QStringLiteral("press"),
      QStringLiteral(
          "press tools of the VIEW by name first, with commas between: \"packets\" of the history folds contexts; "
          "FIELD=TEXT types into one: \"history_search=sleep > 300\""),
      QStringLiteral("TOOLS"));
  const QCommandLineOption cursor(
      QStringLiteral("cursor"),
      QStringLiteral("look at a context and a cycle after the run, as a click in the history does: \"me0.3@5000\""),
      QStringLiteral("CONTEXT@CYCLE"));
  const QCommandLineOption range(QStringLiteral("range"), QStringLiteral("choose a range of cycles: \"4000-9000\""),
                                 QStringLiteral("FROM-TO"));
  options.addOptions({place, dark, until, screenshot, dump, size, observe, between, max, press, cursor, range});
  options.process(app);
  QStringList given = options.positionalArguments();
  // Each has one value or none, and Qt would forget all values but the last.
  for (const QString& name : options.optionNames())
    if (options.optionNames().count(name) > 1)
      return complain(QStringLiteral("--%1 is given twice; write it once").arg(name));
  BatchOptions asked;
  asked.until = options.value(until);
  asked.press = options.value(press).split(QLatin1Char(','), Qt::SkipEmptyParts);
  for (const QString& wrong : {read_cursor(options.value(cursor), asked), read_range(options.value(range), asked)})
    if (!wrong.isEmpty()) return complain(wrong);
  if (options.isSet(dump)) asked.dump = options.value(dump);
  if (options.isSet(screenshot)) {
    // VIEW=FILE, or FILE after it.
    asked.view = options.value(screenshot).section(QLatin1Char('='), 0, 0);
    asked.picture = options.value(screenshot).section(QLatin1Char('='), 1);
    const auto behind = std::ranges::find_if(
        given, [](const QString& name) { return name.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive); });
    if (asked.picture.isEmpty() && behind != given.end()) {
      asked.picture = *behind;
      given.erase(behind);
    }
  }
  if (given.size() > 1) return complain(QStringLiteral("one PROJECT at a time"));

  const Theme theme = options.isSet(dark) ? Theme::dark : Theme::light;
  QApplication::setPalette(palette_of(theme));
  MainWindow window(theme);
  const QStringList sides = options.value(size).split(QLatin1Char('x'));
  if (sides.size() != 2 || sides[0].toInt() < 400 || sides[1].toInt() < 300)
    return complain(QStringLiteral("--size wants WIDTHxHEIGHT, for example 1440x900"));
  window.resize(sides[0].toInt(), sides[1].toInt());
  window.layouts().reset();
  weft::workbench::Observation observation;
  observation.coverage = observation.history = observation.statistics = observation.packets = true;
  window.workspace().set_observation(observation);
  const bool batch = asked.ends();
  Batch errand(window, asked);
  if (const Status status = errand.check(); status != kDone) return status;
  if (batch)
    window.read_breakpoints();
  else
    window.keep();
  if (!batch && options.isSet(size)) window.resize(sides[0].toInt(), sides[1].toInt());
  window.show();
  if (given.isEmpty()) {
    if (batch) return complain(QStringLiteral("name a PROJECT to show"));
    return QApplication::exec();
  }
  if (options.isSet(observe))
    observation = {};
  else
    observation = window.workspace().observation();
  for (const QString& what : options.value(observe).split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    if (what == QStringLiteral("coverage"))
      observation.coverage = true;
    else if (what == QStringLiteral("history"))
      observation.history = true;
    else if (what == QStringLiteral("statistics"))
      observation.statistics = true;
    else if (what == QStringLiteral("profile"))
      observation.profile = true;
    else if (what == QStringLiteral("packets"))
      observation.packets = true;
    else if (what != QStringLiteral("none"))
      return complain(
          QStringLiteral(
              "--observe: there is no '%1'; coverage, history, statistics, profile, packets or none can be watched")
              .arg(what));
  }
  window.workspace().set_observation(observation);
  Checkpoints checkpoints = window.workspace().checkpoints();
  for (const QString& wrong : {read_number(options, between, kMinCheckpointCycles, checkpoints.cycles),
                               read_number(options, max, kMinCheckpoints, checkpoints.max)})
    if (!wrong.isEmpty()) return complain(wrong);
  window.workspace().set_checkpoints(checkpoints);
  if (batch) QObject::connect(&window.workspace(), &Workspace::warned, [](const QString& text) { complain(text); });
  const bool open = window.open_project(given[0]);
  if (!open && batch) return report(window.not_opened()), kWrongInput;
  Status status = kDone;
  if (const QString wrong = open && options.isSet(place) ? show_at(window, options.value(place)) : QString();
      !wrong.isEmpty()) {
    status = static_cast<Status>(complain(wrong));
    Q_EMIT window.workspace().message(wrong);
  }
  if (open) errand.begin(status);
  return QApplication::exec();
}
