// An index over the execution history: cycles of each activity in any stretch of time, and the references of a stretch,
// at a cost that does not grow with the run. It lives where the machine lives, reads on where it left off, and gives
// values.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "file_names.h"
#include "timeline_lanes.h"
#include "weft/emulator/observers/history.h"
#include "weft/workbench/inspect.h"

namespace weft::ide {

inline constexpr size_t kActivities = 6;
/// Cycles by emulator::Activity. Rows of engines and chips have what nobody used as `sleep`.
using ActivityCycles = std::array<uint64_t, kActivities>;

/// The states of one context: a note of all sums at every kStride-th word of the history.
class TrackIndex {
 public:
  static constexpr uint64_t kStride = 64;  ///< a note takes 72 bytes, a word of the history 4
  using Past = emulator::History::Past;

  void update(const Past& past);
  /// Of as many words as are there.
  uint64_t words() const { return read_; }

  /// Goes through a context's past, forwards; jumps where that is shorter.
  class Walk {
   public:
    /// `touched` counts words and notes that were looked at.
    Walk(const TrackIndex& index, const Past& past, uint64_t& touched);
    /// Must not be before the place where it stands, unless it stands at the start.
    void to(uint64_t cycle);
    /// To the next word; false: it stands in the last one, which goes on.
    bool next();
    emulator::Activity activity() const;
    uint64_t begin() const { return begin_; }
    uint64_t end() const;    ///< kNever: it goes on
    uint16_t place() const;  ///< at begin(), while executing
    /// From some fixed cycle up to `cycle`, which lies in the present word.
    ActivityCycles sums(uint64_t cycle) const;
    uint64_t word() const { return word_; }

   private:
    void jump(size_t note);
    bool last() const { return word_ >= past_.dropped_words + past_.words.size(); }
    uint32_t stored() const { return past_.words[word_ - past_.dropped_words]; }
    const TrackIndex& index_;
    const Past& past_;
    uint64_t& touched_;
    size_t note_ = 0;
    uint64_t word_ = 0, begin_ = 0, place_ = 0;
    ActivityCycles sums_{};
  };

 private:
  struct Note {
    uint64_t word = 0, begin = 0, place = 0;
    ActivityCycles sums{};
  };
  std::deque<Note> notes_;
  Note next_;          ///< of the first word that is not read yet
  uint64_t read_ = 0;  ///< words
};

enum class TimelineLabels : uint8_t { none, stages, labels };

struct TimelineQuestion {
  uint64_t begin = 0, end = 0;  ///< cycles
  unsigned cells = 0;           ///< the stretch is cut into so many; never more than cycles
  std::vector<TimelineRow> rows;
  bool references = false;  ///< of rows that are contexts
  TimelineLabels labels = TimelineLabels::none;
  uint64_t least_label = 1;  ///< cycles; shorter ones are left out
  bool lanes = false;        ///< packets and queues too
  uint32_t packet = 0;       ///< packet_id() of the one whose way is drawn; 0: none
  bool operator==(const TimelineQuestion&) const = default;
};

/// A label over what a context executes without leaving the engine.
struct TimelineSpan {
  workbench::ContextId id;
  uint64_t begin = 0, end = 0;
  std::string text;
};

struct TimelineReference {
  workbench::ContextId id;
  emulator::Reference times;
};

struct TimelineAnswer {
  bool recorded = false;      ///< false: no history was asked for
  uint64_t from = 0, to = 0;  ///< cycles that are known
  uint64_t ticks_per_cycle = 1, ticks_per_second = 1;
  TimelineQuestion question;                      ///< its stretch clipped to what is known
  std::vector<std::vector<ActivityCycles>> rows;  ///< as asked, of `cells` cells; those of packets and queues are empty
  std::vector<TimelineReference> references;
  TimelineLaneAnswer lanes;
  bool references_left_out = false;  ///< too many for this stretch
  std::vector<TimelineSpan> spans;
  uint64_t touched = 0;  ///< words, notes and references that were looked at
  uint64_t cell_begin(uint64_t cell) const {
    return question.begin + cell * (question.end - question.begin) / std::max(question.cells, 1u);
  }
};

/// What happens at one cycle of one context.
struct TimelineMoment {
  bool known = false;
  emulator::Segment segment;
  std::optional<uint16_t> pc;  ///< while executing
  std::string label, file;
  uint32_t line = 0;
};

enum class TimelineEvent : uint8_t { stall, abort, swap, wake, reference, sram, scratch, dram, msf, cap, hash };
std::string to_text(TimelineEvent event);

/// "next_packet#+3, forward.uc:12".
std::string timeline_place(const workbench::Inspector& machine, workbench::ContextId id, uint32_t pc,
                           const FileNames& names = {});

class TimelineIndex {
 public:
  static constexpr size_t kMaxReferences = 6000;  ///< in one answer
  static constexpr uint64_t kMaxLabelWords = 60'000;

  TimelineAnswer answer(const workbench::Inspector& machine, TimelineQuestion question);
  TimelineMoment moment(const workbench::Inspector& machine, workbench::ContextId id, uint64_t cycle);
  /// The next (or last) cycle after (before) a cycle at which such an event begins. None: there is no such one.
  std::optional<uint64_t> find(const workbench::Inspector& machine, workbench::ContextId id, TimelineEvent event,
                               uint64_t cycle, bool forward);

 private:
  struct Chip {
    std::vector<TrackIndex> tracks;   ///< 8 for each engine
    uint64_t first_settled = 0;       ///< references before it are read: those that take long are noted
    std::vector<uint64_t> long_ones;  ///< sequence numbers
  };
  const emulator::History* update(const workbench::Inspector& machine, unsigned chip);
  void settle(const emulator::History& history, Chip& chip, emulator::Tick now);
  std::vector<ActivityCycles> cells(const emulator::History& history, const Chip& chip, emulator::ContextRef who,
                                    TimelineAnswer& answer) const;
  void references(const workbench::Inspector& machine, unsigned chip, TimelineAnswer& answer);
  void spans(const workbench::Inspector& machine, const TimelineRow& row, uint64_t& budget, TimelineAnswer& answer);
  std::vector<Chip> chips_;
  TimelineLanes lanes_;
};

}  // namespace weft::ide
