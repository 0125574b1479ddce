// Statistics: where cycles went, what units did, how long commands took, and which program lines caused it.
//
// Its room does not grow with the run: histograms of fixed size, one record per program word that issues commands, and
// one per command under way.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/observers/histogram.h"
#include "weft/emulator/observers/programs.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

/// Cycles of a context, or of an engine: its parts sum to `cycles`.
struct CycleFigures {
  uint64_t cycles = 0;
  uint64_t executing = 0, aborted = 0, stalled = 0, idle = 0;
  uint64_t instructions = 0;
  uint64_t commands = 0;  ///< accepted by units
  uint64_t swaps = 0;     ///< how often it left the engine
  uint64_t branches_taken = 0;
};

/// Commands of one kind at one unit.
struct KindFigures {
  isa::InsnId op{};
  uint64_t commands = 0;
  Histogram
      latency;  ///< engine cycles from issue (acceptance) to the last signal; commands without signal do not count
  WEFT_FIELDS(KindFigures, op, commands, latency)
};

struct UnitStatistics {
  std::string name;
  uint64_t commands = 0;  ///< accepted
  uint64_t served = 0;
  uint64_t longwords_in = 0;     ///< from the unit to transfer registers
  uint64_t longwords_out = 0;    ///< from transfer registers to the unit
  uint64_t longwords_moved = 0;  ///< between DRAM and media buffers
  uint64_t stall_cycles = 0;     ///< engine cycles in which its inlet refused a command
  Tick elapsed = 0, busy = 0;    ///< busy is at most directions x elapsed
  unsigned directions = 1;
  std::vector<Tick> depth;         ///< depth[n]: time with n commands accepted and not served; they sum to elapsed
  std::vector<KindFigures> kinds;  ///< in the order in which they were first issued
  double peak_bytes = 0;           ///< a second and direction, from chip and board file; 0 = not stated there
  uint64_t faults = 0;             ///< what it could not do as it was asked
  std::string last_fault;          ///< one sentence, empty without faults
  WEFT_FIELDS(UnitStatistics, name, commands, served, longwords_in, longwords_out, longwords_moved, stall_cycles,
              elapsed, busy, directions, depth, kinds, peak_bytes, faults, last_fault)
};

struct PortStatistics {
  unsigned port = 0;
  PortCounters counters;                             ///< since the machine was made
  uint64_t bits_per_second = 0;                      ///< of the wire
  unsigned overhead_bytes = 0;                       ///< preamble and gap
  uint32_t receive_buffer = 0, transmit_buffer = 0;  ///< sizes
};

/// Commands of one program word at one unit.
struct WordTraffic {
  uint8_t engine = 0;
  uint16_t pc = 0;
  size_t unit = 0;  ///< index into units
  isa::InsnId op{};
  uint64_t commands = 0, longwords = 0;                       ///< both ways, as far as commands were accepted
  uint64_t latency_sum = 0, latencies = 0, latency_most = 0;  ///< engine cycles
  uint64_t stall_cycles = 0;
  WEFT_FIELDS(WordTraffic, engine, pc, unit, op, commands, longwords, latency_sum, latencies, latency_most,
              stall_cycles)
};

/// Those of its longwords that came back from commands that take some and answer, such as test_and_set.
uint64_t longwords_back(const WordTraffic& word);

struct StatisticsFigures {
  uint64_t from_cycle = 0, to_cycle = 0;
  Tick elapsed = 0;
  Tick period = 1;  ///< ticks per engine cycle
  uint64_t ticks_per_second = 0;
  std::vector<CycleFigures> engines;               ///< of all engines
  std::vector<std::vector<CycleFigures>> context;  ///< [engine][context], those that the chip has
  std::vector<bool> used;                          ///< engines with a program
  std::vector<UnitStatistics> units;
  std::vector<PortStatistics> ports;
  std::vector<WordTraffic> words;  ///< by engine, word, unit
  uint64_t not_followed = 0;       ///< commands whose latency is missing because too many were under way
};

class Statistics : public Observer {
 public:
  static constexpr size_t kMaxOpen = size_t{1} << 16;  ///< commands under way that are followed

  /// Programs must be loaded; everything must outlive the observer. Counts from now on.
  Statistics(const Machine& machine, Units& units, const ChipOnBoard& chip, uint64_t ticks_per_second);

  /// As the machine stands now.
  StatisticsFigures figures() const;

  void on_branch(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stall(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stalls(ContextRef who, uint16_t pc, uint64_t cycle, uint64_t times) override;
  void on_counts(unsigned engine, const WordCounts& counts) override;
  void on_state(ContextRef who, ContextState state, uint64_t cycle) override;
  void on_issue(const Command& command) override;
  void on_taken(const Command& command, Tick arrival, Tick at) override;
  void on_serve(const Command& command, Tick at) override;
  void on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) override;
  void on_known_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) override;
  bool reads_state() const override { return false; }
  bool may_stop() const override { return false; }
  bool takes_counts() const override { return true; }
  bool takes_words() const override { return false; }
  bool takes_values() const override { return false; }
  bool takes_commands_early() const override { return true; }

