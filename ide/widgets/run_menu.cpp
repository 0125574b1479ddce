// The Run menu: forwards, backwards, and to where the user wants the machine to stand.
#include <QAction>
#include <QInputDialog>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

#include "breakpoint_dialog.h"
#include "breakpoint_menu.h"
#include "code_editor.h"
#include "code_follow.h"
#include "main_window.h"
#include "models/follow_cursor.h"
#include "texts.h"

namespace weft::ide {

namespace {

using workbench::Breakpoint;
using workbench::Step;

Breakpoint stop_at(Breakpoint::Kind kind, std::string target) {
  Breakpoint b;
  b.kind = kind;
  b.target = std::move(target);
  return b;
}

}  // namespace

void MainWindow::make_run_menu(QMenu* menu) {
  add_action(
      menu, "build", tr("&Build"), QKeySequence(Qt::CTRL | Qt::Key_B),
      [this] {
        if (target() && build_needed())
          rebuild(false);
        else
          texts_->save_all();
      },
      true);
  add_action(menu, "rebuild_replay", tr("Build and repla&y to this cycle"),
             QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), [this] { rebuild(true); });
  bar_->addSeparator();
  add_action(
      menu, "run", tr("&Run"), QKeySequence(Qt::Key_F5), [this] { run(); }, true);
  add_action(
      menu, "pause", tr("&Pause"), QKeySequence(Qt::Key_F6), [this] { target()->pause(); }, true);
  add_action(
      menu, "restart", tr("Buil&d and start anew"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5),
      [this] { rebuild(false); }, true)
      ->setIconText(tr("Restart"));
  add_action(menu, "give_up", tr("Gi&ve up, and back to where it began"), QKeySequence(Qt::Key_Escape),
             [this] { target()->give_up(); });
  QMenu* to = menu->addMenu(tr("Run &to"));
  add_action(to, "run_to_cursor", tr("The &cursor"), QKeySequence(Qt::CTRL | Qt::Key_F10), [this] {
    if (Text* text = texts_->current())
      run_to(breakpoint_at(workspace_, text->path, text->editor->current_line_number()));
  });
  add_action(to, "run_until", tr("A c&ycle, time or condition..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F10),
             [this] { run_until(); });
  to->addSeparator();
  add_action(to, "next_in", tr("The next frame that &arrives"), {},
             [this] { run_to(stop_at(Breakpoint::Kind::packet, "in")); });
  add_action(to, "next_out", tr("The next frame that &leaves"), {},
             [this] { run_to(stop_at(Breakpoint::Kind::packet, "out")); });
  add_action(to, "next_dropped", tr("The next packet that a program &drops"), {},
             [this] { run_to(stop_at(Breakpoint::Kind::packet, "dropped")); });
  add_action(to, "next_lost", tr("The next frame that is l&ost"), {},
             [this] { run_to(stop_at(Breakpoint::Kind::packet, "lost")); });
  const auto chosen = [this] {
    const ContextId id = chosen_context();
    const auto view = target()->view();
    const std::string chip = view && view->chips.size() > 1 ? view->chips[id.chip] + ": " : std::string();
    return chip + "me" + std::to_string(id.engine) + ".ctx" + std::to_string(id.context);
  };
  add_action(to, "next_signal", tr("The next &signal of the context"), {}, [this, chosen] {
    build_and([this, chosen] { run_to(stop_at(Breakpoint::Kind::signal, chosen() + ".*")); });
  });
  add_action(to, "next_swap", tr("The next s&wap of the context"), {},
             [this, chosen] { build_and([this, chosen] { run_to(stop_at(Breakpoint::Kind::swap, chosen())); }); });
  add_action(to, "next_event", tr("Another &event..."), {}, [this] {
    auto* dialog = new BreakpointDialog(workspace_, stop_at(Breakpoint::Kind::packet, "in"), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Run to an event"));
    connect(dialog, &QDialog::accepted, this, [this, dialog] { run_to(dialog->breakpoint()); });
    dialog->open();
  });
  auto* button = new QToolButton;
  button->setText(tr("Run to"));
  button->setMenu(to);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setToolTip(tr("Run to a place, a moment or an event"));
  bar_->addWidget(button);
  bar_->addSeparator();

  menu->addSeparator();
  const auto step = [this](Step how) { build_and([this, how] { target()->step(chosen_context(), how); }); };
  add_action(
      menu, "step", tr("Step &instruction"), QKeySequence(Qt::Key_F9), [step] { step(Step::instruction); }, true)
      ->setIconText(tr("Step"));
  add_action(
      menu, "step_line", tr("Step &line"), QKeySequence(Qt::Key_F11), [step] { step(Step::line); }, true)
      ->setIconText(tr("Line"));
  add_action(
      menu, "step_over", tr("Step &over"), QKeySequence(Qt::Key_F10), [step] { step(Step::over); }, true)
      ->setIconText(tr("Over"));
  add_action(
      menu, "step_out", tr("Step o&ut"), QKeySequence(Qt::SHIFT | Qt::Key_F11), [step] { step(Step::out); }, true)
      ->setIconText(tr("Out"));
  QAction* swap = add_action(
      menu, "step_swap", tr("Step over a s&wap"), QKeySequence(Qt::CTRL | Qt::Key_F9), [step] { step(Step::swap); },
      true);
  swap->setIconText(tr("Swap"));
  add_action(menu, "again", tr("Until the context runs a&gain"), QKeySequence(Qt::CTRL | Qt::Key_F11),
             [step] { step(Step::again); });
  bar_->addSeparator();
  menu->addSeparator();
  add_action(
      menu, "step_back", tr("Step bac&k"), QKeySequence(Qt::SHIFT | Qt::Key_F9),
      [this] { target()->step_back(chosen_context()); }, true)
      ->setIconText(tr("Back"));
  add_action(
      menu, "run_back", tr("Run b&ackwards"), QKeySequence(Qt::SHIFT | Qt::Key_F5), [this] { target()->run_back(); },
      true)
      ->setIconText(tr("Run back"));
  add_action(menu, "present", tr("Back to th&e present"), QKeySequence(Qt::CTRL | Qt::Key_End),
             [this] { target()->go_to_present(); });
  QAction* follow = add_action(menu, "follow", tr("The machine &follows the cursor of time"), {}, [this] {
    follow_->set_on(actions_.at("follow")->isChecked());
    if (keeps_) user_settings().setValue(QStringLiteral("window/follow"), follow_->on());
  });
  follow->setCheckable(true);
  follow->setChecked(follow_->on());
  bar_->addSeparator();
  QAction* text_follows = add_action(
      menu, "text_follows", tr("The te&xt follows"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_F),
      [this] {
        code_follow_->set_on(actions_.at("text_follows")->isChecked());
        if (keeps_) user_settings().setValue(QStringLiteral("window/text_follows"), code_follow_->on());
      },
      true);
  text_follows->setIconText(tr("Follow"));
  text_follows->setToolTip(tr("A click in History, Contexts or Packets, and a pause, show the place in the text (%1)")
                               .arg(text_follows->shortcut().toString(QKeySequence::NativeText)));
  text_follows->setCheckable(true);
  text_follows->setChecked(code_follow_->on());
  menu->addSeparator();
  add_action(menu, "breakpoint", tr("Toggle breakpoi&nt"), QKeySequence(Qt::Key_F8), [this] {
    if (Text* text = texts_->current()) workspace_.toggle_breakpoint(text->path, text->editor->current_line_number());
  });
  add_action(menu, "new_breakpoint", tr("New breakpoint..."), QKeySequence(Qt::SHIFT | Qt::Key_F8), [this] {
    if (target()) edit_breakpoint(workspace_, {}, std::nullopt, this);
  });
  menu->addSeparator();
  make_watch_menu(menu->addMenu(tr("Watc&h the run for")));
}

void MainWindow::run() {
  build_and([this] {
    if (!target()->over()) return target()->run();
    const auto key = [this](const char* name) {
      return actions_.at(name)->shortcut().toString(QKeySequence::NativeText);
    };
    Q_EMIT workspace_.message(tr("The run has ended: %1. Restart (%2) starts it anew, %3 goes back in it")
                                  .arg(target()->reason(), key("restart"), key("run_back")));
  });
}

void MainWindow::run_to(const Breakpoint& to) {
  typed_.invalidate();  // also from a menu at a line
  // After the build, if there is one: the cursor is in the text as it is now, the machine runs it as it was built.
  build_and([this, to] {
    if (const auto there = workspace_.in_built_text(to)) return target()->run_to(*there);
    Q_EMIT workspace_.message(
        tr("The line is newer than the program that runs: build it, or build and replay, to run to it"));
  });
}

// One field for what people have at hand: a cycle, a time, a number of packets, or a condition.
void MainWindow::run_until() {
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("run_until"));
  dialog->setWindowTitle(tr("Run to"));
  dialog->setLabelText(
      tr("A cycle (5000), a time (20us), a number of packets (100 packets), or a condition (scratch[0x40] == 3).\nA "
         "cycle that has been goes back to it."));
  dialog->setInputMode(QInputDialog::TextInput);
  const auto view = target() ? target()->view() : nullptr;
  dialog->setTextValue(QString::number(view ? view->cycle : 0));
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
    build_and([this, text] {
      bool number = false;
      const uint64_t cycle = text.trimmed().toULongLong(&number, 0);
      const auto now = target()->view();
      if (!number)
        target()->run_until(text.trimmed().toStdString());
      else if (now && cycle <= now->cycle)
        target()->go_to(cycle);
      else
        target()->run_until(std::to_string(cycle) + " cycles");
    });
  });
  dialog->open();
}

