// Views come to the front by their entry in the menu, and by a key.
#include <QMenuBar>

#include "debug_fixture.h"
#include "modal.h"
#include "own_settings_test.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

struct Views : Fixture {
  QDockWidget* dock(const char* name) const {
    return qobject_cast<QDockWidget*>(window->view(QString::fromLatin1(name)));
  }
  bool seen(const char* name) const { return dock(name)->isVisible() && !dock(name)->visibleRegion().isEmpty(); }
  /// The entry of the menu View, by the mouse.
  void choose(const QString& title) const {
    QMenuBar* bar = window->menuBar();
    QAction* menu = nullptr;
    for (QAction* action : bar->actions())
      if (action->text().remove(QLatin1Char('&')) == QStringLiteral("View")) menu = action;
    QVERIFY(menu != nullptr);
    QVERIFY(
        choose_in_menu([&] { QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(menu).center()); },
                       [&](const QAction& entry) { return entry.text().section(QLatin1Char('\t'), 0, 0) == title; }));
  }
};

}  // namespace

class RaiseTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void the_menu_raises_what_lies_behind() {
    Views f;
    f.show("contexts");
    QTRY_VERIFY(f.seen("contexts") && !f.seen("timeline"));
    f.choose(QStringLiteral("History"));
    QTRY_VERIFY(f.seen("timeline"));
    QVERIFY(!f.seen("contexts") && f.dock("contexts")->isVisible());
    // In front, the entry has a mark and closes it; closed, it opens it.
    f.choose(QStringLiteral("History"));
    QTRY_VERIFY(!f.dock("timeline")->isVisible());
    f.choose(QStringLiteral("History"));
    QTRY_VERIFY(f.seen("timeline"));
  }

  void keys_raise_views() {
    Views f;
    const std::pair<int, const char*> keys[] = {
        {Qt::Key_1, "project"},  {Qt::Key_2, "contexts"},  {Qt::Key_3, "breakpoints"},
        {Qt::Key_4, "problems"}, {Qt::Key_5, "timeline"},  {Qt::Key_6, "statistics"},
        {Qt::Key_7, "packets"},  {Qt::Key_8, "registers"}, {Qt::Key_9, "memory"}};
    for (const auto& [key, name] : keys) {
      for (int twice = 0; twice < 2; ++twice) {  // what is in front stays there
        f.key(key, Qt::AltModifier);
        QTRY_VERIFY2(f.seen(name), name);
      }
      const QWidget* has = f.window->focusWidget();
      QVERIFY2(has != nullptr && (f.dock(name)->isAncestorOf(has) || f.dock(name)->widget()->isAncestorOf(has)), name);
    }
    f.dock("memory")->close();
    f.key(Qt::Key_9, Qt::AltModifier);
    QTRY_VERIFY(f.seen("memory"));
  }
};

WEFT_IDE_TEST_MAIN(RaiseTest)
#include "raise_test.moc"
