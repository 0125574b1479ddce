// No test waits without an end. A test function that takes too long is failed with where it stands: its name and data,
// the dialog or menu that is open, what has the keyboard. What is open is then closed, so that the tests after it run.
// A function that holds the event loop itself is ended by the watchdog of QTest.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <QTimer>

namespace weft::ide::test {

/// What is open and who has the keyboard, for messages.
QString where_it_stands();
/// Closes what runs a loop of its own: menus, then dialogs without taking what is in them.
void close_what_is_open();

class Watchdog : public QObject {
 public:
  Watchdog();

 private:
  void look();

  QTimer clock_;
  QByteArray function_, data_;
  QElapsedTimer since_;
  qint64 limit_;  ///< milliseconds that a test function may take
  bool barked_ = false;
};

/// Runs the tests of an object under the watchdog.
int run(QObject& test, int argc, char** argv);

}  // namespace weft::ide::test

// In place of QTEST_MAIN and QTEST_GUILESS_MAIN.
#define WEFT_IDE_TEST_MAIN(Test)                     \
  int main(int argc, char** argv) {                  \
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi); \
    QApplication application(argc, argv);            \
    Test test;                                       \
    return weft::ide::test::run(test, argc, argv);   \
  }
#define WEFT_IDE_TEST_GUILESS_MAIN(Test)           \
  int main(int argc, char** argv) {                \
    QCoreApplication application(argc, argv);      \
    Test test;                                     \
    return weft::ide::test::run(test, argc, argv); \
  }
