#include "tour_bar.h"

#include <QAction>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QPainter>
#include <QPushButton>
#include <QToolBar>

namespace weft::ide {

namespace {

/// Over the window, and in nobody's way.
class Frame final : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setPen(QPen(palette().color(QPalette::BrightText), 3));
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
};

}  // namespace

TourBar::TourBar(Workspace& workspace, QMainWindow& window)
    : workspace_(workspace),
      window_(window),
      text_(new QLabel),
      show_(new QPushButton(tr("&Show me"))),
      next_(new QPushButton(tr("Ne&xt"))),
      frame_(new Frame(&window)) {
  setObjectName(QStringLiteral("tour"));
  setAccessibleName(tr("Guided tour"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  text_->setWordWrap(true);
  text_->setForegroundRole(QPalette::ToolTipText);
  text_->setMinimumWidth(100);
  auto* leave = new QPushButton(tr("&End the tour"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  row->addWidget(text_, 1);
  for (QPushButton* button : {show_, next_, leave}) row->addWidget(button);
  frame_->setAttribute(Qt::WA_TransparentForMouseEvents);
  frame_->hide();
  hide();
  connect(show_, &QPushButton::clicked, this, &TourBar::point);
  connect(next_, &QPushButton::clicked, this, [this] { go_to(step_ + 1); });
  connect(leave, &QPushButton::clicked, this, &TourBar::end);
  const auto look = [this] { this->look(); };
  connect(&workspace_, &Workspace::project_changed, this, &TourBar::attach);
  connect(&workspace_, &Workspace::breakpoints_changed, this, look, Qt::QueuedConnection);
  connect(&workspace_.cursor(), &Cursor::packet_changed, this, look, Qt::QueuedConnection);
  for (const QDockWidget* dock : window_.findChildren<QDockWidget*>())
    connect(dock, &QDockWidget::visibilityChanged, this, look, Qt::QueuedConnection);
}

void TourBar::attach() {
  if (workspace_.target() == nullptr) return;
  connect(workspace_.target(), &Target::view_changed, this, &TourBar::look, Qt::QueuedConnection);
  connect(workspace_.target(), &Target::state_changed, this, &TourBar::look, Qt::QueuedConnection);
}

void TourBar::begin(const Tour& tour) {
  tour_ = tour;
  show();
  go_to(0);
}

void TourBar::end() {
  step_ = tour_.steps.size();
  frame_->hide();
  hide();
}

TourScene TourBar::scene() const {
  return {workspace_,
          [this](const QString& view) {
            const auto* dock = window_.findChild<QDockWidget*>(view);
            return dock != nullptr && dock->isVisible() && !dock->visibleRegion().isEmpty();
          },
          began_at_};
}

void TourBar::look() {
  frame_->hide();
  if (!under_way()) return;
  const TourStep& step = tour_.steps[step_];
  if (step.done && step.done(scene())) go_to(step_ + 1);
}

void TourBar::go_to(size_t step) {
  step_ = step;
  frame_->hide();
  const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
  began_at_ = view ? view->cycle : 0;
  const bool over = !under_way();
  text_->setText(over ? tr("<b>%1</b>: that was all. Help has the pages about each view.").arg(tour_.name)
                      : tr("<b>%1, %2 of %3</b>: %4")
                            .arg(tour_.name)
                            .arg(step_ + 1)
                            .arg(tour_.steps.size())
                            .arg(tour_.steps[step_].text.toHtmlEscaped()));
  next_->setVisible(!over);
  show_->setVisible(!over && (!tour_.steps[step_].action.isEmpty() || !tour_.steps[step_].view.isEmpty()));
}

QString TourBar::text() const { return text_->text(); }

/// The tool of the step in the toolbar, else its view.
QWidget* TourBar::pointed_at() const {
  if (!under_way()) return nullptr;
  const TourStep& step = tour_.steps[step_];
  if (const auto* action = step.action.isEmpty() ? nullptr : window_.findChild<QAction*>(step.action))
    for (QToolBar* bar : window_.findChildren<QToolBar*>())
      if (QWidget* button = bar->widgetForAction(const_cast<QAction*>(action))) return button;
  return step.view.isEmpty() ? nullptr : window_.findChild<QDockWidget*>(step.view);
}

void TourBar::point() {
  if (!under_way()) return;
  const TourStep& step = tour_.steps[step_];
  if (!step.view.isEmpty())
    if (auto* dock = window_.findChild<QDockWidget*>(step.view)) {
      dock->show();
      dock->raise();
    }
  const QWidget* there = pointed_at();
  if (there == nullptr || !there->isVisible()) return;
  frame_->setGeometry(QRect(there->mapTo(&window_, QPoint(0, 0)), there->size()).adjusted(-3, -3, 3, 3));
  frame_->show();
  frame_->raise();
}

}  // namespace weft::ide
