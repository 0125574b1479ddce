// The label table in SRAM: which longwords a new, another or a removed entry writes, so that packets which are looked
// up meanwhile find the old entry or the new one, whole.
//
// Combined table. The first longword publishes: 0 -> entry, entry -> 0. Where an entry replaces another in more than
// one longword, the new one is written to a spare entry and the first longword redirects there; a grace time later it
// is written home. Longwords 2 and 3 are read some time after the first two, so they are left alone for a grace time
// after the entry that used them has gone. Split table. The label's longword leads to an entry; another entry is
// another place.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "table_memory.h"
#include "weft/control/mpls/label.h"

namespace weft::control::mpls {

/// What a table of so many labels takes, in bytes.
uint64_t table_bytes(uint32_t labels, bool split);

/// A plain value; copies share the entries until one of them changes.
class LabelTable {
 public:
  LabelTable() = default;
  /// At `base`, an address as the microcode writes it.
  LabelTable(uint32_t labels, bool split, uint32_t base);

  uint32_t labels() const { return labels_; }
  uint32_t used() const { return used_; }
  bool split() const { return split_; }
  uint32_t base() const { return base_; }
  /// Spare entries, or those that the longwords of a split table lead to.
  uint32_t spare() const { return spare_; }
  /// Zeros for an unknown label.
  EntryWords at(uint32_t label) const { return label < labels_ ? (*entries_)[label] : EntryWords{}; }
  /// false: too many have just been replaced; nothing has changed then. Without a change: nothing runs yet.
  bool set(uint32_t label, const EntryWords& words, TableChange* change);
  void erase(uint32_t label, TableChange& change);
  /// Another next hop, the same operation: always one longword.
  void set_hop(uint32_t label, uint32_t hop, TableChange& change);

  /// As RouterTables::age(); what has to be written home is added to `change`.
  void age(TableChange& change);
  bool aging() const { return !moved_.empty() || !resting_.empty() || !retired_.empty(); }

  std::vector<image::MemoryWrite> image() const;

 private:
  struct Retired {
    uint32_t place = 0;
    uint64_t generation = 0;
  };
  struct Moved {
    uint32_t spare = 0;
    uint64_t generation = 0;
  };
  uint32_t home(uint32_t label) const;
  uint32_t place(uint32_t number) const;
  EntryWords& own(uint32_t label);
  bool old(uint64_t generation) const { return generation + TableMemory::kGenerations <= generation_; }
  bool move(uint32_t label, const EntryWords& words, TableChange& change);
  bool set_split(uint32_t label, const EntryWords& words, TableChange* change);

  uint32_t labels_ = 0, used_ = 0, base_ = 0, spare_ = 0;
  bool split_ = false;
  std::shared_ptr<std::vector<EntryWords>> entries_;  ///< what each label means now
  std::vector<uint32_t> free_;                        ///< numbers of spare entries
  std::map<uint32_t, uint32_t> places_;               ///< split: numbers by label
  std::map<uint32_t, Moved> moved_;                   ///< labels whose entry is a spare one
  std::map<uint32_t, uint64_t> resting_;              ///< labels whose longwords 2 and 3 may still be read, since when
  std::vector<Retired> retired_;                      ///< spare entries that packets may still be in
  uint64_t generation_ = 0;
};

}  // namespace weft::control::mpls
