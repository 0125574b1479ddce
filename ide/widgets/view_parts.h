// What views are laid out with.
#pragma once

class QHBoxLayout;
class QLineEdit;
class QString;
class QToolButton;
class QVBoxLayout;
class QWidget;

namespace weft::ide {

/// A column that fills a widget, without margins and gaps.
QVBoxLayout* tight_column(QWidget* widget);
/// A row for a title, fields and buttons above what a view shows.
QHBoxLayout* tool_row();
/// A field to search or filter by: it says what it is for while it is empty, and can be emptied.
void prepare_field(QLineEdit& field, const QString& placeholder, const QString& accessible_name);
/// A button that opens its menu(), which is empty at first; `name` is for tests and style.
QToolButton* menu_button(const char* name, const QString& text, const QString& accessible_name);

}  // namespace weft::ide
