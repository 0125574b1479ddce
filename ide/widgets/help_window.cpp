#include "help_window.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QKeyEvent>
#include <QTextBrowser>
#include <QToolBar>
#include <QVBoxLayout>

#include "tools.h"
#include "view_parts.h"

namespace weft::ide {

namespace {

/// Pictures are as wide as there is room, and what is not a page of ours is opened by whom it belongs to.
class Pages final : public QTextBrowser {
 public:
  using QTextBrowser::QTextBrowser;
  QVariant loadResource(int type, const QUrl& name) override {
    QVariant found = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource) return found;
    QImage picture = found.canConvert<QImage>() ? found.value<QImage>() : QImage();
    if (picture.isNull()) picture = QImage::fromData(found.toByteArray());
    const int room = viewport()->width() - 40;
    return picture.width() > room && room > 100 ? picture.scaledToWidth(room, Qt::SmoothTransformation) : picture;
  }

 protected:
  void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override {
    const QString path = name.path();
    if (name.isLocalFile() || name.isRelative()) {
      if (path.endsWith(QStringLiteral(".md")) || path.isEmpty()) QTextBrowser::doSetSource(name, type);
      return;
    }
    QDesktopServices::openUrl(name);
  }
};

}  // namespace

HelpWindow::HelpWindow(const QString& folder, QWidget* parent)
    : QWidget(parent, Qt::Window), folder_(folder), pages_(new Pages) {
  setObjectName(QStringLiteral("help"));
  setWindowTitle(tr("Help – Weft"));
  resize(760, 720);
  auto* bar = new QToolBar;
  bar->setAccessibleName(tr("Pages of the help"));
  QAction* back =
      add_tool(bar, "help_back", tr("Back"), tr("The page before (Alt+Left)"), pages_, [this] { pages_->backward(); });
  QAction* forward = add_tool(bar, "help_forward", tr("Forward"), tr("The page after (Alt+Right)"), pages_,
                              [this] { pages_->forward(); });
  add_tool(bar, "help_home", tr("Contents"), tr("The tasks that the pages are about"), pages_,
           [this] { open(QStringLiteral("ide/README.md")); });
  back->setEnabled(false);
  forward->setEnabled(false);
  connect(pages_, &QTextBrowser::backwardAvailable, back, &QAction::setEnabled);
  connect(pages_, &QTextBrowser::forwardAvailable, forward, &QAction::setEnabled);
  pages_->setAccessibleName(tr("Help"));
  pages_->document()->setDocumentMargin(12);
  QVBoxLayout* box = tight_column(this);
  box->addWidget(bar);
  box->addWidget(pages_);
}

void HelpWindow::open(const QString& page) {
  pages_->setSource(QUrl::fromLocalFile(QDir(folder_).filePath(page)), QTextDocument::MarkdownResource);
  show();
  raise();
  activateWindow();
  pages_->setFocus();
}

QString HelpWindow::page() const { return QDir(folder_).relativeFilePath(pages_->source().toLocalFile()); }
QString HelpWindow::text() const { return pages_->toPlainText(); }

void HelpWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return void(close());
  QWidget::keyPressEvent(event);
}

}  // namespace weft::ide
