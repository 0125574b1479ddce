// The one field for everything: what fits what was typed, and the real window by keys alone.
#include "models/finder.h"

#include <QListView>

#include "debug_fixture.h"
#include "models/fuzzy.h"
#include "own_settings_test.h"
#include "widgets/finder.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

using Item = FinderItem::Kind;

struct Find : Fixture {
  using Fixture::Fixture;
  Finder* finder() const { return window->findChild<Finder*>(); }
  void open(const QString& text, int key = Qt::Key_P, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) const {
    this->key(key, modifiers);
    QTRY_VERIFY(finder()->isVisible() && finder()->field()->hasFocus());
    QTest::keyClicks(finder()->field(), text);
  }
  void press(int key) const { QTest::keyClick(finder()->field(), static_cast<Qt::Key>(key)); }
  QStringList texts() const {
    QStringList out;
    for (const FinderItem& item : finder()->shown()) out << item.text;
    return out;
  }
};

}  // namespace

class FinderTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void letters_in_their_order_fit() {
    const auto score = [](const char* pattern, const char* text) {
      const auto match = fuzzy_match(QLatin1String(pattern), QLatin1String(text));
      return match ? std::optional(match->score) : std::nullopt;
    };
    QVERIFY(score("rcv", "receive.uc"));
    QVERIFY(!score("rvcx", "receive.uc"));
    QVERIFY(!score("cer", "rec"));
    QVERIFY(score("", "anything"));
    QVERIFY(score("RECEIVE", "receive.uc"));
    // Words and rows of letters count more than letters here and there, short names more than long ones.
    QVERIFY(*score("mt", "my_turn#") > *score("mt", "amount#"));
    QVERIFY(*score("turn", "my_turn#") > *score("turn", "tourune#"));
    QVERIFY(*score("for", "forward.uc") > *score("for", "buffers/for_all_of_them.uc"));
    QVERIFY(*score("stepline", "Run: Step line") > *score("stepline", "Run: Step instruction, or the next line"));
    // Parts in any order.
    QVERIFY(score("line step", "Run: Step line"));
    QVERIFY(!score("line jump", "Run: Step line"));
    const auto match = fuzzy_match(QStringLiteral("mt"), QStringLiteral("my_turn#"));
    QCOMPARE(match->positions, (std::vector<int>{0, 3}));
  }

  void the_first_letter_says_what_is_meant() {
    using What = FinderQuery::What;
    QCOMPARE(read_query(QStringLiteral("> step")).what, What::commands);
    QCOMPARE(read_query(QStringLiteral("@loop")).text, QStringLiteral("loop"));
    QCOMPARE(read_query(QStringLiteral(":12")).what, What::line);
    QCOMPARE(read_query(QStringLiteral("#7")).what, What::packets);
    QCOMPARE(read_query(QStringLiteral("p.uc")).what, What::all);
    const std::vector<FinderItem> all{
        {.kind = Item::command, .text = QStringLiteral("Run: Step line"), .detail = {}, .id = {}},
        {.kind = Item::label, .text = QStringLiteral("step#"), .detail = {}, .id = {}}};
    QCOMPARE(find_items(QStringLiteral(">step"), all, 0).size(), size_t{1});
    QCOMPARE(find_items(QStringLiteral("@step"), all, 0).front().kind, Item::label);
    QCOMPARE(find_items(QStringLiteral("step"), all, 0).size(), size_t{2});
    QCOMPARE(find_items(QStringLiteral(":12"), all, 20).front().line, 12);
    QVERIFY(find_items(QStringLiteral(":21"), all, 20).empty());
    const auto cycle = find_items(QStringLiteral("60,000"), all, 20);
    QCOMPARE(cycle.front().kind, Item::cycle);
    QCOMPARE(cycle.front().number, uint64_t{60000});
  }

  void files_labels_and_macros_by_keys() {
    Find f;
    f.built();
    f.editor->setFocus();
    f.editor->go_to(1);
    f.open(QStringLiteral("@lo"));
    QTRY_COMPARE(f.texts(), QStringList{QStringLiteral("loop#")});
    f.press(Qt::Key_Return);
    QVERIFY(!f.finder()->isVisible());
    QCOMPARE(f.editor->current_line_number(), 11);
    QVERIFY(f.editor->hasFocus());
    f.open(QStringLiteral("bump"));
    QCOMPARE(f.finder()->shown().front().kind, Item::macro);
    f.press(Qt::Key_Return);
    QCOMPARE(f.editor->current_line_number(), 1);
    // Other files of the project, also those that are not microcode.
    f.open(QStringLiteral("weftjs"));
    QCOMPARE(f.texts().front(), QStringLiteral("weft.json"));
    f.press(Qt::Key_Return);
    QCOMPARE(QFileInfo(f.window->texts().current()->path).fileName(), QStringLiteral("weft.json"));
    // Alt+Left leads back, as after a definition.
    f.open(QStringLiteral("p.uc"));
    f.press(Qt::Key_Return);
    QCOMPARE(f.window->texts().current()->path, f.path);
  }

  void lines_and_escape() {
    Find f;
    f.editor->setFocus();
    f.editor->go_to(3);
    f.open(QStringLiteral("12"), Qt::Key_G);
    QCOMPARE(f.finder()->field()->text(), QStringLiteral(":12"));
    f.press(Qt::Key_Escape);
    QVERIFY(!f.finder()->isVisible() && f.editor->hasFocus());
    QCOMPARE(f.editor->current_line_number(), 3);
    f.open(QStringLiteral("12"), Qt::Key_G);
    f.press(Qt::Key_Return);
    QCOMPARE(f.editor->current_line_number(), 12);
    f.open(QStringLiteral("99"), Qt::Key_G);
    QVERIFY(f.finder()->shown().empty());
    f.press(Qt::Key_Return);  // there is nothing to choose
    QVERIFY(f.finder()->isVisible());
    f.press(Qt::Key_Escape);
  }

  void commands_views_and_cycles() {
    Find f;
    f.built();
    f.open(QStringLiteral("step ins"), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(f.texts().front(), QStringLiteral("Run: Step instruction"));
    QCOMPARE(f.finder()->shown().front().detail, QStringLiteral("F9"));
    f.press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    f.stands();
    // What cannot be done now is not done, and stays in the list.
    f.open(QStringLiteral("pause"), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!f.finder()->shown().front().enabled);
    f.press(Qt::Key_Return);
    QVERIFY(f.finder()->isVisible());
    f.press(Qt::Key_Escape);
    f.open(QStringLiteral("memory"));
    QCOMPARE(f.finder()->shown().front().kind, Item::view);
    f.press(Qt::Key_Return);
    const auto* dock = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("memory")));
    QTRY_VERIFY(dock->isVisible() && !dock->visibleRegion().isEmpty());
    // Forward to a cycle, and back.
    f.open(QStringLiteral("100"));
    QCOMPARE(f.texts().front(), QStringLiteral("Go to cycle 100"));
    f.press(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->view()->cycle, uint64_t{100}, 10'000);
    f.stands();
    f.open(QStringLiteral("40"));
    f.press(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->view()->cycle, uint64_t{40}, 10'000);
    QVERIFY(f.target()->in_past());
    // Up from the first is the last.
    f.open(QStringLiteral(">run"));
    const auto count = static_cast<int>(f.finder()->shown().size());
    QVERIFY(count > 3);
    f.press(Qt::Key_Up);
    QCOMPARE(f.finder()->list()->currentIndex().row(), count - 1);
    f.press(Qt::Key_Down);
    QCOMPARE(f.finder()->list()->currentIndex().row(), 0);
    // It goes when something else gets the keyboard.
    f.editor->setFocus();
    QVERIFY(!f.finder()->isVisible());
  }

  void packets_by_number_and_text() {
    MainWindow window(Theme::light);
    weft::workbench::Observation observation;
    observation.packets = true;
    window.workspace().set_observation(observation);
    window.show();
    QVERIFY(window.open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router")));
    Target* target = window.workspace().target();
    QTRY_VERIFY_WITH_TIMEOUT(target->state() == State::stopped, kLong);
    target->run_until("20us");
    QTRY_VERIFY_WITH_TIMEOUT(target->state() == State::ended, kLong);
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, kLong));
    auto* finder = window.findChild<Finder*>();
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
    QTRY_VERIFY(finder->isVisible());
    QTest::keyClicks(finder->field(), QStringLiteral("#3"));
    QTRY_VERIFY_WITH_TIMEOUT(finder->shown().size() == 1, kLong);
    QCOMPARE(finder->shown().front().text, QStringLiteral("Packet 3"));
    QVERIFY2(finder->shown().front().detail.contains(QStringLiteral("IPv")),
             qPrintable(finder->shown().front().detail));
    QTest::keyClick(finder->field(), Qt::Key_Return);
    QCOMPARE(window.workspace().cursor().packet(), packet_id(0, 3));
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
    QTest::keyClicks(finder->field(), QStringLiteral("#ipv6"));
    QTRY_VERIFY_WITH_TIMEOUT(finder->shown().size() > 1 && finder->shown().front().kind == Item::packet &&
                                 finder->field()->text() == QStringLiteral("#ipv6") &&
                                 finder->shown().front().detail.contains(QStringLiteral("IPv6")),
                             kLong);
    for (const FinderItem& item : finder->shown())
      QVERIFY2(item.detail.contains(QStringLiteral("IPv6")), qPrintable(item.detail));
  }
};

WEFT_IDE_TEST_MAIN(FinderTest)
#include "finder_test.moc"
