#include "tests_model.h"

#include <algorithm>

namespace weft::ide {

namespace {

using workbench::CaseOutcome;
using workbench::Verdict;

QString text_of(Verdict verdict) { return QString::fromStdString(std::string(workbench::to_text(verdict))); }

/// The number of its file, from 1, in what a case's index carries; 0: a file.
constexpr quintptr kOfFile = 0;

}  // namespace

TestsModel::TestsModel(QObject* parent) : QAbstractItemModel(parent) {}

TestsModel::~TestsModel() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void TestsModel::set_files(const QStringList& files, const FileNames& names) {
  if (runs_) return;
  std::map<std::pair<std::string, std::string>, CaseOutcome> known;
  for (const File& file : files_)
    for (const Case& one : file.cases)
      if (one.outcome) known.emplace(std::pair(file.path, one.name), *one.outcome);
  beginResetModel();
  names_ = names;
  files_.clear();
  problems_.clear();
  for (const QString& name : files) {
    File& file = files_.emplace_back();
    file.path = name.toStdString();
    auto plan = workbench::plan_tests({file.path}, {});
    const Diagnostics& problems = plan ? plan->problems : plan.error();
    if (!problems.empty() && problems_.isEmpty()) {
      const Diagnostic& d = problems.list().front();
      problems_ = (d.range.file ? names_.place(d.range.file->name(), d.range.begin.line) + QStringLiteral(": ")
                                : names_.name(name) + QStringLiteral(": ")) +
                  QString::fromStdString(d.text);
    }
    if (!plan) continue;
    for (workbench::TestPlan::Item& item : plan->cases) {
      Case& one = file.cases.emplace_back();
      one.name = item.name;
      if (const auto last = known.find({file.path, item.name}); last != known.end()) one.outcome = last->second;
      one.item = std::move(item);
    }
  }
  endResetModel();
  Q_EMIT changed();
}

size_t TestsModel::cases() const {
  size_t out = 0;
  for (const File& file : files_) out += file.cases.size();
  return out;
}

void TestsModel::run(const QModelIndexList& rows) {
  if (runs_) return;
  std::set<std::pair<int, int>> chosen;
  for (const QModelIndex& row : rows) {
    if (row.internalId() != kOfFile) {
      chosen.emplace(static_cast<int>(row.internalId()) - 1, row.row());
    } else {
      for (int i = 0; i < rowCount(row.siblingAtColumn(0)); ++i) chosen.emplace(row.row(), i);
    }
  }
  workbench::TestPlan plan;
  for (size_t f = 0; f < files_.size(); ++f)
    for (size_t c = 0; c < files_[f].cases.size(); ++c) {
      if (!rows.isEmpty() && !chosen.contains({static_cast<int>(f), static_cast<int>(c)})) continue;
      files_[f].cases[c].waits = true;
      plan.cases.push_back(files_[f].cases[c].item);
    }
  if (plan.cases.empty()) return;
  if (thread_.joinable()) thread_.join();
  stop_ = false;
  runs_ = true;
  if (!files_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  Q_EMIT changed();
  thread_ = std::thread([this, plan = std::move(plan)] {
    workbench::TestOptions options;
    options.coverage = true;
    options.interrupt = &stop_;
    const workbench::TestRun run = run_tests(plan, options, [this](const CaseOutcome& outcome) {
      QMetaObject::invokeMethod(
          this, [this, outcome] { take(outcome); }, Qt::QueuedConnection);
    });
    QMetaObject::invokeMethod(
        this, [this, covered = merged_coverage(run)] { ended(covered); }, Qt::QueuedConnection);
  });
}

void TestsModel::stop() { stop_ = true; }

void TestsModel::take(const CaseOutcome& outcome) {
  for (size_t f = 0; f < files_.size(); ++f)
    for (size_t c = 0; c < files_[f].cases.size(); ++c) {
      Case& one = files_[f].cases[c];
      if (one.item.file != outcome.file || one.name != outcome.name) continue;
      one.outcome = outcome;
      one.waits = false;
      const QModelIndex file = index(static_cast<int>(f), 0);
      Q_EMIT dataChanged(index(static_cast<int>(c), 0, file), index(static_cast<int>(c), kColumns - 1, file));
      Q_EMIT dataChanged(file, file.siblingAtColumn(kColumns - 1));
    }
  Q_EMIT changed();
}

void TestsModel::ended(const workbench::SourceCoverage& coverage) {
  runs_ = false;
  for (File& file : files_)
    for (Case& one : file.cases) one.waits = false;
  covered_.add(coverage);
  lines_.clear();
  for (const auto& [path, file] : covered_.files) {
    std::map<int, LineCoverage>& lines = lines_[path];
    for (const auto& [line, executed] : file.lines) lines[static_cast<int>(line)].executed = executed;
    for (const auto& [place, word] : file.words)
      if (word.conditional)
        lines[static_cast<int>(place.first)].branches[{path, place.second}] = {word.taken, word.not_taken};
  }
  if (!files_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  Q_EMIT changed();
  Q_EMIT finished();
}

QString TestsModel::summary() const {
  size_t good = 0, bad = 0, waiting = 0, all = 0;
  for (const File& file : files_)
    for (const Case& one : file.cases) {
      ++all;
      waiting += one.waits;
      if (!one.waits && one.outcome) (is_good(one.outcome->verdict) ? good : bad) += 1;
    }
  if (all == 0) return {};
  if (good + bad + waiting == 0) return tr("%L1 tests").arg(all);
  QString out = tr("%L1 passed").arg(good);
  if (bad > 0) out += tr(", %L1 failed").arg(bad);
  if (waiting > 0) out += tr(", %L1 to run").arg(waiting);
  if (good + bad + waiting < all) out += tr(", %L1 not run").arg(all - good - bad - waiting);
  return out;
}

QModelIndex TestsModel::first_failure() const {
  for (size_t f = 0; f < files_.size(); ++f)
    for (size_t c = 0; c < files_[f].cases.size(); ++c)
      if (const auto& outcome = files_[f].cases[c].outcome; outcome && !is_good(outcome->verdict))
        return index(static_cast<int>(c), 0, index(static_cast<int>(f), 0));
  return {};
}

std::optional<workbench::TestPlan::Item> TestsModel::case_at(const QModelIndex& row) const {
  if (!row.isValid()) return std::nullopt;
  if (row.internalId() != kOfFile) return files_[row.internalId() - 1].cases[static_cast<size_t>(row.row())].item;
  const std::vector<Case>& cases = files_[static_cast<size_t>(row.row())].cases;
  const auto failed =
      std::ranges::find_if(cases, [](const Case& c) { return c.outcome && !is_good(c.outcome->verdict); });
  if (failed != cases.end()) return failed->item;
  return cases.empty() ? std::nullopt : std::optional(cases.front().item);
}

QModelIndex TestsModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kOfFile);
}
QModelIndex TestsModel::parent(const QModelIndex& index) const {
  return !index.isValid() || index.internalId() == kOfFile
             ? QModelIndex()
             : createIndex(static_cast<int>(index.internalId()) - 1, 0, kOfFile);
}
int TestsModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(files_.size());
  if (parent.internalId() != kOfFile || parent.column() != 0) return 0;
  return static_cast<int>(files_[static_cast<size_t>(parent.row())].cases.size());
}
int TestsModel::columnCount(const QModelIndex&) const { return kColumns; }

