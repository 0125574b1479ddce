// Execution history: what every context did at every cycle, and the life of every memory reference. Bounded: when a
// limit is reached the oldest part goes, and the history says from when on it is complete.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/observers/programs.h"

namespace weft::emulator {

enum class Activity : uint8_t { inactive, sleep, ready, executing, aborted, stalled };
std::string_view to_text(Activity activity);

/// Cycles [begin, end) of one context.
struct Segment {
  Activity activity = Activity::inactive;
  uint64_t begin = 0, end = 0;
};

/// One command. Times are ticks, kNever while (or because) the step did not happen.
struct Reference {
  uint64_t sequence = 0;
  isa::InsnId op{};
  ContextRef from;
  uint16_t pc = 0;
  uint32_t address = 0;
  uint8_t count = 0;
  uint8_t signal = 0;
  Tick issued = kNever;     ///< the word was first tried; it stalls until `accepted`
  Tick accepted = kNever;   ///< the unit took it
  Tick queued = kNever;     ///< it lies in the inlet
  Tick served = kNever;     ///< it left the inlet and was performed
  Tick done = kNever;       ///< the last answer was back; for commands without answer, when it was served
  Tick signalled = kNever;  ///< its last signal was raised
};

/// A signal that was not an answer to a command of the context itself: of another context, a unit by itself, a timer.
struct RaisedSignal {
  enum class By : uint8_t {
    command,  ///< of `from`: its reference is `sequence`
    engine,   ///< `from` has written SAME_ME_SIGNAL, NEXT_NEIGHBOR_SIGNAL or PREV_NEIGHBOR_SIGNAL
    unit,     ///< a unit by itself: the media interface has received
    unknown,  ///< a timer, the control processor, or a word that nobody knows
  };
  Tick at = 0;
  uint64_t sequence = kUnasked;
  ContextRef to, from;
  uint16_t pc = 0;  ///< engine: of the word that has sent it
  uint8_t number = 0;
  By by = By::unknown;
  WEFT_FIELDS(RaisedSignal, at, sequence, to, from, pc, number, by)
};

struct HistoryLimits {
  size_t segments = size_t{32} << 20;   ///< over all contexts, 4 bytes each, those that execute 6
  size_t references = size_t{4} << 20;  ///< 40 bytes each
  size_t signals = size_t{2} << 20;     ///< RaisedSignal, 32 bytes each
};

class History : public Observer {
 public:
  /// `machine` must outlive the observer. The history begins now.
  explicit History(const Machine& machine, HistoryLimits limits = {});

  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stretch(const WordStretch& stretch) override;
  void on_stall(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stalls(ContextRef who, uint16_t pc, uint64_t cycle, uint64_t times) override;
  void on_state(ContextRef who, ContextState state, uint64_t cycle) override;
  void on_issue(const Command& command) override;
  void on_taken(const Command& command, Tick arrival, Tick at) override;
  void on_queued(const Command& command, Tick arrival) override;
  void on_serve(const Command& command, Tick at) override;
  void on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) override;
  void on_known_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) override;
  void on_signal(ContextRef to, unsigned number, Tick at) override;
  void on_signal_sent(ContextRef from, uint16_t pc, int engine, unsigned context, unsigned number,
                      uint64_t due) override;
  void on_local_signal(ContextRef to, unsigned number, uint64_t cycle) override;
  bool reads_state() const override { return false; }
  bool may_stop() const override { return false; }
  bool takes_stretches() const override { return true; }
  bool takes_commands_early() const override { return true; }
  bool takes_values() const override { return false; }
  bool takes_signals() const override { return true; }

  unsigned contexts() const { return machine_.timing().contexts; }  ///< of each engine
  unsigned engines() const { return static_cast<unsigned>(tracks_.size() / kContexts); }
  /// In order and without gaps, from from_cycle() to the cycle at which the machine stands.
  void segments(ContextRef who, const std::function<void(const Segment&)>& fn) const;
  /// What one context did, as it is stored, for those who index it while it grows. A word is activity << 29 | cycles.
  /// The last word may still grow; what follows it is `now`, since `since` (which may be a few cycles ahead of the
  /// machine).
  struct Past {
    const std::deque<uint32_t>& words;
    const std::deque<uint16_t>&
        places;  ///< one for each executing word: where it begins; the others follow it one by one
    uint64_t dropped_words, dropped_places;  ///< how many were before these
    uint64_t begin;                          ///< cycle of words.front()
    Activity now;
    uint64_t since;
    uint16_t place;  ///< of `since`, while executing
  };
  Past past(ContextRef who) const;
  size_t reference_count() const {
    machine_.tell_counts();
    return references_.size();
  }
  Reference reference(size_t index) const;
  // Parts of it, for those who look for one among many.
  Tick accepted(size_t index) const { return references_[index].accepted; }
  ContextRef issuer(size_t index) const { return references_[index].from; }
  /// The place of a reference among those that are kept; none: it was dropped, or is still to come.
  std::optional<size_t> index_of(uint64_t sequence) const;
  /// In the order of time; those of one moment in that of the contexts that get them, and of their numbers.
  const std::deque<RaisedSignal>& raised() const {
    machine_.tell_counts();
    return raised_;
  }

