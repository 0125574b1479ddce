#include "watchdog.h"

#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>

namespace weft::ide::test {

namespace {

// A test function takes seconds; under sanitizers on a busy machine, a minute.
constexpr qint64 kLimit = 240'000;
// QTest ends the program, so it comes later.
constexpr qint64 kGrace = 60'000;

QString named(const QWidget* widget) {
  if (widget == nullptr) return QStringLiteral("nothing");
  QString out = QString::fromLatin1(widget->metaObject()->className());
  for (const QString& name : {widget->objectName(), widget->accessibleName(), widget->windowTitle()})
    if (!name.isEmpty()) out += QStringLiteral(" '%1'").arg(name);
  return out;
}

}  // namespace

QString where_it_stands() {
  if (qobject_cast<QApplication*>(QCoreApplication::instance()) == nullptr) return QStringLiteral("no windows");
  QStringList out;
  if (const QWidget* modal = QApplication::activeModalWidget()) {
    out << QStringLiteral("the dialog %1 is open%2")
               .arg(named(modal),
                    modal->isActiveWindow() ? QString() : QStringLiteral(" and is not the active window"));
    if (const auto* files = qobject_cast<const QFileDialog*>(modal))
      out << QStringLiteral("it would take %1").arg(files->selectedFiles().join(QStringLiteral(", ")));
    for (const QLabel* label : modal->findChildren<QLabel*>())
      if (label->isVisible() && !label->text().isEmpty()) out << QStringLiteral("it says '%1'").arg(label->text());
    for (const QLineEdit* edit : modal->findChildren<QLineEdit*>())
      if (edit->isVisible()) out << QStringLiteral("%1 has '%2'").arg(named(edit), edit->text());
  }
  if (const auto* popup = QApplication::activePopupWidget()) out << QStringLiteral("%1 is open").arg(named(popup));
  out << QStringLiteral("the keyboard is with %1 in %2")
             .arg(named(QApplication::focusWidget()), named(QApplication::activeWindow()));
  return out.join(QStringLiteral("; "));
}

void close_what_is_open() {
  if (qobject_cast<QApplication*>(QCoreApplication::instance()) == nullptr) return;
  for (int i = 0; i < 20; ++i) {
    QWidget* popup = QApplication::activePopupWidget();
    if (popup == nullptr) break;
    popup->close();
  }
  QWidget* modal = QApplication::activeModalWidget();
  if (auto* dialog = qobject_cast<QDialog*>(modal))
    dialog->reject();
  else if (modal != nullptr)
    modal->close();
}

Watchdog::Watchdog() : limit_(kLimit) {
  bool given = false;
  if (const int limit = qEnvironmentVariableIntValue("WEFT_TEST_LIMIT_MS", &given); given && limit > 0) limit_ = limit;
  // QTest reads it when it begins.
  if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT"))
    qputenv("QTEST_FUNCTION_TIMEOUT", QByteArray::number(limit_ + kGrace));
  connect(&clock_, &QTimer::timeout, this, &Watchdog::look);
  clock_.start(std::min<int>(250, static_cast<int>(limit_)));
}

void Watchdog::look() {
  const QByteArray function = QTest::currentTestFunction(), data = QTest::currentDataTag();
  if (function != function_ || data != data_ || !since_.isValid()) {
    function_ = function;
    data_ = data;
    barked_ = false;
    since_.start();
    return;
  }
  if (function.isEmpty() || since_.elapsed() < limit_) return;
  if (!barked_) {
    barked_ = true;
    QTest::qFail(qPrintable(QStringLiteral("%1(%2) has not ended in %3 ms: %4")
                                .arg(QString::fromLatin1(function), QString::fromLatin1(data))
                                .arg(limit_)
                                .arg(where_it_stands())),
                 __FILE__, __LINE__);
  }
  close_what_is_open();  // and what comes up after it
}

int run(QObject& test, int argc, char** argv) {
  Watchdog watchdog;
  return QTest::qExec(&test, argc, argv);
}

}  // namespace weft::ide::test
