#include "empty_page.h"

#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "models/workspace.h"
#include "view_parts.h"

namespace weft::ide {

QString no_machine(const Workspace& workspace) {
  const Target* target = workspace.target();
  if (target == nullptr)
    return QObject::tr("No project is open: File, Open, or one of the examples on the welcome page.");
  if (target->state() == Target::State::building) return QObject::tr("The project is being built.");
  if (target->state() != Target::State::empty) return {};
  return workspace.recording() != nullptr ? QObject::tr("The recording is not opened: see Problems.")
                                          : QObject::tr("The project is not built: see Problems.");
}

EmptyPage::EmptyPage() : why_(new QLabel) {
  auto* column = new QVBoxLayout(this);
  why_->setWordWrap(true);
  why_->setAlignment(Qt::AlignCenter);
  column->addStretch();
  column->addWidget(why_);
  column->addStretch();
}

EmptyPage::EmptyPage(const QString& way_out, const char* name, std::function<void()> then) : EmptyPage() {
  button_ = new QPushButton(way_out);
  button_->setObjectName(QString::fromLatin1(name));
  button_->setAccessibleName(way_out);
  connect(button_, &QPushButton::clicked, this, std::move(then));
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->insertWidget(column->count() - 1, button_, 0, Qt::AlignCenter);
}

void EmptyPage::say(const QString& why, bool offered) {
  why_->setText(why);
  if (button_ != nullptr) button_->setVisible(offered);
}

QString EmptyPage::why() const { return why_->text(); }
QJsonValue EmptyPage::state() const { return QJsonObject{{QStringLiteral("empty"), why_->text()}}; }

void fill_view(QWidget* view, QStackedWidget* pages, EmptyPage* empty, QWidget* full) {
  QVBoxLayout* box = tight_column(view);
  box->addWidget(pages);
  pages->addWidget(empty);
  pages->addWidget(full);
}

QVBoxLayout* fill_view(QWidget* view, QStackedWidget* pages, EmptyPage* empty) {
  auto* full = new QWidget;
  QVBoxLayout* column = tight_column(full);
  fill_view(view, pages, empty, full);
  return column;
}

}  // namespace weft::ide
