// What tests of the IDE share: settings of their own, files, and questions to a machine that are waited for.
#pragma once

#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <QWidget>
#include <optional>

#include "models/target.h"
#include "waits.h"
#include "watchdog.h"

namespace weft::ide::test {

/// Settings and data of whoever runs the tests are left alone.
class OwnSettings {
 public:
  void begin() {
    QVERIFY(folder_.isValid());
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
  }

 private:
  QTemporaryDir folder_;
};

inline void write(const QString& path, const QByteArray& text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(text), text.size());
}

inline QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The data of a test that runs without something and with it: a column of that name and two rows.
inline void no_and_yes(const char* column, const char* no, const char* yes) {
  QTest::addColumn<bool>(column);
  QTest::newRow(no) << false;
  QTest::newRow(yes) << true;
}

/// Turns the wheel forwards.
inline void turn_wheel(QWidget& over, QPoint at, int notches) {
  for (int notch = 0; notch < notches; ++notch) {
    QWheelEvent wheel(at, over.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&over, &wheel);
  }
}

/// Asks, and waits for the answer.
template <class Fn>
auto asked(Target& target, Fn&& fn) {
  using Answer = std::invoke_result_t<Fn, const Inspector&>;
  std::optional<Answer> out;
  QObject asker;
  target.ask(&asker, fn, [&out](const Answer& answer) { out = answer; });
  if (!QTest::qWaitFor([&out] { return out.has_value(); }, kLong))
    QTest::qFail("the machine does not answer", __FILE__, __LINE__);
  return out.value_or(Answer{});
}

}  // namespace weft::ide::test
