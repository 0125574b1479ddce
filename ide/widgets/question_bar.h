// A bar over the texts: a text, and buttons beside it where there is room, else below.
#pragma once

class QHBoxLayout;
class QLabel;
class QPushButton;
class QString;
class QWidget;

namespace weft::ide {

/// Lays `bar` out, in the colours of a tip. What it gives takes the buttons.
QHBoxLayout* lay_out_question(QWidget& bar, QLabel& text);
/// A button in what that gave; `name` is for tests and style.
QPushButton* add_answer(QHBoxLayout& row, QPushButton* button, const char* name, const QString& tip);

}  // namespace weft::ide
