// Search in an execution history: "stall > 20", "me2 sram > 300", a label, a line, a packet. The query is a value; the
// search lives where the machine lives, looks a bounded number of words further each time, and goes on where it left
// off when the run has grown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "weft/workbench/causes.h"
#include "weft/workbench/inspect.h"

namespace weft::workbench {

struct HistoryQuery {
  enum class What : uint8_t {
    activity,   ///< stretches of one activity
    reference,  ///< commands, from their issue to the last answer
    queued,     ///< the part of it in the queue of the unit
    label,      ///< where a label is passed
    line,       ///< where a source line is executed
    packet,     ///< the way of a packet through the contexts
  } what = What::activity;
  emulator::Activity activity{};
  std::optional<isa::Unit> unit{};              ///< commands; none: any
  std::optional<unsigned> channel{};            ///< of SRAM
  uint64_t min = 0, max = ~uint64_t{0};         ///< cycles, both ends included
  std::string name{};                           ///< label as it is written, or file
  uint32_t number = 0;                          ///< line, packet
  std::string chip{};                           ///< empty: all
  std::optional<unsigned> engine{}, context{};  ///< none: all
  bool operator==(const HistoryQuery&) const = default;
};

/// What a query is, or what is wrong with it and what could stand there.
tl::expected<HistoryQuery, std::string> parse_history_query(std::string_view text);
/// Examples for people, one for each kind.
const std::vector<std::string>& history_query_examples();

struct HistoryHit {
  uint64_t begin = 0;
  uint32_t length = 0;  ///< cycles
  uint8_t chip = 0, engine = 0, context = 0;
  ContextId id() const { return {chip, engine, context}; }
  uint64_t end() const { return begin + length; }
  bool operator==(const HistoryHit&) const = default;
};

struct HistoryHits {
  std::vector<HistoryHit> hits;   ///< by cycle, at most HistorySearch::kMax
  uint64_t count = 0;             ///< all of them
  uint64_t bucket = 1;            ///< cycles of each of these
  std::vector<uint32_t> density;  ///< hits that begin there, from cycle 0 on
  std::string problem;            ///< nothing of that name
};

class HistorySearch {
 public:
  static constexpr size_t kMax = 1'000'000;
  static constexpr size_t kBuckets = 4096;

  explicit HistorySearch(HistoryQuery query) : query_(std::move(query)) {}
  const HistoryQuery& query() const { return query_; }
  /// Looks at about so many words and commands. True: at all that are there.
  bool look(const Inspector& machine, uint64_t budget);
  /// Part of what is there that was looked at, 0 to 1.
  double share() const { return share_; }
  /// With what still lasts as it stands.
  HistoryHits hits(const Inspector& machine) const;

 private:
  struct Cursor {
    uint64_t word = 0, begin = 0, place = 0;  ///< absolute: counted from the first that ever was
    uint32_t run = 0;                         ///< cycles of an activity in the words before
  };
  struct Range {
    uint32_t begin = 0, end = 0;  ///< words of a program
  };
  struct Chip {
    std::vector<Cursor> cursors;  ///< 8 for each engine
    uint64_t next_reference = 0;
    bool started = false;
  };
  bool is_asked(const Inspector& machine, unsigned chip, unsigned engine, unsigned context) const;
  void find_ranges(const Inspector& machine);
  bool look_at_words(const Inspector& machine, unsigned chip, uint64_t& budget);
  bool look_at_references(const Inspector& machine, unsigned chip, uint64_t& budget);
  void look_at_packet(const Inspector& machine);
  void add_present_stretches(const Inspector& machine, unsigned chip, HistorySearch& out) const;
  void add_present_references(const Inspector& machine, unsigned chip, HistorySearch& out) const;
  void add_present_words(const Inspector& machine, unsigned chip, HistorySearch& out) const;
  static void add_words(uint32_t pc, uint64_t begin, uint64_t length, const std::vector<Range>& ranges, HistoryHit who,
                        HistorySearch& out);
  bool passes(const emulator::Reference& reference, emulator::Tick period, HistoryHit& hit, uint64_t now) const;
  void add(const HistoryHit& hit);

  HistoryQuery query_;
  std::vector<Chip> chips_;
  bool prepared_ = false;
  std::string problem_;
  std::vector<std::vector<std::vector<Range>>> ranges_;  ///< [chip][engine], by address
  std::vector<HistoryHit> hits_;
  uint64_t count_ = 0, bucket_ = 1;
  std::vector<uint32_t> density_;
  double share_ = 0;
};

}  // namespace weft::workbench
