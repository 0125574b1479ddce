// What one meets in the first hour: names of files and labels, numbers, registers edited in place, the past that is not
// lost by a slip, a run that is over, and the entries that every program has in its menus.
#include <QClipboard>
#include <QFileDialog>
#include <QJsonObject>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolBar>
#include <QTreeWidget>

#include "debug_fixture.h"
#include "modal.h"
#include "models/contexts_model.h"
#include "models/count_text.h"
#include "models/documents.h"
#include "models/file_names.h"
#include "models/new_project.h"
#include "models/registers_model.h"
#include "models/value_edits.h"
#include "own_settings_test.h"
#include "weft/emulator/unit_inspector.h"
#include "weft/workbench/session.h"
#include "widgets/coverage_canvas.h"
#include "widgets/help_window.h"
#include "widgets/number_cells.h"
#include "widgets/origin_view.h"
#include "widgets/packet_bytes_pane.h"
#include "widgets/packet_details.h"
#include "widgets/packets_view.h"
#include "widgets/registers_view.h"
#include "widgets/timeline_canvas.h"
#include "widgets/views.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

/// The registers of the chosen context, and what people do with them.
struct Registers : Fixture {
  using Fixture::Fixture;
  QTableView* list() const { return window->view(QStringLiteral("registers"))->findChild<QTableView*>(); }
  int row(const char* name) const {
    for (int r = 0; r < list()->model()->rowCount(); ++r)
      if (list()->model()->index(r, RegistersModel::kName).data().toString() == QLatin1String(name)) return r;
    return -1;
  }
  QModelIndex cell(const char* name, int column) const { return list()->model()->index(row(name), column); }
  QString hex(const char* name) const { return cell(name, RegistersModel::kHexadecimal).data().toString(); }
  /// A double click on the cell, and the keys.
  void write(const char* name, int column, const QString& text) const {
    const QModelIndex index = cell(name, column);
    list()->setCurrentIndex(index);
    list()->scrollTo(index);
    const QPoint at = list()->visualRect(index).center();
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(list()->viewport(), Qt::LeftButton, {}, at);
    QTRY_VERIFY(list()->findChild<QLineEdit*>() != nullptr);
    auto* field = list()->findChild<QLineEdit*>();
    field->selectAll();
    QTest::keyClicks(field, text);
    QCOMPARE(field->text(), text);
    QTest::keyClick(field, Qt::Key_Return);
  }
  /// me0.0 stands after immed[temp, 0], and is chosen.
  void stand() const {
    built();
    for (int i = 0; i < 3; ++i) move(Qt::Key_F9);
    workspace().cursor().set_context(ContextId{0, 0, 0});
    show("registers");
    QTRY_VERIFY(row("n") >= 0 && hex("n") == QStringLiteral("0x00000004"));
  }
};

}  // namespace

class EverydayTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void files_are_named_from_the_project_on() {
    const FileNames names(QStringLiteral("/home/me/router"));
    QCOMPARE(names.name(QStringLiteral("/home/me/router/receive.uc")), QStringLiteral("receive.uc"));
    QCOMPARE(names.name(QStringLiteral("/home/me/router/tests/a.uc")), QStringLiteral("tests/a.uc"));
    QCOMPARE(names.name(QStringLiteral("/lib/blocks/receive/receive.uc")), QStringLiteral("receive/receive.uc"));
    QCOMPARE(names.name(QStringLiteral("/home/me/router2/receive.uc")), QStringLiteral("router2/receive.uc"));
    QCOMPARE(names.place("/home/me/router/a.uc", 12), QStringLiteral("a.uc:12"));
    QCOMPARE(names.shortened(QStringLiteral("me0 stopped at /home/me/router/a.uc:12 (/lib/x/b.uc:3), 1/2 of it")),
             QStringLiteral("me0 stopped at a.uc:12 (x/b.uc:3), 1/2 of it"));
    QCOMPARE(FileNames().name(QStringLiteral("/a/b/c.uc")), QStringLiteral("c.uc"));
  }

  void labels_are_as_they_are_written() {
    QCOMPARE(label_text("m001_my_turn#"), QStringLiteral("my_turn#"));
    QCOMPARE(label_text("M1234_again#+3"), QStringLiteral("again#+3"));
    for (const char* own : {"my_turn#", "m01_x#", "m001x#", "mm001_x#", "loop#"})
      QCOMPARE(label_text(own), QString::fromLatin1(own));
    weft::image::Image image;
    image.labels = {{"start#", 0}, {"m001_loop#", 4}, {"l002_else#", 6}};
    QCOMPARE(weft::workbench::label_of(image, 7), std::string("loop#+3"));
    QCOMPARE(weft::workbench::label_of(image, 4), std::string("loop#"));
  }

  void tabs_of_one_name_have_their_folder() {
    Fixture f;
    QVERIFY(QDir(f.folder.path()).mkpath(QStringLiteral("part")));
    const QString other = f.folder.filePath(QStringLiteral("part/p.uc"));
    write(other, "; another one\n");
    auto* tabs = f.window->texts().tabs();
    QCOMPARE(tabs->tabText(0), QStringLiteral("p.uc"));
    CodeEditor* second = f.window->open_file(other);
    const QString folder = QFileInfo(f.folder.path()).fileName();
    QCOMPARE(tabs->tabText(0), folder + QStringLiteral("/p.uc"));
    QCOMPARE(tabs->tabText(1), QStringLiteral("part/p.uc"));
    second->setFocus();
    QTest::keyClicks(second, QStringLiteral(";"));
    QCOMPARE(tabs->tabText(1), QStringLiteral("part/p.uc •"));
    QTest::keyClick(second, Qt::Key_Z, Qt::ControlModifier);
    f.key(Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(tabs->count(), 1);
    QCOMPARE(tabs->tabText(0), QStringLiteral("p.uc"));
  }

  void no_whole_paths_in_the_status_bar() {
    QTemporaryDir blocks;
    const QString part = QDir(blocks.path()).filePath(QStringLiteral("mine/part.uc"));
    QVERIFY(QDir(blocks.path()).mkpath(QStringLiteral("mine")));
    write(part, "#macro two[X]\nalu[X, X, +, 1]\nalu[X, X, +, 1]\n#endm\n");
    Fixture f(QByteArray("#include \"") + part.toUtf8() + "\"\n.reg n\nimmed[n, 1]\ntwo[n]\nctx_arb[kill]\n");
    f.built();
    for (int i = 0; i < 2; ++i) f.move(Qt::Key_F9);
    QVERIFY2(!f.status().contains(blocks.path()) && !f.status().contains(f.folder.path()), qPrintable(f.status()));
    const auto* contexts = f.window->view(QStringLiteral("contexts"))->findChild<QTableView*>();
    QCOMPARE(contexts->model()->index(0, ContextsModel::kPlace).data().toString(), QStringLiteral("mine/part.uc:3"));
    weft::workbench::Holder n;
    n.name = "n";
    Q_EMIT f.workspace().origin_requested(n);
    const auto* writers = f.window->findChild<OriginView*>()->tree()->model();
    QTRY_COMPARE(writers->index(0, OriginTree::kPlace).data().toString(), QStringLiteral("mine/part.uc:2"));
  }

  void counts_have_separators() {
    const NumberCells cells;
    QCOMPARE(cells.displayText(QVariant::fromValue<qulonglong>(1234567), QLocale::c()),
             QLocale().toString(qulonglong{1234567}));
    QCOMPARE(cells.displayText(QStringLiteral("0x1234"), QLocale::c()), QStringLiteral("0x1234"));
    Fixture f;
    for (const char* view : {"contexts", "registers", "breakpoints"}) {
      const auto* table = f.window->view(QLatin1String(view))->findChild<QTableView*>();
      QVERIFY2(dynamic_cast<NumberCells*>(table->itemDelegate()) != nullptr, view);
    }
  }

  void counts_in_sentences_have_separators_too() {
    const auto text = [](const char* sentence) { return counts_with_separators(QString::fromLatin1(sentence)); };
    QCOMPARE(text("the limit of 36000 cycles was reached"), QStringLiteral("the limit of 36,000 cycles was reached"));
    QCOMPARE(text("built, and replayed to cycle 60000"), QStringLiteral("built, and replayed to cycle 60,000"));
    QCOMPARE(text("after 12345 packets, cycles 1000 to 2000"),
             QStringLiteral("after 12,345 packets, cycles 1,000 to 2,000"));
    QCOMPARE(text("slept 1300 cycles (7629 to 8928)"), QStringLiteral("slept 1,300 cycles (7,629 to 8,928)"));
    for (const char* kept : {"p.uc:1234 (3 packets)", "0x12340000", "UDP 10000 > 9", "scratch[4096]", "cycle 999",
                             "cycle 99999999999999999999999", "cycle 1234.5"})
      QCOMPARE(text(kept), QString::fromLatin1(kept));
    Fixture f("loop#:\nbr[loop#]\n");
    f.built();
    f.target()->run_until("2000 cycles");
    QTRY_COMPARE(f.target()->state(), State::ended);
    QTRY_VERIFY2(f.status().contains(QStringLiteral("the limit of 2,000 cycles")), qPrintable(f.status()));
    QVERIFY2(f.status().contains(QStringLiteral("cycle 2,000 · 3.333 µs")), qPrintable(f.status()));
    const auto* log = f.window->view(QStringLiteral("log"))->findChild<QPlainTextEdit*>();
    QTRY_VERIFY2(log->toPlainText().contains(QStringLiteral("the limit of 2,000 cycles")),
                 qPrintable(log->toPlainText()));
  }

  void values_are_read_as_people_write_them() {
    QCOMPARE(parse_value(QStringLiteral("12")).value_or(0), 12);
    QCOMPARE(parse_value(QStringLiteral(" 0x1F ")).value_or(0), 31);
    QCOMPARE(parse_value(QStringLiteral("0b101")).value_or(0), 5);
    QCOMPARE(parse_value(QStringLiteral("1,234")).value_or(0), 1234);
    QCOMPARE(parse_value(QStringLiteral("-1")).value_or(0), -1);
    for (const char* wrong : {"", "x", "0x", "12z", "0x100000000", "-3000000000"})
      QVERIFY2(!parse_value(QLatin1String(wrong)), wrong);
  }

  void registers_are_edited_in_place_and_undone() {
    Registers f;
    f.stand();
    f.write("n", RegistersModel::kHexadecimal, QStringLiteral("0x20"));
    QTRY_VERIFY2_WITH_TIMEOUT(f.hex("n") == QStringLiteral("0x00000020"), qPrintable(f.hex("n") + f.status()), 5000);
    QCOMPARE(f.value("n"), int64_t{32});
    QVERIFY2(f.status().contains(QStringLiteral("n: 0x00000004 stood there, now 0x00000020")), qPrintable(f.status()));
    f.write("n", RegistersModel::kDecimal, QStringLiteral("7"));
    QTRY_COMPARE(f.hex("n"), QStringLiteral("0x00000007"));
    f.write("n", RegistersModel::kDecimal, QStringLiteral("seven"));
    QTRY_VERIFY2(f.status().contains(QStringLiteral("is not a number")), qPrintable(f.status()));
    auto* undo = f.window->findChild<QPushButton*>(QStringLiteral("undo_register"));
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_COMPARE(f.hex("n"), QStringLiteral("0x00000020"));
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_COMPARE(f.hex("n"), QStringLiteral("0x00000004"));
    QTRY_VERIFY(!undo->isEnabled());
  }

  // The old value of another run is no value for this one.
  void changes_of_a_run_end_with_it() {
    Registers f;
    f.stand();
    auto* undo = f.window->findChild<QPushButton*>(QStringLiteral("undo_register"));
    f.write("n", RegistersModel::kDecimal, QStringLiteral("9"));
    QTRY_COMPARE(f.hex("n"), QStringLiteral("0x00000009"));
    QVERIFY(undo->isEnabled());
    // A moment before it: nothing is undone, and nothing is asked.
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    f.workspace().cursor().set_context(ContextId{0, 0, 0});
    QTest::mouseClick(undo, Qt::LeftButton);
    QVERIFY2(f.status().contains(QStringLiteral("stands before the last change")), qPrintable(f.status()));
    QVERIFY(f.target()->in_past());
    f.target()->go_to_present();
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->in_past() && !f.target()->busy(), kLong);
    QVERIFY(undo->isEnabled());
    // A build with a replay writes it again, one without does not.
    f.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy() && f.target()->state() == State::stopped, kLong);
    QCOMPARE(f.value("n"), int64_t{9});
    QVERIFY(undo->isEnabled());
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy() && f.target()->present() == 0, kLong);
    QTRY_VERIFY(!undo->isEnabled());
  }

  void a_change_in_the_past_asks() {
    Registers f;
    f.stand();
    const uint64_t present = f.target()->present();
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_VERIFY(f.target()->in_past());
    // No: everything stays.
    QVERIFY(with_dialog<QMessageBox>([&] { f.write("n", RegistersModel::kDecimal, QStringLiteral("9")); },
                                     [](QMessageBox& box) { QTest::keyClick(&box, Qt::Key_Escape); }));
    QCOMPARE(f.value("n"), int64_t{4});
    QVERIFY(f.target()->in_past());
    QCOMPARE(f.target()->present(), present);
    // Yes: it is another run from here on.
    QVERIFY(with_dialog<QMessageBox>([&] { f.write("n", RegistersModel::kDecimal, QStringLiteral("9")); },
                                     [](QMessageBox& box) {
                                       QVERIFY(box.text().contains(QStringLiteral("has been as far as")));
                                       for (QAbstractButton* button : box.buttons())
                                         if (box.buttonRole(button) == QMessageBox::AcceptRole)
                                           return QTest::mouseClick(button, Qt::LeftButton);
                                     }));
    QTRY_COMPARE(f.hex("n"), QStringLiteral("0x00000009"));
    QTRY_VERIFY(!f.target()->in_past());
  }

  void memory_of_the_past_asks_too() {
    Registers f;
    f.stand();
    f.show("memory");
    auto* table = f.window->view(QStringLiteral("memory"))->findChild<QTableView*>();
    QTRY_VERIFY(table->model()->rowCount() > 0 && (table->model()->index(0, 1).flags() & Qt::ItemIsEditable) != 0);
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_VERIFY(f.target()->in_past());
    const QString before = table->model()->index(0, 1).data().toString();
    QVERIFY(with_dialog<QMessageBox>(
        [&] {
          table->setCurrentIndex(table->model()->index(0, 1));
          table->edit(table->model()->index(0, 1));
          auto* field = table->findChild<QLineEdit*>();
          field->selectAll();
          QTest::keyClicks(field, QStringLiteral("0x55"));
          QTest::keyClick(field, Qt::Key_Return);
        },
        [](QMessageBox& box) { QTest::keyClick(&box, Qt::Key_Escape); }));
    QCOMPARE(table->model()->index(0, 1).data().toString(), before);
    QVERIFY(f.target()->in_past());
  }

  void a_run_that_is_over_says_so() {
    Fixture f;
    f.built();
    f.move(Qt::Key_F5);
    QTRY_COMPARE(f.target()->state(), State::ended);
    QVERIFY2(f.target()->over(), qPrintable(f.target()->reason()));
    const uint64_t cycle = f.target()->view()->cycle;
    f.key(Qt::Key_F5);
    QVERIFY2(f.status().contains(QStringLiteral("The run has ended")) &&
                 f.status().contains(QStringLiteral("Ctrl+Shift+F5")),
             qPrintable(f.status()));
    f.stands();
    QCOMPARE(f.target()->view()->cycle, cycle);
    // From the past it goes through the same run again.
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_VERIFY(f.target()->in_past() && !f.target()->over());
    f.move(Qt::Key_F5);
    QTRY_VERIFY(f.target()->over());
    // Restart stands in the toolbar.
    const auto* bar = f.window->findChild<QToolBar*>(QStringLiteral("toolbar"));
    QVERIFY(bar->actions().contains(f.window->action(QStringLiteral("restart"))));
    QVERIFY(bar->widgetForAction(f.window->action(QStringLiteral("restart")))->isVisible());
  }

  void menus_have_what_all_programs_have() {
    Fixture f;
    for (const char* name : {"new_text", "new_project", "save_as", "cut", "copy", "paste", "select_all", "help",
                             "help_contents", "about", "go_to_line"})
      QVERIFY2(f.window->action(QLatin1String(name)) != nullptr, name);
    f.editor->setFocus();
    f.editor->go_to(5);
    QApplication::clipboard()->setText(QString());
    QTest::keyClick(f.editor, Qt::Key_End, Qt::ShiftModifier);
    f.window->action(QStringLiteral("cut"))->trigger();
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral(".reg n temp zero"));
    QCOMPARE(f.editor->document()->findBlockByNumber(4).text(), QString());
    f.window->action(QStringLiteral("paste"))->trigger();
    QCOMPARE(f.editor->document()->findBlockByNumber(4).text(), QStringLiteral(".reg n temp zero"));
    // In a table, the chosen row.
    f.built();
    f.show("contexts");
    auto* contexts = f.window->view(QStringLiteral("contexts"))->findChild<QTableView*>();
    contexts->selectRow(1);
    contexts->setFocus();
    f.window->action(QStringLiteral("copy"))->trigger();
    QVERIFY2(QApplication::clipboard()->text().startsWith(QStringLiteral("me0.1\tp\t")),
             qPrintable(QApplication::clipboard()->text()));
  }

  void texts_are_made_and_get_another_name() {
    Fixture f;
    const QString other = f.folder.filePath(QStringLiteral("other.uc")),
                  fresh = f.folder.filePath(QStringLiteral("n.uc"));
    f.editor->setFocus();
    f.editor->go_to(3, 2);
    QTest::keyClicks(f.editor, QStringLiteral(" "));
    const auto named = [&](const char* action, const QString& path) {
      return with_dialog<QFileDialog>([&] { f.window->action(QLatin1String(action))->trigger(); },
                                      [&](QFileDialog& dialog) { name_file(dialog, path); });
    };
    QVERIFY(named("save_as", other));
    QCOMPARE(f.window->texts().all().size(), size_t{1});
    QCOMPARE(f.window->texts().current()->path, other);
    QVERIFY(!f.window->texts().current_editor()->document()->isModified());
    QCOMPARE(f.window->texts().current_editor()->current_line_number(), 3);
    QCOMPARE(read(f.path), QByteArray(kProgram));
    QVERIFY(read(other) != QByteArray(kProgram) && read(other).size() == QByteArray(kProgram).size() + 1);
    QVERIFY(named("new_text", fresh));
    QCOMPARE(f.window->texts().current()->path, fresh);
    QVERIFY(QFile::exists(fresh));
  }

  void a_new_project_runs() {
    QTemporaryDir folder;
    QCOMPARE(make_project(folder.path()), QString());
    QVERIFY(!make_project(folder.path()).isEmpty());  // what is there stays
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(window.open_project(folder.path()));
    Target* target = window.workspace().target();
    QTRY_VERIFY_WITH_TIMEOUT(target->state() == State::stopped, kLong);
    QVERIFY2(window.workspace().problems().empty(), qPrintable(target->reason()));
    target->run();
    QTRY_VERIFY_WITH_TIMEOUT(target->over(), kLong);
  }

  void f1_opens_the_page_of_what_has_the_keyboard() {
    Fixture f;
    f.built();
    QVERIFY(!find_documents().isEmpty());
    f.editor->setFocus();
    f.key(Qt::Key_F1);
    const auto* help = f.window->findChild<HelpWindow*>();
    QVERIFY(help != nullptr);
    QTRY_COMPARE(help->page(), QStringLiteral("ide/editing.md"));
    QVERIFY(help->text().contains(QStringLiteral("Writing microcode")));
    for (const auto& [key, page] : {std::pair(Qt::Key_5, "ide/history.md"), std::pair(Qt::Key_7, "ide/packets.md"),
                                    std::pair(Qt::Key_6, "ide/statistics.md"), std::pair(Qt::Key_8, "ide/state.md")}) {
      f.key(key, Qt::AltModifier);
      f.key(Qt::Key_F1);
      QTRY_COMPARE(help->page(), QLatin1String(page));
    }
    // Every view has a page that is there, and the first page names it.
    QFile first(find_documents() + QStringLiteral("/ide/README.md"));
    QVERIFY(first.open(QIODevice::ReadOnly));
    const QString names = QString::fromUtf8(first.readAll());
    for (const ViewKind& kind : view_kinds()) {
      const QString view = view_name(QLatin1String(kind.name));
      QVERIFY2(QFile::exists(find_documents() + QLatin1Char('/') + help_page(view)), qPrintable(view));
      QVERIFY2(names.contains(QLatin1Char('`') + view + QLatin1Char('`')), qPrintable(view));
    }
  }

  void views_have_one_name() {
    Fixture f;
    const QStringList names = f.window->view_names();
    QVERIFY(names.contains(QStringLiteral("history")) && !names.contains(QStringLiteral("timeline")));
    QVERIFY(names.contains(QStringLiteral("cam")) && !names.contains(QStringLiteral("engine")));
    for (const auto& [old, name] : {std::pair("timeline", "history"), std::pair("engine", "cam")}) {
      QVERIFY(f.window->view(QLatin1String(name)) != nullptr);
      QCOMPARE(f.window->view(QLatin1String(old)), f.window->view(QLatin1String(name)));
    }
    const QJsonObject state = QJsonDocument::fromJson(f.window->state_json()).object();
    QCOMPARE(state[QStringLiteral("timeline")], state[QStringLiteral("history")]);
    QVERIFY(state.contains(QStringLiteral("cam")));
  }

  void rows_have_room_in_a_small_window() {
    MainWindow window(Theme::light);
    window.resize(1024, 700);
    window.layouts().reset();
    weft::workbench::Observation observation;
    observation.history = observation.packets = observation.coverage = true;
    window.workspace().set_observation(observation);
    window.show();
    QCOMPARE(window.size(), QSize(1024, 700));
    QVERIFY(window.open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router")));
    Target* target = window.workspace().target();
    QTRY_VERIFY_WITH_TIMEOUT(target->state() == State::stopped, kLong);
    auto* dock = qobject_cast<QDockWidget*>(window.view(QStringLiteral("history")));
    dock->show();
    dock->raise();
    target->run_until("30us");
    QTRY_VERIFY_WITH_TIMEOUT(target->state() == State::ended, kLong);
    auto* canvas = dock->findChild<TimelineCanvas*>();
    QTRY_VERIFY_WITH_TIMEOUT(canvas->visible_rows() >= 5, kLong);
    // The frame of a packet before and after, both to be seen.
    auto* packets = window.findChild<PacketsView*>();
    auto* other = qobject_cast<QDockWidget*>(window.view(QStringLiteral("packets")));
    other->show();
    other->raise();
    QTRY_VERIFY_WITH_TIMEOUT(packets->model() != nullptr && packets->model()->rowCount() > 3, kLong);
    auto* pane = packets->findChild<PacketBytesPane*>();
    window.workspace().cursor().set_packet(packets->model()->row(0).id);
    for (QWidget* w = pane->parentWidget(); w != nullptr; w = w->parentWidget())
      if (auto* tabs = qobject_cast<QTabWidget*>(w)) {
        tabs->setCurrentWidget(pane);
        break;
      }
    // Of its way, some steps.
    auto* details = packets->findChild<PacketDetails*>();
    details->findChild<QTabWidget*>()->setCurrentIndex(0);
    QTableView* way = details->path_table();
    QTRY_VERIFY_WITH_TIMEOUT(way->model()->rowCount() > 3 && way->isVisible(), kLong);
    QVERIFY2(way->viewport()->height() >= 2 * way->rowHeight(0),
             qPrintable(QString::number(way->viewport()->height())));
    details->findChild<QTabWidget*>()->setCurrentWidget(pane);
    // Places of contexts are whole, because the table scrolls anyway.
    auto* contexts = qobject_cast<QDockWidget*>(window.view(QStringLiteral("contexts")));
    contexts->raise();
    auto* table = contexts->findChild<QTableView*>();
    QTRY_VERIFY_WITH_TIMEOUT(table->isVisible() && table->model()->rowCount() > 8, kLong);
    QTRY_VERIFY(table->columnWidth(ContextsModel::kPlace) >=
                table->fontMetrics().horizontalAdvance(QStringLiteral("receive/receive.uc:149")));
    // All contexts of a program are in the legend of its bars.
    auto* coverage = qobject_cast<QDockWidget*>(window.view(QStringLiteral("coverage")));
    coverage->raise();
    auto* bars = coverage->findChild<CoverageCanvas*>();
    const auto in_legend = [bars](unsigned context) {
      const QImage picture = bars->viewport()->grab().toImage();
      int found = 0;
      for (int y = 0; y < 16; ++y)
        for (int x = 0; x < picture.width(); ++x)
          found += picture.pixelColor(x, y) == context_colour(context, Theme::light);
      return found >= 60;
    };
    QTRY_VERIFY_WITH_TIMEOUT(in_legend(0), kLong);
    for (unsigned context = 1; context < 8; ++context)
      QVERIFY2(in_legend(context), qPrintable(QString::number(context)));
    other->raise();
    QCOMPARE(window.size(), QSize(1024, 700));  // nothing of it has pushed the window
    auto* tree = pane->findChild<QTreeWidget*>();
    QTRY_VERIFY_WITH_TIMEOUT(tree->topLevelItemCount() > 0 && tree->isVisible(), kLong);
    QTRY_VERIFY2(
        tree->columnViewportPosition(2) + 40 <= tree->viewport()->width(),
        qPrintable(QStringLiteral("%1 of %2").arg(tree->columnViewportPosition(2)).arg(tree->viewport()->width())));
  }

  // Without a project, and in each view.
  void empty_views_say_what_to_do() {
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kLong));
    for (const QString& name : window.view_names()) {
      auto* dock = qobject_cast<QDockWidget*>(window.view(name));
      if (dock == nullptr) continue;
      dock->show();
      dock->raise();
      QCoreApplication::processEvents();
      bool said = false;
      for (const QLabel* label : dock->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().size() > 30);
      for (const QPlainTextEdit* text : dock->findChildren<QPlainTextEdit*>())
        said = said || (text->isVisible() && text->placeholderText().size() > 30);
      QVERIFY2(said, qPrintable(name));
    }
  }

  void the_welcome_page_has_whole_sentences() {
    MainWindow window(Theme::light);
    window.resize(1024, 700);
    window.layouts().reset();
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kLong));
    const auto* page = window.findChild<QScrollArea*>(QStringLiteral("welcome"));
    QVERIFY(page != nullptr && page->isVisible());
    QCoreApplication::processEvents();
    int sentences = 0;
    for (const QLabel* label : page->findChildren<QLabel*>()) {
      QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
      sentences += label->wordWrap();
    }
    QVERIFY(sentences > 5);
  }

  // The bar over the texts, in the width that a small window leaves: its question in at most two lines.
  void questions_over_the_texts_have_room() {
    Fixture f;
    f.built();
    for (int i = 0; i < 3; ++i) f.move(Qt::Key_F9);
    f.window->resize(1024, 700);
    f.window->layouts().reset();
    f.editor->setFocus();
    f.editor->go_to(3);
    QTest::keyClicks(f.editor, QStringLiteral(";"));
    auto* bar = f.window->findChild<QWidget*>(QStringLiteral("rebuild_bar"));
    QTRY_VERIFY(bar->isVisible());
    QCoreApplication::processEvents();
    const auto* question = bar->findChild<QLabel*>();
    QVERIFY2(question->height() <= 2 * question->fontMetrics().lineSpacing() + 4,
             qPrintable(QString::number(question->height())));
    QVERIFY(question->heightForWidth(question->width()) <= question->height());
    for (const QPushButton* button : bar->findChildren<QPushButton*>())
      QVERIFY2(button->mapTo(bar, QPoint(button->width(), 0)).x() <= bar->width() &&
                   button->width() >= button->minimumSizeHint().width(),
               qPrintable(button->text()));
    // With more room the question has it, and not the buttons.
    f.window->resize(1440, 900);
    QCoreApplication::processEvents();
    const int buttons = bar->findChild<QPushButton*>(QStringLiteral("rebuild_not"))->width();
    QVERIFY2(question->width() > bar->width() / 3 && buttons < 130, qPrintable(QString::number(question->width())));
  }

  void a_message_leaves_the_state_where_it_is() {
    Fixture f;
    f.built();
    const auto* state = f.window->findChild<QLabel*>(QStringLiteral("run_state"));
    QTRY_VERIFY(state->isVisible());
    Q_EMIT f.workspace().message(QStringLiteral("Something that is said for ten seconds."));
    QCOMPARE(f.window->statusBar()->currentMessage(), QStringLiteral("Something that is said for ten seconds."));
    QVERIFY(state->isVisible());
    f.move(Qt::Key_F9);
    QVERIFY(state->isVisible());
    // The message stands left of all that is always there.
    const int wide = f.window->statusBar()->fontMetrics().horizontalAdvance(f.window->statusBar()->currentMessage());
    QVERIFY(state->x() > wide);
  }

  void layouts_fit_small_screens() {
    Fixture f;
    f.built();
    for (const QSize size : {QSize(1024, 700), QSize(1280, 800)})
      for (const char* layout : {"layout_edit", "layout_debug", "layout_analyse"}) {
        f.window->resize(size);
        f.window->action(QLatin1String(layout))->trigger();
        QCoreApplication::processEvents();
        QVERIFY2(f.window->size() == size, layout);  // nothing pushes the window to be larger
        QVERIFY2(f.editor->height() >= 120 && f.editor->width() >= 300, layout);
        // All tools of a run are there, with their words.
        const auto* bar = f.window->findChild<QToolBar*>(QStringLiteral("toolbar"));
        for (const char* tool : {"run", "pause", "restart", "step", "step_back", "run_back", "text_follows"}) {
          const QWidget* button = bar->widgetForAction(f.window->action(QLatin1String(tool)));
          QVERIFY2(button->isVisible() && button->geometry().right() <= bar->width(), tool);
        }
      }
  }

  void the_state_of_the_machine_is_marked() {
    Fixture f;
    f.built();
    const auto* state = f.window->findChild<QLabel*>(QStringLiteral("run_state"));
    QTRY_VERIFY2(state->text().contains(QStringLiteral("stopped")), qPrintable(state->text()));
    f.move(Qt::Key_F5);
    QTRY_VERIFY2(state->text().contains(QStringLiteral("ended")), qPrintable(state->text()));
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_VERIFY2(state->text().contains(QStringLiteral("in the past")), qPrintable(state->text()));
    for (const char* tool : {"run", "pause", "build", "step"})
      QVERIFY2(!f.window->action(QLatin1String(tool))->icon().isNull(), tool);
  }

  // The tracker still has the packet before when a context waits for its next frame.
  void who_waits_for_a_frame_has_no_packet() {
    weft::workbench::Observation observation;
    observation.packets = true;
    auto project = weft::workbench::load_project(WEFT_SOURCE_DIR "/examples/dual-stack-router");
    QVERIFY(project);
    auto session = weft::workbench::Session::create(std::move(*project), observation);
    QVERIFY(session);
    QVERIFY((*session)->run_until("60000 cycles", {}));
    const auto machine = weft::workbench::inspect(**session);
    const auto units = machine->units(0);
    size_t waiting = 0, stale = 0;
    for (const weft::workbench::ContextView& c : machine->machine().contexts) {
      const bool waits = c.state == weft::emulator::ContextState::sleep &&
                         c.waits_on.find("mpacket") != std::string::npos &&
                         std::ranges::any_of(units.waiting, [&](const weft::emulator::WaitingContext& w) {
                           return w.context.engine == c.id.engine && w.context.context == c.id.context;
                         });
      if (!waits) continue;
      ++waiting;
      QVERIFY(c.packet);
      QCOMPARE(*c.packet, 0u);
      const weft::emulator::ContextRef who{static_cast<uint8_t>(c.id.engine), static_cast<uint8_t>(c.id.context)};
      stale += machine->packets(0)->packet_of(who) != 0;
    }
    QVERIFY(waiting > 0);
    QVERIFY(stale > 0);  // else this case shows nothing
  }
};

WEFT_IDE_TEST_MAIN(EverydayTest)
#include "everyday_test.moc"
