#include "coverage_model.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>

namespace weft::ide {

namespace {

QString file_name(const std::string& path) { return QFileInfo(QString::fromStdString(path)).fileName(); }

QString place_text(const CoverageWord& word, const FileNames& names) {
  return word.line == 0 ? QString() : names.place(word.file, word.line);
}

bool matches(const CoverageWord& word, uint32_t address, const QString& text, std::optional<uint32_t> wanted,
             const FileNames& names) {
  if (wanted) return address == *wanted;
  for (const QString& part : {label_text(word.label), QString::fromStdString(word.text), place_text(word, names)})
    if (part.contains(text, Qt::CaseInsensitive)) return true;
  return false;
}

}  // namespace

QString outcome_text(const CoverageCounts& counts) {
  if (!counts.branch || !counts.conditional) return {};
  return QObject::tr("taken %L1, not taken %L2").arg(counts.all_taken()).arg(counts.all_not_taken());
}

std::vector<uint32_t> coverage_hits(const CoverageSeries& series, const CoverageFilter& filter,
                                    const std::vector<std::optional<uint64_t>>& kept,
                                    const std::vector<uint64_t>& compared, const FileNames& names) {
  std::vector<uint32_t> out;
  const QString text = filter.text.trimmed();
  bool number = false;
  const uint32_t address_wanted = text.toUInt(&number, 0);
  const auto wanted = number ? std::optional(address_wanted) : std::nullopt;
  for (uint32_t address = 0; address < series.size(); ++address) {
    if (!text.isEmpty() && !matches(series.program->words[address], address, text, wanted, names)) continue;
    const CoverageCounts& counts = series.counts[address];
    const uint64_t count = series.count(address, filter.context);
    bool passes = true;
    switch (filter.test) {
      case CoverageTest::all: break;
      case CoverageTest::executed: passes = count > 0; break;
      case CoverageTest::never: passes = count == 0; break;
      case CoverageTest::at_least: passes = count >= filter.limit; break;
      case CoverageTest::at_most: passes = count <= filter.limit; break;
      case CoverageTest::one_way:
        passes = counts.branch && counts.conditional && (counts.all_taken() == 0) != (counts.all_not_taken() == 0);
        break;
      case CoverageTest::differs: passes = address < kept.size() && kept[address] != compared[address]; break;
    }
    if (passes) out.push_back(address);
  }
  return out;
}

CoverageModel::CoverageModel(Workspace& workspace, QObject* parent)
    : WatchedFigures(workspace, 200, parent), programs_(std::make_shared<CoveragePrograms>()) {
  connect(&workspace.cursor(), &Cursor::context_changed, this, [this] {
    if (const auto id = workspace_.cursor().context()) choose(*id);
  });
  begin();
}

// What was kept stays, so that runs of two builds can be compared.
void CoverageModel::renewed() {
  programs_ = std::make_shared<CoveragePrograms>();
  take({});
}

void CoverageModel::send(Target& target) {
  question(
      target, [programs = programs_](const Inspector& machine) { return take_coverage(machine, *programs); },
      [this](const CoverageRun& run) { take(run); });
}

void CoverageModel::take(CoverageRun run) {
  run_ = std::move(run);
  auto all = ide::choices(run_);
  if (all != choices_) {
    choices_ = std::move(all);
    const auto same = wanted_ ? std::ranges::find(choices_, *wanted_) : choices_.end();
    choice_ = same != choices_.end() ? static_cast<int>(same - choices_.begin()) : choices_.empty() ? -1 : 0;
    Q_EMIT choices_changed();
    if (const auto id = workspace_.cursor().context(); id && same == choices_.end()) {
      const int chosen = choice_;
      choose(*id);
      if (chosen != choice_) return;  // it has told already
    }
  }
  series_ = choice_ < 0 ? CoverageSeries() : series_of(run_, choices_[static_cast<size_t>(choice_)]);
  compare();
  hits_ = coverage_hits(series_, filter_, kept_counts_, compared_, workspace_.names());
  hit_.assign(series_.size(), false);
  for (const uint32_t address : hits_) hit_[address] = true;
  Q_EMIT changed();
  Q_EMIT hits_changed();
}

void CoverageModel::compare() {
  kept_counts_.clear();
  compared_.clear();
  if (!kept_ || !series_.program) return;
  kept_counts_ = counterparts(series_, *kept_, filter_.context);
  compared_ = compared_counts(run_, series_, kept_->by_line(), filter_.context);
}

void CoverageModel::choose(int index) {
  if (index < 0 || index >= static_cast<int>(choices_.size()) || index == choice_) return;
  choice_ = index;
  wanted_ = choices_[static_cast<size_t>(index)];
  take(std::move(run_));
}

void CoverageModel::choose(ContextId id) {
  const auto has = [&](const CoverageChoice& c) {
    return c.chip == id.chip && std::ranges::find(c.engines, id.engine) != c.engines.end();
  };
  if (choice_ >= 0 && has(choices_[static_cast<size_t>(choice_)])) return;
  const auto found =
      std::ranges::find_if(choices_, [&](const CoverageChoice& c) { return has(c) && c.engines.size() == 1; });
  if (found != choices_.end()) choose(static_cast<int>(found - choices_.begin()));
}

QString CoverageModel::name(const CoverageChoice& choice) const {
  QString out;
  if (run_.chips.size() > 1 && choice.chip < run_.chips.size())
    out = QString::fromStdString(run_.chips[choice.chip]) + QLatin1Char(' ');
  out += QStringLiteral("me");
  for (size_t i = 0; i < choice.engines.size(); ++i)
    out += (i == 0 ? QString() : QStringLiteral("+")) + QString::number(choice.engines[i]);
  const auto first = std::ranges::find_if(run_.engines, [&](const CoverageEngine& e) {
    return e.chip == choice.chip && e.engine == choice.engines.front();
  });
  return first == run_.engines.end() ? out : out + QLatin1Char(' ') + file_name(first->program->name);
}

void CoverageModel::set_filter(const CoverageFilter& filter) {
  if (filter == filter_) return;
  const bool another = std::exchange(filter_, filter).context != filter.context;
  if (another) compare();
  hits_ = coverage_hits(series_, filter_, kept_counts_, compared_, workspace_.names());
  hit_.assign(series_.size(), false);
  for (const uint32_t address : hits_) hit_[address] = true;
  if (another) Q_EMIT changed();
  Q_EMIT hits_changed();
}

std::optional<uint32_t> CoverageModel::next_hit(std::optional<uint32_t> from, bool forward) const {
  if (hits_.empty()) return std::nullopt;
  if (!from) return forward ? hits_.front() : hits_.back();
  if (forward) {
    const auto at = std::ranges::upper_bound(hits_, *from);
    return at == hits_.end() ? hits_.front() : *at;
  }
  const auto at = std::ranges::lower_bound(hits_, *from);
  return at == hits_.begin() ? hits_.back() : *(at - 1);
}

void CoverageModel::keep() {
  auto kept = std::make_shared<KeptCoverage>();
  kept->title = tr("run to cycle %L1").arg(run_.cycle).toStdString();
  kept->run = run_;
  kept_ = std::move(kept);
  take(std::move(run_));
}

void CoverageModel::load(const QString& path) {
  QThreadPool::globalInstance()->start(
      [path, model = QPointer<CoverageModel>(this), workspace = QPointer<Workspace>(&workspace_)] {
        QFile file(path);
        std::shared_ptr<const KeptCoverage> kept;
        QString problem;
        if (!file.open(QIODevice::ReadOnly)) {
          problem = tr("%1 cannot be read: %2").arg(path, file.errorString());
        } else if (auto read = parse_coverage(QFileInfo(path).fileName().toStdString(), file.readAll().toStdString())) {
          kept = std::make_shared<const KeptCoverage>(std::move(*read));
        } else {
          const Diagnostic& why = read.error().list().front();
          problem = QString::fromStdString(why.text) + QStringLiteral("; ") + QString::fromStdString(why.remedy);
        }
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [model, workspace, kept, problem] {
              if (!problem.isEmpty() && workspace) Q_EMIT workspace->message(problem);
              if (!kept || !model) return;
              model->kept_ = kept;
              model->take(std::move(model->run_));
            },
            Qt::QueuedConnection);
      });
}

