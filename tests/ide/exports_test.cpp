// Whatever a view shows can be taken along: each list, tree, text and drawing of each view has an entry in its context
// menu that saves it.
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include "modal.h"
#include "program_fixture.h"
#include "widgets/contexts_view.h"
#include "widgets/registers_view.h"
#include "widgets/views.h"

using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;

namespace {

const char* const kBroken = ".reg a\nimmed[a, 1]\nimmed[nothing, 2]\nctx_arb[kill]\n";

/// Opens the context menu of a widget, takes what saves, and gives the dialog a name. Whether there was such an entry.
bool save(QWidget* widget, const QPoint& at, const QString& path) {
  const auto saves = [](const QAction& action) {
    return action.isEnabled() && action.text().remove(QLatin1Char('&')).startsWith(QStringLiteral("Save"));
  };
  const auto as_table = [&](const QAction& action) {
    return saves(action) && action.text().contains(QStringLiteral("CSV"));
  };
  return with_dialog<QFileDialog>(
      [&] {
        return choose_in_menu(
            [&] {
              QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
              QApplication::sendEvent(widget, &event);
            },
            [&](const QAction& action) {
              const bool better = std::ranges::any_of(QApplication::activePopupWidget()->actions(),
                                                      [&](const QAction* a) { return as_table(*a); });
              return better ? as_table(action) : saves(action);
            });
      },
      [&](QFileDialog& dialog) { name_file(dialog, path); });
}

QString class_of(const QWidget* widget) {
  return QString::fromLatin1(widget->metaObject()->className()).section(QStringLiteral("::"), -1);
}

/// What shows rows, text or a drawing there.
QList<QWidget*> shown_in(QWidget* root) {
  QList<QWidget*> out;
  for (QWidget* widget : root->findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->visibleRegion().isEmpty() || qobject_cast<QHeaderView*>(widget) != nullptr)
      continue;
    if (const auto* items = qobject_cast<QAbstractItemView*>(widget);
        items != nullptr && items->model() != nullptr && items->model()->rowCount() > 0)
      out << widget;
    if (const auto* text = qobject_cast<QPlainTextEdit*>(widget); text != nullptr && !text->toPlainText().isEmpty())
      out << widget;
    if (const QString name = class_of(widget);
        name == QStringLiteral("TimelineCanvas") || name == QStringLiteral("CoverageCanvas") ||
        name == QStringLiteral("FlameCanvas") || name == QStringLiteral("PacketHex"))
      out << widget;
  }
  return out;
}

/// Names of the first and the last row.
QStringList names_in(QWidget* widget) {
  const auto* items = qobject_cast<QAbstractItemView*>(widget);
  if (items == nullptr) return {};
  QStringList out;
  for (const int row : {0, items->model()->rowCount() - 1}) {
    QString name;
    for (int column = 0; name.isEmpty() && column < items->model()->columnCount(); ++column)
      name = items->model()->index(row, column).data().toString();
    out << name.replace(QLatin1Char('"'), QStringLiteral("\"\""));
  }
  return out;
}

}  // namespace

class ExportsTest : public QObject {
  Q_OBJECT

  QStringList faults_;
  QMap<QString, int> exports_;  ///< by view
  int files_ = 0;

  void check(const QString& view, QWidget* widget) {
    const QString what = QStringLiteral("%1 / %2 '%3'").arg(view, class_of(widget), widget->accessibleName());
    const QString path = folder_.filePath(QStringLiteral("export-%1").arg(++files_));
    auto* area = qobject_cast<QAbstractScrollArea*>(widget);
    auto* items = qobject_cast<QAbstractItemView*>(widget);
    const QPoint at =
        items != nullptr ? items->visualRect(items->model()->index(0, 0)).center() : widget->rect().center();
    const QStringList names = names_in(widget);
    QWidget* receiver = area != nullptr ? area->viewport() : widget;
    if (!save(receiver, at, path)) {
      faults_ << what + QStringLiteral(": nothing in its context menu saves");
      return;
    }
    const QByteArray saved = read(path);
    if (saved.isEmpty()) faults_ << what + QStringLiteral(": the file is empty");
    for (const QString& name : names)
      if (!saved.contains(name.toUtf8())) faults_ << what + QStringLiteral(": %1 is not in the file").arg(name);
    ++exports_[view];
  }
  void check_all(MainWindow& window, const QString& name) {
    auto* dock = qobject_cast<QDockWidget*>(window.view(name));
    QVERIFY2(dock != nullptr, qPrintable(name));
    dock->show();
    dock->raise();
    if (!QTest::qWaitFor([&] { return !shown_in(dock).isEmpty(); }, kLong))
      faults_ << name + QStringLiteral(": it shows nothing");
    if (window.workspace().target()->view())
      (void)asked(*window.workspace().target(), [](const Inspector& m) { return m.cycle(); });
    for (QWidget* widget : shown_in(dock)) check(name, widget);
    // What lies behind a tab.
    for (QTabWidget* tabs : dock->findChildren<QTabWidget*>())
      for (int tab = 1; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        QTest::qWait(50);
        for (QWidget* widget : shown_in(tabs->currentWidget())) check(name, widget);
      }
  }

 private Q_SLOTS:
  void initTestCase() {
    settings_.begin();
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }

  void every_view_saves_what_it_shows() {
    MainWindow window(Theme::light);
    window.resize(1600, 1000);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, kLong));
    weft::workbench::Observation all = window.workspace().observation();
    all.coverage = all.history = all.statistics = all.packets = all.profile = true;
    all.packet_limits.frames = true;
    window.workspace().set_observation(all);
    QVERIFY(window.open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder")));
    Target& target = *window.workspace().target();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, kLong);
    target.run_until("20us");
    QTRY_VERIFY_WITH_TIMEOUT(target.state() != State::running && target.view()->cycle > 1000, kLong);
    // Views that show something only when they are asked to.
    window.workspace().add_breakpoint([] {
      weft::workbench::Breakpoint b;
      b.target = "forward.uc:60";
      b.condition = "no_such_name > 1";  // a problem that stays
      return b;
    }());
    window.workspace().cursor().set_range(std::pair<uint64_t, uint64_t>{1000, 11'000});
    // The first packet of the list.
    auto* packets = qobject_cast<QDockWidget*>(window.view(QStringLiteral("packets")));
    packets->show();
    packets->raise();
    QTableView* list = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((list = packets->findChild<QTableView*>()) != nullptr && list->model() != nullptr &&
                                 list->model()->rowCount() > 3,
                             kLong);
    list->selectRow(0);
    QTest::qWait(200);
    window.workspace().add_watch(QStringLiteral("scratch[0x40]"));
    auto* origin = window.view(QStringLiteral("origin"));
    origin->show();
    origin->raise();
    QTest::keyClicks(origin->findChild<QLineEdit*>(), QStringLiteral("scratch[0x40]"));
    QTest::keyClick(origin->findChild<QLineEdit*>(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(origin->findChild<QTreeView*>()->model()->rowCount() > 0, kLong);
    for (const ViewKind& kind : view_kinds()) {
      const QString name = QString::fromLatin1(kind.name);
      if (name == QStringLiteral("references") || name == QStringLiteral("find"))
        continue;  // empty until somebody asks
      check_all(window, name);
    }

    // Mistakes and places of names, in a program of our own.
    const QByteArray text(kBroken);
    ProgramFixture broken(text, "; nothing\n");
    QTRY_VERIFY_WITH_TIMEOUT(!broken.window->workspace().problems().empty(), kLong);
    auto* references = qobject_cast<QDockWidget*>(broken.window->view(QStringLiteral("references")));
    QTextCursor cursor(broken.editor->document()->find(QStringLiteral("a, 1")));
    cursor.setPosition(cursor.selectionStart());
    broken.editor->setTextCursor(cursor);
    QTest::keyClick(broken.editor, Qt::Key_F12, Qt::ShiftModifier);
    QTRY_VERIFY(references->findChild<QTableView*>()->model()->rowCount() > 0);
    check_all(*broken.window, QStringLiteral("references"));
    check_all(*broken.window, QStringLiteral("problems"));
    auto* find = qobject_cast<QDockWidget*>(broken.window->view(QStringLiteral("find")));
    find->show();
    find->raise();
    for (QLineEdit* line : find->findChildren<QLineEdit*>()) {
      if (line->accessibleName() != QStringLiteral("Find in all texts")) continue;
      QTest::keyClicks(line, QStringLiteral("immed"));
      QTest::keyClick(line, Qt::Key_Return);
    }
    QTRY_VERIFY_WITH_TIMEOUT(find->findChild<QTableView*>()->model()->rowCount() > 0, kLong);
    check_all(*broken.window, QStringLiteral("find"));

    QVERIFY2(faults_.isEmpty(), qPrintable(QStringLiteral("\n") + faults_.join(QLatin1Char('\n'))));
    for (const ViewKind& kind : view_kinds()) QVERIFY2(exports_.value(QString::fromLatin1(kind.name)) > 0, kind.name);
    QVERIFY(exports_.value(QStringLiteral("packets")) >= 4);  // list, way, fields, bytes
  }

  // A table is more than its rows: below them it can be saved too.
  void tables_save_also_where_no_row_is_hit() {
    Workspace workspace;
    ContextsView contexts(workspace, Theme::light);
    RegistersView registers(workspace, Theme::light);
    for (View* view : std::initializer_list<View*>{&contexts, &registers}) {
      view->resize(1000, 6000);
      view->show();
    }
    QVERIFY(workspace.open(QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder")));
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, kLong);
    for (View* view : std::initializer_list<View*>{&contexts, &registers}) {
      auto* table = view->findChild<QTableView*>();
      QTRY_VERIFY_WITH_TIMEOUT(table->model() != nullptr && table->model()->rowCount() > 0, kLong);
      const QPoint below(20, table->viewport()->height() - 4);
      QVERIFY(!table->indexAt(below).isValid());
      const QString path = folder_.filePath(QStringLiteral("below-%1").arg(++files_));
      QVERIFY(save(table->viewport(), below, path));
      const QByteArray saved = read(path);
      QCOMPARE(saved.count('\n'), table->model()->rowCount() + 1);
      for (const QString& name : names_in(table)) QVERIFY2(saved.contains(name.toUtf8()), qPrintable(name));
    }
    // Its columns are those that are shown: PC and packet, live ranges.
    QVERIFY(read(folder_.filePath(QStringLiteral("below-%1").arg(files_ - 1))).contains("In state,PC,"));
    QVERIFY(read(folder_.filePath(QStringLiteral("below-%1").arg(files_))).contains("Decimal,Live\n"));
  }

 private:
  OwnSettings settings_;
  QTemporaryDir folder_;
};

WEFT_IDE_TEST_MAIN(ExportsTest)
#include "exports_test.moc"
