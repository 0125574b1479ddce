// Label switched paths that come, change and go while packets are looked up: a lookup that pauses between its reads
// finds an entry, whole, and a next hop that were right at some time of its way. Both tables.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>

#include "../control/sram.h"
#include "mpls/layout.h"
#include "tables.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::control;
using mpls::EntryWords;
using mpls::Lsp;
using test::Sram;

namespace {

constexpr uint32_t kLabels = 64;
constexpr unsigned kGateways = 6;

IpAddress gateway(unsigned number) { return IpAddress(0x0a000002 + number); }

/// What a packet met: the entry without the address of its next hop, and what that one said.
struct Met {
  EntryWords entry{};
  NextHop hop;
  std::optional<unsigned> gateway = {};  ///< of what is expected
};

RouterConfig router(bool split) {
  RouterConfig config;
  Interface a;
  a.name = "A";
  a.mac = {2, 0, 0, 0, 1, 0x0a};
  a.addresses = {{0x0a000001, 24}};
  config.interfaces.push_back(a);
  config.mpls.used = true;
  config.mpls.labels = kLabels;
  config.mpls.split = split;
  for (unsigned g = 0; g < kGateways; ++g)
    config.neighbours.push_back({gateway(g), {2, 0, 0, 0, 0, static_cast<uint8_t>(g)}, 0, {}});
  return config;
}

/// Reads as the microcode does: the first two longwords, those of a spare entry if it is told so, 2 and 3 if they are
/// needed, then the next hop.
class Walker {
 public:
  Walker(const Sram& sram, uint32_t base, uint32_t spare, bool split, uint32_t number)
      : sram_(&sram), at_(base + number * (split ? 4 : 16)), spare_(spare), split_(split), label(number) {}

  /// One read; true when the packet has met its end.
  bool step() {
    switch (stage_) {
      case Stage::label:
        if (split_) {
          at_ = sram_->read(at_);
          stage_ = at_ == 0 ? Stage::done : Stage::entry;
          break;
        }
        [[fallthrough]];
      case Stage::entry: {
        const bool whole = split_;
        for (uint32_t i = 0; i < (whole ? 4u : 2u); ++i) met.entry[i] = sram_->read(at_ + 4 * i);
        if (met.entry[0] >> mpls::kOperationShift == mpls::kRedirect) {
          REQUIRE(stage_ == Stage::label);  // once
          at_ = spare_ + 16 * (met.entry[0] & mpls::kLabelMask);
          stage_ = Stage::entry;
          break;
        }
        stage_ = met.entry[0] == 0 ? Stage::done : !whole && mpls::uses_pushes(met.entry) ? Stage::pushes : Stage::hop;
        break;
      }
      case Stage::pushes:
        for (uint32_t i = 2; i < 4; ++i) met.entry[i] = sram_->read(at_ + 4 * i);
        stage_ = Stage::hop;
        break;
      case Stage::hop:
        if (const uint32_t hop = mpls::hop_of_entry(met.entry); hop != 0) met.hop = sram_->hop(hop);
        stage_ = Stage::done;
        break;
      case Stage::done: break;
    }
    return stage_ == Stage::done;
  }
  /// For comparing: of an unknown label only that, and longwords 2 and 3 only where they count.
  Met seen() const {
    Met out = met;
    if (out.entry[0] == 0) return {};
    if (!mpls::uses_pushes(out.entry)) out.entry[2] = out.entry[3] = 0;
    out.entry[1] &= ~mpls::kHopMask;
    if (out.hop.reason != 0) out.hop.destination = out.hop.source = {};
    return out;
  }

 private:
  enum class Stage : uint8_t { label, entry, pushes, hop, done } stage_ = Stage::label;
  const Sram* sram_;
  uint32_t at_, spare_;
  bool split_;

