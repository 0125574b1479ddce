#include "theme.h"

#include <QPainter>
#include <QPixmap>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace weft::ide {

namespace {

QColor pick(Theme theme, QRgb light, QRgb dark) { return QColor(theme == Theme::light ? light : dark); }

}  // namespace

QPalette palette_of(Theme theme) {
  QPalette p;
  const auto set = [&](QPalette::ColorRole role, QRgb light, QRgb dark) { p.setColor(role, pick(theme, light, dark)); };
  set(QPalette::Window, 0xf3f3f3, 0x2b2d30);
  set(QPalette::WindowText, 0x1f1f1f, 0xdfe1e5);
  set(QPalette::Base, 0xffffff, 0x1e1f22);
  set(QPalette::AlternateBase, 0xf5f7fa, 0x26282b);
  set(QPalette::Text, 0x1f1f1f, 0xdfe1e5);
  set(QPalette::Button, 0xe9e9e9, 0x3a3d41);
  set(QPalette::ButtonText, 0x1f1f1f, 0xdfe1e5);
  set(QPalette::BrightText, 0xb00020, 0xff6b6b);
  set(QPalette::ToolTipBase, 0xfffde7, 0x3a3d41);
  set(QPalette::ToolTipText, 0x1f1f1f, 0xdfe1e5);
  set(QPalette::PlaceholderText, 0x6a6a6a, 0x9da0a6);
  set(QPalette::Highlight, 0x1a5fb4, 0x2f65ca);
  set(QPalette::HighlightedText, 0xffffff, 0xffffff);
  set(QPalette::Link, 0x1a5fb4, 0x78aeed);
  set(QPalette::Mid, 0xc8c8c8, 0x4a4d51);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, pick(theme, 0x9a9a9a, 0x6f7378));
  return p;
}

QTextCharFormat format_of(assembler::TokenClass kind, Theme theme) {
  using Kind = assembler::TokenClass;
  QTextCharFormat f;
  const auto colour = [&](QRgb light, QRgb dark) { f.setForeground(pick(theme, light, dark)); };
  switch (kind) {
    case Kind::comment:
      colour(0x4a664a, 0x9cc09c);
      f.setFontItalic(true);
      break;
    case Kind::directive:
    case Kind::attribute: colour(0x7a3e9d, 0xc792ea); break;
    case Kind::instruction:
    case Kind::command:
      colour(0x0b4f9c, 0x82aaff);
      f.setFontWeight(QFont::DemiBold);
      break;
    case Kind::option:
    case Kind::operation: colour(0x0b6e6e, 0x89ddff); break;
    case Kind::number: colour(0x9c4a00, 0xf78c6c); break;
    case Kind::string:
    case Kind::quoted:
    case Kind::file: colour(0x276b2b, 0xa5d6a7); break;
    case Kind::constant:
    case Kind::function: colour(0x8a5a00, 0xffcb6b); break;
    case Kind::signal: colour(0xb0006d, 0xff8bcb); break;
    case Kind::label:
    case Kind::mark: colour(0x9c0000, 0xff8a80); break;
    case Kind::macro:
    case Kind::define:
    case Kind::parameter:
    case Kind::import_variable:
    case Kind::memory: colour(0x5a4a00, 0xe6db74); break;
    case Kind::error: colour(0xb00020, 0xff8a8a); break;
    case Kind::punctuation:
    case Kind::reg:
    case Kind::name: break;
  }
  return f;
}

QColor current_line(Theme theme) { return pick(theme, 0xf2f6fc, 0x26282e); }
QColor stopped_line(Theme theme) { return pick(theme, 0xfff3bf, 0x3a3518); }
QColor match_colour(Theme theme, bool chosen) {
  return chosen ? pick(theme, 0xffc44d, 0x8a5a00) : pick(theme, 0xffeab0, 0x3d3719);
}
QColor bracket_colour(Theme theme, bool matched) {
  return matched ? pick(theme, 0xb9d9f5, 0x2f4f6f) : pick(theme, 0xf6c4c4, 0x6b2a2a);
}
QColor gutter_text(Theme theme) { return pick(theme, 0x656565, 0x9298a0); }
QColor gutter_background(Theme theme) { return pick(theme, 0xf3f3f3, 0x242629); }
QColor breakpoint_colour() { return QColor(0xd3, 0x2f, 0x2f); }
QColor error_colour(Theme theme) { return pick(theme, 0xc62828, 0xff6b6b); }
QColor warning_colour(Theme theme) { return pick(theme, 0x8f5a00, 0xe0a030); }

QColor state_colour(RunState state, Theme theme) {
  switch (state) {
    case RunState::building: return pick(theme, 0x1a5fb4, 0x78aeed);
    case RunState::running: return pick(theme, 0x2e7d32, 0x66bb6a);
    case RunState::stopped: return pick(theme, 0x9a5b00, 0xe0a030);
    case RunState::faulted: return error_colour(theme);
    case RunState::nothing:
    case RunState::ended: break;
  }
  return gutter_text(theme);
}

Theme theme_of(const QPalette& palette) {
  return palette.color(QPalette::Base).lightness() < 128 ? Theme::dark : Theme::light;
}

double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& colour) {
    const auto linear = [](double part) {
      return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
  };
  const double one = luminance(a), other = luminance(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

QBrush activity_brush(emulator::Activity activity, Theme theme) {
  using emulator::Activity;
  switch (activity) {
    case Activity::executing: return QBrush(pick(theme, 0x2e7d32, 0x66bb6a));
    case Activity::aborted: return QBrush(pick(theme, 0xd95f00, 0xffa726), Qt::BDiagPattern);
    case Activity::stalled: return QBrush(pick(theme, 0xc62828, 0xef5350), Qt::Dense4Pattern);
    case Activity::ready: return QBrush(pick(theme, 0x90caf9, 0x42688c));
    case Activity::sleep: return QBrush(pick(theme, 0xe0e0e0, 0x3a3d41));
    case Activity::inactive: break;
  }
  return Qt::NoBrush;
}

QColor heat(double share, Theme theme) {
  share = std::clamp(share, 0.0, 1.0);
  if (share == 0) return pick(theme, 0xfafafa, 0x2b2d30);
  // One hue that becomes darker on light, and lighter on dark, so that it reads without colour.
  return theme == Theme::light ? QColor::fromHslF(0.06, 0.85, 0.93 - 0.45 * share)
                               : QColor::fromHslF(0.06, 0.85, 0.16 + 0.17 * share);
}

void colour_tool_bars(QWidget& window, Theme theme) {
  constexpr int kSide = 12, kSharp = 2;  // pixels, and so many on screens of twice the density
  QPixmap arrows(kSide * kSharp, kSide * kSharp);
  arrows.setDevicePixelRatio(kSharp);
  arrows.fill(Qt::transparent);
  QPainter painter(&arrows);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(palette_of(theme).color(QPalette::ButtonText), 1.6));
  for (const double x : {2.0, 6.5}) painter.drawPolyline(QPolygonF{{x, 2}, {x + 3.5, 6}, {x, 10}});
  painter.end();
  // The name that Qt gives to the button.
  for (QToolButton* button : window.findChildren<QToolButton*>(QStringLiteral("qt_toolbar_ext_button")))
    button->setIcon(arrows);
}

}  // namespace weft::ide
