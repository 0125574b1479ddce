// Small screens and dark ones: what a view is for is seen without scrolling, and tools are seen, not behind an arrow
// that nobody sees.
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

#include "support.h"
#include "widgets/coverage_view.h"
#include "widgets/main_window.h"
#include "widgets/packets_view.h"
#include "widgets/timeline_view.h"

using namespace weft::ide;
using weft::ide::test::kLong;
using State = Target::State;

namespace {

bool is_seen_in_full(const QWidget* widget) {
  return widget->isVisible() && widget->visibleRegion() == QRegion(widget->rect());
}

/// What of a view's tools is not seen.
QStringList hidden_tools(const QWidget& view) {
  QStringList out;
  for (const QToolBar* bar : view.findChildren<QToolBar*>())
    for (QAction* action : bar->actions())
      if (QWidget* tool = bar->widgetForAction(action);
          tool != nullptr && !action->isSeparator() && !is_seen_in_full(tool))
        out << QStringLiteral("%1 (%2)").arg(tool->accessibleName(), tool->metaObject()->className());
  return out;
}

bool column_is_seen(const QTableView& table, int column) {
  return table.columnViewportPosition(column) + table.columnWidth(column) <= table.viewport()->width();
}

}  // namespace

class ScreensTest : public QObject {
  Q_OBJECT

  test::OwnSettings settings_;
  std::unique_ptr<MainWindow> window_;

  void raise(const char* name, QSize size) const {
    window_->resize(size);
    auto* dock = qobject_cast<QDockWidget*>(window_->view(QLatin1String(name)));
    dock->show();
    dock->raise();
    window_->resizeDocks({dock}, {size.height() * 3 / 5}, Qt::Vertical);
    QTest::qWait(100);
  }

 private Q_SLOTS:
  void initTestCase() {
    settings_.begin();
    window_ = std::make_unique<MainWindow>(Theme::dark);
    QApplication::setPalette(palette_of(Theme::dark));
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get(), kLong));
    weft::workbench::Observation all = window_->workspace().observation();
    all.coverage = all.history = all.packets = all.packet_limits.frames = true;
    window_->workspace().set_observation(all);
    QVERIFY(window_->open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/firewall-filter")));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().target()->state(), State::stopped, 60'000);
    window_->workspace().target()->run_until("60us");
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().target()->state() != State::running &&
                                 window_->workspace().target()->view()->cycle > 10'000,
                             60'000);
  }
  void cleanupTestCase() { window_.reset(); }

  void tools_are_seen_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1440, 900), QSize(1024, 768), QSize(900, 600)})
      for (const char* name : {"coverage", "timeline"})
        QTest::addRow("%s at %dx%d", name, size.width(), size.height()) << QString::fromLatin1(name) << size;
  }
  void tools_are_seen() {
    QFETCH(QString, name);
    QFETCH(QSize, size);
    raise(name.toLatin1().constData(), size);
    QCOMPARE(window_->size(), size);
    const QWidget* view = window_->view(name);
    const QStringList hidden = hidden_tools(*view);
    QVERIFY2(hidden.isEmpty(), qPrintable(hidden.join(QStringLiteral(", "))));
    // The picture keeps most of the place.
    const auto* picture = view->findChild<QAbstractScrollArea*>();
    QVERIFY2(picture->height() > view->height() / 2, qPrintable(QString::number(picture->height())));
  }

  // What has no room is behind an arrow: light on dark, dark on light.
  void the_arrow_of_a_bar_is_seen() {
    for (const Theme theme : {Theme::dark, Theme::light, Theme::dark}) {
      if ((QApplication::palette().color(QPalette::Window).lightness() < 128) != (theme == Theme::dark))
        window_->action(QStringLiteral("theme"))->trigger();
      raise("coverage", QSize(700, 600));
      int seen = 0;
      for (QToolButton* arrow : window_->findChildren<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
        if (!arrow->isVisible()) continue;
        ++seen;
        const QImage image = arrow->grab().toImage();
        const int ground = palette_of(theme).color(QPalette::Window).lightness();
        int inked = 0;
        for (int y = 2; y < image.height() - 2; ++y)
          for (int x = 2; x < image.width() - 2; ++x) {
            const int ink = image.pixelColor(x, y).lightness();
            inked += theme == Theme::dark ? ink > ground + 110 : ink < ground - 110;
          }
        QVERIFY2(inked >= 10,
                 qPrintable(QStringLiteral("%1 pixels in %2")
                                .arg(inked)
                                .arg(theme == Theme::dark ? QStringLiteral("dark") : QStringLiteral("light"))));
      }
      QVERIFY(seen > 0);
    }
  }

  void what_a_list_is_for_is_seen() {
    auto* packets = window_->findChild<PacketsView*>();
    const auto seen = [&](int column) { return column_is_seen(*packets->table(), column); };
    for (const QSize size : {QSize(900, 600), QSize(1024, 768), QSize(1440, 900)}) {
      raise("packets", size);
      QTRY_VERIFY(packets->model()->rowCount() > 20);
      for (const int column : {PacketsModel::kNumber, PacketsModel::kVerdict, PacketsModel::kReason, PacketsModel::kIn,
                               PacketsModel::kOut, PacketsModel::kLatency})
        QVERIFY2(seen(column),
                 qPrintable(packets->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() +
                            QStringLiteral(" at %1").arg(size.width())));
      // How many there are is not cut.
      for (const QLabel* label : packets->findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("packet")) && label->toolTip() == label->text())
          QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
    }
    QVERIFY(seen(PacketsModel::kSummary));
    QVERIFY(packets->table()->columnWidth(PacketsModel::kSummary) >= 150);

    raise("coverage", QSize(1440, 900));
    auto* coverage = window_->findChild<CoverageView*>();
    QTRY_VERIFY(coverage->table().model()->rowCount() > 20);
    for (const int column :
         {CoverageTable::kAddress, CoverageTable::kCount, CoverageTable::kInstruction, CoverageTable::kPlace})
      QVERIFY2(column_is_seen(coverage->table(), column),
               qPrintable(QStringLiteral("column %1: %2 + %3 of %4")
                              .arg(column)
                              .arg(coverage->table().columnViewportPosition(column))
                              .arg(coverage->table().columnWidth(column))
                              .arg(coverage->table().viewport()->width())));
  }
};

WEFT_IDE_TEST_MAIN(ScreensTest)
#include "screens_test.moc"
