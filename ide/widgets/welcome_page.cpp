#include "welcome_page.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <functional>

#include "models/examples.h"
#include "models/tours.h"

namespace weft::ide {

namespace {

constexpr int kMaxRecent = 6;

QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  QFont font = label->font();
  font.setBold(true);
  font.setPointSizeF(font.pointSizeF() * 1.2);
  label->setFont(font);
  label->setContentsMargins(0, 12, 0, 2);
  label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  return label;
}

/// A name that leads somewhere, and a sentence about it.
void add_link(QVBoxLayout* box, const QString& name, const QString& about, const QString& object,
              const std::function<void()>& then) {
  auto* button = new QPushButton(name);
  button->setObjectName(object);
  button->setFlat(true);
  button->setCursor(Qt::PointingHandCursor);
  button->setAccessibleDescription(about);
  button->setStyleSheet(
      QStringLiteral("QPushButton { text-align: left; padding: 2px 4px; color: palette(link); }"
                     "QPushButton:focus { border: 1px solid palette(highlight); }"));
  QObject::connect(button, &QPushButton::clicked, button, then);
  button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  box->addWidget(button);
  if (about.isEmpty()) return;
  auto* label = new QLabel(about);
  label->setWordWrap(true);
  label->setContentsMargins(6, 0, 0, 4);
  box->addWidget(label);
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QScrollArea(parent), recent_(new QVBoxLayout) {
  setObjectName(QStringLiteral("welcome"));
  setAccessibleName(tr("Welcome"));
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  auto* page = new QWidget;
  auto* outer = new QHBoxLayout(page);
  outer->setContentsMargins(24, 12, 24, 12);
  outer->setSpacing(32);
  auto *left = new QVBoxLayout, *right = new QVBoxLayout;
  for (QVBoxLayout* side : {left, right, recent_}) side->setSpacing(4);
  outer->addLayout(left, 1);
  outer->addLayout(right, 1);
  left->addWidget(heading(tr("Begin")));
  add_link(left, tr("Open a project or a recording..."), {}, QStringLiteral("welcome_open"),
           [this] { Q_EMIT open_requested(); });
  add_link(left, tr("New project..."), {}, QStringLiteral("welcome_new"), [this] { Q_EMIT new_requested(); });
  left->addWidget(heading(tr("Recent projects")));
  left->addLayout(recent_);
  left->addWidget(heading(tr("Guided tours, five minutes each")));
  int number = 0;
  for (const Tour& tour : tours()) {
    add_link(left, tour.name, tour.about, QStringLiteral("tour_%1").arg(number),
             [this, number] { Q_EMIT tour_chosen(number); });
    ++number;
  }
  left->addStretch(1);
  right->addWidget(heading(tr("Examples")));
  for (const Example& example : find_examples())
    add_link(right, example.name, example.about, QStringLiteral("example_") + example.name,
             [this, path = example.path] { Q_EMIT project_chosen(path); });
  right->addStretch(1);
  setWidget(page);
  set_recent({});
}

void WelcomePage::set_recent(const QStringList& paths) {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  int shown = 0;
  for (const QString& path : paths) {
    if (!QFileInfo::exists(path) || ++shown > kMaxRecent) continue;
    const QFileInfo info(path);
    const QString name = info.fileName() == QStringLiteral("weft.json") ? info.dir().dirName() : info.fileName();
    add_link(recent_, name, QDir::toNativeSeparators(path), QStringLiteral("recent_%1").arg(shown),
             [this, path] { Q_EMIT project_chosen(path); });
  }
  if (shown == 0) recent_->addWidget(new QLabel(tr("None yet: try an example.")));
}

}  // namespace weft::ide
