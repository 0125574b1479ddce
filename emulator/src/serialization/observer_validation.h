// What may stand in what an observer has kept, when a file brings it: rules for all_valid() as those of states
// (rules.h). An observer is compared with one that was just made for the same machine.
#pragma once

#include "serialization/validation.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/packets.h"
#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"

namespace weft::emulator {

/// What observers keep is private; they let two see it: fields::Access, which knows the fields by their place, and
/// Mending.
struct Mending {
  template <class T, size_t i>
  using Field = std::remove_cvref_t<std::tuple_element_t<i, decltype(fields_of(std::declval<const T&>()))>>;
  using Track = Field<History, 0>::value_type;
  using Packed = Field<History, 2>::value_type;
  using Sent = Field<History, 10>::value_type;
  using Deed = Field<History, 11>;
  using EngineShadow = Field<Profile, 1>::value_type;
  using Waiting = decltype(EngineShadow::waiting)::value_type;
  using Live = PacketTracker::Live;
  using PacketContext = PacketTracker::ContextShadow;
  using PacketOpen = PacketTracker::Open;
  using Element = PacketTracker::Element;
  using Pulling = PacketTracker::Pulling;
  using PortShadow = PacketTracker::PortShadow;
  using StatisticsOpen = Statistics::Open;
  using UnitShadow = Statistics::UnitShadow;
  using StatisticsContext = Statistics::ContextShadow;

  template <size_t i, class T>
  static const auto& field(const T& v) {
    return std::get<i>(fields_of(v));
  }
  static const auto& totals(const PacketTracker& v) { return v.totals_; }
  static const auto& contexts(const PacketTracker& v) { return v.contexts_; }
  static const auto& live(const PacketTracker& v) { return v.live_; }
  static const auto& freeing(const PacketTracker& v) { return v.freeing_; }
  static const auto& tags(const PacketTracker& v) { return v.tags_; }
  static const auto& rbuf(const PacketTracker& v) { return v.rbuf_; }
  static const auto& tbuf(const PacketTracker& v) { return v.tbuf_; }
  static const auto& held(const PacketTracker& v) { return v.held_; }
  static const auto& elements(const PacketTracker& v) { return v.elements_; }
  static const auto& pulling(const PacketTracker& v) { return v.pulling_; }
  static const auto& neighbor(const PacketTracker& v) { return v.neighbor_; }
  static const auto& owners(const PacketTracker& v) { return v.owners_; }
  static const auto& ports(const PacketTracker& v) { return v.ports_; }
  static const auto& cycles_before(const Statistics& v) { return v.cycles_before_; }
  static const auto& instructions_before(const Statistics& v) { return v.instructions_before_; }
  static const auto& contexts(const Statistics& v) { return v.contexts_; }
  static const auto& shadows(const Statistics& v) { return v.shadows_; }
  static const auto& word_index(const Statistics& v) { return v.word_index_; }
  static const auto& words(const Statistics& v) { return v.words_; }
  static const auto& open(const Statistics& v) { return v.open_; }

  // What files cannot hold: caches and pointers into the observer itself.
  static bool answers(const PacketTracker& tracker) { return tracker.answer_ != nullptr; }
  static void mend(PacketTracker& tracker, bool answers);
  static void mend(Statistics& statistics);
  static void rename(PacketTracker& tracker, const std::map<std::string, std::string>& names);
};

class ObserverValidation : public CommonValidation {
 public:
  using CommonValidation::CommonValidation;
  using CommonValidation::valid;

  /// How many of everything a new observer has, to be asked before it is filled.
  struct Sizes {
    std::vector<size_t> counts;
    std::vector<std::string> names;
    std::vector<PacketPlace> places;
    bool operator==(const Sizes&) const = default;
  };
  static Sizes sizes(const Coverage& v);
  static Sizes sizes(const History& v);
  static Sizes sizes(const PacketTracker& v);
  static Sizes sizes(const Profile& v);
  static Sizes sizes(const Statistics& v);
  static size_t engines_of(const Coverage& v) { return v.engines(); }
  static size_t engines_of(const History& v) { return v.engines(); }
  static size_t engines_of(const PacketTracker& v) { return Mending::neighbor(v).size(); }
  static size_t engines_of(const Profile& v) { return Mending::field<0>(v).size(); }
  static size_t engines_of(const Statistics& v) { return Mending::cycles_before(v).size(); }

