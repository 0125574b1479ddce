// A view alone, without a window around it, and the machine that it shows.
#pragma once

#include <QTest>

#include "models/workspace.h"
#include "waits.h"
#include "widgets/theme.h"

namespace weft::ide::test {

template <class V>
struct ViewFixture {
  Workspace workspace;
  V view{workspace, Theme::light};

  /// Shows the view and opens a project, whose machine then stands at its start.
  void open(const QString& project) {
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, kLong));
    QVERIFY(workspace.open(project).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), Target::State::stopped, kLong);
  }
  /// The same with an example, which then runs to an expression.
  void run_example(const char* example, const char* until) {
    open(QStringLiteral(WEFT_SOURCE_DIR "/examples/") + QLatin1String(example));
    Target* target = workspace.target();
    target->run_until(until);
    QTRY_VERIFY_WITH_TIMEOUT(target->state() != Target::State::running && target->view() && target->view()->cycle > 0,
                             kLong);
  }
};

}  // namespace weft::ide::test