  /// What it takes to forget what was seen since.
  struct Mark;
  Mark mark() const;
  /// The machine was set back to where the mark was made, and what follows is seen once more. What was dropped since
  /// stays dropped.
  void go_back(const Mark& mark);

  /// The first cycle of which everything is known; what lies before was dropped, if anything was.
  uint64_t from_cycle() const { return from_cycle_; }
  uint64_t dropped_segments() const { return dropped_segments_; }
  uint64_t dropped_references() const { return dropped_references_; }
  const Machine& machine() const { return machine_; }

 private:
  friend struct weft::fields::Access;
  WEFT_FIELDS(History, tracks_, total_, references_, first_sequence_, queued_sequence_, queued_at_, from_cycle_,
              dropped_segments_, dropped_references_, raised_, sent_, serving_, answers_)
  /// The past of one context. A word is activity << 29 | cycles.
  struct Track {
    Activity activity = Activity::inactive;
    uint64_t since = 0;  ///< start of the present activity
    uint64_t begin = 0;  ///< of the first word
    std::deque<uint32_t> past;
    std::deque<uint16_t> places;  ///< one for each executing word
    uint64_t dropped_words = 0, dropped_places = 0;
    uint16_t place = 0;  ///< of the present activity when it is executing
    Tick first_try = kNever;
    WEFT_FIELDS(Track, activity, since, begin, past, places, dropped_words, dropped_places, place, first_try)
  };
  /// Later times as ticks after `accepted`; kNone = not happened.
  struct Packed {
    Tick accepted = 0;
    uint32_t stalled = 0;  ///< ticks between the first try and acceptance
    uint32_t queued = kNone, served = kNone, done = kNone, signalled = kNone;
    uint32_t address = 0;
    uint16_t pc = 0;
    isa::InsnId op{};
    ContextRef from;
    uint8_t count = 0, signal = 0;
    WEFT_FIELDS(Packed, accepted, stalled, queued, served, done, signalled, address, pc, op, from, count, signal)
  };
  static constexpr uint32_t kNone = ~0u;
  /// Under way from one engine to another, or to the same.
  struct Sent {
    ContextRef to, from;
    uint16_t pc = 0;
    uint8_t number = 0;
    uint64_t due = 0;  ///< engine cycle
    WEFT_FIELDS(Sent, to, from, pc, number, due)
  };
  static constexpr size_t kMaxSent = 256;
  /// What a unit has done for a command, and the signals that follow.
  struct Deed {
    uint64_t sequence = kUnasked;
    Tick at = kNever;
    uint16_t signals = 0;
    WEFT_FIELDS(Deed, sequence, at, signals)
  };

  Track& track(ContextRef who) { return tracks_[who.engine * kContexts + who.context]; }
  void execute(Track& track, uint16_t pc, uint64_t cycle);
  void lose(Track& track, uint64_t from, unsigned cycles);
  void change(Track& track, Activity activity, uint64_t cycle);
  void push(Track& track, Activity activity, uint64_t cycles);
  void trim();
  void raise(RaisedSignal signal);
  Packed& add_reference(const Command& command);
  /// It has no answer: it is over when it is performed.
  static bool has_answer(const Packed& reference);
  Packed* find(uint64_t sequence);

  const Machine& machine_;
  EngineStates states_;
  HistoryLimits limits_;
  std::vector<Track> tracks_;
  size_t total_ = 0;  ///< words in all tracks
  std::deque<Packed> references_;
  uint64_t first_sequence_ = 0;
  uint64_t queued_sequence_ = kUnasked;
  Tick queued_at_ = 0;
  uint64_t from_cycle_ = 0;
  uint64_t dropped_segments_ = 0, dropped_references_ = 0;
  std::deque<RaisedSignal> raised_;
  std::vector<Sent> sent_;
  Deed serving_;                  ///< the last command that was performed
  std::array<Deed, 16> answers_;  ///< the last answers, newest first
};

struct History::Mark {
  struct Place {
    Activity activity = Activity::inactive;
    uint64_t since = 0;
    uint16_t place = 0;
    Tick first_try = kNever;
    uint64_t words = 0, places = 0;  ///< that there have been
    uint32_t last = 0;               ///< word, which may have grown since
    WEFT_FIELDS(Place, activity, since, place, first_try, words, places, last)
  };
  Tick now = 0;
  uint64_t next_sequence = 0;
  std::vector<Place> tracks;
  std::vector<Sent> sent;
  WEFT_FIELDS(Mark, now, next_sequence, tracks, sent)
};

struct HistoryClock {
  uint64_t ticks_per_second = 6'000'000'000;
};
/// Takes the file piece by piece: a long history is larger as a file than in memory.
using ByteSink = std::function<void(std::string_view)>;
/// JSON, version 1 (docs/observers.md): states in engine cycles, references in ticks.
void write_json(const History& history, const Images& images, const HistoryClock& clock, const ByteSink& out);
/// A Perfetto trace: one process per microengine, one thread per context, references on tracks of their own. Times in
/// nanoseconds, rounded down; the exact cycles stand in the annotations.
void write_perfetto(const History& history, const Images& images, const HistoryClock& clock, const ByteSink& out);

}  // namespace weft::emulator