  bool valid(Activity v) const { return v <= Activity::stalled; }
  bool valid(Verdict v) const { return v <= Verdict::lost_out; }
  bool valid(PacketWrite::Kind v) const { return v <= PacketWrite::Kind::element; }
  bool valid(QueueName::Kind v) const { return v <= QueueName::Kind::list; }
  bool valid(const Histogram& v) const;

  bool valid(const Coverage& v) const;
  bool valid(const Coverage::Word&) const { return true; }

  bool valid(const Profile& v) const;
  bool valid(const ProfileCycles&) const { return true; }
  bool valid(const ProfileFigures::Context&) const { return true; }
  bool valid(const ProfileFigures::Engine& v) const { return v.words.size() <= kWords; }
  bool valid(const Mending::Waiting&) const { return true; }
  bool valid(const Mending::EngineShadow& v) const { return v.context < kContexts; }

  bool valid(const History& v) const;
  bool valid(const Mending::Track& v) const;
  bool valid(const Mending::Packed&) const { return true; }
  bool valid(const RaisedSignal&) const { return true; }
  bool valid(RaisedSignal::By v) const { return v <= RaisedSignal::By::unknown; }
  bool valid(const Mending::Sent&) const { return true; }
  bool valid(const Mending::Deed&) const { return true; }

  bool valid(const Statistics& v) const;
  bool valid(const KindFigures&) const { return true; }
  bool valid(const UnitStatistics& v) const { return v.depth.size() <= kDepth + 1; }
  bool valid(const WordTraffic& v) const { return v.engine < engines(); }
  bool valid(const Mending::StatisticsOpen&) const { return true; }
  bool valid(const Mending::UnitShadow& v) const { return v.depth <= kDepth && v.entered <= v.accepted.size(); }
  bool valid(const Mending::UnitShadow::Accepted&) const { return true; }
  bool valid(const Mending::StatisticsContext&) const { return true; }
  bool valid(const CycleCounters&) const { return true; }

  bool valid(const PacketTracker& v) const;
  bool valid(const PacketPlace&) const { return true; }
  bool valid(const PacketStep& v) const { return v.engine < engines() && v.context < kContexts; }
  bool valid(const PacketCost& v) const { return v.engine < engines(); }
  bool valid(const PacketRecord& v) const;
  bool valid(const QueueName&) const { return true; }
  bool valid(const QueueChange&) const { return true; }
  bool valid(const PacketTotals&) const { return true; }
  bool valid(const Mending::Live&) const { return true; }
  bool valid(const Mending::Live::Stored& v) const { return v.length <= kFrame && v.offset <= kFrame; }
  bool valid(const Mending::PacketContext&) const { return true; }
  bool valid(const Mending::PacketOpen& v) const { return v.count <= v.tags.size(); }
  bool valid(const Mending::Element& v) const { return v.first <= kFrame && v.length <= kFrame; }
  bool valid(const Mending::Pulling& v) const { return v.done <= 64; }
  bool valid(const Mending::PortShadow&) const { return true; }
  bool valid(const Mending::PortShadow::Leaving&) const { return true; }
  bool valid(const PacketWrite& v) const;
  bool valid(const PacketPiece& v) const;
  bool valid(const PacketBytes& v) const;
  bool valid(const ByteSources& v) const;
  bool valid(const ByteSources::Run& v) const { return v.length <= kFrame && v.source >= PacketPiece::kUnknown; }

 private:
  /// Words of a control store that a program counter can name.
  static constexpr size_t kWords = size_t{1} << 16;
  /// Commands in one unit, and bytes of one frame, at most; far more than there are.
  static constexpr size_t kDepth = size_t{1} << 16;
  static constexpr uint32_t kFrame = 1u << 20;

  static bool place_exists(const PacketTracker& v, const PacketRecord& record);
  static bool pieces_exist(const PacketTracker& v, uint32_t packet, const std::vector<PacketPiece>& pieces);
  static bool sources_exist(const PacketTracker& v, const ByteSources& sources);
};

}  // namespace weft::emulator
