#include "project_tree.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "contexts_model.h"

namespace weft::ide {

namespace {

QStandardItem* make_row(const QString& text, ProjectTreeModel::Kind kind) {
  auto* out = new QStandardItem(text);
  out->setEditable(false);
  out->setData(static_cast<int>(kind), ProjectTreeModel::kKindRole);
  return out;
}

QString path_of(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

}  // namespace

QStringList other_files(const workbench::Project& project) {
  QStringList out;
  const auto add = [&](const std::filesystem::path& path) {
    const QString text = path_of(path);
    if (!path.empty() && QFileInfo(text).isFile() && !out.contains(text)) out << text;
  };
  add(project.folder / "weft.json");
  if (project.board.ends_with(".json")) add((project.folder / project.board).lexically_normal());
  if (project.control && project.control->has_program()) {
    add(project.control->config);
    for (const auto& [name, value] : project.control->options) add(project.folder / value);
  }
  for (const workbench::ProgramEntry& program : project.programs) add(program.rules);
  for (const workbench::PortEntry& port : project.ports) {
    add(port.in.table);
    add(port.in.capture);
  }
  return out;
}

QStringList tests_of(const workbench::Project& project) {
  QStringList out;
  for (const char* folder : {".", "tests"}) {
    const QDir dir(path_of(project.folder / folder));
    for (const QString& name : dir.entryList({QStringLiteral("*.test.json")}, QDir::Files, QDir::Name))
      out << QDir::cleanPath(dir.filePath(name));
  }
  return out;
}

ProjectTreeModel::ProjectTreeModel(Workspace& workspace, QObject* parent)
    : QStandardItemModel(parent), workspace_(workspace) {
  connect(&workspace_, &Workspace::project_changed, this, &ProjectTreeModel::attach);
  connect(&workspace_, &Workspace::project_read_again, this, &ProjectTreeModel::fill);
  connect(&workspace_.language(), &Language::indexed, this, &ProjectTreeModel::fill_sources);
}

void ProjectTreeModel::attach() {
  fill();
  if (Target* target = workspace_.target())
    connect(target, &Target::view_changed, this, &ProjectTreeModel::show_states);
}

void ProjectTreeModel::fill() {
  clear();
  contexts_.clear();
  const workbench::Project& project = workspace_.project();
  auto* root = make_row(QString::fromStdString(project.name), Kind::group);
  root->setToolTip(path_of(project.folder));
  appendRow(root);
  chips_ = make_row(tr("Chips"), Kind::group);
  sources_ = make_row(tr("Microcode"), Kind::group);
  root->appendRow(chips_);
  root->appendRow(sources_);
  auto* others = make_row(tr("Configuration and tables"), Kind::group);
  root->appendRow(others);
  fill_files(others, other_files(project), path_of(project.folder));
  if (const QStringList tests = tests_of(project); !tests.isEmpty()) {
    auto* group = make_row(tr("Tests"), Kind::group);
    root->appendRow(group);
    fill_files(group, tests, path_of(project.folder));
  }
  fill_sources();
  show_states();
}

void ProjectTreeModel::fill_files(QStandardItem* group, const QStringList& paths, const QString& folder) {
  for (const QString& path : paths) {
    auto* file = make_row(FileNames(folder).name(QFileInfo(path).absoluteFilePath()), Kind::file);
    file->setData(path, kPathRole);
    file->setToolTip(path);
    group->appendRow(file);
  }
}

// Each program, and under it what it includes. The same files keep their rows, so that what is open stays open.
void ProjectTreeModel::fill_sources() {
  if (sources_ == nullptr) return;
  QStringList mains;
  std::map<QString, QStringList> parts;
  for (const workbench::ProgramEntry& program : workspace_.project().programs) {
    const QString path = path_of(program.file);
    if (program.text || mains.contains(path)) continue;
    mains << path;
  }
  for (const ProgramIndex& program : workspace_.language().programs()) {
    QStringList& list = parts[QString::fromStdString(program.file)];
    for (uint32_t number = 1; number < program.index->files().size(); ++number) {
      const QString path = QString::fromStdString(program.index->files()[number]);
      if (!program.index->is_built_in(number) && QFileInfo(path).isFile() && !list.contains(path)) list << path;
    }
    std::ranges::sort(list, {}, [](const QString& path) { return QFileInfo(path).fileName().toLower(); });
  }
  QStringList shown;
  for (int row = 0; row < sources_->rowCount(); ++row) shown << sources_->child(row)->data(kPathRole).toString();
  if (shown != mains) {
    sources_->removeRows(0, sources_->rowCount());
    fill_files(sources_, mains, path_of(workspace_.project().folder));
  }
  for (int row = 0; row < sources_->rowCount(); ++row) {
    QStandardItem* main = sources_->child(row);
    QStringList old;
    for (int part = 0; part < main->rowCount(); ++part) old << main->child(part)->data(kPathRole).toString();
    const QStringList now = parts[mains[row]];
    if (old == now) continue;
    main->removeRows(0, main->rowCount());
    fill_files(main, now, path_of(workspace_.project().folder));
  }
}

void ProjectTreeModel::fill_chips() {
  chips_->removeRows(0, chips_->rowCount());
  contexts_.clear();
  const auto view = workspace_.target()->view();
  const QString board = QString::fromStdString(workspace_.project().board);
  std::vector<QStandardItem*> chips;
  for (const std::string& name : view->chips) {
    chips.push_back(make_row(name.empty() ? board : QString::fromStdString(name), Kind::chip));
    chips_->appendRow(chips.back());
  }
  for (const workbench::EngineView& e : view->engines) {
    auto* engine =
        make_row(tr("Microengine %1 – %2").arg(e.engine).arg(QString::fromStdString(e.program)), Kind::engine);
    for (const workbench::ProgramEntry& program : workspace_.project().programs)
      if (program.file.filename().string() == e.program &&
          std::ranges::find(program.engines, e.engine) != program.engines.end())
        engine->setData(path_of(program.file), kPathRole);
    chips.at(e.chip)->appendRow(engine);
    for (const workbench::ContextView& c : view->contexts) {
      if (c.id.chip != e.chip || c.id.engine != e.engine) continue;
      auto* context = make_row(QString(), Kind::context);
      context->setData(QVariant::fromValue(c.id.chip << 16 | c.id.engine << 8 | c.id.context), kContextRole);
      engine->appendRow(context);
      contexts_[c.id] = context;
    }
  }
}

void ProjectTreeModel::show_states() {
  const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
  if (chips_ == nullptr) return;
  if (!view) {
    if (chips_->rowCount() == 0 || chips_->child(0)->data(kKindRole).toInt() != static_cast<int>(Kind::group)) {
      chips_->removeRows(0, chips_->rowCount());
      contexts_.clear();
      chips_->appendRow(make_row(tr("Not built yet"), Kind::group));
    }
    return;
  }
  const bool same =
      contexts_.size() == view->contexts.size() && !view->contexts.empty() &&
      std::ranges::all_of(view->contexts, [&](const workbench::ContextView& c) { return contexts_.contains(c.id); });
  if (!same) fill_chips();
  for (const workbench::ContextView& c : view->contexts) {
    QString text = tr("Context %1 – %2").arg(c.id.context).arg(state_text(c.state));
    if (!c.waits_on.empty()) text += tr(", waits on %1").arg(QString::fromStdString(c.waits_on));
    if (QStandardItem* known = contexts_.at(c.id); known->text() != text) known->setText(text);
  }
}

std::optional<ContextId> ProjectTreeModel::context(const QModelIndex& index) const {
  const QVariant packed = index.data(kContextRole);
  if (!packed.isValid()) return std::nullopt;
  const unsigned number = packed.toUInt();
  return ContextId{number >> 16, number >> 8 & 0xff, number & 0xff};
}

QModelIndex ProjectTreeModel::index_of(ContextId id) const {
  const auto known = contexts_.find(id);
  return known == contexts_.end() ? QModelIndex() : known->second->index();
}

}  // namespace weft::ide
