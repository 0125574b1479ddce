// Colours of the editor and of contexts' states, for dark and light windows. States have patterns too, for eyes that
// tell no colours.
#pragma once

#include <QBrush>
#include <QColor>
#include <QPalette>
#include <QTextCharFormat>

#include "weft/assembler/index.h"
#include "weft/emulator/observers/history.h"

class QWidget;

namespace weft::ide {

enum class Theme { light, dark };

QPalette palette_of(Theme theme);
QTextCharFormat format_of(assembler::TokenClass kind, Theme theme);
QColor current_line(Theme theme);
QColor stopped_line(Theme theme);
/// Of text that was searched; the one where the search stands.
QColor match_colour(Theme theme, bool chosen);
QColor gutter_text(Theme theme);
QColor gutter_background(Theme theme);
QColor breakpoint_colour();
QColor error_colour();
QColor warning_colour();
/// A bar of the execution history.
QBrush activity_brush(emulator::Activity activity, Theme theme);
/// From never (0) to hottest (1).
QColor heat(double share, Theme theme);
/// Arrows at the end of tool bars without room for all, of a window: the style's own are dark on dark.
void colour_tool_bars(QWidget& window, Theme theme);

}  // namespace weft::ide
