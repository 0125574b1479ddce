// Initial values and memory blocks.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resolver/directives.h"
#include "source/recorder.h"

namespace weft::assembler {

using Arg = ast::DirectiveArg;

void Directives::initialise(const ast::Directive& d) {
  if (!takes(d, 2, SIZE_MAX, ".init name[+offset] value ...")) return;
  const Arg& a = d.args[0];
  if (a.kind != Arg::Kind::name) {
    report_.error("asm-directive", a.origin, ".init takes the name of a register or memory block first");
    return;
  }
  image::Init init;
  init.name = sources_.names().key(a.text);
  for (size_t i = 1; i < d.args.size(); ++i) {
    const auto value = number(d.args[i], INT32_MIN, UINT32_MAX, "initial value");
    if (!value) return;
    init.values.push_back(static_cast<uint32_t>(*value));
  }
  if (const image::MemoryBlock* block = symbols_.block(init.name)) {
    initialise_block(d, *block, std::move(init));
  } else {
    initialise_registers(d, init);
  }
}

void Directives::initialise_block(const ast::Directive& d, const image::MemoryBlock& block, image::Init init) {
  const Arg& a = d.args[0];
  if (Recorder* recorder = sources_.recorder()) recorder->linked_name(init.name, a.origin, true, false);
  if (a.index || a.address) {
    report_.error("asm-directive", a.origin, fmt::format("the memory block '{}' has no elements", a.text),
                  fmt::format("write .init {}+offset value ..., the offset in bytes", a.text));
    return;
  }
  uint64_t begin = 0;
  if (a.offset) {
    const auto offset = operands_.constant(*a.offset);
    if (!offset) return;
    if (!is_known(*offset) || offset->number < 0 || offset->number % 4 != 0) {
      report_.error("asm-directive", a.origin, "the offset must be a multiple of 4");
      return;
    }
    begin = static_cast<uint64_t>(offset->number);
  }
  if (begin > block.size || 4 * init.values.size() > block.size - begin) {
    report_.error("asm-directive", a.origin,
                  fmt::format("the values do not fit into the {} bytes of '{}'", block.size, a.text));
    return;
  }
  init.offset = static_cast<uint32_t>(begin);
  program_.inits.push_back(std::move(init));
}

/// The first value is that of the register, or of the element that is named; those of an array go on from there.
void Directives::initialise_registers(const ast::Directive& d, const image::Init& init) {
  const Arg& a = d.args[0];
  if (initialise_physical(d, a, init)) return;
  const Symbol* s = symbols_.find(init.name, Symbol::Kind::reg, a.origin, d.name);
  if (!s || s->guessed || !has_only_index(a, d.name)) return;
  const auto named = registers_of(*s, a);
  if (!named) return;
  auto id = std::find(s->ids.begin(), s->ids.end(), named->front());
  const auto room = static_cast<size_t>(s->ids.end() - id);
  if (init.values.size() > room) {
    report_.error("asm-directive", d.args[1 + room].origin,
                  fmt::format("'{}' holds {} longword{}{}", a.text, room, room == 1 ? "" : "s",
                              a.index ? " from this element on" : ""));
    return;
  }
  for (const uint32_t value : init.values) {
    Vreg& v = program_.vregs[static_cast<size_t>(*id++)];
    v.initial = value;
    v.used = true;
    program_.inits.push_back({v.name, 0, -1, {value}});
  }
}

bool Directives::initialise_physical(const ast::Directive& d, const Arg& a, const image::Init& init) {
  if (!program_.physical || symbols_.scopes().find(init.name, Symbol::Kind::reg) != nullptr) return false;
  const auto reg = operands_.physical(init.name, a.origin);
  if (!reg) return false;
  if (!has_only_index(a, d.name)) return true;
  if (a.index || init.values.size() > 1) {
    report_.error(a.index ? "asm-index" : "asm-directive", a.index ? a.origin : d.args[2].origin,
                  fmt::format("'{}' is one register", a.text), "give each register a directive of its own");
  } else if (init.context >= 0 && reg->kind == isa::OperandKind::gpr_absolute) {
    report_.error("asm-directive", a.origin, fmt::format("'{}' is one register for all contexts", a.text), "use .init");
  } else {
    program_.initialised.insert_or_assign(init.name, *reg);
    program_.inits.push_back(init);
  }
  return true;
}

void Directives::initialise_context(const ast::Directive& d) {
  if (!takes(d, 3, 3, ".init_ctx context register value")) return;
  const auto context = number(d.args[0], 0, 7, "context");
  const auto value = number(d.args[2], INT32_MIN, UINT32_MAX, "initial value");
  const Arg& a = d.args[1];
  if (a.kind != Arg::Kind::name) {
    report_.error("asm-directive", a.origin, ".init_ctx takes the name of a register");
    return;
  }
  const std::string name = sources_.names().key(a.text);
  const auto in = static_cast<int32_t>(context.value_or(0));
  if (initialise_physical(d, a, {name, 0, in, {static_cast<uint32_t>(value.value_or(0))}})) return;
  const Symbol* s = symbols_.find(name, Symbol::Kind::reg, a.origin, d.name);
  if (!context || !value || !s || s->guessed || !has_only_index(a, d.name)) return;
  const auto named = registers_of(*s, a);
  if (!named) return;
  Vreg& v = program_.vregs[static_cast<size_t>(named->front())];
  if (v.cls == VregClass::gpr_absolute) {
    report_.error("asm-directive", a.origin, fmt::format("'{}' is one register for all contexts", a.text), "use .init");
    return;
  }
  if (!v.initial) v.initial = 0;
  v.used = true;
  program_.inits.push_back({v.name, 0, static_cast<int32_t>(*context), {static_cast<uint32_t>(*value)}});
}

void Directives::stand_in_block(const Arg& name) {
  image::MemoryBlock unknown;
  unknown.name = sources_.names().key(name.text);
  unknown.size = uint64_t{1} << 31;
  if (symbols_.block(unknown.name) == nullptr) symbols_.add_block(std::move(unknown));
}

namespace {

/// The regions of the chip as a program names them.
std::string region_names(const Program& program) {
  std::string names = "scratch, sram";
  if (program.sram_channels > 1)
    names += fmt::format("0 {} sram{}", program.sram_channels == 2 ? "and" : "to", program.sram_channels - 1);
  return names + (isa::sizes(program.profile).local_memory ? ", dram, local" : ", dram");
}

}  // namespace

std::optional<image::Region> Directives::region_of(const Arg& a) {
  using image::Region;
  static constexpr std::array<std::pair<std::string_view, Region>, 11> regions{{{"scratch", Region::scratch},
                                                                                {"sram", Region::sram0},
                                                                                {"sram0", Region::sram0},
                                                                                {"sram1", Region::sram1},
                                                                                {"sram2", Region::sram2},
                                                                                {"sram3", Region::sram3},
                                                                                {"dram", Region::dram},
                                                                                {"sdram", Region::dram},
                                                                                {"local", Region::local},
                                                                                {"lmem", Region::local},
                                                                                {"local_mem", Region::local}}};
  const std::string name = folded(a.text);
  const auto at = std::find_if(regions.begin(), regions.end(), [&](const auto& r) { return r.first == name; });
  const auto is_there = [&](Region region) {
    return region < Region::sram0 || region > Region::sram3 ||
           static_cast<uint32_t>(region) - static_cast<uint32_t>(Region::sram0) < program_.sram_channels;
  };
  if (at != regions.end() && is_there(at->second)) return at->second;
  report_.error("asm-directive", a.origin,
                at == regions.end() ? fmt::format("there is no memory region '{}'", a.text)
                                    : fmt::format("{} has no memory region '{}'", program_.chip, a.text),
                "regions: " + region_names(program_));
  return std::nullopt;
}

void Directives::memory(const ast::Directive& d) {
  const bool alloc = d.name == ".alloc_mem";
  const std::string form = alloc ? ".alloc_mem name region[+address] local|global size [align]"
                                 : d.name + " name region[+address] size [align]";
  if (!takes(d, alloc ? 4 : 3, SIZE_MAX, form)) return;
  if (d.args[0].kind != Arg::Kind::name || d.args[1].kind != Arg::Kind::name) {
    report_.error("asm-directive", d.args[0].origin, fmt::format("{} takes a name and a region", d.name),
                  "write " + form);
    return;
  }
  image::MemoryBlock block;
  block.name = sources_.names().key(d.args[0].text);
  const auto region = region_of(d.args[1]);
  if (!region) return stand_in_block(d.args[0]);  // what uses the block is not a second mistake
  block.region = *region;
  if (block.region == image::Region::local && !isa::sizes(program_.profile).local_memory) {
    report_.error("asm-directive", d.args[1].origin, fmt::format("{} has no local memory", program_.chip),
                  "use scratch or sram");
    return;
  }
  if (d.args[1].offset) {
    const auto offset = operands_.constant(*d.args[1].offset);
    if (!offset) return;
    if (!is_known(*offset) || offset->number < 0 || offset->number % 4 != 0 || offset->number > (int64_t{1} << 32)) {
      report_.error("asm-directive", d.args[1].origin,
                    "the address of a memory block is a number of bytes, a multiple of 4");
      return;
    }
    block.address = static_cast<uint64_t>(offset->number);
  }
  size_t size_at = 2;
  block.global = d.name == ".global_mem";
  if (alloc) {
    const std::string scope = folded(d.args[2].text);
    if (d.args[2].kind != Arg::Kind::name ||
        (scope != "local" && scope != "me" && scope != "global" && scope != "island")) {
      report_.error("asm-directive", d.args[2].origin, "the scope of a memory block is local or global",
                    "write " + form);
      return;
    }
    block.global = scope == "global" || scope == "island";
    size_at = 3;
  }
  const auto size = number(d.args[size_at], 1, int64_t{1} << 31, "size");
  if (!size) return;
  block.size = static_cast<uint64_t>(*size);
  // Attributes tell later tools how to address a block; nothing here could obey one. The block stands all the same.
  const bool aligned = d.args.size() > size_at + 1 && d.args[size_at + 1].kind != Arg::Kind::name;
  if (const size_t attribute = size_at + (aligned ? 2 : 1); d.args.size() > attribute) {
    report_.error(
        "asm-directive", d.args[attribute].origin,
        fmt::format("memory blocks of {} have no attributes such as '{}'", program_.chip, d.args[attribute].text),
        "write " + form + "; +address puts a block at a fixed place");
  }
  if (aligned) {
    const auto align = number(d.args[size_at + 1], 1, int64_t{1} << 31, "alignment");
    if (!align) return;
    if ((*align & (*align - 1)) != 0) {
      report_.error("asm-directive", d.args[size_at + 1].origin, "the alignment must be a power of two");
      return;
    }
    block.align = std::max<uint64_t>(4, static_cast<uint64_t>(*align));
  }
  if (block.address && *block.address % block.align != 0) {
    report_.error("asm-directive", d.args[1].origin,
                  fmt::format("the address {:#x} is not a multiple of the alignment {}", *block.address, block.align));
    return;
  }
  const image::MemoryBlock* same = symbols_.block(block.name);
  // A macro that is called twice may declare twice what it needs, as two programs may.
  const bool again = same != nullptr && same->region == block.region && same->global == block.global &&
                     same->size == block.size && same->align == block.align && same->address == block.address;
  if (same != nullptr && !again) {
    report_.error("asm-redeclared", d.args[0].origin,
                  fmt::format("the memory block '{}' is declared twice, and not alike", d.args[0].text),
                  "region, scope, size, alignment and address must agree");
    return;
  }
  if (Recorder* recorder = sources_.recorder()) recorder->linked_name(block.name, d.args[0].origin, true, true);
  if (!again) symbols_.add_block(std::move(block));
}

}  // namespace weft::assembler
