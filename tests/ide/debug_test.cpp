// Debugging by clicks and keys: breakpoints of every kind and what they say before they are taken, runs to places, moments and events, the
// past and back, layouts that are kept, and projects that break in the middle of it.
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
#include <QSettings>
#include <QStandardPaths>
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
#include "widgets/breakpoint_dialog.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"
#include "widgets/texts.h"

using namespace weft::ide;
using weft::workbench::Breakpoint;
using State = Target::State;
using Kind = Breakpoint::Kind;

namespace {

constexpr int kLong = 20'000;

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

void write(const QString& path, const QByteArray& text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(text), text.size());
}

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Fixture {
  QTemporaryDir folder;
  QString path;
  std::unique_ptr<MainWindow> window;
  CodeEditor* editor = nullptr;

  explicit Fixture(const QByteArray& text = kProgram, bool keep = false) {
    path = folder.filePath(QStringLiteral("p.uc"));
    write(path, text);
    write(folder.filePath(QStringLiteral("weft.json")), R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0, 2]}]})");
    start(keep);
  }
  void start(bool keep = false) {
    editor = nullptr;
    window = nullptr;
    window = std::make_unique<MainWindow>(Theme::light);
    if (keep) window->keep();
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get()));
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
  void key(int key, Qt::KeyboardModifiers modifiers = {}) const {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), static_cast<Qt::Key>(key), modifiers);
  }
  /// A key that makes the machine move, until it stands again.
  void move(int key, Qt::KeyboardModifiers modifiers = {}) const {
    bool moved = false;
    const auto seen = QObject::connect(target(), &Target::view_changed, window.get(), [&] { moved = moved || target()->state() != State::running; });
    this->key(key, modifiers);
    QTRY_VERIFY_WITH_TIMEOUT(moved, kLong);
    stands();
    QObject::disconnect(seen);
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
    target()->ask(window.get(), [=](const Inspector& m) { return m.evaluate(expression, where).value_or(-1); }, [&](int64_t v) {
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

void type(QWidget* widget, const QString& text) {
  auto* edit = qobject_cast<QLineEdit*>(widget);
  edit->selectAll();
  QTest::keyClicks(edit, text);
}

QLineEdit* field(const QWidget* dialog, const char* name) {
  for (QLineEdit* edit : dialog->findChildren<QLineEdit*>())
    if (edit->accessibleName() == QLatin1String(name) || (edit->placeholderText().startsWith(QLatin1String(name)))) return edit;
  return nullptr;
}

/// A click at an entry of the menu that is open.
bool choose(const QString& text) {
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  if (menu == nullptr) return false;
  for (QAction* action : menu->actions())
    if (action->text().remove(QLatin1Char('&')) == text) {
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      return true;
    }
  return false;
}

}  // namespace

class DebugTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
  }

  void words_for_breakpoints() {
    for (size_t i = 0; i < breakpoint_choices().size(); ++i) {
      Breakpoint b;
      set_target(b, breakpoint_choices()[i], QStringLiteral("3"));
      QCOMPARE(choice_of(b), i);
      QCOMPARE(field_of(b), QStringLiteral("3"));
      QCOMPARE(b.kind, breakpoint_choices()[i].kind);
      set_target(b, breakpoint_choices()[i], QStringLiteral("egress: 3"));
      QCOMPARE(choice_of(b), i);
      QCOMPARE(field_of(b), QStringLiteral("egress: 3"));
    }
    Breakpoint b;
    b.target = "egress: forward.uc:120";
    QCOMPARE(file_place(b).line, 120);
    QVERIFY(is_in_file(b, QStringLiteral("/a/forward.uc")));
    QVERIFY(!is_in_file(b, QStringLiteral("/a/backforward.uc")));
    set_line(b, 7);
    QCOMPARE(b.target, std::string("egress: forward.uc:7"));
    b.target = "loop#";
    QVERIFY(file_place(b).file.isEmpty());
  }

  void the_model_keeps_its_promises() {
    Fixture f;
    BreakpointsModel model(f.workspace());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Breakpoint b;
    for (const char* target : {"p.uc:15", "loop#", "p.uc:14"}) {
      b.target = target;
      f.workspace().add_breakpoint(b);
    }
    QCOMPARE(model.rowCount(), 3);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[2].id != 0, kLong);
    QVERIFY(model.index(0, BreakpointsModel::kWhere).data().toString().contains(QStringLiteral("me0 me2")));
    f.workspace().remove_breakpoint(1);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("p.uc:14"));
    QVERIFY(model.setData(model.index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!f.breakpoints()[1].enabled);
    QVERIFY(model.index(1, 0).data(Qt::FontRole).value<QFont>().strikeOut());
    QVERIFY(!model.index(0, 0).data(Qt::FontRole).isValid());
    QVERIFY(!model.setData(model.index(1, 1), Qt::Unchecked, Qt::CheckStateRole));
    // Hits come from the run; what is not changed keeps them.
    f.target()->run();
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QTRY_COMPARE(model.index(0, BreakpointsModel::kHits).data().toULongLong(), qulonglong{1});
    QVERIFY(model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
    QTRY_VERIFY(f.breakpoints()[1].id != 0);
    QTest::qWait(20);
    QCOMPARE(model.index(0, BreakpointsModel::kHits).data().toULongLong(), qulonglong{1});
    // A place that this program does not have stays, and says why.
    b.target = "p.uc:4";
    f.workspace().add_breakpoint(b);
    QTRY_VERIFY_WITH_TIMEOUT(model.index(2, BreakpointsModel::kWhere).data().toString().contains(QStringLiteral("next line that does is")), kLong);
  }

  void the_margin_has_a_menu() {
    Fixture f;
    f.workspace().cursor().set_context(ContextId{0, 2, 3});
    const QPoint at = f.editor->viewport()->mapTo(f.window.get(), QPoint(0, 0));
    const int y = f.editor->cursorRect(QTextCursor(f.editor->document()->findBlockByNumber(14))).center().y();
    QTest::mouseClick(f.window->windowHandle(), Qt::RightButton, {}, QPoint(at.x() - 30, at.y() + y));
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    QVERIFY(choose(QStringLiteral("Set one for me2.3 only")));
    QTRY_COMPARE(f.breakpoints().size(), size_t{1});
    QCOMPARE(f.breakpoints()[0].target, std::string("p.uc:15"));
    QCOMPARE(f.breakpoints()[0].engines, std::vector<unsigned>{2});
    QCOMPARE(f.breakpoints()[0].contexts, 1u << 3);
    f.move(Qt::Key_F5);
    QVERIFY((f.target()->stopped_at() == ContextId{0, 2, 3}));
    QCOMPARE(f.line_of({0, 2, 3}), 15u);
    QCOMPARE(f.value("n", {0, 2, 3}), int64_t{4});
    QTest::mouseClick(f.window->windowHandle(), Qt::RightButton, {}, QPoint(at.x() - 30, at.y() + y));
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    QVERIFY(choose(QStringLiteral("Switch it off")));
    QTRY_VERIFY(!f.breakpoints()[0].enabled);
    // Without it the run goes to its end.
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::ended);
  }

  void the_dialog_says_what_is_wrong_before_it_closes() {
    Fixture f;
    f.key(Qt::Key_F8, Qt::ShiftModifier);
    BreakpointDialog* dialog = f.dialog();
    QVERIFY(dialog != nullptr);
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    auto* place = field(dialog, "Place");
    QVERIFY(place != nullptr);
    type(place, QStringLiteral("p.uc:15"));
    QLineEdit* condition = field(dialog, "always");
    QVERIFY(condition != nullptr);
    for (const auto& [text, says] : std::initializer_list<std::pair<const char*, const char*>>{{"n ==", "n =="}, {"nn == 3", "nn"}}) {
      type(condition, QLatin1String(text));
      QTest::keyClick(condition, Qt::Key_Return);
      QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().contains(QLatin1String(says)), kLong);
      QVERIFY(dialog->isVisible());
      QVERIFY(f.breakpoints().empty());
    }
    type(condition, QStringLiteral("n == 2"));
    QTest::keyClick(condition, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(f.breakpoints().size(), size_t{1}, kLong);
    QTRY_VERIFY(f.dialog() == nullptr);
    f.move(Qt::Key_F5);
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.value("n", *f.target()->stopped_at()), int64_t{2});
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
  }

  void the_dialog_makes_every_kind() {
    Fixture f;
    struct Case {
      const char *kind, *field, *text, *wrong;
    };
    for (const Case& c : {Case{"a register or memory is written", "Name", "scratch[0x40]", "scratch[0x100000]"}, Case{"a signal is raised", "Signal", "me0.ctx1.done", "me0.ctx1.dome"},
                          Case{"a frame leaves", "Port", "0", "99"}, Case{"a scratch ring is full", "Ring", "3", "16"}, Case{"a context stalls for longer than so many cycles", "Whose, cycles", "* 20", "me0"},
                          Case{"a register that nothing has written is read", "Whose", "*", "me99"}, Case{"a register, memory, CSR or figure changes", "Name", "me0.csr.CTX_ENABLES", "me0.csr.NONE"},
                          Case{"a condition becomes true", "Condition", "me0.ctx1.pc == 5", "me0.ctx1.pc =="}}) {
      const size_t before = f.breakpoints().size();
      f.key(Qt::Key_F8, Qt::ShiftModifier);
      BreakpointDialog* dialog = f.dialog();
      QVERIFY(dialog != nullptr);
      QVERIFY(QTest::qWaitForWindowExposed(dialog));
      auto* kind = dialog->findChild<QComboBox*>();
      kind->setFocus();
      QTest::keyClick(kind, Qt::Key_Home);
      for (int i = 0; i < kind->count() && kind->currentText() != QLatin1String(c.kind); ++i) QTest::keyClick(kind, Qt::Key_Down);
      QCOMPARE(kind->currentText(), QLatin1String(c.kind));
      QLineEdit* edit = field(dialog, c.field);
      QVERIFY2(edit != nullptr, c.field);
      type(edit, QLatin1String(c.wrong));
      QTest::keyClick(edit, Qt::Key_Return);
      QTRY_VERIFY_WITH_TIMEOUT(!dialog->problem().isEmpty(), kLong);
      QVERIFY(dialog->isVisible());
      type(edit, QLatin1String(c.text));
      QTest::keyClick(edit, Qt::Key_Return);
      QTRY_COMPARE_WITH_TIMEOUT(f.breakpoints().size(), before + 1, kLong);
      QTRY_VERIFY(f.dialog() == nullptr);
      QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints().back().id != 0, kLong);
    }
    // Escape takes nothing.
    f.key(Qt::Key_F8, Qt::ShiftModifier);
    QVERIFY(QTest::qWaitForWindowExposed(f.dialog()));
    QTest::keyClick(f.dialog(), Qt::Key_Escape);
    QTRY_VERIFY(f.dialog() == nullptr);
    QCOMPARE(f.breakpoints().size(), size_t{8});
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::stopped);
  }

  void the_table_by_keys() {
    Fixture f;
    f.show("breakpoints");
    Breakpoint b;
    b.target = "p.uc:15";
    f.workspace().add_breakpoint(b);
    b.target = "p.uc:14";
    b.log = "n is {n}";
    f.workspace().add_breakpoint(b);
    f.table()->selectRow(1);
    f.table()->setFocus();
    QTest::keyClick(f.table(), Qt::Key_Space);
    QTRY_VERIFY(!f.breakpoints()[1].enabled);
    QTest::keyClick(f.table(), Qt::Key_Space);
    QTRY_VERIFY(f.breakpoints()[1].enabled);
    QTest::keyClick(f.table(), Qt::Key_Return);
    QVERIFY(f.dialog() != nullptr);
    QVERIFY(QTest::qWaitForWindowExposed(f.dialog()));
    type(field(f.dialog(), "n is"), QStringLiteral("now {n}"));
    QTest::keyClick(f.dialog(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(f.breakpoints()[1].log, std::string("now {n}"), kLong);
    f.table()->selectRow(0);
    QTest::keyClick(f.table(), Qt::Key_Delete);
    QTRY_COMPARE(f.breakpoints().size(), size_t{1});
    QStringList said;
    connect(f.target(), &Target::said, this, [&](const QString& text) { said << text; });
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::ended);  // logs do not stop
    QTRY_COMPARE(said.size(), 2 * 8 * 4);
    QVERIFY(said.contains(QStringLiteral("now 3")));
    QTRY_COMPARE(f.breakpoints()[0].hits, uint64_t{64});
  }

  void set_while_it_runs() {
    // It never ends by itself.
    Fixture f(".reg n\nimmed[n, 0]\nloop#:\nalu[n, n, +, 1]\nbr[loop#]\n");
    f.key(Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->state(), State::running, kLong);
    f.editor->go_to(4);
    QTest::keyClick(f.window.get(), Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QCOMPARE(f.target()->state(), State::stopped);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 4u);
  }

  void lines_follow_the_text() {
    Fixture f;
    Breakpoint b;
    for (const char* target : {"p.uc:8", "p.uc:15", "p.uc:16"}) {
      b.target = target;
      f.workspace().add_breakpoint(b);
    }
    const auto lines = [&] {
      QList<int> out;
      for (const Breakpoint& one : f.breakpoints()) out << file_place(one).line;
      return out;
    };
    f.editor->go_to(13);
    f.editor->setFocus();
    QTest::keyClick(f.editor, Qt::Key_Home);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QCOMPARE(lines(), (QList<int>{8, 17, 18}));
    // At the end of a line what follows moves, at the begin the line itself.
    f.editor->go_to(17);
    QTest::keyClick(f.editor, Qt::Key_End);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QCOMPARE(lines(), (QList<int>{8, 17, 19}));
    QTest::keyClick(f.editor, Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(lines(), (QList<int>{8, 17, 18}));
    // A line that is deleted takes its breakpoint along.
    f.editor->go_to(8);
    QTest::keyClick(f.editor, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(f.editor, Qt::Key_Delete);
    QCOMPARE(lines(), (QList<int>{16, 17}));
    QTest::keyClick(f.editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(lines(), (QList<int>{17, 18}));
    // The next run is of the new text, with the breakpoints there.
    f.move(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 17u);
    QCOMPARE(f.breakpoints()[0].words.size(), size_t{2});
  }

  void files_of_the_same_name_are_told_apart() {
    Fixture f("#include \"part/p.uc\"\n.reg n\nimmed[n, 1]\nadd_one(n)\nctx_arb[kill]\n");
    QVERIFY(QDir(f.folder.path()).mkdir(QStringLiteral("part")));
    const QString part = f.folder.filePath(QStringLiteral("part/p.uc"));
    write(part, "// adds\n#macro add_one(x)\nalu[x, x, +, 1]\n#endm\n");
    f.start();
    QTRY_VERIFY_WITH_TIMEOUT(f.workspace().language().index_of(part) != nullptr, kLong);
    CodeEditor* other = f.window->open_file(part);
    other->go_to(3);
    f.key(Qt::Key_F8);
    QCOMPARE(f.breakpoints().size(), size_t{1});
    QCOMPARE(f.breakpoints()[0].target, std::string("part/p.uc:3"));
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[0].id != 0, kLong);
    f.move(Qt::Key_F5);
    QCOMPARE(f.value("pc", *f.target()->stopped_at()), int64_t{1});  // not the line 3 of the other one
    f.key(Qt::Key_F8);
    QVERIFY(f.breakpoints().empty());
  }

  void runs_to_places_moments_and_events() {
    Fixture f;
    f.workspace().cursor().set_context(ContextId{0, 0, 1});
    f.editor->go_to(15);
    f.move(Qt::Key_F10, Qt::ControlModifier);
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
    QVERIFY(f.breakpoints().empty());
    // A line without an instruction: nothing moves, and the reason is said.
    const uint64_t cycle = f.target()->view()->cycle;
    f.editor->go_to(4);
    f.move(Qt::Key_F10, Qt::ControlModifier);
    QCOMPARE(f.target()->view()->cycle, cycle);
    QVERIFY2(f.status().contains(QStringLiteral("makes no instruction")), qPrintable(f.status()));
    QCOMPARE(f.target()->state(), State::stopped);
    const auto until = [&](const QString& text) {
      f.key(Qt::Key_F10, Qt::ControlModifier | Qt::ShiftModifier);
      auto* dialog = f.window->findChild<QInputDialog*>();
      QVERIFY(dialog != nullptr);
      QVERIFY(QTest::qWaitForWindowExposed(dialog));
      type(dialog->findChild<QLineEdit*>(), text);
      bool moved = false;
      const auto seen = connect(f.target(), &Target::view_changed, this, [&] { moved = true; });
      QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
      QTRY_VERIFY_WITH_TIMEOUT(moved, kLong);
      f.stands();
      disconnect(seen);
      QTRY_VERIFY(f.window->findChild<QInputDialog*>() == nullptr);
    };
    until(QStringLiteral("400"));
    QCOMPARE(f.target()->view()->cycle, uint64_t{400});
    until(QStringLiteral("150"));
    QCOMPARE(f.target()->view()->cycle, uint64_t{150});
    until(QStringLiteral("me0.ctx1.n == 1"));
    QCOMPARE(f.value("me0.ctx1.n"), int64_t{1});
    until(QStringLiteral("no_such_thing == 1"));
    QVERIFY2(f.status().contains(QStringLiteral("no_such_thing")), qPrintable(f.status()));
    // The context's next swap, and until it runs again.
    f.workspace().cursor().set_context(ContextId{0, 2, 5});
    until(QStringLiteral("0"));
    bool moved = false;
    const auto seen = connect(f.target(), &Target::view_changed, this, [&] { moved = moved || f.target()->state() != State::running; });
    f.window->action("next_swap")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(moved, kLong);
    f.stands();
    disconnect(seen);
    QVERIFY((f.target()->stopped_at() == ContextId{0, 2, 5}));
    QCOMPARE(f.line_of({0, 2, 5}), 15u);
    QCOMPARE(f.value("me2.ctx5.state"), int64_t{3});
    f.workspace().cursor().set_context(ContextId{0, 2, 5});
    f.move(Qt::Key_F11, Qt::ControlModifier);
    QCOMPARE(f.value("me2.ctx5.state"), int64_t{1});
    QCOMPARE(f.line_of({0, 2, 5}), 15u);
    f.move(Qt::Key_F9, Qt::ControlModifier);
    QCOMPARE(f.line_of({0, 2, 5}), 16u);
  }

  // Also in a file that nobody has opened: here the macro of another one. Who works in a view goes on there.
  void a_stop_is_shown_in_its_text() {
    Fixture f("#include \"part.uc\"\n.reg n\nimmed[n, 1]\nbump_twice(n)\nctx_arb[kill]\n");
    const QString part = f.folder.filePath(QStringLiteral("part.uc"));
    write(part, "#macro bump_twice(io)\nalu[io, io, +, 1]\nalu[io, io, +, 2]\n#endm\n");
    f.key(Qt::Key_B, Qt::ControlModifier);
    f.built();
    f.show("contexts");
    auto* table = f.window->view(QStringLiteral("contexts"))->findChild<QTableView*>();
    table->setFocus();
    Breakpoint there;
    there.target = "part.uc:3";
    f.target()->run_to(there);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QTRY_COMPARE_WITH_TIMEOUT(f.window->texts().current_editor()->path(), part, kLong);
    QCOMPARE(f.window->texts().current_editor()->current_line_number(), 3);
    QTRY_COMPARE(f.window->texts().current_editor()->gutter().stopped_line(), 3);
    QVERIFY(table->hasFocus());
    // The status bar names it as the project does.
    const QString reason = QJsonDocument::fromJson(f.window->state_json())[QStringLiteral("reason")].toString();
    QVERIFY2(reason.contains(QStringLiteral(" part.uc:3")), qPrintable(reason));
  }

  void the_machine_follows_the_cursor_and_comes_back() {
    Fixture f;
    f.editor->go_to(15);
    f.key(Qt::Key_F8);
    f.move(Qt::Key_F5);
    QVERIFY(f.target()->stopped_at());
    const ContextId where = *f.target()->stopped_at();
    const QString reason = f.target()->reason();
    const uint64_t present = f.target()->view()->cycle;
    QVERIFY(present > 40);
    auto* past = f.window->findChild<QPushButton*>(QStringLiteral("past"));
    QVERIFY(!past->isVisible());
    QVERIFY(!f.window->action("present")->isEnabled());
    f.workspace().cursor().set_cycle(20);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->view()->cycle, uint64_t{20}, kLong);
    QTRY_VERIFY(past->isVisible());
    QCOMPARE(f.target()->state(), State::stopped);
    QVERIFY(past->text().contains(QString::number(present - 20)));
    QCOMPARE(f.value("cycle"), int64_t{20});
    QTest::mouseClick(past, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->view()->cycle, present, kLong);
    QTRY_VERIFY(!past->isVisible());
    QVERIFY(f.target()->stopped_at() == where);
    QCOMPARE(f.target()->reason(), reason);
    QCOMPARE(f.line_of(where), 15u);
    // Not when it is switched off, and never into the future.
    f.workspace().cursor().set_cycle(present + 1000);
    QTest::qWait(3 * FollowCursor::kRest);
    QCOMPARE(f.target()->view()->cycle, present);
    f.window->action("follow")->trigger();
    f.workspace().cursor().set_cycle(10);
    QTest::qWait(3 * FollowCursor::kRest);
    QCOMPARE(f.target()->view()->cycle, present);
    f.window->action("follow")->trigger();
  }

  void breakpoints_are_kept_beside_the_project() {
    Fixture f(kProgram, true);
    const QString folder = f.folder.filePath(QStringLiteral(".weft"));
    QVERIFY(!QFile::exists(folder));  // nothing to keep, nothing written
    f.editor->go_to(15);
    f.key(Qt::Key_F8);
    QTRY_VERIFY(QFile::exists(folder + QStringLiteral("/ide.json")));
    QCOMPARE(read(folder + QStringLiteral("/.gitignore")), QByteArray("*\n"));
    Breakpoint b = f.breakpoints()[0];
    b.condition = "n == 3";
    b.contexts = 5;
    b.engines = {0};
    b.from_hit = 2;
    b.log = "{n}";
    b.enabled = false;
    f.workspace().change_breakpoint(0, b);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[0].id != 0, kLong);
    // Who took the .gitignore away wants to share them.
    QVERIFY(QFile::remove(folder + QStringLiteral("/.gitignore")));
    f.workspace().add_breakpoint({});
    f.workspace().remove_breakpoint(1);
    f.start(true);
    QCOMPARE(f.breakpoints().size(), size_t{1});
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[0].id != 0, kLong);
    QCOMPARE(f.breakpoints()[0].condition, b.condition);
    QCOMPARE(f.breakpoints()[0].contexts, 5u);
    QCOMPARE(f.breakpoints()[0].engines, std::vector<unsigned>{0});
    QCOMPARE(f.breakpoints()[0].from_hit, uint64_t{2});
    QCOMPARE(f.breakpoints()[0].log, b.log);
    QVERIFY(!f.breakpoints()[0].enabled);
    QVERIFY(!QFile::exists(folder + QStringLiteral("/.gitignore")));
    // A run changes nothing in the file.
    const QByteArray before = read(folder + QStringLiteral("/ide.json"));
    QVERIFY(QFile::remove(folder + QStringLiteral("/ide.json")));
    f.move(Qt::Key_F5);
    QVERIFY(!QFile::exists(folder + QStringLiteral("/ide.json")));
    // A file that nobody understands is said, and stays.
    write(folder + QStringLiteral("/ide.json"), "{\"version\": 1, \"breakpoints\": [{");
    f.start(true);
    QVERIFY2(f.status().contains(QStringLiteral("ide.json")), qPrintable(f.status()));
    QVERIFY(f.breakpoints().empty());
    const QByteArray broken = read(folder + QStringLiteral("/ide.json"));
    f.editor->go_to(15);
    f.key(Qt::Key_F8);
    QCOMPARE(f.breakpoints().size(), size_t{1});
    QCOMPARE(read(folder + QStringLiteral("/ide.json")), broken);
    QVERIFY2(f.status().contains(QStringLiteral("not kept")), qPrintable(f.status()));
    QVERIFY(before.contains("n == 3"));
  }

  void layouts_are_kept_and_can_be_reset() {
    {
      Fixture f(kProgram, true);
      f.window->layouts().reset();
      f.window->resize(1100, 720);
      auto* contexts = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("contexts")));
      QVERIFY(contexts->isVisible());
      contexts->close();
      f.window->close();
    }
    Fixture f(kProgram, true);
    auto* contexts = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("contexts")));
    QVERIFY(!contexts->isVisible());
    QCOMPARE(f.window->size(), QSize(1100, 720));
    f.window->action("layout_reset")->trigger();
    QTRY_VERIFY(contexts->isVisible());
    auto* registers = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("registers")));
    QVERIFY(registers->isVisible());
    f.key(Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(!registers->isVisible());
    f.key(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
    auto* timeline = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("timeline")));
    QTRY_VERIFY(!timeline->visibleRegion().isEmpty());
    f.key(Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(registers->isVisible());
  }

  void a_mistake_in_the_middle_of_a_session() {
    Fixture f;
    f.editor->go_to(15);
    f.key(Qt::Key_F8);
    f.move(Qt::Key_F5);
    QVERIFY(f.target()->stopped_at());
    f.editor->go_to(15);
    f.editor->setFocus();
    QTest::keyClick(f.editor, Qt::Key_End);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QTest::keyClicks(f.editor, QStringLiteral("alu[nobody, --, B, 1]"));
    f.key(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->state() == State::empty, kLong);
    QVERIFY(f.status().contains(QStringLiteral("not built")));
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("nobody")));
    QVERIFY(read(f.path).contains("nobody"));
    QCOMPARE(f.breakpoints().size(), size_t{1});
    // All that moves the machine does nothing, and nothing breaks.
    for (const char* name : {"pause", "step_back", "run_back", "present"}) QVERIFY2(!f.window->action(QLatin1String(name))->isEnabled(), name);
    // Breakpoints can be set meanwhile.
    f.editor->go_to(17);
    f.key(Qt::Key_F8);
    QCOMPARE(f.breakpoints().size(), size_t{2});
    // With the repair the session goes on from the begin, with both.
    while (f.editor->document()->isUndoAvailable()) f.editor->undo();
    f.move(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
    QTRY_VERIFY(f.breakpoints()[1].id != 0);
  }

  void a_fault_of_the_program() {
    Fixture f(".reg n\n.reg global_address\nimmed[n, 1]\nimmed[global_address, 0xf00]\nlocal_csr_wr[ACTIVE_LM_ADDR_0, global_address]\nnop\nnop\nnop\nnop\nalu[*l$index0, --, B, n]\nctx_arb[kill]\n");
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::faulted);
    QVERIFY2(f.status().contains(QStringLiteral("p.uc:10")), qPrintable(f.status()));
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 10u);
    // It can be looked at, and gone back from.
    QCOMPARE(f.value("n", *f.target()->stopped_at()), int64_t{1});
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    QCOMPARE(f.target()->state(), State::stopped);
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::faulted);
  }

  void files_and_projects_that_go_away() {
    Fixture f;
    f.editor->go_to(1);
    f.editor->setFocus();
    QTest::keyClicks(f.editor, QStringLiteral("// mine"));
    QTest::keyClick(f.editor, Qt::Key_Return);
    QVERIFY(QFile::remove(f.path));
    QTRY_VERIFY_WITH_TIMEOUT(!f.window->texts().question().isEmpty(), kLong);
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("// mine")));
    f.key(Qt::Key_B, Qt::ControlModifier);
    QTest::qWait(100);
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("// mine")));
    write(f.path, f.editor->toPlainText().toUtf8());
    // The project's file breaks: it is said where, and what is open stays.
    const QString project = f.folder.filePath(QStringLiteral("weft.json"));
    const QByteArray whole = read(project);
    write(project, "{\"version\": 1, \"board\": \"generic-2400\",\n  \"programs\": [{\"source\": \"p.uc\", \"engines\": [0, 2]}\n");
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->state() == State::empty, kLong);
    auto* problems = f.window->view(QStringLiteral("problems"))->findChild<QTableView*>();
    const auto listed = [&] {
      QString out;
      for (int row = 0; row < problems->model()->rowCount(); ++row)
        for (int column = 0; column < problems->model()->columnCount(); ++column) out += problems->model()->index(row, column).data().toString() + QLatin1Char(' ');
      return out;
    };
    QTRY_VERIFY_WITH_TIMEOUT(listed().contains(QStringLiteral("weft.json")), kLong);
    QVERIFY(problems->isVisible());
    write(project, whole);
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    f.built();
    // Another project that cannot be opened leaves this one.
    QVERIFY(!f.window->open_project(f.folder.filePath(QStringLiteral("elsewhere"))));
    QVERIFY(f.status().contains(QStringLiteral("elsewhere")));
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("// mine")));
    QCOMPARE(f.target()->state(), State::stopped);
    // The folder goes with everything in it.
    QVERIFY(f.folder.remove());
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->state() == State::empty, kLong);
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("// mine")));
  }

 private:
  QTemporaryDir settings_;
};

QTEST_MAIN(DebugTest)
#include "debug_test.moc"
