#include "log_view.h"

#include <QContextMenuEvent>
#include <QJsonValue>
#include <QMenu>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "models/count_text.h"
#include "save_files.h"

namespace weft::ide {

namespace {

constexpr int kMaxLines = 10'000;

}  // namespace

LogView::LogView(Workspace& workspace, Theme) : text_(new QPlainTextEdit(this)) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->addWidget(text_);
  text_->setReadOnly(true);
  text_->setMaximumBlockCount(kMaxLines);
  text_->setAccessibleName(tr("Log"));
  text_->setTabChangesFocus(true);
  text_->setPlaceholderText(tr("What breakpoints and commands say stands here, and why the machine stopped."));
  text_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(text_, &QWidget::customContextMenuRequested, this, [this, &workspace](const QPoint& at) {
    QMenu* menu = text_->createStandardContextMenu(at);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addSeparator();
    menu->addAction(tr("&Save as a text..."), this, [this, &workspace] {
      const QString path = ask_file_name(this, tr("Save the log"), QStringLiteral("log.txt"), tr("Texts (*.txt)"));
      if (!path.isEmpty()) write_text(workspace, path, text_->toPlainText().toStdString() + "\n");
    });
    menu->popup(text_->viewport()->mapToGlobal(at));
  });
  connect(&workspace, &Workspace::warned, text_, &QPlainTextEdit::appendPlainText);
  connect(&workspace, &Workspace::project_changed, this, [this, &workspace] {
    text_->clear();
    Target* target = workspace.target();
    connect(target, &Target::said, text_, &QPlainTextEdit::appendPlainText);
    connect(target, &Target::state_changed, text_, [this, target] {
      const Target::State state = target->state();
      if (state == Target::State::building || state == Target::State::running || !target->view()) return;
      text_->appendPlainText(
          tr("cycle %L1: %2").arg(target->view()->cycle).arg(counts_with_separators(target->reason())));
    });
  });
}

QJsonValue LogView::state() const { return text_->toPlainText(); }

}  // namespace weft::ide
