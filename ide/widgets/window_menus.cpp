// The menus of the window and its toolbar; those of Edit, Run and View stand in files of their own.
#include <QAction>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QTabWidget>
#include <QToolBar>

#include "checkpoints_dialog.h"
#include "code_editor.h"
#include "examples_menu.h"
#include "icons.h"
#include "main_window.h"
#include "texts.h"

namespace weft::ide {

void MainWindow::make_actions() {
  bar_ = addToolBar(tr("Run"));
  bar_->setObjectName(QStringLiteral("toolbar"));
  bar_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar_->setIconSize({16, 16});
  bar_->setMovable(false);
  make_file_menu(menuBar()->addMenu(tr("&File")));
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  make_edit_menu([this, edit](const QString& name, const QString& text, const QKeySequence& key,
                              const std::function<void()>& what) {
    if (name.isEmpty())
      edit->addSeparator();
    else
      add_action(edit, name, text, key, what);
  });
  make_run_menu(menuBar()->addMenu(tr("&Run")));
  QMenu* go = menuBar()->addMenu(tr("&Go"));
  make_finder(go);
  make_view_menu(menuBar()->addMenu(tr("&View")));
  make_help_menu(menuBar()->addMenu(tr("&Help")));
}

QAction* MainWindow::add_action(QMenu* menu, const QString& name, const QString& text, const QKeySequence& key,
                                const std::function<void()>& what, bool in_bar) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcut(key);
  const QString plain = QString(text).remove(QLatin1Char('&'));
  action->setToolTip(key.isEmpty() ? plain
                                   : QStringLiteral("%1 (%2)").arg(plain, key.toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, this, [this, what] {
    typed_.invalidate();  // a command ends the typing: what comes of it is to be seen
    what();
  });
  menu->addAction(action);
  if (in_bar) {
    action->setIcon(tool_icon(name, theme_));
    action->setIconVisibleInMenu(false);
    bar_->addAction(action);
  }
  actions_[name] = action;
  return action;
}

void MainWindow::make_file_menu(QMenu* menu) {
  add_action(menu, "new_text", tr("&New text..."), QKeySequence::New, [this] { new_text(); });
  add_action(menu, "new_project", tr("New &project..."), {}, [this] { new_project(); });
  add_action(menu, "open_project", tr("&Open..."), QKeySequence::Open, [this] {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a project or recording"), workspace_.path(),
                                     tr("Projects and recordings (weft.json *.weftrec);;All files (*)"));
    if (!path.isEmpty()) open_project(path);
  });
  auto* examples = new ExamplesMenu(menu);
  connect(examples, &ExamplesMenu::chosen, this, &MainWindow::open_project);
  menu->addMenu(examples);
  recent_ = menu->addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fill_recent);
  menu->addSeparator();
  add_action(menu, "save", tr("&Save"), QKeySequence::Save, [this] {
    if (Text* text = texts_->current()) texts_->save(*text);
  });
  add_action(menu, "save_as", tr("Sa&ve as..."), {}, [this] { save_text_as(); });
  add_action(menu, "save_all", tr("Save &all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
             [this] { texts_->save_all(); });
  add_action(menu, "close_text", tr("&Close the text"), QKeySequence(Qt::CTRL | Qt::Key_W),
             [this] { texts_->close(texts_->tabs()->currentIndex()); });
  menu->addSeparator();
  add_action(menu, "quit", tr("&Quit"), QKeySequence::Quit, [this] { close(); });
}

// What is recorded of a run. Another choice needs another run, from its begin.
void MainWindow::make_watch_menu(QMenu* menu) {
  struct Kind {
    const char* name;
    QString text;
    bool workbench::Observation::*member;
  };
  const Kind kinds[] = {{"watch_history", tr("&History"), &workbench::Observation::history},
                        {"watch_coverage", tr("&Coverage"), &workbench::Observation::coverage},
                        {"watch_statistics", tr("&Statistics"), &workbench::Observation::statistics},
                        {"watch_profile", tr("Pr&ofile"), &workbench::Observation::profile},
                        {"watch_packets", tr("&Packets"), &workbench::Observation::packets}};
  for (const Kind& kind : kinds) {
    QAction* action = add_action(menu, kind.name, kind.text, {}, [this, kind] {
      workbench::Observation observation = workspace_.observation();
      observation.*kind.member = actions_.at(kind.name)->isChecked();
      workspace_.set_observation(observation);
      if (keeps_) user_settings().setValue(QStringLiteral("observe/") + kind.name, observation.*kind.member);
    });
    action->setCheckable(true);
  }
  menu->addSeparator();
  add_action(menu, "checkpoints", tr("Chec&kpoints..."), {}, [this] {
    auto* dialog = new CheckpointsDialog(workspace_.checkpoints(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
      const Checkpoints chosen = dialog->checkpoints();
      workspace_.set_checkpoints(chosen);
      if (!keeps_) return;
      user_settings().setValue(QStringLiteral("observe/checkpoint_cycles"), qulonglong{chosen.cycles});
      user_settings().setValue(QStringLiteral("observe/checkpoints"), qulonglong{chosen.max});
    });
    dialog->open();
  });
  connect(menu, &QMenu::aboutToShow, this, [this] {
    const workbench::Observation& o = workspace_.observation();
    actions_.at("watch_history")->setChecked(o.history);
    actions_.at("watch_coverage")->setChecked(o.coverage);
    actions_.at("watch_statistics")->setChecked(o.statistics);
    actions_.at("watch_profile")->setChecked(o.profile);
    actions_.at("watch_packets")->setChecked(o.packets);
  });
}

}  // namespace weft::ide
