#include "rebuild_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "question_bar.h"

namespace weft::ide {

RebuildBar::RebuildBar(QWidget* parent)
    : QWidget(parent), question_(new QLabel), replay_(new QPushButton(tr("Rebuild and re&play"))) {
  setObjectName(QStringLiteral("rebuild_bar"));
  setAccessibleName(tr("The text differs from what runs"));
  QHBoxLayout* row = lay_out_question(*this, *question_);
  const auto add = [&](QPushButton* button, const char* name, const QString& tip, auto signal) {
    connect(add_answer(*row, button, name, tip), &QPushButton::clicked, this, signal);
  };
  add(replay_, "rebuild_replay",
      tr("Saves, builds, and runs to this cycle again, with breakpoints and what you have changed in the machine"),
      &RebuildBar::replay_requested);
  add(new QPushButton(tr("Re&build")), "rebuild", tr("Saves, builds, and begins at cycle 0"),
      &RebuildBar::rebuild_requested);
  add(new QPushButton(tr("&Go on")), "rebuild_not", tr("The machine goes on with the text that it was built from"),
      &RebuildBar::go_on_requested);
  hide();
}

void RebuildBar::ask(const QStringList& names, uint64_t cycle, bool failed) {
  const QString which = names.join(QStringLiteral(", "));
  question_->setText(failed ? tr("%1: could not be built. The machine runs the text from before.").arg(which)
                            : tr("What runs was built from other files: %1").arg(which));
  replay_->setText(tr("Rebuild and re&play to cycle %L1").arg(cycle));
  show();
}

QString RebuildBar::question() const { return isVisible() ? question_->text() : QString(); }

}  // namespace weft::ide
