#include "empty_page.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace weft::ide {

EmptyPage::EmptyPage(const QString& way_out, const char* name, std::function<void()> then) : why_(new QLabel), button_(new QPushButton(way_out)) {
  auto* column = new QVBoxLayout(this);
  why_->setWordWrap(true);
  why_->setAlignment(Qt::AlignCenter);
  button_->setObjectName(QString::fromLatin1(name));
  button_->setAccessibleName(way_out);
  connect(button_, &QPushButton::clicked, this, std::move(then));
  column->addStretch();
  column->addWidget(why_);
  column->addWidget(button_, 0, Qt::AlignCenter);
  column->addStretch();
}

void EmptyPage::say(const QString& why, bool offered) {
  why_->setText(why);
  button_->setVisible(offered);
}

QString EmptyPage::why() const { return why_->text(); }

}  // namespace weft::ide
