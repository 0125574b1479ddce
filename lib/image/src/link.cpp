// The linker: blocks to addresses, imports to constants, constants into words, initial values into places.
#include "weft/image/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "names.h"
#include "place.h"
#include "weft/base/json.h"

namespace weft::image {
namespace {

/// The rows of a register that a value of the list is for: those of an element, or of a name without elements.
class NamedByInit {
 public:
  NamedByInit(const Init& init, size_t value) {
    const size_t element = init.offset / 4 + value;
    indexed_ = fmt::format("{}[{}]", init.name, element);
    if (element == 0) plain_ = init.name;
  }
  bool operator()(const Register& r) const { return r.name == indexed_ || (plain_ && r.name == *plain_); }

 private:
  std::string indexed_;
  std::optional<std::string> plain_;
};

std::string without_prefix(const std::string& name) { return name.starts_with("i$") ? name.substr(2) : name; }

class Linker {
 public:
  explicit Linker(const LinkInput& input) : input_(input) {}

  Result<Linked> run() {
    check_engines();
    blocks_ = BlockMap::place(input_, linked_.placements, out_);
    for (const LinkInput::Assignment& program : input_.programs) {
      for (unsigned engine : program.engines) load(*program.image, engine);
    }
    if (out_.has_errors()) return tl::unexpected<Diagnostics>(std::move(out_));
    return std::move(linked_);
  }

 private:
  void check_engines() {
    std::map<unsigned, std::string> taken;
    for (const LinkInput::Assignment& program : input_.programs) {
      for (unsigned engine : program.engines) {
        const auto [other, is_new] = taken.try_emplace(engine, program.image->name);
        if (!is_new) {
          out_.error(
              "link-engine-twice", whole_file(program.image->name),
              fmt::format("microengine {} has two programs, '{}' and '{}'", engine, other->second, program.image->name),
              "give each microengine one program");
        }
      }
    }
  }

  void load(const Image& image, unsigned engine) {
    LoadedProgram program{engine, &image, image.words, {}};
    for (const ImportUse& use : image.uses) patch(program, use);
    for (const Init& init : image.inits) initialise(program, init);
    linked_.programs.push_back(std::move(program));
  }

  SourceRange place_of(const Image& image, uint32_t address) const {
    if (address >= image.lines.size()) return whole_file(image.name);
    const Line& line = image.lines[address].place;
    // The text of the source is not here; a file of its name and the position are enough to point at it.
    return {make_source(image.files[line.file], ""), {line.line, line.column}, {line.line, line.column}};
  }

  std::optional<uint64_t> value_of_import(unsigned engine, const std::string& written) const {
    const std::string name = without_prefix(written);
    if (const auto found = input_.constants.find(name); found != input_.constants.end()) return found->second;
    if (const Placement* block = blocks_.find(name, engine)) return block->address;
    const bool own = name == "__UENGINE_ID" || name == "__MEID" || name == "__uengine_id" || name == "__meid";
    if (own && engine < input_.engine_numbers.size()) return input_.engine_numbers[engine];
    return std::nullopt;
  }

  void patch(LoadedProgram& program, const ImportUse& use) {
    const Image& image = *program.image;
    if (use.address >= program.words.size()) {
      out_.error("link-bad-use", whole_file(image.name),
                 fmt::format("the use of '{}' lies at word {}, after the last word", use.name, use.address));
      return;
    }
    const auto base = value_of_import(program.engine, use.name);
    if (!base) {
      unresolved(image, use);
      return;
    }
    const uint64_t value = *base + static_cast<uint64_t>(use.addend);
    if (value > UINT32_MAX || (use.part == ImportUse::Part::whole16 && value > 0xffff)) {
      out_.error("link-import-too-wide", place_of(image, use.address),
                 fmt::format("'{}' is {:#x}, which does not fit {} bits", use.name, value,
                             use.part == ImportUse::Part::whole16 ? 16 : 32),
                 use.part == ImportUse::Part::whole16
                     ? "load it in two halves: immed_w0[r, (i$x & 0xffff)] and immed_w1[r, (i$x >> 16)]"
                     : "choose an address within 32 bits");
      return;
    }
    const uint32_t half = static_cast<uint32_t>(use.part == ImportUse::Part::high16 ? value >> 16 : value & 0xffff);
    auto insn = isa::decode(image.profile, program.words[use.address]);
    if (!insn || !is_immed(insn->id)) {
      out_.error("link-bad-use", place_of(image, use.address),
                 fmt::format("word {} should take the value of '{}', but it is not an immed", use.address, use.name));
      return;
    }
    (*insn)[isa::Role::value] = half;
    const auto word = isa::encode(image.profile, *insn);
    if (!word) {
      out_.error("link-import-too-wide", place_of(image, use.address),
                 fmt::format("'{}' = {:#x} does not fit here: {}", use.name, half, word.error().text),
                 word.error().remedy);
      return;
    }
    program.words[use.address] = *word;
  }

