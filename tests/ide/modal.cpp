#include "modal.h"

#include <QDeadlineTimer>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>

namespace weft::ide::test {

namespace {

constexpr int kLook = 10;  // milliseconds between two looks

bool fail(const char* what) {
  QTest::qFail(qPrintable(QString::fromLatin1(what) + QStringLiteral(": ") + where_it_stands()), __FILE__, __LINE__);
  close_what_is_open();
  return false;
}

}  // namespace

bool takes_keys(QWidget& window) {
  if (!window.isVisible()) return false;
  if (!window.isActiveWindow()) {
    window.activateWindow();
    return false;
  }
  const QWidget* focus = QApplication::focusWidget();
  if (focus == nullptr) return window.focusWidget() == nullptr;  // nothing in it takes keys
  return focus == &window || window.isAncestorOf(focus);
}

bool use_dialog(const std::function<bool(QWidget&)>& is, const std::function<bool()>& open,
                const std::function<void(QWidget&)>& use, int limit) {
  // Two clocks: that of the use stands still while its dialog asks something in another one.
  QTimer look, end;
  QPointer<QWidget> used;
  bool begun = false, failed = false;
  QObject::connect(&look, &QTimer::timeout, [&] {
    QWidget* modal = QApplication::activeModalWidget();
    if (begun || failed || modal == nullptr || !is(*modal) || !takes_keys(*modal)) return;
    begun = true;
    used = modal;
    use(*modal);
  });
  QDeadlineTimer deadline(limit);
  QObject::connect(&end, &QTimer::timeout, [&] {
    if (!deadline.hasExpired()) return;
    if (!failed) failed = !fail(begun ? "the dialog stays open" : "the dialog does not come");
    close_what_is_open();
  });
  look.start(kLook);
  end.start(kLook);
  if (!open() && !begun) return false;
  const bool done = QTest::qWaitFor([&] { return failed || (begun && (used == nullptr || !used->isVisible())); },
                                    static_cast<int>(deadline.remainingTime()));
  end.stop();
  look.stop();
  return !failed && (done || fail(begun ? "the dialog stays open" : "the dialog does not come"));
}

bool choose_in_menu(const std::function<void()>& open, const std::function<bool(const QAction&)>& chooses, int limit) {
  QTimer look;
  bool came = false, chosen = false;
  QDeadlineTimer deadline(limit);
  QObject::connect(&look, &QTimer::timeout, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (came || menu == nullptr || !menu->isVisible()) return;
    came = true;
    for (QAction* action : menu->actions())
      if (!chosen && action->isEnabled() && chooses(*action)) {
        chosen = true;
        menu->setActiveAction(action);
      }
    if (chosen)
      QTest::keyClick(menu, Qt::Key_Return);
    else
      menu->close();
  });
  look.start(kLook);
  open();
  if (!QTest::qWaitFor([&] { return came; }, static_cast<int>(deadline.remainingTime())))
    return fail("the menu does not come");
  return chosen;
}

bool type_into(QWidget& field, const QString& text) {
  field.setFocus();
  if (!field.hasFocus()) return fail("a field does not take the keyboard");
  QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
  if (text.isEmpty())
    QTest::keyClick(&field, Qt::Key_Delete);
  else
    QTest::keyClicks(&field, text);
  return true;
}

void name_file(QFileDialog& dialog, const QString& path) {
  auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  if (name == nullptr) return void(fail("a dialog of the platform asks for the file"));
  if (type_into(*name, path)) QTest::keyClick(name, Qt::Key_Return);
}

}  // namespace weft::ide::test
