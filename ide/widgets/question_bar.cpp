#include "question_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "wrapping_row.h"

namespace weft::ide {

QHBoxLayout* lay_out_question(QWidget& bar, QLabel& text) {
  bar.setAutoFillBackground(true);
  bar.setBackgroundRole(QPalette::ToolTipBase);
  text.setWordWrap(true);
  text.setForegroundRole(QPalette::ToolTipText);
  auto* both = new WrappingRow;
  bar.setLayout(both);
  both->setContentsMargins(8, 3, 8, 3);
  both->setSpacing(6);
  both->add(&text, 300, true);
  auto* buttons = new QWidget;
  auto* row = new QHBoxLayout(buttons);
  row->setContentsMargins(0, 0, 0, 0);
  both->add(buttons);
  return row;
}

QPushButton* add_answer(QHBoxLayout& row, QPushButton* button, const char* name, const QString& tip) {
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  row.addWidget(button);
  return button;
}

}  // namespace weft::ide
