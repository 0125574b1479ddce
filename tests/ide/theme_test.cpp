// The colours can be told apart by everybody: WCAG 2, AA, computed from the theme's own colours in light and dark.
#include "widgets/theme.h"

#include <QTest>

#include "support.h"
#include "widgets/context_mark.h"
#include "widgets/coverage_canvas.h"
#include "widgets/timeline_canvas.h"
#include "widgets/timeline_paint.h"

using namespace weft::ide;

class ThemeTest : public QObject {
  Q_OBJECT

  static void needs(double min, const QColor& front, const QColor& back, const QString& what) {
    const double got = contrast(front, back);
    if (got < min)
      QTest::qFail(qPrintable(QStringLiteral("%1: %2 on %3 has %4, and needs %5")
                                  .arg(what, front.name(), back.name())
                                  .arg(got, 0, 'f', 2)
                                  .arg(min)),
                   __FILE__, __LINE__);
  }

 private Q_SLOTS:
  void contrast_is_that_of_the_standard() {
    QCOMPARE(qRound(10 * contrast(Qt::white, Qt::black)), 210);
    QCOMPARE(qRound(10 * contrast(Qt::red, Qt::red)), 10);
    QCOMPARE(qRound(100 * contrast(QColor(0x777777), Qt::white)), 448);  // the known grey that just fails
  }

  void texts_data() { test::no_and_yes("dark", "light", "dark"); }
  void texts() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    const QPalette p = palette_of(theme);
    QCOMPARE(theme_of(p), theme);
    using Role = QPalette::ColorRole;
    const std::pair<Role, std::vector<Role>> pairs[] = {
        {QPalette::WindowText, {QPalette::Window}},
        {QPalette::Text, {QPalette::Base, QPalette::AlternateBase}},
        {QPalette::ButtonText, {QPalette::Button, QPalette::Window}},
        {QPalette::ToolTipText, {QPalette::ToolTipBase}},
        {QPalette::HighlightedText, {QPalette::Highlight}},
        {QPalette::Link, {QPalette::Base, QPalette::Window}},
        {QPalette::PlaceholderText, {QPalette::Base, QPalette::AlternateBase, QPalette::Window}},
        {QPalette::BrightText, {QPalette::Base, QPalette::AlternateBase, QPalette::Window}}};
    for (const auto& [front, backs] : pairs)
      for (const Role back : backs)
        needs(4.5, p.color(front), p.color(back), QStringLiteral("palette %1 on %2").arg(front).arg(back));
    needs(4.5, gutter_text(theme), gutter_background(theme), QStringLiteral("numbers of lines"));
    needs(4.5, error_colour(theme), gutter_background(theme), QStringLiteral("never executed"));
    needs(4.5, warning_colour(theme), gutter_background(theme), QStringLiteral("a branch one way only"));
    needs(3, breakpoint_colour(), gutter_background(theme), QStringLiteral("a breakpoint"));
    for (int tenth = 0; tenth <= 10; ++tenth)
      needs(4.5, p.color(QPalette::Text), heat(tenth / 10.0, theme), QStringLiteral("a count, %1").arg(tenth));
    for (const bool matched : {true, false})
      needs(4.5, p.color(QPalette::Text), bracket_colour(theme, matched), QStringLiteral("a bracket"));
  }

  void microcode_data() { texts_data(); }
  void microcode() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    const QPalette p = palette_of(theme);
    using Kind = weft::assembler::TokenClass;
    for (int kind = 0; kind <= static_cast<int>(Kind::error); ++kind) {
      const QTextCharFormat format = format_of(static_cast<Kind>(kind), theme);
      const QColor text =
          format.foreground().style() == Qt::NoBrush ? p.color(QPalette::Text) : format.foreground().color();
      for (const QColor& back :
           {p.color(QPalette::Base), current_line(theme), stopped_line(theme), match_colour(theme, false)})
        needs(4.5, text, back, QStringLiteral("token %1").arg(kind));
    }
  }

  // Marks that say something by their colour, on what they are drawn on.
  void marks_data() { texts_data(); }
  void marks() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    const QColor base = palette_of(theme).color(QPalette::Base);
    using weft::emulator::ContextState;
    using weft::emulator::Verdict;
    for (int verdict = 0; verdict < static_cast<int>(weft::emulator::kVerdicts); ++verdict)
      needs(3, verdict_colour(static_cast<Verdict>(verdict), theme), base, QStringLiteral("verdict %1").arg(verdict));
    for (int unit = 0; unit < 8; ++unit)
      needs(3, reference_colour(static_cast<weft::isa::Unit>(unit), theme), base, QStringLiteral("unit %1").arg(unit));
    for (unsigned place = 0; place < 40; ++place)
      needs(3, stage_colour(place, theme), base, QStringLiteral("stage %1").arg(place));
    for (unsigned context = 0; context < 8; ++context)
      needs(3, context_colour(context, theme), base, QStringLiteral("context %1").arg(context));
    needs(3, hit_colour(theme), base, QStringLiteral("a hit"));
    needs(3, cause_colour(theme), base, QStringLiteral("a cause"));
    for (const ContextState state :
         {ContextState::inactive, ContextState::sleep, ContextState::ready, ContextState::executing})
      needs(3, context_colour(state, theme), gutter_background(theme),
            QStringLiteral("state %1").arg(static_cast<int>(state)));
    for (const RunState state :
         {RunState::building, RunState::running, RunState::stopped, RunState::ended, RunState::faulted})
      needs(3, state_colour(state, theme), palette_of(theme).color(QPalette::Window),
            QStringLiteral("run %1").arg(static_cast<int>(state)));
  }

  // What an engine does differs from the ground, and each state from the next also without colour (patterns).
  void bars_data() { texts_data(); }
  void bars() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    using weft::emulator::Activity;
    for (const Activity a : {Activity::executing, Activity::stalled})
      needs(3, activity_brush(a, theme).color(), palette_of(theme).color(QPalette::Base), QStringLiteral("a bar"));
    QVERIFY(activity_brush(Activity::stalled, theme).style() != activity_brush(Activity::executing, theme).style());
    QVERIFY(activity_brush(Activity::aborted, theme).style() != activity_brush(Activity::stalled, theme).style());
  }
};

WEFT_IDE_TEST_MAIN(ThemeTest)
#include "theme_test.moc"
