#include "weft/control/firewall/compiled_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace weft::control::firewall {

namespace {

using classify::Field;
using classify::Range;

/// What a rule can say, in the order in which its tests are made when nothing else decides: what tells most first.
enum class Item : uint8_t {
  destination_port,
  source_port,
  destination,
  source,
  protocol,
  dscp,
  in,
  out,
  state,
  status
};
constexpr size_t kItems = 10;

/// Where an item stands: bits of a register of the macro.
struct Place {
  std::string_view name;  ///< the register
  unsigned shift, bits;
};
constexpr std::array<Place, kItems> kPlaces{
    Place{"in_ports", 0, 16}, Place{"in_ports", 16, 16}, Place{"in_destination", 0, 32}, Place{"in_source", 0, 32},
    Place{"in_kind", 24, 8},  Place{"in_kind", 16, 8},   Place{"in_kind", 3, 2},         Place{"in_kind", 0, 2},
    Place{"in_kind", 12, 1},  Place{"in_kind", 13, 1}};

uint32_t max(Item item) {
  if (item == Item::dscp) return 63;
  const unsigned bits = kPlaces[static_cast<size_t>(item)].bits;
  return static_cast<uint32_t>((uint64_t{1} << bits) - 1);
}

Range range_of(const Rule& rule, Item item) {
  switch (item) {
    case Item::destination_port: return rule.match[Field::destination_port];
    case Item::source_port: return rule.match[Field::source_port];
    case Item::destination: return rule.match[Field::destination];
    case Item::source: return rule.match[Field::source];
    case Item::protocol: return rule.match[Field::protocol];
    case Item::dscp: return rule.match[Field::dscp];
    case Item::in: return rule.in;
    case Item::out: return rule.out;
    case Item::state: return rule.state;
    case Item::status: break;
  }
  return rule.status;
}

/// One byte of a register and the value that it must have.
struct ByteTest {
  std::string_view name;
  unsigned byte;
  uint32_t value;
};

class Compiler {
 public:
  explicit Compiler(const RuleSet& file) : file_(file) {}

  CompiledRules all() {
    if (rules(0, file_.rules.size(), 0)) branch(file_.accept_others);
    CompiledRules out;
    out.text = fmt::format(
        "// Made from {} ({} rules): {} instructions.\n"
        "#define FILTER_COMPILED_RULES {}\n"
        "#macro compiled_rules(in_source, in_destination, in_ports, in_kind, TO_ACCEPT, TO_DROP)\n"
        ".begin\n    .reg part bound\n{}{}.end\n#endm\n",
        name_of(file_.path), file_.rules.size(), count_, file_.rules.size(), main_, aside_);
    out.instructions = count_;
    return out;
  }

 private:
  static std::string name_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

  bool says(const Rule& rule, Item item, unsigned known) const {
    return (known >> static_cast<unsigned>(item) & 1) == 0 && range_of(rule, item) != Range{0, max(item)};
  }

  /// Rules from begin up to end; `known` are the items that have been tested for all of them. Whether a packet can get
  /// after them.
  bool rules(size_t begin, size_t end, unsigned known) {
    for (size_t i = begin; i < end;) {
      const Rule& rule = file_.rules[i];
      std::optional<Item> shared;
      size_t run = 1;
      bool says_something = false;
      for (size_t n = 0; n < kItems; ++n) {
        const Item item = static_cast<Item>(n);
        if (!says(rule, item, known)) continue;
        says_something = true;
        size_t k = i + 1;
        while (k < end && range_of(file_.rules[k], item) == range_of(rule, item)) ++k;
        if (k - i > run) run = k - i, shared = item;
      }
      if (!says_something) {
        note(i);
        branch(rule.accept);
        return false;  // those after it are never reached
      }
      if (!shared) {
        single(i++, known);
        continue;
      }
      const std::string past = label();
      *to_ += fmt::format("    // rules {} to {} have this in common\n", i + 1, i + run);
      test(*shared, range_of(rule, *shared), past, false);
      rules(i, i + run, known | 1u << static_cast<unsigned>(*shared));
      *to_ += past + "#:\n";
      i += run;
    }
    return true;
  }

