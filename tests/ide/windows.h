// Windows as tests need them: on the screen, on top, with a project that is built.
#pragma once

#include <QTest>

#include "waits.h"
#include "widgets/main_window.h"

namespace weft::ide::test {

/// Shows a window on top of all others, with the keyboard.
inline void activate(QWidget& window) {
  window.show();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window, kLong));
}

/// Shows a window and opens a project in it, whose machine then stands at its start.
inline void show_project(MainWindow& window, const QString& project) {
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window, kLong));
  QVERIFY(window.open_project(project));
  const Target* target = window.workspace().target();
  QTRY_VERIFY_WITH_TIMEOUT(target->state() == Target::State::stopped && target->view(), kLong);
}

}  // namespace weft::ide::test