 private:
  friend struct weft::fields::Access;
  WEFT_FIELDS(Statistics, from_, cycles_before_, instructions_before_, contexts_, shadows_, word_index_, words_, open_,
              not_followed_, first_sequence_)
  friend struct Mending;
  struct Open {  ///< a command under way
    uint64_t sequence = kUnasked;
    Tick issued = 0;
    uint32_t word = 0;
    uint16_t unit = 0, kind = 0;
    uint16_t signals_left = 0;
    bool timed = false;  ///< it has a signal
    WEFT_FIELDS(Open, sequence, issued, word, unit, kind, signals_left, timed)
  };
  struct UnitShadow {
    const Unit* unit = nullptr;
    UnitStatistics figures;
    UnitCounters before;
    size_t depth = 0;
    Tick since = 0;
    struct Accepted {
      Tick at = 0;
      uint64_t sequence = 0;
      WEFT_FIELDS(Accepted, at, sequence)
    };
    std::vector<Accepted> accepted;  ///< commands that are not in the depth yet, from `entered` on
    size_t entered = 0;
    // `unit` is one of the machine that is looked at.
    WEFT_FIELDS(UnitShadow, fields::left_out(unit), figures, before, depth, since, accepted, entered)
  };
  /// Of a unit: services that were told early and do not count in the depth yet, from `next` on. Their times lie before
  /// the end of the run, so on_counts() has taken them when a run has ended, and they are no part of what is kept.
  struct Early {
    std::vector<UnitShadow::Accepted> served;
    size_t next = 0;
  };
  /// What is known of a program word that issues commands; most do so to one unit.
  struct IssuePlace {
    uint64_t kept = 0;  ///< command_key() of the last command; 0: there was none
    UnitShadow* shadow = nullptr;
    Early* early = nullptr;
    KindFigures* of_kind = nullptr;
    WordTraffic* traffic = nullptr;
    uint32_t word = 0;
    uint16_t number = 0, kind = 0;
    uint16_t longwords = 0;
    uint8_t signals = 1;   ///< that it raises, from the command's first one on
    bool answers = false;  ///< it brings something into registers
    bool moves_media = false;
  };
  /// Those of each engine. They point into the observer, so that a copy begins with none.
  struct IssuePlaces {
    explicit IssuePlaces(size_t engines) : of(engines) {}
    IssuePlaces(const IssuePlaces& other) : IssuePlaces(other.of.size()) {}
    IssuePlaces& operator=(const IssuePlaces& other) {
      if (this != &other) forget();
      return *this;
    }
    void forget() {
      for (auto& places : of) places.clear();
    }
    std::vector<std::vector<IssuePlace>> of;  ///< by engine and word
  };
  /// What decides the unit of a command, its kind and its longwords.
  static uint64_t command_key(const Command& command) {
    return uint64_t{1} << 63 | uint64_t{command.address >> 30} << 32 | uint64_t{command.count} << 24 |
           uint64_t{command.has_xfer} << 16 | static_cast<uint16_t>(command.op);
  }
  struct ContextShadow {
    bool executing = false;
    uint64_t stalls = 0;  ///< of the command that it cannot issue
    uint16_t stalled_pc = 0;
    CycleCounters before;
    uint64_t commands = 0, swaps = 0, taken = 0;
    WEFT_FIELDS(ContextShadow, executing, stalls, stalled_pc, before, commands, swaps, taken)
  };

  ContextShadow& context(ContextRef who) { return contexts_[who.engine * kContexts + who.context]; }
  size_t unit_of(const Command& command);
  size_t number_of(const Unit& unit) const;
  size_t kind_of(UnitShadow& unit, isa::InsnId op);
  size_t word_of(const Command& command, uint16_t pc, size_t unit);
  IssuePlace& place_of(const Command& command);
  IssuePlace& find_place(const Command& command);
  /// All that is counted of a command that was accepted, but for the depth of its unit.
  IssuePlace& count_issue(const Command& command);
  void count_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at);
  class DepthCount;
  /// Services are taken into the depth so many together, which costs less.
  static constexpr uint64_t kTogether = 32;
  /// Those that start by `now` leave the depth.
  static void take_early(UnitShadow& unit, Early& early, Tick now);
  Open* find(uint64_t sequence);
  Open& place_for(uint64_t sequence);
  Open& make_place_for(uint64_t sequence);

  const Machine& machine_;
  Units& units_;
  uint64_t ticks_per_second_;
  Tick period_;
  Tick from_;
  std::vector<uint64_t> cycles_before_, instructions_before_;
  std::vector<ContextShadow> contexts_;
  std::vector<UnitShadow> shadows_;
  std::vector<Early> early_;  ///< by unit
  IssuePlaces places_;
  std::map<std::tuple<uint8_t, uint16_t, size_t>, uint32_t> word_index_;
  std::vector<WordTraffic> words_;
  std::vector<Open> open_ = std::vector<Open>(256);  ///< by sequence modulo its size, a power of two
  size_t open_mask_ = open_.size() - 1;
  uint64_t not_followed_ = 0;
  uint64_t first_sequence_ = kUnasked;
};

/// Shares of `total` in hundredths of a percent that sum to exactly 10,000 (largest remainder); all 0 when total is 0.
std::vector<unsigned> shares(const std::vector<uint64_t>& parts);

std::string to_text(const StatisticsFigures& figures, const Images& images);
/// One row per figure: section, name, item, value, unit.
std::string to_csv(const StatisticsFigures& figures, const Images& images);
/// Version 1 (docs/observers.md).
std::string to_json(const StatisticsFigures& figures, const Images& images);

}  // namespace weft::emulator
