#include "case_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "question_bar.h"

namespace weft::ide {

CaseBar::CaseBar(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      text_(new QLabel),
      again_(new QPushButton(tr("To what is &wrong"))),
      expected_(new QPushButton(tr("&Expectation"))) {
  setObjectName(QStringLiteral("case_bar"));
  setAccessibleName(tr("A test case is debugged"));
  text_->setTextFormat(Qt::PlainText);
  QHBoxLayout* row = lay_out_question(*this, *text_);
  const auto add = [&](QPushButton* button, const char* name, const QString& tip, auto what) {
    connect(add_answer(*row, button, name, tip), &QPushButton::clicked, this, what);
  };
  add(again_, "case_wrong", tr("Runs the case from cycle 0 to its end, and goes back to the first thing that is wrong"),
      [this] { workspace_.target()->run_to_wrong(); });
  add(expected_, "case_expected", tr("Opens the test file where it says what it expects"), [this] {
    if (wrong_ && !wrong_->file.empty())
      Q_EMIT workspace_.place_requested(QString::fromStdString(wrong_->file), static_cast<int>(wrong_->at.line),
                                        static_cast<int>(wrong_->at.column));
  });
  add(new QPushButton(tr("&Back to the project")), "case_leave", tr("The project's own machine, at cycle 0"),
      [this] { workspace_.debug_case(std::nullopt); });
  connect(&workspace, &Workspace::project_changed, this, &CaseBar::attach);
  connect(&workspace, &Workspace::wrong_found, this, [this](const workbench::WrongPlace& wrong) {
    wrong_ = wrong;
    tell();
  });
  hide();
}

void CaseBar::attach() {
  wrong_.reset();
  const auto& item = workspace_.debugged_case();
  begins_ = item.has_value();
  setVisible(item.has_value());
  if (!item) return;
  Target* target = workspace_.target();
  connect(target, &Target::state_changed, this, [this, target] {
    if (target->state() == Target::State::stopped && !target->build_failed() && std::exchange(begins_, false))
      target->run_to_wrong();
    tell();
  });
  tell();
}

void CaseBar::tell() {
  const auto& item = workspace_.debugged_case();
  if (!item) return;
  const Target* target = workspace_.target();
  const bool moves = target->state() == Target::State::running || target->state() == Target::State::building;
  QString text = tr("Test '%1'").arg(QString::fromStdString(item->name));
  if (wrong_)
    text += QStringLiteral(": ") + workspace_.names().shortened(QString::fromStdString(wrong_->text));
  else if (!moves)
    text += QStringLiteral(": ") + target->reason();
  text_->setText(text);
  again_->setEnabled(!moves);
  expected_->setEnabled(wrong_ && !wrong_->file.empty());
}

QString CaseBar::text() const { return isHidden() ? QString() : text_->text(); }

}  // namespace weft::ide
