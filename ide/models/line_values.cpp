#include "line_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "weft/isa/effects.h"

namespace weft::ide {

namespace {

using emulator::Activity;
using emulator::History;
using isa::OperandKind;

constexpr uint64_t kMaxWords = 100'000;  ///< of the history, that are looked at

/// Addresses that were executed before `cycle`, the last one first.
std::vector<uint16_t> executed(const History::Past& past, uint64_t cycle, unsigned max) {
  std::vector<uint16_t> out;
  const auto take = [&](uint64_t begin, uint64_t end, uint16_t place) {
    for (uint64_t at = std::min(end, cycle); at > begin && out.size() < max; --at)
      out.push_back(static_cast<uint16_t>(place + (at - 1 - begin)));
  };
  if (past.now == Activity::executing && past.since < cycle) take(past.since, cycle, past.place);
  uint64_t begin = past.since, looked = 0;
  size_t place = past.places.size();
  for (size_t i = past.words.size(); i-- > 0 && out.size() < max && looked < kMaxWords; ++looked) {
    const uint64_t end = begin;
    begin -= past.words[i] & 0x1fffffff;
    if (static_cast<Activity>(past.words[i] >> 29) != Activity::executing) continue;
    if (place == 0) break;  // the places before it were dropped
    take(begin, end, past.places[--place]);
  }
  return out;
}

/// The register that a word writes: its name there, and the name under which it can be asked for anywhere.
struct Written {
  std::string name, asked;
};
std::optional<Written> written_by(const image::Image& image, const isa::Instruction& insn, uint16_t pc,
                                  workbench::ContextId id) {
  using image::RegisterKind;
  const isa::Operand& d = insn.dest;
  if (!d.is_gpr() || isa::bytes_written(insn) == 0) return std::nullopt;
  const bool absolute = d.kind == OperandKind::gpr_absolute;
  const unsigned number = absolute ? d.value & 127 : (16 * id.context + d.value) & 127;
  const char bank = d.bank == isa::Bank::b ? 'b' : 'a';
  Written out{{}, fmt::format("me{}.{}{}", id.engine, bank, number)};
  for (const image::Register& r : image.registers)
    if (r.kind == (absolute ? RegisterKind::gpr_absolute : RegisterKind::gpr) && r.bank == d.bank &&
        r.number == d.value && r.begin <= pc + 1u && pc < r.end)
      out.name = r.name;
  if (out.name.empty()) return std::nullopt;  // a place that the program has no name for
  return out;
}

}  // namespace

std::map<std::string, std::map<int, std::string>> line_values(const workbench::Inspector& machine,
                                                              workbench::ContextId id, unsigned max) {
  std::map<std::string, std::map<int, std::string>> out;
  const History* history = machine.history(id.chip);
  const image::Image* image = machine.program(id.chip, id.engine);
  if (history == nullptr || image == nullptr || id.engine >= history->engines()) return out;
  const std::vector<uint64_t> words = machine.words(id.chip, id.engine);
  const isa::Profile profile = machine.timing(id.chip).profile;
  std::set<std::string> seen;
  const auto past = history->past({static_cast<uint8_t>(id.engine), static_cast<uint8_t>(id.context)});
  for (const uint16_t pc : executed(past, machine.cycle(), max)) {
    const auto insn = pc < words.size() ? isa::decode(profile, words[pc]) : std::nullopt;
    if (!insn || pc >= image->lines.size()) continue;
    const auto written = written_by(*image, *insn, pc, id);
    // The allocator may have moved a name to another place since: what it holds now stands at one line alone.
    if (!written || !seen.insert(written->asked).second || !seen.insert(written->name).second) continue;
    const image::Line& place = image->lines[pc].place;
    const auto value = machine.evaluate(written->asked, id);
    if (place.line == 0 || place.file >= image->files.size() || !value) continue;
    std::string& text = out[image->files[place.file]][static_cast<int>(place.line)];
    const std::string one = fmt::format("{} = 0x{:x}", written->name, static_cast<uint32_t>(*value));
    text = text.empty() ? one : one + ", " + text;  // in the order in which they were written
  }
  return out;
}

}  // namespace weft::ide