void CoverageModel::forget() {
  kept_ = nullptr;
  take(std::move(run_));
}

std::optional<int64_t> CoverageModel::difference(uint32_t address) const {
  const auto then = kept_count(address);
  if (!then) return std::nullopt;
  return static_cast<int64_t>(compared_count(address)) - static_cast<int64_t>(*then);
}

QString CoverageModel::tip(uint32_t address) const {
  if (address >= series_.size()) return {};
  const CoverageWord& word = series_.program->words[address];
  const CoverageCounts& counts = series_.counts[address];
  QString out = QStringLiteral("0x%1  %2").arg(address, 0, 16).arg(label_text(word.label));
  if (word.line != 0) out += QStringLiteral("\n") + place_text(word, workspace_.names());
  if (!word.text.empty()) out += QStringLiteral("\n") + QString::fromStdString(word.text);
  out += QLatin1Char('\n') +
         (counts.all_executed() == 0 ? tr("never executed") : tr("executed %L1 times").arg(counts.all_executed()));
  if (counts.all_executed() > 0) {
    QStringList parts;
    for (unsigned c = 0; c < series_.contexts; ++c)
      if (counts.executed[c] > 0) parts << tr("ctx%1 %L2").arg(c).arg(counts.executed[c]);
    out += QStringLiteral(": ") + parts.join(QStringLiteral(", "));
  }
  if (const QString outcome = outcome_text(counts); !outcome.isEmpty()) out += QLatin1Char('\n') + outcome;
  if (kept_) {
    const auto change = difference(address);
    out += QLatin1Char('\n') + (change ? tr("A: %L1, difference %2%L3")
                                             .arg(*kept_count(address))
                                             .arg(*change > 0 ? QStringLiteral("+") : QString())
                                             .arg(*change)
                                       : tr("A has no such word"));
  }
  return out;
}

