#include "find_view.h"

#include <QDirIterator>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <set>

#include "find_bar.h"
#include "places_table.h"
#include "tables.h"
#include "texts.h"

namespace weft::ide {

namespace {

constexpr size_t kMax = 5000;  // places; who finds more wants to search for something else

}  // namespace

QStringList project_texts(const Workspace& workspace, const Language& language) {
  std::set<QString> all;
  for (const ProgramIndex& program : language.programs())
    for (uint32_t file = 0; file < program.index->files().size(); ++file)
      if (!program.index->is_built_in(file)) all.insert(QString::fromStdString(program.index->files()[file]));
  const workbench::Project& project = workspace.project();
  for (const workbench::ProgramEntry& program : project.programs)
    if (!program.is_image && !program.text) all.insert(QString::fromStdString(program.file.string()));
  if (project.control && project.control->has_program())
    all.insert(QString::fromStdString(project.control->config.string()));
  const QString folder = QString::fromStdString(project.folder.string());
  if (!folder.isEmpty()) {
    QDirIterator files(folder,
                       {QStringLiteral("*.uc"), QStringLiteral("*.json"), QStringLiteral("*.conf"),
                        QStringLiteral("*.md"), QStringLiteral("*.rules")},
                       QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) all.insert(files.next());
  }
  return {all.begin(), all.end()};
}

FindView::FindView(Workspace& workspace, Theme)
    : workspace_(workspace),
      model_(new PlacesModel(this)),
      table_(make_places_table(this, tr("Found places"), *model_, workspace)) {
  const auto field = [](const QString& name) {
    auto* line = new QLineEdit;
    line->setAccessibleName(name);
    line->setPlaceholderText(name);
    return line;
  };
  const auto button = [this](const QString& text, auto what) {
    auto* b = new QPushButton(text);
    connect(b, &QPushButton::clicked, this, what);
    return b;
  };
  what_ = field(tr("Find in all texts"));
  with_ = field(tr("Replace in all texts by"));
  case_ = make_choice(QStringLiteral("Aa"), tr("Capital letters count"));
  words_ = make_choice(QStringLiteral("\"w\""), tr("Whole words only"));
  expression_ = make_choice(QStringLiteral(".*"), tr("Regular expression"));
  count_ = new QLabel(tr("Write a text above and press Enter: the places in the texts of the project stand here."));
  count_->setWordWrap(true);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(4, 4, 4, 0);
  top->addWidget(what_, 2);
  top->addWidget(case_);
  top->addWidget(words_);
  top->addWidget(expression_);
  top->addWidget(button(tr("Find"), [this] { search(); }));
  top->addWidget(with_, 2);
  top->addWidget(button(tr("Replace all"), [this] { replace_all(); }));
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(2);
  rows->addLayout(top);
  count_->setContentsMargins(6, 0, 6, 0);
  rows->addWidget(count_);
  rows->addWidget(table_, 1);
  table_->setColumnHidden(PlacesModel::kKind, true);
  connect(what_, &QLineEdit::returnPressed, this, &FindView::search);
  turn_.setInterval(0);
  connect(&turn_, &QTimer::timeout, this, &FindView::search_one);
  connect(&workspace, &Workspace::project_changed, this, [this] {
    turn_.stop();
    model_->set({}, workspace_.names());
    count_->setText(tr("What is found in the texts of the project stands here."));
  });
}

void FindView::open(const QString& what) {
  if (!what.isEmpty()) what_->setText(what);
  what_->selectAll();
  what_->setFocus();
}

void FindView::search() {
  turn_.stop();
  model_->set({}, workspace_.names());
  search_ = std::make_unique<TextSearch>(
      SearchOptions{what_->text(), case_->isChecked(), words_->isChecked(), expression_->isChecked()});
  if (search_->is_empty()) {
    count_->setText(search_->error().isEmpty() ? tr("Write what to find.")
                                               : tr("The expression is wrong: %1").arg(search_->error()));
    return;
  }
  files_ = project_texts(workspace_, workspace_.language());
  next_ = 0;
  count_->setText(tr("Searching..."));
  turn_.start();
}

void FindView::search_one() {
  const size_t had = model_->places().size();
  if (next_ < files_.size() && had < kMax) {
    const QString path = files_[next_++];
    const auto octets = workspace_.language().text(path);
    const auto text = octets ? text_of_octets(QByteArray::fromStdString(*octets)) : std::nullopt;
    if (text) model_->add(search_->places(path, *text, kMax - had));
    return;
  }
  turn_.stop();
  table_->resizeColumnsToContents();
  std::set<QString> in;
  for (const FoundPlace& place : model_->places()) in.insert(place.path);
  if (had == 0)
    count_->setText(tr("Nothing is found in %1 files.").arg(files_.size()));
  else
    count_->setText((had == kMax ? tr("The first %1 places in %2 of %3 files; there may be more.")
                                 : tr("%1 places in %2 of %3 files."))
                        .arg(had)
                        .arg(in.size())
                        .arg(files_.size()));
}

void FindView::replace_all() {
  if (turn_.isActive() || !search_ || model_->rowCount() == 0) {
    if (!turn_.isActive()) count_->setText(tr("Find first: what is listed is what will be replaced."));
    return;
  }
  std::vector<TextEdit> edits;
  for (const FoundPlace& place : model_->places()) {
    TextEdit edit;
    edit.path = place.path;
    edit.begin = {static_cast<uint32_t>(place.line), static_cast<uint32_t>(place.column)};
    edit.end = {static_cast<uint32_t>(place.line), static_cast<uint32_t>(place.column + place.length)};
    edit.replacement = search_->replacement(place.text, {place.begin, place.size}, with_->text());
    edit.expected = place.text.mid(place.begin, place.size);
    edits.push_back(std::move(edit));
  }
  Q_EMIT edits_requested(edits);
}

QJsonValue FindView::state() const {
  return QJsonObject{{"find", what_->text()}, {"said", count_->text()}, {"places", rows_of(model_)}};
}

}  // namespace weft::ide
