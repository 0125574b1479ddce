// The program itself, as scripts and people without a screen call it: pictures, states, what is said on standard error,
// exit statuses.
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <filesystem>

#include "support.h"
#include "weft/workbench/recording.h"

using namespace weft::ide::test;

namespace {

const QString kFirst = QStringLiteral(WEFT_SOURCE_DIR "/examples/first");
constexpr const char* kNotBuilt = "The project is not built: see Problems.";

struct Ended {
  int status = -1;
  QString said;  ///< on standard error
};

Ended run(const QStringList& arguments) {
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
    environment.remove(QString::fromLatin1(name));
  program.setProcessEnvironment(environment);
  program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/weft-ide"), arguments);
  if (!program.waitForFinished(60'000) || program.exitStatus() != QProcess::NormalExit) return {};
  return {program.exitCode(), QString::fromUtf8(program.readAllStandardError())};
}

}  // namespace

class BatchTest : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  QString project_, picture_, dump_;

  QString file(const char* name) const { return folder_->filePath(QString::fromLatin1(name)); }
  void set_source(const QByteArray& text) { write(project_ + QStringLiteral("/first.uc"), text); }
  QJsonObject state() const { return QJsonDocument::fromJson(read(dump_)).object(); }
  QString empty(const char* view) const { return state()[QLatin1String(view)][QStringLiteral("empty")].toString(); }
  /// Of the project, with a picture and a dump, which are made whatever happens.
  Ended shown(const QStringList& more = {}) {
    QFile::remove(picture_);
    QFile::remove(dump_);
    const Ended ended = run(QStringList{project_, QStringLiteral("--screenshot"), QStringLiteral("window=") + picture_,
                                        QStringLiteral("--dump-state"), dump_} +
                            more);
    if (QImage(picture_).isNull() || state().isEmpty()) return {-2, ended.said};
    return ended;
  }

 private Q_SLOTS:
  void init() {
    namespace fs = std::filesystem;
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
    project_ = file("first");
    picture_ = file("a.png");
    dump_ = file("a.json");
    fs::copy(kFirst.toStdString(), project_.toStdString(), fs::copy_options::recursive);
    set_source("alu[--, --, B, 0]\nctx_arb[kill]\n");
  }

  void pictures_and_states_need_no_screen() {
    QCOMPARE(run({kFirst, QStringLiteral("--until"), QStringLiteral("100 cycles"), QStringLiteral("--screenshot"),
                  QStringLiteral("contexts"), picture_})
                 .status,
             0);
    QVERIFY(!QImage(picture_).isNull());
    QVERIFY(QFile::remove(picture_));
    QCOMPARE(run({QStringLiteral("--screenshot"), QStringLiteral("contexts"), picture_, kFirst}).status, 0);
    QVERIFY(QFile::remove(picture_));
    QCOMPARE(run({kFirst, QStringLiteral("--screenshot"), QStringLiteral("editor=") + picture_,
                  QStringLiteral("--dump-state"), dump_})
                 .status,
             0);
    QVERIFY(!QImage(picture_).isNull());
    QCOMPARE(state()[QStringLiteral("name")].toString(), QStringLiteral("first"));
    QVERIFY(empty("problems").startsWith(QStringLiteral("No problems. ")));
    QVERIFY(!state()[QStringLiteral("contexts")].toArray().isEmpty());
    QVERIFY(!state()[QStringLiteral("registers")].toArray().isEmpty());
    // What is wrong is said, with what to do.
    const auto s = [](const char* text) { return QString::fromLatin1(text); };
    for (const auto& [arguments, status, said] : std::vector<std::tuple<QStringList, int, const char*>>{
             {{kFirst, s("--screenshot"), s("nonsense=") + picture_}, 2, "contexts, breakpoints"},
             {{kFirst, s("--screenshot"), s("contexts")}, 2, "the file is missing; write contexts=FILE.png"},
             {{kFirst, s("--screenshot"), s("contexts=") + picture_, s("--screenshot"), s("memory=") + picture_},
              2,
              "--screenshot is given twice"},
             {{kFirst, s("--screenshot"), s("contexts=") + file("picture")}, 2, "call it FILE.png"},
             {{kFirst, s("--screenshot"), s("contexts"), s("/no/such/x.png")}, 1, "there is no folder '/no/such'"},
             {{kFirst, s("--dump-state"), s("/no/such/x.json")}, 1, "make the folder first"},
             {{kFirst, s("--dump-state"), s("")}, 1, "name a file"},
             {{file("none"), s("--dump-state"), dump_}, 1, "No such file or directory"},
             {{kFirst, s("--size"), s("big"), s("--dump-state"), dump_}, 2, "1440x900"},
             {{kFirst, s("--checkpoints"), s("0"), s("--dump-state"), dump_}, 2, "at least 4"},
             {{kFirst, s("--checkpoint-cycles"), s("often"), s("--dump-state"), dump_}, 2, "at least 1000"},
             {{kFirst}, 2, "no screen"}}) {
      const Ended ended = run(arguments);
      QVERIFY2(ended.said.contains(QLatin1String(said)), qPrintable(ended.said));
      QVERIFY2(ended.status == status, qPrintable(ended.said));
    }
    QCOMPARE(run({kFirst, s("--checkpoints"), s("4"), s("--checkpoint-cycles"), s("1000"), s("--until"),
                  s("9000 cycles"), s("--dump-state"), dump_})
                 .status,
             0);
  }

  void a_program_with_a_mistake() {
    set_source("nop\nalu[nobody, --, B, 1]\nctx_arb[kill]\n");
    const Ended ended = shown({QStringLiteral("--until"), QStringLiteral("500 cycles")});
    QVERIFY2(ended.status == 1, qPrintable(ended.said));
    QVERIFY2(ended.said.contains(QStringLiteral("first.uc:2")) && ended.said.contains(QStringLiteral("nobody")) &&
                 ended.said.contains(QStringLiteral("not built: 1 error\n")),
             qPrintable(ended.said));
  }

  // Every view says that there is no machine, with the same words.
  void a_source_that_is_missing() {
    QVERIFY(QFile::remove(project_ + QStringLiteral("/first.uc")));
    const Ended ended = shown();
    QVERIFY2(ended.status == 1, qPrintable(ended.said));
    QVERIFY2(ended.said.contains(QStringLiteral("first.uc")) && ended.said.contains(QStringLiteral("No such file")),
             qPrintable(ended.said));
    for (const char* view : {"contexts", "registers", "timeline", "packets", "coverage", "statistics", "memory",
                             "queues", "csrs", "engine"})
      QVERIFY2(empty(view) == QLatin1String(kNotBuilt),
               qPrintable(QLatin1String(view) + QStringLiteral(": ") + empty(view)));
    QVERIFY(!state()[QStringLiteral("problems")].toArray().isEmpty());
  }

  void what_cannot_be_asked_for() {
    Ended ended = shown({QStringLiteral("--until"), QStringLiteral("garbage !!")});
    QVERIFY2(ended.status == 2, qPrintable(ended.said));
    QVERIFY2(ended.said.contains(QStringLiteral("--until \"garbage !!\"")) &&
                 ended.said.contains(QStringLiteral("[inspect-name]")),
             qPrintable(ended.said));
    for (const auto& [at, said] :
         std::vector<std::pair<const char*, const char*>>{{"nofile.uc:12", "No such file"},
                                                          {"nocolon", "FILE:LINE is expected"},
                                                          {"first.uc:zero", "FILE:LINE is expected"},
                                                          {"first.uc:4000", "the text has 3 lines"}}) {
      ended = shown({QStringLiteral("--at"), QString::fromLatin1(at)});
      QVERIFY2(ended.status == 2, qPrintable(ended.said));
      QVERIFY2(ended.said.contains(QLatin1String(said)), qPrintable(ended.said));
    }
    ended = shown({QStringLiteral("--at"), QStringLiteral("first.uc:2")});
    QVERIFY2(ended.status == 0 && !ended.said.contains(QStringLiteral("weft-ide: ")), qPrintable(ended.said));
  }

  void a_program_that_runs_off_its_end() {
    set_source("nop\nnop\n");
    const Ended ended = shown({QStringLiteral("--until"), QStringLiteral("500 cycles")});
    QVERIFY2(ended.status == 1, qPrintable(ended.said));
    QVERIFY2(ended.said.contains(QStringLiteral("first.uc:2; end it with ctx_arb[kill] or a branch")),
             qPrintable(ended.said));
  }

  void recordings() {
    using namespace weft::workbench;
    auto loaded = load_project(kFirst.toStdString());
    QVERIFY(loaded);
    auto session = Session::create(std::move(*loaded), recorded_observation());
    QVERIFY(session);
    (*session)->record();
    RunControl control;
    control.limits.cycles = 500;
    (*session)->run(control);
    project_ = file("run.weftrec");
    QVERIFY(write_recording(**session, {}, project_.toStdString()));
    // It can go on after its end.
    Ended ended = shown({QStringLiteral("--until"), QStringLiteral("800 cycles")});
    QVERIFY2(ended.status == 0 && !ended.said.contains(QStringLiteral("weft-ide: ")), qPrintable(ended.said));
    QVERIFY2(state()[QStringLiteral("time")].toString().remove(QLatin1Char(',')).contains(QStringLiteral("cycle 800 ")),
             qPrintable(state()[QStringLiteral("time")].toString()));
    // Its last quarter is what observers have seen: the project before it can be unpacked.
    QByteArray bytes = read(project_);
    const QByteArray whole = bytes;
    bytes[bytes.size() * 7 / 8] = static_cast<char>(bytes[bytes.size() * 7 / 8] ^ 1);
    write(project_, bytes);
    ended = run({project_, QStringLiteral("--dump-state"), dump_});
    QVERIFY2(ended.status == 1 && ended.said.contains(QStringLiteral("recording-damaged")), qPrintable(ended.said));
    write(project_, {});
    ended = run({project_, QStringLiteral("--dump-state"), dump_});
    QVERIFY2(ended.status == 1 && ended.said.contains(QStringLiteral("this is not a recording: the file is empty")),
             qPrintable(ended.said));
  }

  void breakpoints_that_cannot_be_read() {
    QVERIFY(QDir(project_).mkpath(QStringLiteral(".weft")));
    write(project_ + QStringLiteral("/.weft/ide.json"), "{\"version\": 1,\n  \"breakpoints\": [\n");
    const Ended ended = shown();
    QVERIFY2(ended.status == 0, qPrintable(ended.said));
    for (const QString& said : {ended.said, state()[QStringLiteral("log")].toString()})
      QVERIFY2(said.contains(QStringLiteral("/.weft/ide.json:3: ")) &&
                   said.contains(QStringLiteral("repair the file or delete it")),
               qPrintable(said));
  }

  void help_shows_both_forms() {
    QProcess program;
    program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/weft-ide"), {QStringLiteral("--help")});
    QVERIFY(program.waitForFinished(60'000));
    const QString text = QString::fromUtf8(program.readAllStandardOutput()).simplified();
    QVERIFY2(
        text.contains(QStringLiteral("--screenshot <VIEW FILE.png>")) && text.contains(QStringLiteral("VIEW=FILE.png")),
        qPrintable(text));
  }
};

WEFT_IDE_TEST_GUILESS_MAIN(BatchTest)
#include "batch_test.moc"
