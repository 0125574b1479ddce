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
/// After a bracket at the cursor and its partner, or one that has none.
QColor bracket_colour(Theme theme, bool matched);
QColor gutter_text(Theme theme);
QColor gutter_background(Theme theme);
QColor breakpoint_colour();
QColor error_colour(Theme theme);
QColor warning_colour(Theme theme);
enum class RunState { nothing, building, running, stopped, ended, faulted };
/// Of the mark of a state, and of tools that lead to it.
QColor state_colour(RunState state, Theme theme);
/// Of a palette that palette_of() made.
Theme theme_of(const QPalette& palette);
/// WCAG 2: from 1 (the same) to 21. Texts need 4.5, marks 3.
double contrast(const QColor& a, const QColor& b);
/// A bar of the execution history.
QBrush activity_brush(emulator::Activity activity, Theme theme);
/// From never (0) to hottest (1).
QColor heat(double share, Theme theme);
/// Arrows at the end of tool bars without room for all, of a window: the style's own are dark on dark.
void colour_tool_bars(QWidget& window, Theme theme);

}  // namespace weft::ide