void CoverageModel::jump_to(uint32_t address) {
  if (address >= series_.size()) return;
  const CoverageWord& word = series_.program->words[address];
  if (word.line != 0)
    workspace_.request_built_place(QString::fromStdString(word.file), static_cast<int>(word.line));
  else
    Q_EMIT workspace_.message(tr("The word at 0x%1 has no source line.").arg(address, 0, 16));
}

void CoverageModel::ask_file(CoverageFormat format, const std::function<void(const std::string&)>& then) {
  if (workspace_.target() == nullptr) return;
  const unsigned chip = series_.choice.chip;
  workspace_.target()->ask(
      this, [chip, format](const Inspector& machine) { return coverage_file(machine, chip, format); }, then);
}

QString CoverageModel::summary() const {
  if (!series_.program) return {};
  uint32_t executed = 0, both = 0, one = 0, none = 0;
  for (const CoverageCounts& counts : series_.counts) {
    executed += counts.all_executed() > 0;
    if (!counts.branch || !counts.conditional) continue;
    const int ways = (counts.all_taken() > 0) + (counts.all_not_taken() > 0);
    ++(ways == 2 ? both : ways == 1 ? one : none);
  }
  return tr("%L1 of %L2 words executed (%3 %), branches: %L4 both ways, %L5 one way, %L6 never; to cycle %L7")
      .arg(executed)
      .arg(series_.size())
      .arg(100.0 * executed / std::max(series_.size(), 1u), 0, 'f', 1)
      .arg(both)
      .arg(one)
      .arg(none)
      .arg(run_.cycle);
}

}  // namespace weft::ide
