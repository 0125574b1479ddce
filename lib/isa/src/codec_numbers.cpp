// Codecs of plain numbers.
#include <algorithm>

#include "codecs.h"

namespace weft::isa::codec {
namespace {

// params: bias, scale, min, max; value = (field + bias) * scale
Encoded number_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  const int64_t value = insn[u.role[0]];
  const int64_t bias = u.params[0], scale = u.params[1];
  const int64_t top = ((int64_t{1} << u.field[0].width) - 1 + bias) * scale;
  const int64_t low = std::max<int64_t>(u.params[2], bias * scale), high = std::min<int64_t>(u.params[3], top);
  const std::string name(role_name(u.role[0]));
  if (value < low || value > high)
    return refuse(
        u.role[0],
        name + " is " + std::to_string(value) + "; it may be " + std::to_string(low) + " to " + std::to_string(high),
        "choose a value in that range");
  if (value % scale != 0)
    return refuse(u.role[0],
                  name + " is " + std::to_string(value) + "; it must be a multiple of " + std::to_string(scale),
                  "choose a multiple");
  u.field[0].put(word, static_cast<uint32_t>(value / scale - bias));
  return {};
}
bool number_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const int64_t value = (int64_t{u.field[0].get(word)} + u.params[0]) * u.params[1];
  if (value < u.params[2] || value > u.params[3]) return false;
  insn[u.role[0]] = static_cast<uint32_t>(value);
  return true;
}

// params: field, value, field, value, ...
Encoded table_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  for (size_t i = 0; i + 1 < u.params.size(); i += 2)
    if (static_cast<uint32_t>(u.params[i + 1]) == insn[u.role[0]]) {
      u.field[0].put(word, static_cast<uint32_t>(u.params[i]));
      return {};
    }
  if (u.role[0] == Role::op)
    return refuse(Role::op, "this operator does not go together with a shift",
                  "shifts go with B, ~B, AND, ~AND, AND~ and OR; do others in two instructions");
  return refuse(u.role[0], "no code for this " + std::string(role_name(u.role[0])), "choose another");
}
bool table_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const uint32_t raw = u.field[0].get(word);
  for (size_t i = 0; i + 1 < u.params.size(); i += 2)
    if (static_cast<uint32_t>(u.params[i]) == raw) {
      insn[u.role[0]] = static_cast<uint32_t>(u.params[i + 1]);
      return true;
    }
  return false;
}

// params: what an idle field is written as
Encoded rest_encode(const CodecUse& u, Profile, const Instruction&, uint64_t& word) {
  u.field[0].put(word, static_cast<uint32_t>(u.params[0]));
  return {};
}
bool rest_decode(const CodecUse&, Profile, uint64_t, Instruction&) { return true; }

}  // namespace

const Codec number{number_encode, number_decode};
const Codec table{table_encode, table_decode};
const Codec rest{rest_encode, rest_decode};

}  // namespace weft::isa::codec
