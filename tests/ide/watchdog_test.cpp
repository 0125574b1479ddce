// The watchdog of these tests: this program runs itself with tests that never end, and they do.
#include <QDialog>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>

#include "modal.h"

using namespace weft::ide::test;

/// What the program does when it is run by its own tests.
class Endless : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_dialog_that_stays() {
    QDialog dialog;
    dialog.setWindowTitle(QStringLiteral("Left open"));
    dialog.exec();
  }
  void a_dialog_that_refuses() {
    QDialog* dialog = nullptr;
    const bool used = with_dialog<QDialog>(
        [&] {
          QDialog asks;
          asks.setWindowTitle(QStringLiteral("Not answered"));
          dialog = &asks;
          asks.exec();
        },
        [](QDialog&) {}, 300);
    QVERIFY(!used);
  }
  void no_dialog_at_all() {
    QVERIFY(!with_dialog<QDialog>([] {}, [](QDialog&) {}, 300));
  }
  void a_loop_of_its_own() {
    for (;;) QThread::msleep(100);
  }
};

class WatchdogTest : public QObject {
  Q_OBJECT

  struct Ended {
    bool in_time = false, well = false;
    QString said;
  };
  static Ended endless(const char* function, const char* limit, const char* hard_limit) {
    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("WEFT_TEST_ENDLESS"), QStringLiteral("1"));
    environment.insert(QStringLiteral("WEFT_TEST_LIMIT_MS"), QString::fromLatin1(limit));
    environment.insert(QStringLiteral("QTEST_FUNCTION_TIMEOUT"), QString::fromLatin1(hard_limit));
    environment.insert(QStringLiteral("QTEST_DISABLE_STACK_DUMP"), QStringLiteral("1"));
    child.setProcessEnvironment(environment);
    child.setProcessChannelMode(QProcess::MergedChannels);
    child.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(function)});
    Ended out;
    out.in_time = child.waitForFinished(kLong);
    out.well = child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0;
    out.said = QString::fromUtf8(child.readAll());
    if (!out.in_time) child.kill();
    child.waitForFinished(kLong);
    return out;
  }

 private Q_SLOTS:
  void a_dialog_that_nobody_closes_fails_and_says_which() {
    const Ended e = endless("a_dialog_that_stays", "500", "100000");
    QVERIFY2(e.in_time && !e.well, qPrintable(e.said));
    QVERIFY2(e.said.contains(QStringLiteral("a_dialog_that_stays() has not ended in 500 ms")) &&
                 e.said.contains(QStringLiteral("'Left open' is open")),
             qPrintable(e.said));
    // What follows is run: the program ends by itself.
    QVERIFY2(e.said.contains(QStringLiteral("Totals:")), qPrintable(e.said));
  }

  void dialogs_that_do_not_come_or_go_fail() {
    const Ended stays = endless("a_dialog_that_refuses", "100000", "100000");
    QVERIFY2(stays.in_time && !stays.well && stays.said.contains(QStringLiteral("the dialog stays open")) &&
                 stays.said.contains(QStringLiteral("'Not answered'")),
             qPrintable(stays.said));
    const Ended none = endless("no_dialog_at_all", "100000", "100000");
    QVERIFY2(none.in_time && !none.well && none.said.contains(QStringLiteral("the dialog does not come")),
             qPrintable(none.said));
  }

  void a_loop_without_events_is_ended() {
    const Ended e = endless("a_loop_of_its_own", "100000", "1000");
    QVERIFY2(e.in_time && !e.well && e.said.contains(QStringLiteral("Test function timed out")), qPrintable(e.said));
  }

  // Why dialogs are waited for until they have the keyboard: without it, the folders on the way to a file are chosen in
  // the list, and win over the name.
  void a_file_is_named_by_keys() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("named.info"));
    for (int i = 0; i < 20; ++i) {
      QString got;
      QVERIFY(with_dialog<QFileDialog>(
          [&] { got = QFileDialog::getSaveFileName(nullptr, QStringLiteral("Save"), QStringLiteral("other.info")); },
          [&](QFileDialog& dialog) { name_file(dialog, path); }));
      QCOMPARE(got, path);
    }
  }
};

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  Endless endless;
  WatchdogTest test;
  return run(qEnvironmentVariableIsSet("WEFT_TEST_ENDLESS") ? static_cast<QObject&>(endless) : test, argc, argv);
}
#include "watchdog_test.moc"