void MainWindow::line_menu(const QString& path, int line, const QPoint& at) {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("line_menu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fill_line_menu(*menu, workspace_, path, line, this);
  menu->popup(at);
}

void MainWindow::state_changed() {
  using State = Target::State;
  const State state = target() ? target()->state() : State::empty;
  const bool still = state == State::stopped || state == State::ended || state == State::faulted;
  for (const char* name :
       {"step", "step_line", "step_over", "step_out", "step_swap", "again", "run", "run_to_cursor", "run_until",
        "next_in", "next_out", "next_dropped", "next_lost", "next_signal", "next_swap", "next_event"})
    actions_[name]->setEnabled(target() && (still || state == State::empty || state == State::building));
  for (const char* name : {"step_back", "run_back"}) actions_[name]->setEnabled(still);
  for (const char* name : {"build", "restart"}) actions_[name]->setEnabled(target() && state != State::building);
  actions_["rebuild_replay"]->setEnabled(target() && state != State::building && has_run() && !workspace_.recording());
  const bool moves = state == State::running || (target() && target()->moving());
  for (const char* name : {"pause", "give_up"}) actions_[name]->setEnabled(moves);
  show_state();
  if (state == State::building) return;
  note_all_texts();
  show_rebuild_bar();
  const auto then = std::exchange(after_build_, {});
  if (then && state == State::stopped && !target()->build_failed()) then();
}

ContextId MainWindow::chosen_context() const {
  if (const auto chosen = workspace_.cursor().context()) return *chosen;
  const auto view = target()->view();
  return view && !view->contexts.empty() ? view->contexts.front().id : ContextId();
}

}  // namespace weft::ide
