// The Help menu, and cut, copy and paste, which mean what has the keyboard.
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QItemSelectionModel>
#include <QMenu>
#include <QMessageBox>
#include <algorithm>

#include "help_window.h"
#include "main_window.h"
#include "models/documents.h"
#include "models/examples.h"
#include "models/tours.h"
#include "texts.h"
#include "tour_bar.h"
#include "views.h"
#include "welcome_page.h"

namespace weft::ide {

namespace {

/// The chosen rows of a table or tree, a line each.
void copy_rows(const QAbstractItemView& view) {
  if (view.model() == nullptr || view.selectionModel() == nullptr) return;
  QModelIndexList chosen = view.selectionModel()->selectedIndexes();
  if (chosen.isEmpty() && view.currentIndex().isValid()) chosen << view.currentIndex();
  std::ranges::stable_sort(chosen, [](const QModelIndex& a, const QModelIndex& b) {
    return a.row() != b.row() ? a.row() < b.row() : a.column() < b.column();
  });
  QString text;
  for (qsizetype i = 0; i < chosen.size(); ++i) {
    if (i > 0) text += chosen[i].row() == chosen[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
    text += chosen[i].data().toString();
  }
  if (!text.isEmpty()) QApplication::clipboard()->setText(text);
}

}  // namespace

/// Fields and texts have a slot of that name.
void MainWindow::edit_focused(const char* what) {
  QWidget* widget = QApplication::focusWidget();
  if (widget == nullptr) return;
  if (widget->metaObject()->indexOfMethod(QByteArray(what) + "()") >= 0) {
    QMetaObject::invokeMethod(widget, what);
  } else if (const auto* view = qobject_cast<QAbstractItemView*>(widget)) {
    if (qstrcmp(what, "copy") == 0) copy_rows(*view);
  }
}

void MainWindow::make_help_menu(QMenu* menu) {
  add_action(menu, "help", tr("Help for &what has the keyboard"), QKeySequence(Qt::Key_F1),
             [this] { show_help(focused_view()); });
  add_action(menu, "help_contents", tr("&Contents"), {}, [this] { show_help({}); });
  menu->addSeparator();
  QMenu* guided = menu->addMenu(tr("&Guided tours"));
  int number = 0;
  for (const Tour& tour : tours()) {
    add_action(guided, QStringLiteral("begin_tour_%1").arg(number), tour.name, {},
               [this, number] { begin_tour(number); });
    ++number;
  }
  menu->addSeparator();
  add_action(menu, "about", tr("&About Weft"), {}, [this] {
    auto* box = new QMessageBox(
        QMessageBox::Information, tr("About Weft"),
        tr("Weft assembles, runs and measures programs for the microengines of the IXP2400 and IXP1200 families."),
        QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
  });
}

void MainWindow::make_welcome() {
  welcome_ = new WelcomePage;
  texts_->set_welcome(welcome_);
  tour_ = new TourBar(workspace_, *this);
  texts_->add_top_bar(tour_);
  connect(welcome_, &WelcomePage::project_chosen, this, &MainWindow::open_project);
  connect(welcome_, &WelcomePage::open_requested, this, [this] { actions_.at("open_project")->trigger(); });
  connect(welcome_, &WelcomePage::new_requested, this, [this] { new_project(); });
  connect(welcome_, &WelcomePage::tour_chosen, this, &MainWindow::begin_tour);
  show_recent();
}

/// Its example is opened first, unless that is what is open.
void MainWindow::begin_tour(int number) {
  const std::vector<Tour> all = tours();
  if (number < 0 || number >= static_cast<int>(all.size())) return;
  const Tour& tour = all[static_cast<size_t>(number)];
  const std::vector<Example> examples = find_examples();
  const auto example = std::ranges::find(examples, tour.example, &Example::name);
  if (example == examples.end())
    return Q_EMIT workspace_.message(
        tr("The example %1 is not beside the program (examples/, or WEFT_DATA)").arg(tour.example));
  if (!open_project(example->path)) return;
  tour_->begin(tour);
}

/// "editor", or the name of the view that has the keyboard.
QString MainWindow::focused_view() const {
  for (const QWidget* w = QApplication::focusWidget(); w != nullptr; w = w->parentWidget()) {
    if (const auto* dock = qobject_cast<const QDockWidget*>(w)) return view_name(dock->objectName());
    if (w == centralWidget()) return QStringLiteral("editor");
  }
  return {};
}

void MainWindow::show_help(const QString& view) {
  const QString folder = find_documents();
  if (folder.isEmpty())
    return Q_EMIT workspace_.message(tr("The documents are not beside the program (docs/, or WEFT_DATA)"));
  if (help_ == nullptr) help_ = new HelpWindow(folder, this);
  help_->open(help_page(view));
}

}  // namespace weft::ide