QVariant TestsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole && (index.column() == kCycles || index.column() == kTime))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (index.internalId() == kOfFile) return of_file(files_[static_cast<size_t>(index.row())], index.column(), role);
  return of_case(files_[index.internalId() - 1].cases[static_cast<size_t>(index.row())], index.column(), role);
}

QVariant TestsModel::of_file(const File& file, int column, int role) const {
  if (role == kFileRole) return QString::fromStdString(file.path);
  if (role == kLineRole || role == kColumnRole) return 1;
  size_t good = 0, ran = 0;
  for (const Case& one : file.cases)
    if (one.outcome) ++ran, good += is_good(one.outcome->verdict);
  if (role == kBadRole) return good < ran;
  if (role == Qt::ToolTipRole) return QString::fromStdString(file.path);
  if (role != Qt::DisplayRole) return {};
  if (column == kName) return names_.name(file.path);
  if (column == kVerdict)
    return ran == 0 ? tr("%L1 tests").arg(file.cases.size()) : tr("%L1 of %L2 passed").arg(good).arg(file.cases.size());
  return {};
}

QVariant TestsModel::of_case(const Case& one, int column, int role) const {
  const CaseOutcome* outcome = one.outcome ? &*one.outcome : nullptr;
  const workbench::CaseFailure* wrong = nullptr;
  if (outcome != nullptr)
    for (const workbench::CaseFailure& f : outcome->failures)
      if (wrong == nullptr && !f.file.empty()) wrong = &f;
  switch (role) {
    case kFileRole: return QString::fromStdString(wrong ? wrong->file : one.item.file);
    case kLineRole: return wrong ? static_cast<int>(wrong->at.line) : 1;
    case kColumnRole: return wrong ? static_cast<int>(wrong->at.column) : 1;
    case kTextRole: return outcome ? QString::fromStdString(outcome->text) : QString();
    case kBadRole: return outcome != nullptr && !one.waits && !is_good(outcome->verdict);
    case Qt::DisplayRole: break;
    default: return {};
  }
  switch (column) {
    case kName: return QString::fromStdString(one.name);
    case kVerdict: return one.waits ? tr("...") : outcome ? text_of(outcome->verdict) : tr("not run");
    case kCycles: return outcome && !one.waits ? QVariant::fromValue<qulonglong>(outcome->cycles) : QVariant();
    case kTime: return outcome && !one.waits ? tr("%1 s").arg(outcome->seconds, 0, 'f', 2) : QVariant();
    default: return {};
  }
}

QVariant TestsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  const QString names[] = {tr("Test"), tr("Outcome"), tr("Cycles"), tr("Time")};
  return names[section];
}

}  // namespace weft::ide
