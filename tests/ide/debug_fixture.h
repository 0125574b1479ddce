// A project of one program on two microengines in a window of its own, and what people do with its keys, menus and
// dialogs.
#pragma once

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QInputDialog>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <memory>

#include "models/breakpoint_store.h"
#include "models/breakpoint_text.h"
#include "models/breakpoints_model.h"
#include "models/follow_cursor.h"
#include "support.h"
#include "widgets/breakpoint_dialog.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"
#include "widgets/texts.h"

namespace weft::ide::test {

using workbench::Breakpoint;
using State = Target::State;
using Kind = Breakpoint::Kind;

// Eight contexts on microengines 0 and 2 count n from 4 down; line 15 is behind the write.
constexpr const char* kProgram =
    "#macro bump[X, STEP]\n"
    "alu[X, X, +, STEP]\n"
    "alu[X, X, +, STEP]\n"
    "#endm\n"
    ".reg n temp zero\n"
    ".reg write $out\n"
    ".sig done\n"
    "immed[n, 4]\n"
    "immed[temp, 0]\n"
    "immed[zero, 0]\n"
    "loop#:\n"
    "bump[temp, 1]\n"
    "alu[$out, --, B, temp]\n"
    "scratch[write, $out, zero, 0x40, 1], ctx_swap[done]\n"
    "alu[n, n, -, 1]\n"
    "bne[loop#]\n"
    "ctx_arb[kill]\n";

// No context gives its microengine away, and the loop has no end: a step out of it is ten million cycles long.
inline constexpr const char* kEndless =
    ".reg n\n"
    "immed[n, 0]\n"
    "loop#:\n"
    "alu[n, n, +, 1]\n"
    "br[loop#]\n";

struct Fixture {
  QTemporaryDir folder;
  QString path;
  std::unique_ptr<MainWindow> window;
  CodeEditor* editor = nullptr;

  explicit Fixture(const QByteArray& text = kProgram, bool keep = false) {
    path = folder.filePath(QStringLiteral("p.uc"));
    write(path, text);
    write(folder.filePath(QStringLiteral("weft.json")),
          R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0, 2]}]})");
    start(keep);
  }
  void start(bool keep = false) {
    editor = nullptr;
    window = nullptr;
    window = std::make_unique<MainWindow>(Theme::light);
    if (keep) window->keep();
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get(), kLong));
    QVERIFY(window->open_project(folder.path()));
    QTRY_VERIFY_WITH_TIMEOUT(target()->state() != State::building && !target()->reason().isEmpty(), kLong);
    editor = window->open_file(path);
    QVERIFY(editor != nullptr);
  }
  Workspace& workspace() const { return window->workspace(); }
  Target* target() const { return workspace().target(); }
  void built() const { QTRY_VERIFY_WITH_TIMEOUT(target()->state() == State::stopped && target()->view(), kLong); }
  void stands() const {
    QTRY_VERIFY_WITH_TIMEOUT(target()->state() != State::running && target()->state() != State::building, kLong);
  }
  /// The last build has failed, and that is known here.
  void not_built() const {
    QTRY_VERIFY_WITH_TIMEOUT(target()->build_failed() && target()->state() != State::building && !target()->busy(),
                             kLong);
  }
  void key(int key, Qt::KeyboardModifiers modifiers = {}) const {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get(), kLong));
    QTest::keyClick(window.get(), static_cast<Qt::Key>(key), modifiers);
  }
  /// A key that makes the machine move, until it stands again.
  void move(int key, Qt::KeyboardModifiers modifiers = {}) const {
    // The view that an earlier change brings, a write() say, is none of the move: answers come in the order of
    // questions.
    if (target()->view()) (void)value("0");
    bool moved = false;
    const auto seen = QObject::connect(target(), &Target::view_changed, window.get(),
                                       [&] { moved = moved || target()->state() != State::running; });
    this->key(key, modifiers);
    QTRY_VERIFY_WITH_TIMEOUT(moved, kLong);
    stands();
    QObject::disconnect(seen);
  }
  /// Sets a breakpoint at a line by its key and runs to it.
  void run_to_breakpoint(int line) const {
    editor->go_to(line);
    key(Qt::Key_F8);
    move(Qt::Key_F5);
    QVERIFY(target()->stopped_at());
  }
  const std::vector<Breakpoint>& breakpoints() const { return workspace().breakpoints(); }
  BreakpointDialog* dialog() const { return window->findChild<BreakpointDialog*>(); }
  uint32_t line_of(ContextId id) const {
    for (const auto& c : target()->view()->contexts)
      if (c.id == id) return c.line;
    return 0;
  }
  int64_t value(const char* expression, ContextId where = {}) const {
    int64_t out = -1;
    bool answered = false;
    target()->ask(
        window.get(), [=](const Inspector& m) { return m.evaluate(expression, where).value_or(-1); },
        [&](int64_t v) {
          out = v;
          answered = true;
        });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(answered, kLong); }();
    return out;
  }
  QString status() const {
    QString out = window->statusBar()->currentMessage();
    for (const QLabel* label : window->statusBar()->findChildren<QLabel*>()) out += QLatin1Char('\n') + label->text();
    return out;
  }
  QTableView* table() const { return window->view(QStringLiteral("breakpoints"))->findChild<QTableView*>(); }
  void show(const char* view) const {
    auto* dock = qobject_cast<QDockWidget*>(window->view(QLatin1String(view)));
    dock->show();
    dock->raise();
    QCoreApplication::processEvents();
  }
};

inline void type(QWidget* widget, const QString& text) {
  auto* edit = qobject_cast<QLineEdit*>(widget);
  edit->selectAll();
  QTest::keyClicks(edit, text);
}

inline QLineEdit* field(const QWidget* dialog, const char* name) {
  for (QLineEdit* edit : dialog->findChildren<QLineEdit*>())
    if (edit->accessibleName() == QLatin1String(name) || (edit->placeholderText().startsWith(QLatin1String(name))))
      return edit;
  return nullptr;
}

/// A click at an entry of the menu that is open.
inline bool choose(const QString& text) {
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  if (menu == nullptr) return false;
  for (QAction* action : menu->actions())
    if (action->text().remove(QLatin1Char('&')) == text) {
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      return true;
    }
  return false;
}

}  // namespace weft::ide::test
