// The router's tables: interfaces, neighbours, routes, next hops of both families and label switched paths, and the
// memory that the microcode looks them up in. Every change says which longwords it writes (TableChange), so that it can
// be made while packets flow.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "mpls/table.h"
#include "next_hop.h"
#include "trie.h"
#include "weft/base/diagnostic.h"
#include "weft/control/config.h"

namespace weft::control {

/// A plain value: copies share what neither of them changes.
class RouterTables {
 public:
  /// Fails with "control-trie-full" when the tables do not fit.
  static Result<RouterTables> build(const RouterConfig& config, const std::array<uint64_t, 2>& sram_bytes);
  /// Everything that stands in SRAM.
  std::vector<image::MemoryWrite> image() const;

  // ---- what the tables say ----
  struct Answer {
    NextHop hop;
    std::optional<Prefix> prefix;      ///< of the route; none: no route
    std::optional<IpAddress> gateway;  ///< the neighbour that the route names; none: the destination itself, or nobody
    size_t interface = kNoInterface;   ///< by which it leaves, or whose own address it is
  };
  Answer lookup(const IpAddress& address) const;
  /// The route of exactly this prefix.
  std::optional<Answer> route(const Prefix& prefix) const;
  /// The next hop at an address in SRAM, as core messages carry it; without a prefix.
  std::optional<Answer> at(uint32_t next_hop) const;
  const std::vector<Interface>& interfaces() const { return *interfaces_; }
  std::optional<Mac> neighbour(const IpAddress& address) const;
  bool is_own(const IpAddress& address) const { return is_own_address(*interfaces_, address); }
  const mpls::LabelTable& labels() const { return labels_; }
  /// What is done with packets of a label; nothing for an unknown one.
  std::optional<mpls::Lsp> label(uint32_t label) const;

  // ---- changes; what they write is added to `change` ----
  /// Diagnostics: control-next-hop, control-family, control-own-address, control-trie-full. Nothing has changed then.
  Result<bool> add_route(const Route& route, TableChange& change);
  /// Diagnostic: control-no-route.
  Result<bool> remove_route(const Prefix& prefix, TableChange& change);
  /// A station that is learnt or has another MAC now: all routes through it follow. Diagnostics: control-neighbour,
  /// control-trie-full.
  Result<bool> set_neighbour(const IpAddress& address, const Mac& mac, TableChange& change);
  Result<bool> remove_neighbour(const IpAddress& address, TableChange& change);
  /// A label switched path, new or in place of another. Diagnostics: control-label, control-next-hop,
  /// control-trie-full.
  Result<bool> set_label(uint32_t label, const mpls::Lsp& lsp, TableChange& change);
  Result<bool> remove_label(uint32_t label, TableChange& change);

  /// What was taken out may be used again after two calls: so call it when a grace time has passed since the last call,
  /// while aging() says that something waits. What is given back is to be written: labels that had been replaced go
  /// home.
  TableChange age();
  bool aging() const { return memory_.aging() || !retired_hops_.empty() || labels_.aging(); }

  uint64_t routes(Family family) const { return trie(family).routes(); }
  uint64_t next_hops() const { return hops_.size(); }
  uint64_t nodes() const { return memory_.nodes_in_use(); }

 private:
  /// A neighbour, and the labels that packets get on the way to it.
  struct Way {
    IpAddress gateway;
    mpls::LabelStack labels = {};
    auto operator<=>(const Way&) const = default;
  };
  struct Hop {
    NextHop hop;
    std::optional<Way> way;
    size_t interface = kNoInterface;
    uint32_t uses = 0;
    uint64_t retired = 0;  ///< generation in which its last use ended
    bool had_mac = false;  ///< a MAC stands in its memory, so it is not filled in place again
  };
  /// Routes of the router itself, for one prefix: what of them is there decides in this order.
  struct System {
    std::optional<uint32_t> own, fixed, neighbour, connected;
    std::optional<uint32_t> best() const { return own ? own : fixed ? fixed : neighbour ? neighbour : connected; }
  };
  using Layer = std::optional<uint32_t> System::*;
  struct RetiredHop {
    uint32_t address = 0;
    uint64_t generation = 0;
  };

  Trie& trie(Family family) { return tries_[static_cast<size_t>(family)]; }
  const Trie& trie(Family family) const { return tries_[static_cast<size_t>(family)]; }
  std::optional<uint32_t> new_hop(const Hop& hop, TableChange* change);
  std::optional<uint32_t> special_hop(Reason reason, size_t interface, TableChange* change);
  std::optional<uint32_t> way_hop(const Way& way, TableChange* change);
  Hop towards(const Way& way) const;
  std::vector<uint32_t> hops_through(const IpAddress& gateway) const;
  void use(uint32_t hop) { ++hops_.at(hop).uses; }
  void unuse(uint32_t hop);
  void drop_unused(uint32_t hop, TableChange* change);
  bool set_layer(const Prefix& prefix, Layer layer, std::optional<uint32_t> hop, TableChange* change);
  bool set_static(const Prefix& prefix, uint32_t hop, TableChange* change);
  bool move_routes(uint32_t from, uint32_t to, Family family, TableChange* change);
  bool add_interface(size_t index);
  bool add_all(const RouterConfig& config);
  Result<bool> add_labels(const mpls::Config& config);
  Result<bool> put_label(uint32_t label, const mpls::Lsp& lsp, TableChange* change);

  std::shared_ptr<const std::vector<Interface>> interfaces_;
  std::map<IpAddress, Mac> neighbours_;
  std::array<Trie, 2> tries_;
  TableMemory memory_;
  std::map<Prefix, System> system_;
  std::map<uint32_t, Hop> hops_;  ///< by address
  std::map<Way, uint32_t> by_way_;
  std::map<NextHop, uint32_t> by_content_;  ///< those without a way
  std::vector<RetiredHop> retired_hops_;
  mpls::LabelTable labels_;
};

}  // namespace weft::control
