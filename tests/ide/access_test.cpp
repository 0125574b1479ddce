// The gate for those who work without a mouse, or without eyes: every control, action and view has a name and a role,
// Tab reaches every control and is caught nowhere, every shortcut means one thing. It walks the window as it is, so a
// new view is in it without a line here.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <QTreeView>
#include <map>
#include <memory>
#include <set>

#include "modal.h"
#include "support.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"
#include "widgets/texts.h"
#include "widgets/views.h"
#include "windows.h"

using namespace weft::ide;
using weft::ide::test::kLong;
using State = Target::State;

namespace {

/// Where a widget is, for messages: "registers / QTableView 'Registers'".
QString where(const QWidget* widget) {
  QString view;
  for (const QWidget* w = widget; w != nullptr; w = w->parentWidget())
    if (const auto* dock = qobject_cast<const QDockWidget*>(w)) view = dock->objectName();
  return QStringLiteral("%1 / %2 '%3' named '%4'")
      .arg(view.isEmpty() ? QStringLiteral("window") : view, QString::fromLatin1(widget->metaObject()->className()),
           widget->objectName(), widget->accessibleName());
}

/// Parts of Qt's own widgets, which the widget around them speaks for.
bool is_inner(const QWidget* widget) {
  if (widget->objectName().startsWith(QStringLiteral("qt_")) || qobject_cast<const QHeaderView*>(widget) ||
      qobject_cast<const QScrollBar*>(widget) || qobject_cast<const QSplitterHandle*>(widget))
    return true;
  const QWidget* parent = widget->parentWidget();
  if (const auto* tabs = qobject_cast<const QTabBar*>(widget); tabs && tabs->count() == 0 && tabs->isHidden())
    return true;  // Qt keeps one that no docks need
  if (qobject_cast<const QLineEdit*>(widget) &&
      (qobject_cast<const QComboBox*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent)))
    return true;
  if (qobject_cast<const QAbstractButton*>(widget) && qobject_cast<const QTabBar*>(parent))
    return true;  // scroll and close buttons
  if (qobject_cast<const QAbstractButton*>(widget) && qobject_cast<const QTableView*>(parent))
    return true;  // the corner
  if (qobject_cast<const QAbstractButton*>(widget) && qobject_cast<const QLineEdit*>(parent)) return true;  // clear
  if (const auto* area = qobject_cast<const QAbstractScrollArea*>(parent)) return widget == area->viewport();
  for (const QWidget* w = parent; w != nullptr; w = w->parentWidget())
    if (qobject_cast<const QComboBox*>(w)) return true;  // its list
  return false;
}

/// What takes keys or clicks.
bool is_control(const QWidget* widget) {
  if (is_inner(widget)) return false;
  return widget->focusPolicy() != Qt::NoFocus || qobject_cast<const QAbstractButton*>(widget);
}

QString accessible_name(QWidget* widget) {
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
  return face ? face->text(QAccessible::Name) : QString();
}

/// Roles that a screen reader can make sense of, by what the widget is. Empty: any but none.
std::set<QAccessible::Role> roles_of(const QWidget* widget) {
  if (qobject_cast<const QTreeView*>(widget)) return {QAccessible::Tree};
  if (qobject_cast<const QAbstractItemView*>(widget)) return {QAccessible::Table, QAccessible::List};
  if (qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QLineEdit*>(widget))
    return {QAccessible::EditableText};
  if (qobject_cast<const QCheckBox*>(widget)) return {QAccessible::CheckBox};
  if (qobject_cast<const QComboBox*>(widget)) return {QAccessible::ComboBox};
  if (qobject_cast<const QAbstractSpinBox*>(widget)) return {QAccessible::SpinBox};
  if (const auto* button = qobject_cast<const QAbstractButton*>(widget); button && !button->isCheckable())
    return {QAccessible::Button, QAccessible::ButtonMenu, QAccessible::ButtonDropDown};
  return {};
}

QStringList faults_of(QWidget* root) {
  QStringList out;
  QList<QWidget*> all = root->findChildren<QWidget*>();
  all.prepend(root);
  for (QWidget* widget : all) {
    if (!is_control(widget)) continue;
    if (accessible_name(widget).trimmed().isEmpty()) out << QStringLiteral("no name: ") + where(widget);
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
    if (face == nullptr) continue;
    const auto roles = roles_of(widget);
    if (face->role() == QAccessible::NoRole || (!roles.empty() && !roles.contains(face->role())))
      out << QStringLiteral("role %1: ").arg(face->role()) + where(widget);
  }
  return out;
}

