#include "view_parts.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace weft::ide {

QVBoxLayout* tight_column(QWidget* widget) {
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

QHBoxLayout* tool_row() {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(4, 2, 4, 2);
  return row;
}

void prepare_field(QLineEdit& field, const QString& placeholder, const QString& accessible_name) {
  field.setPlaceholderText(placeholder);
  field.setAccessibleName(accessible_name);
  field.setClearButtonEnabled(true);
}

QToolButton* menu_button(const char* name, const QString& text, const QString& accessible_name) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setObjectName(QLatin1String(name));
  button->setAccessibleName(accessible_name);
  button->setFocusPolicy(Qt::TabFocus);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(new QMenu(button));
  return button;
}

}  // namespace weft::ide