 public:
  uint32_t label;
  Met met;
  std::vector<Met> right;
  uint64_t since = 0;
  size_t heard = 0;  ///< changes of neighbours before it set out
};

Lsp random_lsp(Random& random) {
  Lsp l;
  l.via = gateway(static_cast<unsigned>(random.below(kGateways)));
  const auto kind = random.below(4);
  if (kind <= 1) {
    l.out = static_cast<uint32_t>(random.between(16, 1000));
    l.pushes.count = static_cast<uint8_t>(random.below(3));
    // Few different ones, so that the next entry often shares some of its longwords with the last.
    for (unsigned i = 0; i < l.pushes.count; ++i)
      l.pushes.words[i] = mpls::word_of({static_cast<uint32_t>(16 + random.below(2)), {}, {}});
    return l;
  }
  l.kind = kind == 2 ? Lsp::Kind::pop : Lsp::Kind::pop_forward;
  l.pops = static_cast<uint8_t>(random.between(1, 3));
  l.mode = {random.chance(1, 2), random.chance(1, 2)};
  if (kind == 2) l.via.reset();
  return l;
}

class Bench {
 public:
  Bench(bool split, uint64_t seed) : random(seed), split_(split) {
    auto built = RouterTables::build(router(split), {1u << 20, 1u << 20});
    REQUIRE(built);
    tables = std::move(*built);
    sram = Sram(tables.image());
    for (unsigned g = 0; g < kGateways; ++g) said_now_.macs[g] = Mac{2, 0, 0, 0, 0, static_cast<uint8_t>(g)};
    before_ = said_now_;
    for (size_t i = 0; i < 60; ++i) walkers_.push_back(fresh());
  }

  /// One change; false: it had to be refused, as too many labels have just been replaced.
  bool change() {
    TableChange change;
    before_ = said_now_;
    const uint32_t label = static_cast<uint32_t>(random.between(16, 31));
    if (random.chance(1, 100)) {
      const auto g = static_cast<unsigned>(random.below(kGateways));
      if (said_now_.macs[g] && random.chance(1, 3)) {
        REQUIRE(tables.remove_neighbour(gateway(g), change));
        said_now_.macs[g].reset();
      } else {
        said_now_.macs[g] = Mac{2, 0, 0, 0, 1, static_cast<uint8_t>(random.below(250))};
        REQUIRE(tables.set_neighbour(gateway(g), *said_now_.macs[g], change));
      }
    } else if (said_now_.labels.contains(label) && random.chance(1, 3)) {
      REQUIRE(tables.remove_label(label, change));
      said_now_.labels.erase(label);
    } else {
      const Lsp lsp = random_lsp(random);
      const auto done = tables.set_label(label, lsp, change);
      if (!done) {
        CHECK(done.error().list().front().code == "control-label");
        CHECK(change.empty());
        return false;
      }
      said_now_.labels[label] = lsp;
    }
    if (before_.macs != said_now_.macs) neighbours_.push_back(before_.macs);
    write(change);
    return true;
  }

  void age() {
    for (Walker& w : walkers_) {
      while (w.since < ages_) finish(w);
    }
    ++ages_;
    write(tables.age());
  }
  void check_all() {
    for (uint32_t label = 0; label < kLabels; ++label) {
      Walker w(sram, tables.labels().base(), tables.labels().spare(), split_, label);
      while (!w.step()) {
      }
      const Met now = w.seen(), right = expected(label);
      if (label >= mpls::kFirstFreeLabel && (now.entry != right.entry || now.hop != right.hop))
        FAIL("label " << label << " is not what was said of it");
    }
  }

  Random random;
  RouterTables tables;
  Sram sram;
  size_t arrived = 0, surprised = 0;

