// The documents in a window of their own, which can stand beside the one that they are about.
#pragma once

#include <QWidget>

class QTextBrowser;

namespace weft::ide {

class HelpWindow final : public QWidget {
  Q_OBJECT

 public:
  /// `folder`: of the documents.
  HelpWindow(const QString& folder, QWidget* parent);
  /// "ide/history.md"
  void open(const QString& page);
  QString page() const;
  QString text() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QString folder_;
  QTextBrowser* pages_;
};

}  // namespace weft::ide
