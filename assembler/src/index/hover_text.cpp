#include "index/hover_text.h"

#include <fmt/format.h>

namespace weft::assembler {

std::string number_text(int64_t value) {
  const bool word = value >= INT32_MIN && value <= UINT32_MAX;
  const auto bits = static_cast<uint64_t>(value) & (word ? 0xffffffffULL : ~0ULL);
  std::string out = fmt::format("{} = {:#x} = {:#b}", value, bits, bits);
  if (word && value > INT32_MAX) out += fmt::format(" = {}", static_cast<int32_t>(bits));
  // An address of IPv4 with a first octet that means something.
  if (word && value >= 0 && bits >> 24 != 0)
    out += fmt::format(" = {}.{}.{}.{}", bits >> 24, bits >> 16 & 255, bits >> 8 & 255, bits & 255);
  return out;
}

std::string cycles_text(const isa::InsnInfo& info, isa::Profile profile, const std::optional<LostCycles>& lost) {
  const auto number = [](unsigned n) { return fmt::format("{} cycle{}", n, n == 1 ? "" : "s"); };
  const char* slots = isa::max_deferred(profile, info) > 0 ? "; each filled deferred slot takes one off" : "";
  switch (info.cycles) {
    case isa::CycleClass::single: return "1 cycle.";
    case isa::CycleClass::command:
      return info.signal == isa::SignalUse::none || !lost
                 ? "1 cycle to issue."
                 : fmt::format("1 cycle to issue; with ctx_swap {} until another context executes{}.",
                               number(1 + lost->swap), slots);
    case isa::CycleClass::swap:
      return lost ? fmt::format("{} until another context executes{}.", number(1 + lost->swap), slots) : std::string();
    default: break;
  }
  if (!lost) return {};
  const unsigned aborted = lost->of(info.cycles);
  return info.falls_through ? fmt::format("1 cycle, and {} more when it is taken{}.", aborted, slots)
                            : fmt::format("{}{}.", number(1 + aborted), slots);
}

}  // namespace weft::assembler