  static bool is_immed(isa::InsnId id) { return isa::info(id).mnemonic.starts_with("immed"); }

  /// A block of this program that has no address: why was said when it was to be placed.
  static bool is_block(const Image& image, const std::string& name) {
    return std::any_of(image.memory.begin(), image.memory.end(),
                       [&](const MemoryBlock& block) { return block.name == without_prefix(name); });
  }

  void unresolved(const Image& image, const ImportUse& use) {
    if (!reported_.insert({&image, use.name}).second || is_block(image, use.name)) return;
    if (const auto withheld = input_.withheld.find(without_prefix(use.name)); withheld != input_.withheld.end()) {
      out_.error(
          "link-unresolved-import", place_of(image, use.address),
          fmt::format("{} has no value for its import variable '{}': {}", image.name, use.name, withheld->second.why),
          withheld->second.remedy);
      return;
    }
    std::vector<std::string> known;
    for (const auto& [name, value] : input_.constants) known.push_back(name);
    for (const MemoryBlock& block : image.memory) known.push_back(block.name);
    const std::string name = without_prefix(use.name);
    const auto near = nearest(name, known);
    out_.error("link-unresolved-import", place_of(image, use.address),
               fmt::format("nothing gives a value to the import variable '{}'", use.name),
               near ? fmt::format("did you mean '{}'?", *near)
                    : fmt::format("add \"{}\" to the constants of the project", name));
  }

  void initialise(LoadedProgram& program, const Init& init) {
    const Image& image = *program.image;
    if (const Placement* block = blocks_.find(without_prefix(init.name), program.engine)) {
      if (init.offset + 4 * uint64_t{init.values.size()} > block->size) {
        out_.error("link-init-outside", whole_file(image.name),
                   fmt::format(".init puts {} longwords at byte {} of '{}', which has only {} bytes",
                               init.values.size(), init.offset, init.name, block->size));
        return;
      }
      // A global block is written once, however many engines name it.
      if (block->engine < 0 && !written_.insert({&image, &init}).second) return;
      linked_.memory.push_back({block->region, block->address + init.offset, init.values, block->engine});
      return;
    }
    if (is_block(image, init.name)) return;
    for (size_t i = 0; i < init.values.size(); ++i) initialise_register(program, init, i);
  }

  void initialise_register(LoadedProgram& program, const Init& init, size_t value) {
    const Image& image = *program.image;
    if (const Register* r = initial_register(image, init, value)) {
      const int32_t context = r->kind == RegisterKind::gpr_absolute ? -1 : init.context;
      program.registers.push_back({r->kind, r->bank, r->number, context, init.values[value]});
      return;
    }
    if (std::none_of(image.registers.begin(), image.registers.end(), NamedByInit(init, value))) {
      out_.error("link-init-unknown", whole_file(image.name),
                 fmt::format(".init names '{}', which is neither a memory block nor a register", init.name));
    }
  }

  const LinkInput& input_;
  Diagnostics out_;
  Linked linked_;
  BlockMap blocks_;
  std::set<std::pair<const Image*, std::string>> reported_;
  std::set<std::pair<const Image*, const Init*>> written_;
};

}  // namespace

Result<Linked> link(const LinkInput& input) { return Linker(input).run(); }

const Register* initial_register(const Image& image, const Init& init, size_t value) {
  const NamedByInit named(init, value);
  for (const Register& r : image.registers) {
    if (!named(r) || r.begin != 0) continue;  // a later life of the name: the initial value is not meant
    if (r.kind == RegisterKind::xfer_s_write || r.kind == RegisterKind::xfer_d_write) continue;
    return &r;
  }
  return nullptr;
}

}  // namespace weft::image
