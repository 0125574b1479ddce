// What the coverage view shows, without the window: counts of the machine as it runs, what is chosen of them, what they
// are compared with, and the words that a search and a threshold find.
#pragma once

#include <optional>

#include "coverage_bars.h"
#include "watched_figures.h"

namespace weft::ide {

enum class CoverageTest { all, executed, never, at_least, at_most, one_way, differs };

struct CoverageFilter {
  QString text = {};  ///< part of a label, an instruction or a place; or an address ("0x1f", "31")
  CoverageTest test = CoverageTest::all;
  uint64_t limit = 0;  ///< of at_least and at_most
  int context = -1;    ///< counts of one context; -1: of all
  bool operator==(const CoverageFilter&) const = default;
};

/// Addresses, in order. `kept` and `compared` are empty without a comparison.
std::vector<uint32_t> coverage_hits(const CoverageSeries& series, const CoverageFilter& filter,
                                    const std::vector<std::optional<uint64_t>>& kept,
                                    const std::vector<uint64_t>& compared, const FileNames& names = {});

/// "taken 3, not taken 1": empty for words that are not a branch with two ways.
QString outcome_text(const CoverageCounts& counts);

class CoverageModel final : public WatchedFigures {
  Q_OBJECT

 public:
  explicit CoverageModel(Workspace& workspace, QObject* parent = nullptr);

  const CoverageRun& run() const { return run_; }
  /// Shows counts that were taken elsewhere, until the machine gives others.
  void show(CoverageRun run) { take(std::move(run)); }
  const CoverageSeries& series() const { return series_; }
  const std::vector<CoverageChoice>& choices() const { return choices_; }
  int choice() const { return choice_; }
  void choose(int index);
  /// The one that a context is of; the present one when it already is.
  void choose(ContextId id);
  QString name(const CoverageChoice& choice) const;  ///< "me0 receive.uc", "me0+1 forward.uc"

  const CoverageFilter& filter() const { return filter_; }
  void set_filter(const CoverageFilter& filter);
  const std::vector<uint32_t>& hits() const { return hits_; }
  bool is_hit(uint32_t address) const { return address < hit_.size() && hit_[address]; }
  /// The hit after or before an address, around the end; nothing when there is none.
  std::optional<uint32_t> next_hit(std::optional<uint32_t> from, bool forward) const;

  /// The present run becomes "A".
  void keep();
  /// A file becomes "A"; read in a thread of its own. What is wrong with it goes to Workspace::message.
  void load(const QString& path);
  void forget();
  const KeptCoverage* kept() const { return kept_.get(); }
  /// Of an address: what it is compared as, and the count of A; nothing: A has no such word.
  std::optional<uint64_t> kept_count(uint32_t address) const {
    return address < kept_counts_.size() ? kept_counts_[address] : std::nullopt;
  }
  uint64_t compared_count(uint32_t address) const { return address < compared_.size() ? compared_[address] : 0; }
  std::optional<int64_t> difference(uint32_t address) const;

  /// All that is known of a word, a line each: address and label, place, instruction, counts, outcomes, difference.
  QString tip(uint32_t address) const;
  void jump_to(uint32_t address);
  /// The file of the chosen chip, as the command line writes it; `then` gets its text.
  void ask_file(CoverageFormat format, const std::function<void(const std::string&)>& then);
  QString summary()
      const;  ///< "me0 receive.uc: 215 words, 190 executed (88.4 %), branches: 20 both ways, 3 one way, 1 never"

 Q_SIGNALS:
  void choices_changed();
  void hits_changed();

 private:
  void renewed() override;
  void send(Target& target) override;
  void take(CoverageRun run);
  void compare();

  std::shared_ptr<CoveragePrograms> programs_;  ///< only in questions
  CoverageRun run_;
  std::vector<CoverageChoice> choices_;
  int choice_ = -1;
  std::optional<CoverageChoice> wanted_;  ///< the last one, also while nothing is built
  CoverageSeries series_;
  CoverageFilter filter_;
  std::vector<uint32_t> hits_;
  std::vector<bool> hit_;
  std::shared_ptr<const KeptCoverage> kept_;
  std::vector<std::optional<uint64_t>> kept_counts_;
  std::vector<uint64_t> compared_;
};

}  // namespace weft::ide
