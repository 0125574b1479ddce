// When the machine is built anew, and from what: texts that differ from what runs, and who decides.
#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "case_bar.h"
#include "code_editor.h"
#include "main_window.h"
#include "rebuild_bar.h"
#include "texts.h"

namespace weft::ide {

namespace {

/// By the name that the target has for it.
bool is_open(const Texts& texts, const QString& path) {
  return std::ranges::any_of(texts.all(), [&](const Text& text) { return QDir::cleanPath(text.path) == path; });
}

}  // namespace

void MainWindow::make_rebuild_bar() {
  rebuild_bar_ = new RebuildBar;
  texts_->add_top_bar(rebuild_bar_);
  texts_->add_top_bar(new CaseBar(workspace_));
  connect(&workspace_, &Workspace::project_read_again, this, &MainWindow::show_title);
  connect(rebuild_bar_, &RebuildBar::replay_requested, this, [this] { rebuild(true); });
  connect(rebuild_bar_, &RebuildBar::rebuild_requested, this, [this] { rebuild(false); });
  connect(rebuild_bar_, &RebuildBar::go_on_requested, this, [this] {
    going_on_ = true;
    show_rebuild_bar();
    if (CodeEditor* editor = texts_->current_editor()) editor->setFocus();
  });
  connect(texts_, &Texts::edited, this, [this](const Text& text) {
    going_on_ = false;
    const bool differed = !stale_.empty();
    note_text(text);
    // The text is again the one that runs: what was wrong with another one is of no interest.
    if (differed && stale_.empty() && target() && target()->build_failed()) workspace_.forget_build_problems();
    show_rebuild_bar();
  });
  connect(texts_, &Texts::saved, this, [this](const QString& path) {
    if (target() && !target()->built_from().contains(QDir::cleanPath(path))) saved_others_ = true;
  });
  // Without its text the file counts: what was thrown away is no longer different, what was saved is.
  connect(texts_, &Texts::closed, this, [this](const QString& closed) {
    if (target() == nullptr) return;
    const QString path = QDir::cleanPath(closed);
    if (target()->built_files().has_changed(path))
      stale_[path] = QFileInfo(path).fileName();
    else
      stale_.erase(path);
    update_edited();
    show_rebuild_bar();
  });
}

bool MainWindow::has_run() const { return target() != nullptr && target()->view() && target()->present() > 0; }

void MainWindow::note_text(const Text& text) {
  if (target() == nullptr || workspace_.recording()) return;
  const QString path = QDir::cleanPath(text.path);
  const auto built = target()->built_from().find(path);
  const bool same = built != target()->built_from().end() && Target::digest_of(Texts::octets_of(text)) == built->second;
  if (same) text.editor->take_built_lines();
  // Typed over while it was built: its lines are those of the moment when that was asked for.
  if (!target()->busy())
    if (const auto planned = planned_.extract(path);
        !same && planned && built != target()->built_from().end() && planned.mapped() == built->second)
      text.editor->take_planned_lines();
  // What is not a text of the programs, a configuration say, is compared as it is on the disk.
  const bool is_text = built != target()->built_from().end();
  if (is_text ? !same : target()->built_files().has_changed(path))
    stale_[path] = QFileInfo(path).fileName();
  else
    stale_.erase(path);
  update_edited();
}

void MainWindow::update_edited() {
  workspace_.set_edited(target() != nullptr && std::ranges::any_of(stale_, [this](const auto& one) {
                          return target()->built_from().contains(one.first);
                        }));
}

bool MainWindow::build_needed() const {
  return target()->state() == Target::State::empty || target()->build_failed() || saved_others_ || !stale_.empty() ||
         !target()->built_files().changed().isEmpty();
}

void MainWindow::note_disk() {
  for (const QString& path : target()->built_files().changed())
    if (!is_open(*texts_, path) && stale_.emplace(path, QFileInfo(path).fileName()).second) going_on_ = false;
  update_edited();
  show_rebuild_bar();
}

// What was saved and closed is as different as before.
void MainWindow::note_all_texts() {
  std::erase_if(stale_, [this](const auto& one) {
    return target() == nullptr || is_open(*texts_, one.first) || !target()->built_files().has_changed(one.first);
  });
  for (const Text& text : texts_->all()) note_text(text);
  update_edited();
}

void MainWindow::show_rebuild_bar() {
  const bool building = target() && target()->state() == Target::State::building;
  if (building) return;  // it says in a moment what became of it
  if (stale_.empty() || going_on_ || !has_run()) return rebuild_bar_->hide();
  QStringList names;
  for (const auto& [path, name] : stale_) names << name;
  rebuild_bar_->ask(names, target()->view()->cycle, target()->build_failed());
}

void MainWindow::plan_build() {
  saved_others_ = false;
  planned_.clear();
  for (const Text& text : texts_->all()) {
    planned_[QDir::cleanPath(text.path)] = Target::digest_of(Texts::octets_of(text));
    text.editor->plan_built_lines();
  }
}

void MainWindow::build_and(const std::function<void()>& then) {
  if (target() == nullptr) return;
  const Target::State state = target()->state();
  if (state == Target::State::building) {
    after_build_ = then;  // keys are faster than a build
    return;
  }
  if (has_run()) {
    note_disk();  // it goes on with what it was built from, and the bar says so
  } else {
    if (!texts_->save_all()) return;
    if (build_needed()) {
      after_build_ = then;
      plan_build();
      target()->build();
      return;
    }
  }
  if (then) then();
}

void MainWindow::rebuild(bool replay) {
  if (target() == nullptr || target()->state() == Target::State::building || !texts_->save_all()) return;
  after_build_ = {};
  going_on_ = false;
  plan_build();
  if (replay)
    target()->build_and_replay();
  else
    target()->build();
}

}  // namespace weft::ide
