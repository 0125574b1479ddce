// Commands to units: what the word and its operands make of them (isa.md 3.11, 10.4). What they do is the unit's
// business.
#pragma once

#include "weft/emulator/engine.h"

namespace weft::emulator::semantics {

/// What the word alone decides; transfer registers as those of context 0. With eight contexts one has 16 registers of
/// each kind, and bit 4 of the field selects the other kind.
template <class Word>
Command command_of(const Word& word, bool four_contexts) {
  Command c = word.command;
  if (c.xfer >= 16 && !four_contexts) {
    c.xfer = static_cast<uint8_t>(c.xfer - 16);
    c.xfer_d = !c.xfer_d;
  }
  return c;
}

/// `c` is command_of() the word.
template <class View>
void command(View v, Command& c) {
  c.from = {v.engine(), static_cast<uint8_t>(v.context())};
  c.left = v.left();
  c.right = v.right();
  c.address = (c.left + c.right) << v.address_shift();
  c.xfer = static_cast<uint8_t>((c.xfer + 16u * v.context()) & 127);
  if (v.data_is_register()) c.data = c.op == isa::InsnId::fast_wr ? c.left : v.state().previous.result;
  if (c.indirect) {  // bits that concern every unit; the unit reads those that are its own
    c.indirect_word = v.state().previous.result;
    if (c.indirect_word >> 25 & 1) c.count = static_cast<uint8_t>((c.indirect_word >> 21 & 15) + 1);
  }
}

}  // namespace weft::emulator::semantics