/// Controls that Tab should come to.
QList<QWidget*> tab_stops(QWidget* root) {
  QList<QWidget*> out;
  for (QWidget* widget : root->findChildren<QWidget*>())
    if (is_control(widget) && widget->isVisible() && widget->isEnabled() &&
        (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->focusProxy() == nullptr &&
        !widget->visibleRegion().isEmpty())
      out << widget;
  return out;
}

/// A scroll area may take the focus for its viewport; of radio buttons Tab comes to one, and arrows to the others.
bool holds(const QSet<QWidget*>& seen, QWidget* stop) {
  if (qobject_cast<const QRadioButton*>(stop))
    return std::any_of(seen.begin(), seen.end(), [stop](const QWidget* w) {
      return qobject_cast<const QRadioButton*>(w) && w->parentWidget() == stop->parentWidget();
    });
  return seen.contains(stop) || std::any_of(seen.begin(), seen.end(), [stop](const QWidget* w) {
           return w->focusProxy() == stop || stop->isAncestorOf(w);
         });
}

/// Presses Tab until the focus comes round. Nothing: it never did.
std::optional<QSet<QWidget*>> walk(QWidget* from, Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QSet<QWidget*> seen;
  from->setFocus(Qt::TabFocusReason);
  QWidget* first = QApplication::focusWidget();
  if (first == nullptr) return std::nullopt;
  QWidget* before = nullptr;
  for (int presses = 0; presses < 400; ++presses) {
    QWidget* now = QApplication::focusWidget();
    if (now == nullptr || now == before) return std::nullopt;  // caught
    if (presses > 0 && now == first) return seen;
    seen.insert(now);
    before = now;
    QTest::keyClick(now, key, modifiers);
  }
  return std::nullopt;
}

QString text_of(const QAction* action) { return action->text().remove(QLatin1Char('&')); }

}  // namespace

class AccessTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    settings_.begin();
    window_ = std::make_unique<MainWindow>(Theme::light);
    window_->resize(1440, 900);
    test::activate(*window_);
    weft::workbench::Observation all = window_->workspace().observation();
    all.coverage = all.history = all.statistics = all.packets = true;
    window_->workspace().set_observation(all);
    QVERIFY(window_->open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder")));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().target()->state(), State::stopped, kLong);
    window_->workspace().target()->run_until("10us");
    QTRY_VERIFY_WITH_TIMEOUT(
        window_->workspace().target()->state() != State::running && window_->workspace().target()->view()->cycle > 1000,
        kLong);
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) dock->show();
    // Panels that come and go are there too: those that search, and generated instructions.
    window_->action(QStringLiteral("replace"))->trigger();
    CodeEditor* editor = window_->texts().current_editor();
    QVERIFY(editor != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(editor->is_current(), kLong);
    window_->action(QStringLiteral("generated"))->trigger();
    QTest::qWait(300);
  }
  void cleanupTestCase() { window_.reset(); }

  void every_control_has_a_name_and_a_role() {
    // Labels that count something are empty until the machine has answered.
    QStringList faults;
    const auto look = [&] { return (faults = faults_of(window_.get())).isEmpty(); };
    QTRY_VERIFY2_WITH_TIMEOUT(look(), qPrintable(QStringLiteral("\n") + faults.join(QLatin1Char('\n'))), kLong);
  }

  void every_view_has_a_name() {
    std::map<QString, QString> titles;
    for (const ViewKind& kind : view_kinds()) {
      auto* dock = qobject_cast<QDockWidget*>(window_->view(QString::fromLatin1(kind.name)));
      QVERIFY2(dock != nullptr, kind.name);
      QVERIFY2(!dock->accessibleName().isEmpty(), kind.name);
      QVERIFY2(titles.emplace(dock->accessibleName(), QString::fromLatin1(kind.name)).second,
               qPrintable(dock->accessibleName()));
      QVERIFY2(!text_of(dock->toggleViewAction()).isEmpty(), kind.name);
    }
  }

  void every_action_has_a_text_and_its_letter() {
    QStringList faults;
    const std::function<void(QMenu*, const QString&)> look = [&](QMenu* menu, const QString& name) {
      std::map<QChar, QString> letters;
      for (const QAction* action : menu->actions()) {
        if (action->isSeparator()) continue;
        if (action->text().trimmed().isEmpty()) faults << QStringLiteral("an action without a text in ") + name;
        const qsizetype mark = action->text().indexOf(QLatin1Char('&'));
        if (mark >= 0 && mark + 1 < action->text().size()) {
          const auto known = letters.emplace(action->text().at(mark + 1).toLower(), text_of(action));
          if (!known.second)
            faults
                << QStringLiteral("%1: '%2' and '%3' have one letter").arg(name, known.first->second, text_of(action));
        }
        if (action->menu() != nullptr) look(action->menu(), name + QStringLiteral(" > ") + text_of(action));
      }
    };
    std::set<QString> letters;
    for (const QAction* action : window_->menuBar()->actions()) {
      QVERIFY(action->menu() != nullptr);
      const qsizetype mark = action->text().indexOf(QLatin1Char('&'));
      QVERIFY2(mark >= 0 && letters.insert(action->text().mid(mark + 1, 1).toLower()).second,
               qPrintable(action->text()));
      look(action->menu(), text_of(action));
    }
    for (const QToolBar* bar : window_->findChildren<QToolBar*>())
      for (const QAction* action : bar->actions())
        if (!action->isSeparator() && action->text().trimmed().isEmpty() && action->objectName().isEmpty() &&
            bar->widgetForAction(const_cast<QAction*>(action)) == nullptr)
          faults << QStringLiteral("an action without a text in a toolbar");
    QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("\n") + faults.join(QLatin1Char('\n'))));
  }

  // A shortcut of the window means one thing everywhere; one of a view may be used by another view, but not twice in
  // one, and not by the window too.
  void every_shortcut_is_unique() {
    std::map<QString, QString> of_window;
    std::map<std::pair<const QObject*, QString>, QString> of_view;
    QStringList faults;
    QList<QAction*> actions = window_->findChildren<QAction*>();
    for (const QAction* action : actions) {
      if (action->shortcutContext() == Qt::WidgetShortcut ||
          action->shortcutContext() == Qt::WidgetWithChildrenShortcut)
        continue;
      for (const QKeySequence& key : action->shortcuts()) {
        const QString text = key.toString();
        if (text.isEmpty()) continue;
        const auto known = of_window.emplace(text, text_of(action));
        if (!known.second && known.first->second != text_of(action))
          faults << QStringLiteral("%1: '%2' and '%3'").arg(text, known.first->second, text_of(action));
        else if (!known.second)
          faults << QStringLiteral("%1: '%2' twice").arg(text, text_of(action));
      }
    }
    for (const QAction* action : actions) {
      if (action->shortcutContext() != Qt::WidgetShortcut &&
          action->shortcutContext() != Qt::WidgetWithChildrenShortcut)
        continue;
      for (const QKeySequence& key : action->shortcuts()) {
        const auto known = of_view.emplace(std::pair(action->parent(), key.toString()), text_of(action));
        if (!known.second)
          faults << QStringLiteral("%1: '%2' and '%3' of one view")
                        .arg(key.toString(), known.first->second, text_of(action));
        if (of_window.contains(key.toString()))
          faults << QStringLiteral("%1: '%2' of a view and '%3' of the window")
                        .arg(key.toString(), text_of(action), of_window[key.toString()]);
      }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("\n") + faults.join(QLatin1Char('\n'))));
    QVERIFY(of_window.size() > 20);
  }

  void tab_reaches_every_control_data() {
    QTest::addColumn<QString>("view");
    for (const ViewKind& kind : view_kinds()) QTest::newRow(kind.name) << QString::fromLatin1(kind.name);
  }
  void tab_reaches_every_control() {
    QFETCH(QString, view);
    auto* dock = qobject_cast<QDockWidget*>(window_->view(view));
    QVERIFY(dock != nullptr);
    dock->show();
    dock->raise();
    QAction* tab_moves = window_->action(QStringLiteral("tab_moves"));
    if (!tab_moves->isChecked()) tab_moves->trigger();
    QTest::qWait(50);
    QWidget* from = window_->texts().current_editor();
    const auto seen = walk(from, Qt::Key_Tab, Qt::NoModifier);
    QWidget* at = QApplication::focusWidget();
    QVERIFY2(seen, qPrintable(QStringLiteral("Tab is caught at ") + (at ? where(at) : QStringLiteral("nothing"))));
    QStringList missed;
    for (QWidget* stop : tab_stops(window_.get()))
      if (!holds(*seen, stop)) missed << where(stop);
    QVERIFY2(missed.isEmpty(), qPrintable(QStringLiteral("\nTab never comes to:\n") + missed.join(QLatin1Char('\n'))));
    const auto back = walk(from, Qt::Key_Backtab, Qt::ShiftModifier);
    at = QApplication::focusWidget();
    QVERIFY2(back,
             qPrintable(QStringLiteral("Shift+Tab is caught at ") + (at ? where(at) : QStringLiteral("nothing"))));
    for (QWidget* stop : tab_stops(dock)) QVERIFY2(holds(*back, stop), qPrintable(where(stop)));
  }

  // Without the switch, Tab writes into a text, and the text can still be left: by the key of the switch.
  void tab_writes_unless_it_shall_move() {
    CodeEditor* editor = window_->texts().current_editor();
    QAction* tab_moves = window_->action(QStringLiteral("tab_moves"));
    if (tab_moves->isChecked()) tab_moves->trigger();
    const QString before = editor->toPlainText();
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_Tab);
    QVERIFY(editor->hasFocus());
    QVERIFY(editor->toPlainText() != before);
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor->toPlainText(), before);
    QTest::keyClick(editor, Qt::Key_M, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_Tab);
    QVERIFY(!editor->hasFocus());
    QCOMPARE(editor->toPlainText(), before);
  }

  // What ends in dots asks something: its dialogs too have names, and their keys come round.
  void dialogs_have_names() {
    QStringList faults;
    int dialogs = 0;
    QStringList came;
    for (QAction* action : window_->findChildren<QAction*>()) {
      if (!action->text().endsWith(QStringLiteral("...")) || !action->isEnabled() || action->menu() != nullptr)
        continue;
      QTimer look;
      look.setInterval(10);
      connect(&look, &QTimer::timeout, this, [&] {
        QWidget* modal = QApplication::activeModalWidget();
        if (modal == nullptr || !test::takes_keys(*modal)) return;
        look.stop();
        auto* dialog = qobject_cast<QDialog*>(modal);
        if (dialog != nullptr && qobject_cast<QFileDialog*>(modal) == nullptr) {
          ++dialogs;
          came << text_of(action);
          if (dialog->windowTitle().isEmpty())
            faults << QStringLiteral("'%1': a dialog without a title").arg(text_of(action));
          for (const QString& fault : faults_of(dialog))
            faults << QStringLiteral("'%1': %2").arg(text_of(action), fault);
          const QList<QWidget*> stops = tab_stops(dialog);
          if (!stops.isEmpty()) {
            const auto seen = walk(stops.front(), Qt::Key_Tab, Qt::NoModifier);
            if (!seen)
              faults << QStringLiteral("'%1': Tab is caught at %2")
                            .arg(text_of(action),
                                 QApplication::focusWidget() ? where(QApplication::focusWidget()) : QString());
            for (QWidget* stop : stops)
              if (seen && !holds(*seen, stop))
                faults << QStringLiteral("'%1': Tab never comes to %2").arg(text_of(action), where(stop));
          }
        }
        if (dialog != nullptr)
          dialog->reject();
        else
          modal->close();
      });
      look.start();
      action->trigger();  // returns at once, or when its dialog is closed
      QVERIFY2(QTest::qWaitFor([] { return QApplication::activeModalWidget() == nullptr; }, kLong),
               qPrintable(test::where_it_stands()));
      look.stop();
    }
    QVERIFY2(faults.isEmpty(), qPrintable(QStringLiteral("\n") + faults.join(QLatin1Char('\n'))));
    QVERIFY2(dialogs >= 4,
             qPrintable(QStringLiteral("only %1 dialogs came: %2").arg(dialogs).arg(came.join(QStringLiteral(", ")))));
  }

 private:
  test::OwnSettings settings_;
  std::unique_ptr<MainWindow> window_;
};

WEFT_IDE_TEST_MAIN(AccessTest)
#include "access_test.moc"