  void single(size_t i, unsigned known) {
    const Rule& rule = file_.rules[i];
    note(i);
    // The item with a byte that can be tested alone comes first; the rest is then out of the way.
    for (size_t n = 0; n < kItems; ++n) {
      const Item item = static_cast<Item>(n);
      if (!says(rule, item, known)) continue;
      const auto byte = first_byte(item, range_of(rule, item));
      if (!byte) continue;
      const bool whole = is_one_byte(item, range_of(rule, item));
      const bool alone = whole && !says_others(rule, known, item);
      if (alone) return emit("br=byte[{}, {}, {}, {}]", byte->name, byte->byte, byte->value, target(rule.accept));
      const std::string hit = label(), past = label();
      emit("br=byte[{}, {}, {}, {}#]", byte->name, byte->byte, byte->value, hit);
      *to_ += past + "#:\n";
      to_ = &aside_;
      *to_ += fmt::format("{}#:  // rule {}\n", hit, i + 1);
      if (!whole) test(item, range_of(rule, item), past, true);
      others(rule, known | 1u << n, past);
      to_ = &main_;
      return;
    }
    const std::string past = label();
    others(rule, known, past);
    *to_ += past + "#:\n";
  }

  bool says_others(const Rule& rule, unsigned known, Item item) const {
    for (size_t n = 0; n < kItems; ++n)
      if (static_cast<Item>(n) != item && says(rule, static_cast<Item>(n), known)) return true;
    return false;
  }

  /// All tests that are left, and the verdict.
  void others(const Rule& rule, unsigned known, const std::string& past) {
    for (size_t n = 0; n < kItems; ++n)
      if (says(rule, static_cast<Item>(n), known))
        test(static_cast<Item>(n), range_of(rule, static_cast<Item>(n)), past, false);
    branch(rule.accept);
  }

  /// The number of leading bits that are fixed, when the range is all values that begin with them.
  static std::optional<unsigned> prefix(const Range& range, unsigned bits) {
    const uint64_t size = uint64_t{range.high} - range.low + 1;
    if (!std::has_single_bit(size) || range.low % size != 0) return std::nullopt;
    return bits - static_cast<unsigned>(std::countr_zero(size));
  }
  /// Items that begin and end with bytes, and whose range fixes bytes: the last fixed one. It differs most between
  /// rules.
  static std::optional<ByteTest> first_byte(Item item, const Range& range) {
    const Place& at = kPlaces[static_cast<size_t>(item)];
    if (at.bits < 8) return std::nullopt;
    const auto fixed = prefix(range, at.bits);
    if (!fixed || *fixed < 8) return std::nullopt;
    const unsigned low = at.shift + at.bits - *fixed / 8 * 8;
    return ByteTest{at.name, low / 8, range.low >> (low - at.shift) & 0xff};
  }
  static bool is_one_byte(Item item, const Range& range) {
    return prefix(range, kPlaces[static_cast<size_t>(item)].bits) == 8u;
  }

  /// To `past` when the item is not in the range. With `has_first` the byte of first_byte() has been tested.
  void test(Item item, const Range& range, const std::string& past, bool has_first) {
    const Place& at = kPlaces[static_cast<size_t>(item)];
    const auto fixed = prefix(range, at.bits);
    if (fixed && (at.bits >= 8 || *fixed == at.bits)) return prefix_test(at, range, *fixed, past, has_first);
    // In a register of its own, then the bounds that there are.
    std::string value(at.name);
    if (at.bits != 32) {
      value = "part";
      if (at.shift + at.bits == 32)
        emit("alu_shf[part, --, B, {}, >>{}]", at.name, at.shift);
      else if (at.shift == 0 && at.bits == 16)
        emit("ld_field_w_clr[part, 0011, {}]", at.name);
      else
        masked(at, at.shift, at.bits);
    }
    if (range.high == max(item)) {
      emit("alu[--, {}, -, {}]", value, constant("bound", range.low));
    } else {
      if (range.low != 0) {
        emit("alu[part, {}, -, {}]", value, constant("bound", range.low));
        value = "part";
      }
      const std::string high = constant("bound", range.high - range.low);
      emit("alu[--, {}, -, {}]", high, value);
    }
    emit("blo[{}#]", past);
  }

