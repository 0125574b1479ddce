#include "past_question.h"

#include <QMessageBox>
#include <QPushButton>

#include "models/workspace.h"

namespace weft::ide {

Careful careful(Workspace& workspace, QWidget* parent) {
  return [&workspace, parent](const std::function<void()>& then) {
    const Target* target = workspace.target();
    if (target == nullptr) return;
    if (!target->in_past() || !target->view()) return then();
    auto* question = new QMessageBox(QMessageBox::Warning, QObject::tr("Change the past"),
                                     QObject::tr("The machine stands at cycle %L1, and has been as far as cycle %L2.")
                                         .arg(target->view()->cycle)
                                         .arg(target->present()),
                                     QMessageBox::Cancel, parent);
    question->setObjectName(QStringLiteral("change_past"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(
        QObject::tr("A change here makes another run from this cycle on: the way back to cycle %L1 is lost.")
            .arg(target->present()));
    QPushButton* change = question->addButton(QObject::tr("&Change it"), QMessageBox::AcceptRole);
    question->setDefaultButton(QMessageBox::Cancel);
    QObject::connect(change, &QPushButton::clicked, parent, [&workspace, asked = target, then] {
      if (workspace.target() == asked) then();
    });
    question->open();
  };
}

}  // namespace weft::ide
