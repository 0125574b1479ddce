#include "examples_menu.h"

#include "models/examples.h"

namespace weft::ide {

ExamplesMenu::ExamplesMenu(QWidget* parent) : QMenu(tr("Open &example"), parent) {
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, &ExamplesMenu::fill);
}

void ExamplesMenu::fill() {
  clear();
  for (const Example& example : find_examples()) {
    QAction* action = addAction(example.name, this, [this, path = example.path] { Q_EMIT chosen(path); });
    action->setToolTip(example.about);
    action->setStatusTip(example.about);
  }
  if (isEmpty())
    addAction(tr("No examples were found beside the program (examples/, or WEFT_DATA)"))->setEnabled(false);
}

}  // namespace weft::ide