 private:
  Walker fresh() {
    Walker w(sram, tables.labels().base(), tables.labels().spare(), split_,
             static_cast<uint32_t>(random.between(16, 31)));
    w.right = {expected(before_, w.label), expected(w.label)};  // a change may be half written
    w.since = ages_;
    w.heard = neighbours_.empty() ? 0 : neighbours_.size() - 1;
    return w;
  }
  void write(const TableChange& change) {
    std::vector<std::pair<uint32_t, uint32_t>> longwords;
    for (const TableWrite& w : change.prepare) {
      for (size_t i = 0; i < w.values.size(); ++i)
        longwords.push_back({w.address + static_cast<uint32_t>(4 * i), w.values[i]});
    }
    const size_t prepared = longwords.size();
    for (const TableWrite& w : change.publish_runs()) {
      for (size_t i = 0; i < w.values.size(); ++i)
        longwords.push_back({w.address + static_cast<uint32_t>(4 * i), w.values[i]});
    }
    for (size_t i = longwords.size(); i > prepared + 1; --i)
      std::swap(longwords[i - 1], longwords[prepared + random.below(i - prepared)]);
    for (Walker& w : walkers_) w.right.push_back(expected(w.label));
    for (const auto& [address, value] : longwords) {
      sram.write(address, value);
      for (Walker& w : walkers_) {
        if (random.chance(1, 12)) step(w);
      }
    }
  }
  void step(Walker& w) {
    if (!w.step()) return;
    ++arrived;
    const Met now = w.seen();
    // Entry and next hop are read one after the other: each must have been right, the next hop for that entry.
    const bool good = std::ranges::any_of(w.right, [&](const Met& r) {
      return r.entry == now.entry && (r.hop == now.hop || hop_was(r, now.hop, w.heard));
    });
    if (!good)
      FAIL("label " << w.label << " met what it never was: " << std::hex << now.entry[0] << ' ' << now.entry[1] << ' '
                    << now.entry[2] << ' ' << now.entry[3]);
    if (now.entry != w.right.back().entry) ++surprised;
    w = fresh();
  }
  /// Whether the next hop of an entry was so since a walker set out.
  bool hop_was(const Met& entry, const NextHop& hop, size_t since) const {
    if (!entry.gateway) return false;
    for (size_t i = since; i < neighbours_.size(); ++i) {
      if (hop == hop_of_mac(neighbours_[i].at(*entry.gateway))) return true;
    }
    return hop == hop_of_mac(said_now_.macs.at(*entry.gateway));
  }
  void finish(Walker& w) {
    const uint64_t before = arrived;
    while (arrived == before) step(w);
  }
  struct Said {
    std::map<uint32_t, Lsp> labels;
    std::map<unsigned, std::optional<Mac>> macs;
  };
  Met expected(uint32_t label) const { return expected(said_now_, label); }
  static Met expected(const Said& said, uint32_t label) {
    const auto found = said.labels.find(label);
    if (found == said.labels.end()) return {};
    Met out{mpls::words_of(found->second, 0), {}};
    if (!found->second.via) return out;
    out.gateway = found->second.via->v4() - gateway(0).v4();
    out.hop = hop_of_mac(said.macs.at(*out.gateway));
    return out;
  }
  static NextHop hop_of_mac(const std::optional<Mac>& mac) {
    NextHop hop;
    hop.mtu = 1500;
    if (!mac) {
      hop.reason = static_cast<uint8_t>(Reason::unresolved);
    } else {
      hop.destination = *mac;
      hop.source = {2, 0, 0, 0, 1, 0x0a};
    }
    return hop;
  }

  bool split_;
  Said said_now_, before_;
  std::vector<std::map<unsigned, std::optional<Mac>>> neighbours_;  ///< before each of their changes
  std::vector<Walker> walkers_;
  uint64_t ages_ = 0;
};

}  // namespace

TEST_CASE("Labels come, change and go: 40,000 changes under lookups that pause") {
  for (const bool split : {false, true}) {
    INFO((split ? "split table" : "combined table"));
    Bench bench(split, 3031);
    unsigned refused = 0;
    for (int i = 0; i < 40'000; ++i) {
      refused += !bench.change();
      if (i % 50 == 49) bench.age();
      if (i % 500 == 0) bench.check_all();
    }
    CHECK(bench.arrived > 20'000);
    CHECK(bench.surprised > 100);  // changes did meet packets on their way
    CHECK(refused == 0);
    // When all has rested, nothing is left over: no spare entry, no next hop but those of the neighbours and the
    // router.
    for (int i = 0; i < 6; ++i) bench.age();
    CHECK_FALSE(bench.tables.aging());
    bench.check_all();
  }
}

TEST_CASE("Replaced labels take spare entries, and give them back after the grace times") {
  auto built = RouterTables::build(router(false), {1u << 20, 1u << 20});
  REQUIRE(built);
  RouterTables tables = std::move(*built);
  Lsp one, other;
  one.out = 20;
  one.via = gateway(0);
  other.out = 21;
  other.via = gateway(1);
  TableChange change;
  REQUIRE(tables.set_label(40, one, change));
  REQUIRE(change.publish.size() == 1);
  // Another label by the same neighbour: the first longword says it all.
  Lsp same_way = one;
  same_way.out = 22;
  change = {};
  REQUIRE(tables.set_label(40, same_way, change));
  CHECK(change.prepare.empty());
  CHECK(change.publish.size() == 1);
  unsigned replaced = 0;
  Result<bool> last = true;
  for (; last && replaced < 1000; ++replaced) {
    change = {};
    last = tables.set_label(40, replaced % 2 == 0 ? other : one, change);
    if (last) CHECK(change.publish.size() == 1);
  }
  REQUIRE_FALSE(last);
  CHECK(replaced == mpls::kSpareEntries + 1);
  CHECK(last.error().list().front().code == "control-label");
  CHECK(change.empty());
  for (int i = 0; i < 5; ++i) tables.age();
  CHECK_FALSE(tables.aging());
  change = {};
  CHECK(tables.set_label(40, replaced % 2 == 0 ? one : other, change));
}
