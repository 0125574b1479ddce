#include "inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "weft/base/json.h"

namespace weft::workbench {
namespace {

using emulator::EngineState;
using image::RegisterKind;

std::optional<uint32_t> number(std::string_view text) {
  const bool hex = text.starts_with("0x");
  uint32_t value = 0;
  const char* begin = text.data() + (hex ? 2 : 0);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
  if (begin == end || stop != end || error != std::errc()) return std::nullopt;
  return value;
}

/// "name[12]" -> {"name", 12}.
std::optional<std::pair<std::string_view, uint32_t>> indexed(std::string_view text) {
  const size_t open = text.find('[');
  if (open == std::string_view::npos || text.back() != ']') return std::nullopt;
  const auto value = number(text.substr(open + 1, text.size() - open - 2));
  if (!value) return std::nullopt;
  return std::pair{text.substr(0, open), *value};
}

tl::unexpected<Diagnostics> unknown(const std::string& name, std::string why, std::string remedy = {}) {
  return fail("inspect-name", {}, fmt::format("'{}': {}", name, why),
              remedy.empty() ? "names look like me0.ctx3.temp, me0.ctx3.pc, me0.a5, me0.csr.CTX_ENABLES, me0.lm[12], "
                               "sram0[0x100], scratch[8], dram[0x40]"
                             : remedy);
}

uint32_t physical(const EngineState& s, const image::Register& r, unsigned context) {
  const unsigned slot = (16 * context + r.number) & 127;
  switch (r.kind) {
    case RegisterKind::gpr: return r.bank == isa::Bank::a ? s.a[slot] : s.b[slot];
    case RegisterKind::gpr_absolute: return r.bank == isa::Bank::a ? s.a[r.number & 127] : s.b[r.number & 127];
    case RegisterKind::xfer_s_read: return s.s_in[slot];
    case RegisterKind::xfer_s_write: return s.s_out[slot];
    case RegisterKind::xfer_d_read: return s.d_in[slot];
    case RegisterKind::xfer_d_write: return s.d_out[slot];
    case RegisterKind::neighbor: return s.nn[r.number & 127];
  }
  return 0;
}

/// A register of the source at a context's PC. A transfer register has two sides: "$x" is the read side when that is
/// live, "$x.out" asks for the write side.
Result<uint32_t> symbolic(const InspectTarget& target, const std::string& name, unsigned engine, unsigned context,
                          std::string_view symbol) {
  const image::Image* image = target.image(engine);
  if (!image) return unknown(name, fmt::format("me{} runs no program with names", engine));
  bool write_side = false;
  if (symbol.ends_with(".out")) {
    write_side = true;
    symbol.remove_suffix(4);
  }
  const EngineState& state = target.state(engine);
  const uint32_t pc = state.contexts[context].pc;
  bool exists = false;
  std::vector<std::string> names;
  for (const image::Register& r : image->registers) {
    const bool is_write = r.kind == RegisterKind::xfer_s_write || r.kind == RegisterKind::xfer_d_write;
    if (r.name != symbol) {
      names.push_back(r.name);
      continue;
    }
    exists = true;
    if (is_write == write_side && pc >= r.begin && pc <= r.end) return physical(state, r, context);
  }
  if (exists)
    return fail("inspect-dead", {}, fmt::format("'{}' holds nothing at 0x{:x}, where context {} stands", name, pc, context),
                "step to a place between its definition and its last use");
  const auto close = nearest(symbol, names);
  return unknown(name, fmt::format("the program of me{} has no register '{}'", engine, symbol),
                 close ? fmt::format("did you mean '{}'?", *close) : "");
}

Result<uint32_t> engine_part(const InspectTarget& target, const std::string& name, unsigned engine,
                             std::string_view rest) {
  const EngineState& state = target.state(engine);
  unsigned context = state.running >= 0 ? static_cast<unsigned>(state.running) : 0;
  if (rest.starts_with("ctx")) {
    const size_t dot = rest.find('.');
    const auto given = number(rest.substr(3, dot == std::string_view::npos ? dot : dot - 3));
    if (!given || *given >= emulator::kContexts || dot == std::string_view::npos)
      return unknown(name, "a context is ctx0 to ctx7, and a dot and a name follow it");
    context = *given;
    rest = rest.substr(dot + 1);
    if (rest == "pc") return state.contexts[context].pc;
    if (rest == "state") return static_cast<uint32_t>(state.contexts[context].state);
    if (rest == "signals") return state.contexts[context].signals;
  }
  if (rest.starts_with("csr.")) {
    const isa::CsrInfo* csr = isa::find_csr(isa::Profile::me2, rest.substr(4));
    if (!csr) return unknown(name, fmt::format("there is no local CSR '{}'", rest.substr(4)));
    return target.csr(engine, context, csr->offset);
  }
  if (const auto item = indexed(rest); item && item->first == "lm") {
    if (item->second >= emulator::kLocalMemory)
      return unknown(name, fmt::format("local memory has {} longwords", emulator::kLocalMemory), "use a smaller number");
    return state.local_memory[item->second];
  }
  const image::Image* image = target.image(engine);
  const bool named = image && std::any_of(image->registers.begin(), image->registers.end(),
                                          [&](const image::Register& r) { return r.name == rest; });
  if (!named && rest.size() > 1 && (rest[0] == 'a' || rest[0] == 'b')) {
    if (const auto slot = number(rest.substr(1)); slot && *slot < 128)
      return rest[0] == 'a' ? state.a[*slot] : state.b[*slot];
  }
  return symbolic(target, name, engine, context, rest);
}

}  // namespace

Result<uint32_t> inspect(const InspectTarget& target, const std::string& name) {
  const std::string_view text = name;
  if (text.starts_with("me")) {
    const size_t dot = text.find('.');
    const auto engine = number(text.substr(2, dot == std::string_view::npos ? dot : dot - 2));
    if (engine && dot != std::string_view::npos) {
      if (*engine >= target.engines) return unknown(name, fmt::format("the chip has microengines me0 to me{}", target.engines - 1));
      return engine_part(target, name, *engine, text.substr(dot + 1));
    }
  }
  if (const auto item = indexed(text)) {
    using emulator::MemorySpace;
    const auto [memory, address] = *item;
    const bool sram = memory.size() == 5 && memory.starts_with("sram") && memory[4] >= '0' && memory[4] <= '3';
    if (memory == "scratch" || memory == "dram" || sram) {
      const MemorySpace space = sram ? MemorySpace::sram : memory == "dram" ? MemorySpace::dram : MemorySpace::scratch;
      const unsigned channel = sram ? static_cast<unsigned>(memory[4] - '0') : 0;
      if (address >= target.host->size(space, channel))
        return unknown(name, fmt::format("{} has {} bytes", memory, target.host->size(space, channel)), "use a smaller address");
      if (address % 4) return unknown(name, "the address of a longword is a multiple of 4", "use a multiple of 4");
      return target.host->read(space, address | channel << 30);
    }
  }
  return unknown(name, "this is no name of anything in the machine");
}

}  // namespace weft::workbench
