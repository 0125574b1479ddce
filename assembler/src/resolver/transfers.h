// Transfer registers: which of the two registers of a name is used, and which names must be consecutive.
#pragma once

#include <utility>
#include <vector>

#include "resolver/reporter.h"
#include "resolver/scopes.h"

namespace weft::assembler {

class Transfers {
 public:
  Transfers(Program& program, Reporter& report) : program_(program), report_(report) {}

  /// The declaration of `id` says which sides it has.
  void declare_sides(VregId id) { sides_of(id).declared = true; }
  void use(VregId id, bool read, bool write);
  /// A command over several registers from `first` on; checked when all orders are known.
  void use_consecutive(VregId first, uint32_t longwords, bool read, const Origin& origin) {
    commands_.push_back({first, longwords, read, origin});
  }
  /// The elements of an array are consecutive.
  void add_array(const Symbol& symbol) { arrays_.push_back(symbol); }

  bool is_ordered(VregId id, XferGroup::Side side) const;
  void add_order(XferGroup group);

  /// Makes groups of the arrays, checks commands, and sets the sides of registers without an attribute by their uses.
  void finish();

 private:
  struct Sides {
    bool declared = false, read = false, write = false;
    uint8_t ordered = 0;  ///< sides that are in an .xfer_order: bit 0 read, bit 1 write
  };
  struct Command {
    VregId first;
    uint32_t longwords;
    bool read;
    Origin origin;
  };
  Sides& sides_of(VregId id);
  void check_commands();

  Program& program_;
  Reporter& report_;
  std::vector<Sides> sides_;  ///< by VregId
  std::vector<Symbol> arrays_;
  std::vector<Command> commands_;
};

}  // namespace weft::assembler
