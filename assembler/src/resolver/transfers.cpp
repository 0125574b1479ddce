// Transfer registers: which of the two registers of a name is used, and which names must be consecutive.
#include "resolver/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft::assembler {
namespace {

uint8_t bits(XferGroup::Side side) { return side == XferGroup::Side::both ? 3 : side == XferGroup::Side::read ? 1 : 2; }

}  // namespace

Transfers::Sides& Transfers::sides_of(VregId id) {
  if (static_cast<size_t>(id) >= sides_.size()) sides_.resize(program_.vregs.size());
  return sides_[static_cast<size_t>(id)];
}

void Transfers::use(VregId id, bool read, bool write) {
  Sides& sides = sides_of(id);
  sides.read = sides.read || read;
  sides.write = sides.write || write;
}

bool Transfers::is_ordered(VregId id, XferGroup::Side side) const {
  return static_cast<size_t>(id) < sides_.size() && (sides_[static_cast<size_t>(id)].ordered & bits(side)) != 0;
}

void Transfers::add_order(XferGroup group) {
  for (const VregId id : group.members) {
    Sides& sides = sides_of(id);
    sides.ordered = static_cast<uint8_t>(sides.ordered | bits(group.side));
  }
  program_.groups.push_back(std::move(group));
}

void Transfers::finish() {
  using Side = XferGroup::Side;
  sides_.resize(program_.vregs.size());
  for (const Symbol& symbol : arrays_) {
    const uint8_t have = sides_of(symbol.ids[0]).ordered;
    if (have == 3) continue;
    const Side missing = have == 0 ? Side::both : have == 1 ? Side::write : Side::read;
    program_.groups.push_back({missing, symbol.ids, symbol.origin});
  }
  check_commands();
  for (size_t i = 0; i < program_.vregs.size(); ++i) {
    Vreg& v = program_.vregs[i];
    if (v.cls != VregClass::xfer_s && v.cls != VregClass::xfer_d) continue;
    // Without an attribute the uses tell which side is meant; a name that is only taken by `&` may be either.
    const Sides& sides = sides_[i];
    if (!sides.declared && (sides.read || sides.write)) {
      v.read_side = sides.read;
      v.write_side = sides.write;
    }
  }
}

void Transfers::check_commands() {
  using Side = XferGroup::Side;
  // Groups do not overlap on one side, so a register has one place at most there.
  struct Place {
    const XferGroup* group = nullptr;
    size_t place = 0;
  };
  std::array<std::vector<Place>, 2> places{std::vector<Place>(program_.vregs.size()),
                                           std::vector<Place>(program_.vregs.size())};  // read, write
  for (const XferGroup& g : program_.groups) {
    for (size_t i = 0; i < g.members.size(); ++i) {
      const auto v = static_cast<size_t>(g.members[i]);
      if (g.side != Side::write) places[0][v] = {&g, i};
      if (g.side != Side::read) places[1][v] = {&g, i};
    }
  }
  for (const Command& command : commands_) {
    const auto [found, place] = places[command.read ? 0 : 1][static_cast<size_t>(command.first)];
    const size_t available = found ? found->members.size() - place : 1;
    if (available < command.longwords) {
      report_.error("asm-xfer-order", command.origin,
                    fmt::format("the command uses {} consecutive transfer registers from '{}' on, but only {} {} known "
                                "to be consecutive",
                                command.longwords, program_.vregs[static_cast<size_t>(command.first)].name, available,
                                available == 1 ? "is" : "are"),
                    "name them all, in this order, in .xfer_order, or declare an array");
      continue;
    }
    for (size_t i = 0; found && i < command.longwords; ++i) {
      const VregId id = found->members[place + i];
      use(id, command.read, !command.read);
      program_.vregs[static_cast<size_t>(id)].used = true;
    }
  }
}

}  // namespace weft::assembler