  /// Whole bytes from the last one up, then the bits after them.
  void prefix_test(const Place& at, const Range& range, unsigned fixed, const std::string& past, bool has_first) {
    const unsigned whole = fixed / 8;
    for (unsigned n = has_first ? 1 : 0; n < whole; ++n) {
      const unsigned low = at.shift + at.bits - (whole - n) * 8;
      emit("br!=byte[{}, {}, {}, {}#]", at.name, low / 8, range.low >> (low - at.shift) & 0xff, past);
    }
    const unsigned rest = fixed % 8;
    if (rest == 0) return;
    const unsigned low = at.shift + at.bits - fixed;
    const uint32_t value = range.low >> (low - at.shift) & ((1u << rest) - 1);
    if (rest == 1) return emit("{}[{}, {}, {}#]", value == 1 ? "br_bclr" : "br_bset", at.name, low, past);
    masked(at, low, rest);
    emit("br!=byte[part, 0, {}, {}#]", value, past);
  }

  void masked(const Place& at, unsigned shift, unsigned bits) {
    if (shift == 0)
      emit("alu[part, {:#x}, AND, {}]", (1u << bits) - 1, at.name);
    else
      emit("alu_shf[part, {:#x}, AND, {}, >>{}]", (1u << bits) - 1, at.name, shift);
  }

  /// The value as an operand: itself up to 255, else loaded into the register.
  std::string constant(const char* name, uint32_t value) {
    if (value <= 0xff) return fmt::format("{}", value);
    const uint32_t high = value >> 16, low = value & 0xffff;
    if (high == 0)
      emit("immed[{}, {:#x}]", name, low);
    else if (low == 0)
      emit("immed[{}, {:#x}, <<16]", name, high);
    else if ((value & 0xff0000ff) == 0)
      emit("immed[{}, {:#x}, <<8]", name, value >> 8);
    else {
      emit("immed[{}, {:#x}]", name, low);
      emit("immed_w1[{}, {:#x}]", name, high);
    }
    return name;
  }

  static const char* target(bool accept) { return accept ? "TO_ACCEPT" : "TO_DROP"; }
  void branch(bool accept) { emit("br[{}]", target(accept)); }
  std::string label() { return fmt::format("rule_{}", ++labels_); }
  void note(size_t i) {
    const Rule& rule = file_.rules[i];
    *to_ += fmt::format("    // rule {}, line {}: {}\n", i + 1, rule.range.begin.line, to_text(rule));
  }
  template <class... Parts>
  void emit(fmt::format_string<Parts...> form, Parts&&... parts) {
    *to_ += "    " + fmt::format(form, std::forward<Parts>(parts)...) + "\n";
    ++count_;
  }

  const RuleSet& file_;
  std::string main_, aside_;
  std::string* to_ = &main_;
  size_t count_ = 0;
  unsigned labels_ = 0;
};

}  // namespace

Result<CompiledRules> compile_rules(const RuleSet& rules, size_t control_store) {
  CompiledRules out = Compiler(rules).all();
  if (out.instructions > control_store)
    return fail(
        "firewall-rules-size", whole_file(rules.path),
        fmt::format("the {} rules are {} instructions, the control store holds {}", rules.rules.size(),
                    out.instructions, control_store),
        "use the rule store sram, or fewer rules; rules after one another that have a field in common share its test");
  return out;
}

}  // namespace weft::control::firewall
