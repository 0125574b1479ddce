// Two texts beside each other: which side a text is on, and which one has the keyboard.
#include <QLabel>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "code_editor.h"
#include "texts.h"

namespace weft::ide {

QTabWidget* Texts::make_side() {
  auto* side = new QTabWidget;
  side->setTabsClosable(true);
  side->setMovable(true);
  side->setDocumentMode(true);
  side->setAccessibleName(tr("Texts"));
  side->tabBar()->setAccessibleName(tr("Open texts"));
  side->hide();
  connect(side, &QTabWidget::tabCloseRequested, this, [this, side](int index) {
    activate(side);
    close(index);
  });
  connect(side, &QTabWidget::currentChanged, this, [this, side] {
    if (side != tabs_) return;
    ask();
    Q_EMIT current_changed();
  });
  connect(side, &QTabWidget::tabBarClicked, this, [this, side] { activate(side); });
  return side;
}

QTabWidget* Texts::tabs_of(const CodeEditor* editor) const {
  return sides_[1]->indexOf(const_cast<CodeEditor*>(editor)) >= 0 ? sides_[1] : sides_[0];
}

void Texts::activate(QTabWidget* side) {
  if (tabs_ == side || side->count() == 0) return;
  tabs_ = side;
  ask();
  Q_EMIT current_changed();
}

bool Texts::is_split() const { return sides_[0]->count() > 0 && sides_[1]->count() > 0; }
int Texts::side_of(const CodeEditor* editor) const { return tabs_of(editor) == sides_[1] ? 1 : 0; }

void Texts::put_on_side(CodeEditor* editor, int side) {
  QTabWidget *from = tabs_of(editor), *to = sides_[side == 0 ? 0 : 1];
  const int index = from->indexOf(editor);
  if (from == to || index < 0) return;
  const QString tip = from->tabToolTip(index), name = from->tabText(index);
  from->removeTab(index);
  to->setTabToolTip(to->addTab(editor, name), tip);
  to->setCurrentWidget(editor);
  tidy_sides();
  ask();
}

// What is left of one side alone is on the first.
void Texts::tidy_sides() {
  if (sides_[0]->count() == 0)
    while (sides_[1]->count() > 0) {
      QWidget* editor = sides_[1]->widget(0);
      const QString tip = sides_[1]->tabToolTip(0), name = sides_[1]->tabText(0);
      sides_[1]->removeTab(0);
      sides_[0]->setTabToolTip(sides_[0]->addTab(editor, name), tip);
    }
  if (tabs_->count() == 0) activate(tabs_ == sides_[0] ? sides_[1] : sides_[0]);
  if (tabs_->count() == 0) tabs_ = sides_[0];
}

void Texts::move_to_other_side() {
  CodeEditor* editor = current_editor();
  if (editor == nullptr) return;
  if (texts_.size() < 2) return Q_EMIT message(tr("Open another text first: two texts can be beside each other"));
  const bool fresh = !is_split();
  put_on_side(editor, 1 - side_of(editor));
  activate(tabs_of(editor));
  if (fresh && is_split()) split_->setSizes({1000, 1000});
  editor->setFocus();
}

void Texts::go_to_other_side() {
  if (!is_split()) return;
  activate(tabs_ == sides_[0] ? sides_[1] : sides_[0]);
  if (CodeEditor* editor = current_editor()) editor->setFocus();
}

std::vector<const Text*> Texts::in_order() const {
  std::vector<const Text*> out;
  for (const Text& text : texts_) out.push_back(&text);
  std::ranges::sort(
      out, {}, [this](const Text* t) { return std::pair(side_of(t->editor), tabs_of(t->editor)->indexOf(t->editor)); });
  return out;
}

void Texts::set_welcome(QWidget* page) {
  welcome_ = page;
  box_->addWidget(page, 1);
  ask();
}

}  // namespace weft::ide
