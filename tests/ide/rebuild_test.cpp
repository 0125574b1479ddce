// What is typed while the machine stands somewhere throws no run away: it is built anew when the user says so, goes to
// where it stood, and stays what it was when the text has a mistake.
#include <QDateTime>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QTextCursor>
#include <functional>

#include "debug_fixture.h"
#include "own_settings_test.h"
#include "widgets/rebuild_bar.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

struct Running : Fixture {
  using Fixture::Fixture;
  RebuildBar* bar() const { return window->findChild<RebuildBar*>(); }
  uint64_t cycle() const { return target()->view() ? target()->view()->cycle : 0; }
  /// At the breakpoint after the write, for the third time.
  void to_the_loop() {
    editor->go_to(15);
    key(Qt::Key_F8);
    for (int i = 0; i < 3; ++i) move(Qt::Key_F5);
    QVERIFY(target()->stopped_at());
    QCOMPARE(line_of(*target()->stopped_at()), 15u);
    QVERIFY(cycle() > 0);
  }
  void type_at(int line, const QString& text) const {
    editor->setFocus();
    editor->go_to(line);
    QTest::keyClick(editor, Qt::Key_End);
    const QStringList lines = text.split(QLatin1Char('\n'));
    for (const QString& one : lines) {
      if (&one != &lines.front()) QTest::keyClick(editor, Qt::Key_Return);
      QTest::keyClicks(editor, one);
      QTest::keyClick(editor, Qt::Key_Escape);  // no list of completions
    }
  }
  /// For good: nothing that the machine does opens it again, apart from stops.
  void close_the_text() {
    window->action("text_follows")->trigger();
    QVERIFY(window->texts().close(0));
    QVERIFY(window->texts().all().empty());
    editor = nullptr;
  }
  void press(const char* name) const {
    auto* button = bar()->findChild<QPushButton*>(QLatin1String(name));
    QVERIFY(button != nullptr && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([this] { return !target()->busy() && target()->state() != State::building; }, kLong));
  }
  QString shown(const char* view) const {
    return QString::fromUtf8(
        QJsonDocument::fromJson(window->state_json())[QLatin1String(view)].isArray()
            ? QJsonDocument(QJsonDocument::fromJson(window->state_json())[QLatin1String(view)].toArray()).toJson()
            : QByteArray());
  }
};

}  // namespace

class RebuildTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void keys_throw_no_run_away() {
    Running f;
    f.to_the_loop();
    const uint64_t cycle = f.cycle();
    const QByteArray disk = read(f.path);
    QVERIFY(!f.bar()->isVisible());
    f.type_at(1, QStringLiteral(" ; why"));
    QTRY_VERIFY(f.bar()->isVisible());
    QVERIFY2(f.bar()->question().contains(QStringLiteral("p.uc")), qPrintable(f.bar()->question()));
    QVERIFY(f.bar()
                ->findChild<QPushButton*>(QStringLiteral("rebuild_replay"))
                ->text()
                .contains(QLocale().toString(qulonglong{cycle})));
    const uint64_t stops = f.target()->stops();
    f.move(Qt::Key_F9);
    QCOMPARE(f.target()->stops(), stops + 1);  // a build counts as one more
    QVERIFY(f.cycle() >= cycle && f.cycle() < cycle + 200);
    const uint64_t stepped = f.cycle();
    f.move(Qt::Key_F5);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
    QVERIFY(f.cycle() >= stepped);  // several contexts come there in one cycle
    f.move(Qt::Key_F10, Qt::ControlModifier);
    QVERIFY(f.cycle() >= stepped);
    QCOMPARE(f.target()->stops(), stops + 3);
    QCOMPARE(read(f.path), disk);
    QVERIFY(f.editor->document()->isModified());
    // The text as it was needs nothing.
    while (f.editor->document()->isUndoAvailable()) f.editor->undo();
    QTRY_VERIFY(!f.bar()->isVisible());
  }

  void rebuilt_and_replayed_to_the_same_moment() {
    Running f;
    f.to_the_loop();
    // What the user has changed on the way counts too.
    const ContextId where = *f.target()->stopped_at();
    f.target()->write("scratch[0x80]", 0x1234, where);
    f.move(Qt::Key_F9);
    const uint64_t cycle = f.cycle();
    const auto before = f.target()->view()->contexts;
    const uint64_t hits = f.breakpoints().front().hits;
    QVERIFY(hits >= 3);
    QCOMPARE(f.value("scratch[0x80]"), int64_t{0x1234});
    f.type_at(1, QStringLiteral(" ; why"));
    f.press("rebuild_replay");
    QVERIFY(!f.bar()->isVisible());
    QVERIFY(read(f.path).startsWith("#macro bump[X, STEP] ; why\n"));
    QVERIFY(!f.editor->document()->isModified());
    QCOMPARE(f.cycle(), cycle);
    QVERIFY2(f.status().contains(QStringLiteral("replayed to cycle %1").arg(cycle)), qPrintable(f.status()));
    QCOMPARE(f.value("scratch[0x80]"), int64_t{0x1234});
    QVERIFY(!f.target()->in_past());
    QCOMPARE(f.target()->state(), State::stopped);
    const auto& after = f.target()->view()->contexts;
    QCOMPARE(after.size(), before.size());
    for (size_t i = 0; i < after.size(); ++i) {
      QCOMPARE(after[i].pc, before[i].pc);
      QCOMPARE(static_cast<int>(after[i].state), static_cast<int>(before[i].state));
    }
    QTRY_COMPARE(f.breakpoints().size(), size_t{1});
    QCOMPARE(f.breakpoints().front().hits, hits);
    // The run goes on from there, and back.
    f.move(Qt::Key_F5);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
    QVERIFY(f.cycle() >= cycle);
    QCOMPARE(f.value("scratch[0x80]"), int64_t{0x1234});
  }

  void rebuilt_from_the_start_or_not_at_all() {
    Running f;
    f.to_the_loop();
    const uint64_t cycle = f.cycle();
    f.type_at(1, QStringLiteral(" ; why"));
    QTRY_VERIFY(f.bar()->isVisible());
    f.press("rebuild_not");
    QVERIFY(!f.bar()->isVisible());
    QCOMPARE(f.cycle(), cycle);
    f.move(Qt::Key_F9);
    QVERIFY(f.cycle() >= cycle);
    QVERIFY(!f.bar()->isVisible());
    // The next edit asks again.
    f.type_at(1, QStringLiteral(" not"));
    QTRY_VERIFY(f.bar()->isVisible());
    f.press("rebuild");
    QTRY_COMPARE(f.cycle(), uint64_t{0});
    QVERIFY(!f.bar()->isVisible());
    QVERIFY(read(f.path).contains("; why not\n"));
    // At cycle 0 there is nothing to lose: a key builds and goes.
    f.type_at(1, QStringLiteral(" now"));
    QVERIFY(!f.bar()->isVisible());
    f.key(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value() && f.cycle() > 0, kLong);
    QVERIFY(read(f.path).contains("; why not now\n"));
  }

  // By another program, and the text is in no tab.
  void a_file_changed_outside_is_built() {
    Running f;
    f.built();
    f.close_the_text();
    const auto run = [&f](int64_t last) {
      f.key(Qt::Key_F5);
      QTRY_COMPARE(f.target()->state(), State::ended);
      QCOMPARE(f.value("scratch[0x40]"), last);
    };
    write(f.path, QByteArray(kProgram).replace("immed[n, 4]", "immed[n, 2] ; fewer"));
    run(4);  // each round adds two
    write(f.path, QByteArray(kProgram).replace("immed[n, 4]", "immed[n, 3] ; one more"));
    f.key(Qt::Key_B, Qt::ControlModifier);
    QTRY_COMPARE(f.cycle(), uint64_t{0});
    QTRY_COMPARE(f.target()->state(), State::stopped);
    run(6);
    // What is as it was built is not built again.
    f.key(Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!f.target()->busy());
  }

  // Its tab may go, the machine is still that of the text from before.
  void a_saved_change_is_known_without_its_tab() {
    Running f;
    f.built();
    while (f.cycle() == 0) f.move(Qt::Key_F9);
    f.type_at(1, QStringLiteral(" ; why"));
    QTRY_VERIFY(f.bar()->isVisible());
    QVERIFY(f.window->texts().save_all());
    f.close_the_text();
    QVERIFY(f.bar()->isVisible());
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::ended);
    QVERIFY(f.window->texts().all().empty());
    QVERIFY2(f.bar()->question().contains(QStringLiteral("p.uc")), qPrintable(f.bar()->question()));
    f.key(Qt::Key_B, Qt::ControlModifier);
    QTRY_COMPARE(f.target()->state(), State::stopped);
    QVERIFY(!f.bar()->isVisible());
    QCOMPARE(f.target()->built_from().at(f.path), Target::digest_of(read(f.path)));
    // Changed outside while it runs on: nothing is thrown away, and the bar asks.
    f.move(Qt::Key_F5);
    QVERIFY(!f.bar()->isVisible());
    write(f.path, kProgram);
    const uint64_t cycle = f.cycle();
    f.key(Qt::Key_F5);
    QTRY_VERIFY(f.bar()->isVisible());
    QCOMPARE(f.cycle(), cycle);
  }

  // Opened again, a text that was saved differs from what runs as before.
  void a_saved_text_keeps_its_built_lines() {
    Running f;
    f.built();
    while (f.cycle() == 0) f.move(Qt::Key_F9);
    f.type_at(1, QStringLiteral("\n; why"));
    QVERIFY(f.window->texts().save_all());
    QVERIFY(f.window->texts().close(0));
    f.editor = f.window->open_file(f.path);
    QVERIFY(f.editor != nullptr);
    QCOMPARE(f.editor->built_line(2), 0);
    QCOMPARE(f.editor->built_line(3), 2);
    QCOMPARE(f.editor->line_of_built(15), 16);
    // Not of a file that is another one by then.
    QVERIFY(f.window->texts().close(0));
    write(f.path, QByteArray("; two\n; lines\n") + kProgram);
    f.editor = f.window->open_file(f.path);
    QVERIFY(f.editor != nullptr);
    QCOMPARE(f.editor->line_of_built(15), 15);
  }

  // Files that a run reads and nobody edits here.
  void captures_and_tables_count_too() {
    QTemporaryDir folder;
    const QString text = folder.filePath(QStringLiteral("one.txt")),
                  capture = folder.filePath(QStringLiteral("in.pcap"));
    write(text, "a");
    write(capture, "b");
    BuiltFiles files;
    files.add(text, true);
    files.add(capture, false);
    files.add(folder.filePath(QStringLiteral("none")), true);
    QCOMPARE(files.stamps.size(), size_t{2});
    QCOMPARE(files.digests.size(), size_t{1});
    QVERIFY(files.changed().isEmpty());
    // Only touched: a text is compared, a capture is read anew.
    for (const QString& path : {text, capture}) {
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadWrite));
      QVERIFY(file.setFileTime(QDateTime::fromMSecsSinceEpoch(1'000'000), QFileDevice::FileModificationTime));
    }
    QCOMPARE(files.changed(), QStringList{capture});
    write(text, "other");
    QVERIFY(files.has_changed(text));
    QVERIFY(QFile::remove(text));
    QVERIFY(files.has_changed(text));
    QVERIFY(!files.has_changed(folder.filePath(QStringLiteral("none"))));
  }

  // In a tab too: what is saved of it counts. The lines of the program stay what they are.
  void a_board_that_is_saved_is_named() {
    Running f;
    const QString board = f.folder.filePath(QStringLiteral("board.json"));
    write(board, read(QStringLiteral(WEFT_SOURCE_DIR "/emulator/boards/generic-2400.json")));
    write(f.folder.filePath(QStringLiteral("weft.json")),
          R"({"version": 1, "board": "./board.json", "programs": [{"source": "p.uc", "engines": [0, 2]}]})");
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(f.target()->built_files().stamps.contains(board) && !f.target()->busy());
    while (f.cycle() == 0) f.move(Qt::Key_F9);
    f.editor = f.window->open_file(board);
    QVERIFY(f.editor != nullptr);
    f.type_at(1, QStringLiteral(" "));
    QVERIFY(!f.bar()->isVisible());
    QVERIFY(f.window->texts().save_all());
    QTRY_VERIFY(f.bar()->isVisible());
    QVERIFY2(f.bar()->question().contains(QStringLiteral("board.json")), qPrintable(f.bar()->question()));
    // A breakpoint at a line without an instruction goes on to the next, as in a text that runs.
    f.editor = f.window->open_file(f.path);
    f.editor->go_to(6);
    f.key(Qt::Key_F8);
    QTRY_VERIFY(f.breakpoints().size() == 1 && file_place(f.breakpoints().front()).line == 8);
    QVERIFY(f.bar()->isVisible());
  }

  void a_mistake_keeps_the_machine() {
    Running f;
    f.to_the_loop();
    const uint64_t cycle = f.cycle();
    f.show("contexts");
    QTRY_VERIFY(f.shown("contexts").contains(QStringLiteral("p.uc:15")));
    f.type_at(12, QStringLiteral("\nalu[nobody, --, B, 1]"));
    for (const char* button : {"rebuild", "rebuild_replay"}) {
      f.press(button);
      QVERIFY2(f.status().contains(QStringLiteral("not built: 1 error")), qPrintable(f.status()));
      QCOMPARE(f.cycle(), cycle);
      QCOMPARE(f.target()->state(), State::stopped);
      QVERIFY(f.target()->build_failed());
      QVERIFY(f.target()->stopped_at());
      QTRY_VERIFY(f.bar()->isVisible());
      QVERIFY2(f.bar()->question().contains(QStringLiteral("could not be built")), qPrintable(f.bar()->question()));
      QTRY_VERIFY(f.shown("contexts").contains(QStringLiteral("p.uc:15")));
    }
    auto* problems = f.window->view(QStringLiteral("problems"));
    QVERIFY(!problems->visibleRegion().isEmpty());
    f.move(Qt::Key_F9);
    QVERIFY(f.cycle() >= cycle && f.cycle() < cycle + 200);
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    // Repaired, it is built.
    while (f.editor->document()->isUndoAvailable()) f.editor->undo();
    QTest::keyClick(f.editor, Qt::Key_Home);
    f.type_at(1, QStringLiteral(" ; why"));
    QTRY_VERIFY(f.bar()->isVisible());
    f.press("rebuild_replay");
    QVERIFY(!f.target()->build_failed());
    QVERIFY(!f.bar()->isVisible());
  }

  void a_long_replay_is_given_up() {
    // Progress shows after 200 ms. Three million cycles passed in less on a fast machine.
    constexpr uint64_t kFar = 200'000'000;
    Running f(kEndless);
    f.target()->run_until(std::to_string(kFar) + " cycles");
    QTRY_VERIFY_WITH_TIMEOUT(f.cycle() == kFar && !f.target()->busy(), kLong);
    const int64_t n = f.value("n");
    f.type_at(1, QStringLiteral(" ; why"));
    QTRY_VERIFY(f.bar()->isVisible());
    const auto replay = [&](int key, const std::function<void()>& meanwhile) {
      f.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
      QTRY_VERIFY_WITH_TIMEOUT(f.target()->moving().has_value(), kLong);
      QTRY_VERIFY(f.window->action("pause")->isEnabled());
      QVERIFY2(f.status().contains(QStringLiteral("replay · cycle")), qPrintable(f.status()));
      QVERIFY2(f.status().contains(QStringLiteral("goes back to cycle %L1").arg(kFar)), qPrintable(f.status()));
      meanwhile();
      f.key(key);
      QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy(), kLong);
    };
    replay(Qt::Key_Escape, [] {});
    QTRY_COMPARE(f.cycle(), kFar);
    QCOMPARE(f.value("n"), n);
    QTRY_COMPARE(f.target()->state(), State::ended);
    QVERIFY2(f.status().contains(QStringLiteral("given up")), qPrintable(f.status()));
    QTRY_VERIFY(f.bar()->isVisible());
    // Stopped on its way, it is the new machine, of the text from before it: what was saved meanwhile is not in it.
    QTextCursor top(f.editor->document());
    top.insertText(QStringLiteral("; first\n"));
    const QByteArray built = f.editor->toPlainText().toUtf8(), saved = QByteArray("; second\n") + built;
    replay(Qt::Key_F6, [&] {
      top.setPosition(0);
      top.insertText(QStringLiteral("; second\n"));
      QVERIFY(f.window->texts().save_all());
      QCOMPARE(read(f.path), saved);
    });
    QTRY_VERIFY(f.cycle() > 0 && f.cycle() < kFar);
    QTRY_COMPARE(f.target()->state(), State::stopped);
    QCOMPARE(f.target()->built_from().at(f.path), Target::digest_of(built));
    QVERIFY(f.bar()->isVisible());
    QCOMPARE(f.editor->line_of_built(2), 3);
    QCOMPARE(f.editor->built_line(1), 0);
    // Without it, it is what runs.
    top.setPosition(0);
    top.movePosition(QTextCursor::NextBlock, QTextCursor::KeepAnchor);
    top.removeSelectedText();
    QTRY_VERIFY(!f.bar()->isVisible());
  }
};

WEFT_IDE_TEST_MAIN(RebuildTest)
#include "rebuild_test.moc"
