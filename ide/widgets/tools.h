// Tool bars as all views have them: reached by Tab, with a name for those who do not see them.
#pragma once

#include <QToolBar>

namespace weft::ide {

/// An action at the end of a bar; `name` is its object name.
template <class Receiver, class What>
QAction* add_tool(QToolBar* bar, const char* name, const QString& text, const QString& tip, Receiver* receiver,
                  What&& what) {
  QAction* action = bar->addAction(text);
  action->setObjectName(QString::fromLatin1(name));
  action->setToolTip(tip);
  bar->widgetForAction(action)->setAccessibleName(tip);
  bar->widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
  QObject::connect(action, &QAction::triggered, receiver, std::forward<What>(what));
  return action;
}

/// One that is on or off.
template <class Receiver, class What>
QAction* add_switch(QToolBar* bar, const char* name, const QString& text, const QString& tip, bool on,
                    Receiver* receiver, What&& what) {
  QAction* action = add_tool(bar, name, text, tip, receiver, std::forward<What>(what));
  action->setCheckable(true);
  action->setChecked(on);
  return action;
}

}  // namespace weft::ide
