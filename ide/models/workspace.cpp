#include "workspace.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <string_view>
#include <utility>

#include "breakpoint_text.h"
#include "weft/workbench/sources.h"

namespace weft::ide {

Workspace::Workspace(QObject* parent) : QObject(parent) {
  observation_.coverage = true;
  connect(&language_, &Language::indexed, this, [this] {
    note_overtaken();
    Q_EMIT problems_changed();
  });
}
Workspace::~Workspace() = default;

Result<bool> Workspace::open(const QString& path) {
  std::shared_ptr<const workbench::Recording> recording;
  if (workbench::is_meant_as_recording(path.toStdString())) {
    auto opened = workbench::Recording::open(path.toStdString());
    if (!opened) return tl::unexpected(std::move(opened.error()));
    recording = std::move(*opened);
  }
  auto project =
      recording ? Result<workbench::Project>(recording->project()) : workbench::load_project(path.toStdString());
  if (!project) return tl::unexpected(std::move(project.error()));
  auto sources = workbench::program_sources(*project);
  if (!sources) return tl::unexpected(std::move(sources.error()));
  project_ = std::move(*project);
  recording_ = std::move(recording);
  debugged_.reset();
  path_ = path;
  names_ = FileNames(QString::fromStdString(project_.folder.string()));
  target_problems_ = breakpoint_problems_ = {};
  overtaken_.clear();
  edited_ = false;
  breakpoints_.clear();
  cursor_.set_context(std::nullopt);
  cursor_.set_packet(0);
  cursor_.set_range(std::nullopt);
  cursor_.set_cycle(0);
  language_.set_programs(std::move(*sources));
  opened_now_ = true;
  make_target();
  if (recording_)
    Q_EMIT message(tr("A recording, at its end. Its sources are copies: open the project to change them."));
  return true;
}

void Workspace::make_target() {
  SessionSettings settings;
  settings.project = path_.toStdString();
  settings.recording = recording_;
  settings.observation = debugged_ ? case_observation_ : observation_;
  settings.test = debugged_;
  settings.checkpoints = checkpoints_;
  target_ = std::make_unique<SessionTarget>(std::move(settings));
  building_ = false;
  target_->set_names(names_);
  connect(target_.get(), &Target::breakpoints_changed, this, [this](const std::vector<workbench::Breakpoint>& all) {
    breakpoints_ = all;
    Q_EMIT breakpoints_changed();
  });
  connect(target_.get(), &Target::problems_changed, this, [this](const Diagnostics& problems) {
    target_problems_ = problems;
    overtaken_.clear();
    Q_EMIT problems_changed();
  });
  connect(target_.get(), &Target::breakpoint_problems_changed, this, [this](const Diagnostics& problems) {
    if (problems.empty() && breakpoint_problems_.empty()) return;
    breakpoint_problems_ = problems;
    Q_EMIT problems_changed();
  });
  connect(target_.get(), &Target::wrong_found, this, [this](const workbench::WrongPlace& wrong) {
    if (wrong.packet != 0) cursor_.set_packet(wrong.packet);
    Q_EMIT wrong_found(wrong);
  });
  connect(target_.get(), &Target::noted, this, &Workspace::message);
  connect(target_.get(), &Target::state_changed, this, [this] {
    const bool building = target_->state() == Target::State::building;
    if (std::exchange(building_, building) && !building) take_build();
  });
  // Where the machine stands is where everybody looks, unless somebody looks elsewhere while it stands.
  connect(target_.get(), &Target::view_changed, this, [this] {
    if (const auto view = target_->view()) cursor_.set_cycle(view->cycle);
    if (target_->state() != Target::State::running)
      if (const auto id = target_->stopped_at()) cursor_.set_context(id);
  });
  Q_EMIT project_changed();
  if (!breakpoints_.empty()) target_->set_breakpoints(breakpoints_);
  target_->build();
}

// What the build has read is what the language has to know, also when it has failed: files may have changed outside.
void Workspace::take_build() {
  BuiltFiles built = target_->build_failed() ? BuiltFiles() : target_->built_files();
  const bool same = !target_->build_failed() && built == built_;
  built_ = std::move(built);
  if (!std::exchange(opened_now_, false) && !same && !recording_) return read_project();
  note_overtaken();  // no other index comes: texts may have been typed over while it was built
  if (std::ranges::any_of(overtaken_, [](const auto& file) { return file.second; })) Q_EMIT problems_changed();
}

void Workspace::read_project() {
  auto project = workbench::load_project(path_.toStdString());
  if (!project) return language_.read_again();  // the build has said why
  auto sources = workbench::program_sources(*project);
  if (!sources) return language_.read_again();
  language_.set_programs(std::move(*sources));
  const auto text = [](const workbench::Project& of) {
    return of.document.source() ? of.document.source()->text() : std::string_view();
  };
  if (text(*project) == text(project_)) return;
  project_ = std::move(*project);
  Q_EMIT project_read_again();
}

void Workspace::on_state(QObject* who, const std::function<void()>& then) const {
  connect(this, &Workspace::project_changed, who, [this, who, then] {
    connect(target(), &Target::state_changed, who, then);
    then();
  });
}

void Workspace::observe_too(bool workbench::Observation::*part) {
  workbench::Observation more = observation();
  more.*part = true;
  set_observation(more);
}

void Workspace::set_observation(const workbench::Observation& observation) {
  workbench::Observation& wanted = debugged_ ? case_observation_ : observation_;
  wanted = observation;
  if (wanted.packets) wanted.packet_limits.frames = true;  // views show what stands in them
  if (recording_)
    Q_EMIT message(
        tr("This is a recording: it shows what was watched when it was made. Record the run again to watch more."));
  else if (target_)
    make_target();
}

void Workspace::debug_case(std::optional<workbench::TestPlan::Item> item) {
  if (!target_ || recording_ || (!item && !debugged_)) return;
  debugged_ = std::move(item);
  case_observation_ = observation_;
  case_observation_.history = case_observation_.packets = case_observation_.packet_limits.frames = true;
  cursor_.set_packet(0);
  cursor_.set_range(std::nullopt);
  cursor_.set_cycle(0);
  make_target();
}

void Workspace::set_checkpoints(const Checkpoints& checkpoints) {
  if (checkpoints == checkpoints_) return;
  checkpoints_ = checkpoints;
  if (recording_)
    Q_EMIT message(tr("This is a recording: it has the checkpoints that were recorded."));
  else if (target_)
    make_target();
}

// A text that was edited since the build read it, and that the index knows: the index has its problems as they are now,
// at the lines where they are now.
bool Workspace::is_overtaken(const SourceFile& file) const {
  if (file.text().empty()) return false;
  const auto index = language_.index_of(QString::fromStdString(file.name()));
  const auto known = index ? index->file(file.name()) : std::nullopt;
  return known && index->text(*known) != file.text();
}

void Workspace::note_overtaken() {
  overtaken_.clear();
  for (const Diagnostic& d : target_problems_) {
    if (!d.range || d.range.begin.line == 0) continue;
    const auto [file, is_new] = overtaken_.try_emplace(d.range.file.get(), false);
    if (is_new) file->second = is_overtaken(*d.range.file);
  }
}

Diagnostics Workspace::problems() const {
  Diagnostics all = language_.problems();
  for (const Diagnostics* some : {&target_problems_, &breakpoint_problems_})
    for (const Diagnostic& d : *some) {
      if (some == &target_problems_ && d.range && d.range.begin.line != 0) {
        const auto file = overtaken_.find(d.range.file.get());
        if (file != overtaken_.end() && file->second) continue;
      }
      const bool known = std::any_of(all.begin(), all.end(), [&](const Diagnostic& k) {
        return k.code == d.code && k.text == d.text && k.range.begin == d.range.begin;
      });
      if (!known) all.add(d);
    }
  return all;
}

void Workspace::forget_build_problems() {
  if (target_problems_.empty()) return;
  target_problems_ = {};
  overtaken_.clear();
  Q_EMIT problems_changed();
}

// They are the user's at once, and again when the target knows where they are.
void Workspace::set_breakpoints(std::vector<workbench::Breakpoint> all) {
  if (!target_) return;
  breakpoints_ = all;
  // A build takes the texts as they are now, and these come after it.
  const bool building = target_->state() == Target::State::building;
  Target::BuiltPlaces built;
  for (const workbench::Breakpoint& b : building ? std::vector<workbench::Breakpoint>() : all) {
    const auto then = in_built_text(b);
    if (!then || then->target != b.target) built.emplace(b.target, then ? then->target : std::string());
  }
  target_->set_breakpoints(std::move(all), building || !edited_, std::move(built));
  Q_EMIT breakpoints_changed();
}

std::optional<workbench::Breakpoint> Workspace::in_built_text(workbench::Breakpoint b) const {
  const int line = file_place(b).line;
  if (!built_line_ || line == 0) return b;
  const int then = built_line_(b);
  if (then == 0) return std::nullopt;
  if (then != line) set_line(b, then);
  return b;
}

void Workspace::request_built_place(const QString& path, int line) {
  const int now = line_now(path, line);
  Q_EMIT place_requested(path, now > 0 ? now : line, 1);
}

QString Workspace::short_name(const QString& path) const {
  const QFileInfo info(path);
  for (const ProgramIndex& program : language_.programs())
    for (const std::string& file : program.index ? program.index->files() : std::vector<std::string>{}) {
      const QFileInfo other(QString::fromStdString(file));
      if (other.fileName() == info.fileName() && other != info)
        return info.dir().dirName() + QLatin1Char('/') + info.fileName();
    }
  return info.fileName();
}

void Workspace::plan_breakpoints(std::vector<workbench::Breakpoint> all) {
  if (!target_) return;
  breakpoints_ = all;
  target_->plan_breakpoints(std::move(all));
  Q_EMIT breakpoints_changed();
}

void Workspace::add_breakpoint(workbench::Breakpoint added) {
  auto all = breakpoints_;
  added.id = 0;
  all.push_back(std::move(added));
  set_breakpoints(std::move(all));
}

void Workspace::change_breakpoint(size_t which, workbench::Breakpoint changed) {
  if (which >= breakpoints_.size()) return;
  auto all = breakpoints_;
  changed.id = all[which].id;
  all[which] = std::move(changed);
  set_breakpoints(std::move(all));
}

void Workspace::remove_breakpoint(size_t which) {
  if (which >= breakpoints_.size()) return;
  auto all = breakpoints_;
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(which));
  set_breakpoints(std::move(all));
}

void Workspace::set_watches(const QStringList& watches) {
  if (watches == watches_) return;
  watches_ = watches;
  Q_EMIT watches_changed();
}
void Workspace::add_watch(const QString& expression) {
  const QString text = expression.trimmed();
  if (!text.isEmpty() && !watches_.contains(text)) set_watches(watches_ + QStringList(text));
}

void Workspace::toggle_breakpoint(const QString& path, int line) {
  auto all = breakpoints_;
  const auto at = [&](const workbench::Breakpoint& b) { return is_in_file(b, path) && file_place(b).line == line; };
  if (std::erase_if(all, at) == 0) {
    workbench::Breakpoint added;
    added.target = QStringLiteral("%1:%2").arg(short_name(path)).arg(line).toStdString();
    all.push_back(std::move(added));
  }
  set_breakpoints(std::move(all));
}

}  // namespace weft::ide
