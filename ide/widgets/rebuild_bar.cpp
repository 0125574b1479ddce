#include "rebuild_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "wrapping_row.h"

namespace weft::ide {

RebuildBar::RebuildBar(QWidget* parent)
    : QWidget(parent), question_(new QLabel), replay_(new QPushButton(tr("Rebuild and re&play"))) {
  setObjectName(QStringLiteral("rebuild_bar"));
  setAccessibleName(tr("The text differs from what runs"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  question_->setWordWrap(true);
  question_->setForegroundRole(QPalette::ToolTipText);
  // Side by side where there is room for both, else the buttons are below.
  auto* both = new WrappingRow;
  setLayout(both);
  both->setContentsMargins(8, 3, 8, 3);
  both->setSpacing(6);
  both->add(question_, 300, true);
  auto* buttons = new QWidget;
  auto* row = new QHBoxLayout(buttons);
  row->setContentsMargins(0, 0, 0, 0);
  both->add(buttons);
  const auto add = [&](QPushButton* button, const char* name, const QString& tip, auto signal) {
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    row->addWidget(button);
    connect(button, &QPushButton::clicked, this, signal);
  };
  add(replay_, "rebuild_replay",
      tr("Saves, builds, and runs to this cycle again, with breakpoints and what you have changed in the machine"),
      &RebuildBar::replay_asked);
  add(new QPushButton(tr("Re&build")), "rebuild", tr("Saves, builds, and begins at cycle 0"),
      &RebuildBar::rebuild_asked);
  add(new QPushButton(tr("&Go on")), "rebuild_not", tr("The machine goes on with the text that it was built from"),
      &RebuildBar::go_on_asked);
  hide();
}

void RebuildBar::ask(const QStringList& names, uint64_t cycle, bool failed) {
  const QString which = names.join(QStringLiteral(", "));
  question_->setText(failed ? tr("%1: could not be built. The machine runs the text from before.").arg(which)
                            : tr("Text differs from what runs: %1").arg(which));
  replay_->setText(tr("Rebuild and re&play to cycle %L1").arg(cycle));
  show();
}

QString RebuildBar::question() const { return isVisible() ? question_->text() : QString(); }

}  // namespace weft::ide
