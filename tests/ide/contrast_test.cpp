// What people read in the real window can be read: each text that a view draws has a contrast of at least 4.5 to what
// lies behind it (WCAG 2, AA), in light and in dark colours. The views are painted twice: into a device that notes the
// texts and their colours, and into a picture that says what is behind them.
#include <QDockWidget>
#include <QImage>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>
#include <QTest>
#include <algorithm>
#include <array>
#include <map>

#include "own_settings_test.h"
#include "support.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"
#include "widgets/theme.h"

using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;

namespace {

struct DrawnText {
  QString text;
  QColor colour;
  QRectF box;
};

/// Notes the texts, draws nothing.
class Notes final : public QPaintEngine {
 public:
  Notes() : QPaintEngine(AllFeatures) {}
  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return User; }
  void updateState(const QPaintEngineState& s) override {
    if ((s.state() & DirtyPen) != 0) colour_ = s.pen().color();
    if ((s.state() & DirtyTransform) != 0) transform_ = s.transform();
    if ((s.state() & DirtyClipEnabled) != 0) clipped_ = s.isClipEnabled();
    if ((s.state() & DirtyClipPath) != 0) clip_ = transform_.map(s.clipPath()).boundingRect();
    if ((s.state() & DirtyClipRegion) != 0) clip_ = transform_.mapRect(QRectF(s.clipRegion().boundingRect()));
    if ((s.state() & DirtyOpacity) != 0) opacity_ = s.opacity();
  }
  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    QRectF box(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
    box = transform_.mapRect(box);
    if (clipped_) box &= clip_;
    if (opacity_ == 1 && !item.text().trimmed().isEmpty() && box.width() > 3 && box.height() > 5)
      texts.push_back({item.text(), colour_, box});
  }
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  std::vector<DrawnText> texts;

 private:
  QColor colour_;
  QTransform transform_;
  QRectF clip_;
  bool clipped_ = false;
  double opacity_ = 1;
};

class NotingDevice final : public QPaintDevice {
 public:
  explicit NotingDevice(const QWidget& like) : like_(like) {}
  QPaintEngine* paintEngine() const override { return &notes; }
  mutable Notes notes;

 protected:
  int metric(PaintDeviceMetric m) const override {
    switch (m) {
      case PdmWidth: return like_.width();
      case PdmHeight: return like_.height();
      case PdmDepth: return 32;
      case PdmNumColors: return 1 << 24;
      case PdmDevicePixelRatio: return 1;
      case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
      default: return like_.logicalDpiX();
    }
  }

 private:
  const QWidget& like_;
};

/// The colour that most of a box has: what is behind its text.
QColor behind(const QImage& picture, const QRectF& box) {
  std::map<QRgb, int> count;
  const QRect inside = box.toAlignedRect() & picture.rect();
  for (int y = inside.top(); y <= inside.bottom(); ++y)
    for (int x = inside.left(); x <= inside.right(); ++x) ++count[picture.pixel(x, y)];
  const auto max = std::ranges::max_element(count, {}, [](const auto& c) { return c.second; });
  return max == count.end() ? QColor() : QColor(max->first);
}

}  // namespace

class ContrastTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void every_text_data() { no_and_yes("dark", "light", "dark"); }
  void every_text() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    const QPalette before = QApplication::palette();
    QApplication::setPalette(palette_of(theme));
    MainWindow window(theme);
    window.resize(1440, 900);
    window.layouts().reset();
    weft::workbench::Observation all;
    all.history = all.packets = all.statistics = all.coverage = true;
    window.workspace().set_observation(all);
    window.show();
    QVERIFY(window.open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router")));
    Target* target = window.workspace().target();
    QTRY_COMPARE_WITH_TIMEOUT(target->state(), State::stopped, kLong);
    window.open_file(QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router/forward.uc"))->go_to(58);
    weft::workbench::Breakpoint place;
    place.kind = weft::workbench::Breakpoint::Kind::location;
    place.target = "forward.uc:60";
    place.condition = "cycle > 100000";
    window.workspace().add_breakpoint(place);
    window.workspace().add_watch(QStringLiteral("ring0.count"));
    target->run_until("20us");
    QTRY_COMPARE_WITH_TIMEOUT(target->state(), State::ended, kLong);
    window.workspace().cursor().set_context(ContextId{0, 2, 3});
    size_t texts = 0;
    QStringList poor;
    for (const QString& name : window.view_names()) {
      QWidget* view = window.view(name);
      if (auto* dock = qobject_cast<QDockWidget*>(view)) {
        dock->show();
        dock->raise();
      }
      // Questions are answered one after the other: after some of ours views have what they show.
      for (int round = 0; round < 4; ++round) {
        (void)asked(*target, [](const Inspector& machine) { return machine.cycle(); });
        QTest::qWait(50);
      }
      NotingDevice device(*view);
      view->render(&device, {}, {}, QWidget::DrawWindowBackground | QWidget::DrawChildren);
      const QImage picture = view->grab().toImage();
      size_t of_view = 0;
      for (const DrawnText& text : device.notes.texts) {
        ++of_view;
        if (is_disabled(text.colour, theme)) continue;
        const QColor ground = behind(picture, text.box);
        if (ground.isValid() && contrast(text.colour, ground) < 4.5)
          poor << QStringLiteral("%1: \"%2\" %3 on %4: %5")
                      .arg(name, text.text, text.colour.name(), ground.name())
                      .arg(contrast(text.colour, ground), 0, 'f', 2);
      }
      QVERIFY2(of_view > 0, qPrintable(name));
      texts += of_view;
    }
    poor.removeDuplicates();
    QApplication::setPalette(before);
    QVERIFY2(poor.isEmpty(), qPrintable(poor.join(QLatin1Char('\n'))));
    QVERIFY2(texts > 700, qPrintable(QString::number(texts)));
  }

 private:
  /// What cannot be used need not be read as well (WCAG 1.4.3).
  static bool is_disabled(const QColor& colour, Theme theme) {
    const QPalette p = palette_of(theme);
    return std::ranges::any_of(std::array{QPalette::Text, QPalette::ButtonText, QPalette::WindowText},
                               [&](QPalette::ColorRole role) { return p.color(QPalette::Disabled, role) == colour; });
  }
};

WEFT_IDE_TEST_MAIN(ContrastTest)
#include "contrast_test.moc"
