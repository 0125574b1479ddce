#include "word_equivalence.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <deque>
#include <map>

#include "weft/isa/isa.h"

namespace weft::assembler::test {
namespace {

using isa::Bank;
using isa::InsnId;
using isa::Instruction;
using isa::Operand;
using isa::OperandKind;
using isa::Role;

constexpr uint32_t kSignals = 6 * 32, kCells = kSignals + 16;
using Relation = std::bitset<kCells * kCells>;

/// Places that belong to one context: 32 of each kind, then the signals.
std::optional<uint32_t> cell(const Operand& o, bool written) {
  switch (o.kind) {
    case OperandKind::gpr: return (o.bank == Bank::a ? 0 : 32) + o.value;
    case OperandKind::xfer_s: return (written ? 96 : 64) + o.value;
    case OperandKind::xfer_d: return (written ? 160 : 128) + o.value;
    default: return std::nullopt;
  }
}

class Comparison {
 public:
  Comparison(const std::vector<uint64_t>& ours, const std::vector<uint64_t>& theirs, std::optional<PushOrder> push,
             const std::vector<uint32_t>& excluded)
      : push_(push), excluded_(excluded) {
    for (uint64_t w : ours) ours_.push_back(*isa::decode(isa::Profile::me2, w));
    for (uint64_t w : theirs) theirs_.push_back(*isa::decode(isa::Profile::me2, w));
  }

  std::string run() {
    if (ours_.size() != theirs_.size()) return fmt::format("{} words against {}", ours_.size(), theirs_.size());
    std::vector<std::optional<Relation>> before(ours_.size());
    std::deque<uint32_t> work{0};
    before[0] = Relation().set();
    while (!work.empty()) {
      const uint32_t at = work.front();
      work.pop_front();
      relation_ = *before[at];
      step(at);
      if (!wrong_.empty()) return fmt::format("word {}: {}", at, wrong_);
      for (uint32_t to : next(at)) {
        if (to >= before.size()) continue;
        const std::optional<Relation> joined = before[to] ? *before[to] & relation_ : relation_;
        if (joined == before[to]) continue;
        before[to] = joined;
        work.push_back(to);
      }
    }
    return shared_cells();
  }

 private:
  std::vector<uint32_t> next(uint32_t at) const {
    const Instruction& i = ours_[at];
    const isa::InsnInfo& info = isa::info(i.id);
    std::vector<uint32_t> out;
    if (isa::continues(i)) out.push_back(at + 1);
    if (info.group == isa::Group::branch || i[Role::has_target] != 0) out.push_back(i[Role::target]);
    return out;
  }

  void fail(std::string text) {
    if (wrong_.empty()) wrong_ = std::move(text);
  }
  void need(uint32_t a, uint32_t b, const char* what) {
    if (!relation_[a * kCells + b]) fail(fmt::format("the {} do not hold the same value", what));
  }
  void define(uint32_t a, uint32_t b) {
    for (uint32_t k = 0; k < kCells; ++k) relation_[a * kCells + k] = relation_[k * kCells + b] = false;
    relation_[a * kCells + b] = true;
  }
  /// Absolute registers belong to all contexts: one map for the whole program.
  void absolute(const Operand& a, const Operand& b) {
    const auto key = [](const Operand& o) { return (o.bank == Bank::a ? 0u : 128u) + o.value; };
    const auto [there, added] = to_theirs_.emplace(key(a), key(b));
    const auto [back, added_back] = to_ours_.emplace(key(b), key(a));
    if (there->second != key(b) || back->second != key(a)) fail("absolute registers are confused");
  }

  bool same_source(const Operand& a, const Operand& b) const {
    if (a.kind != b.kind) return false;
    const auto x = cell(a, false);
    return x ? relation_[*x * kCells + *cell(b, false)] : a.kind == OperandKind::gpr_absolute || a.value == b.value;
  }
  void source(const Operand& a, const Operand& b, const char* what) {
    if (a.kind != b.kind || a.post != b.post) return fail(fmt::format("the {} differ in kind", what));
    if (a.kind == OperandKind::gpr_absolute) return absolute(a, b);
    if (const auto x = cell(a, false)) return need(*x, *cell(b, false), what);
    if (a.value != b.value) fail(fmt::format("the {} differ", what));
  }
  void dest(const Operand& a, const Operand& b, bool partial) {
    if (a.kind != b.kind || a.post != b.post) return fail("the destinations differ in kind");
    if (a.kind == OperandKind::gpr_absolute) return absolute(a, b);
    if (const auto x = cell(a, true)) {
      if (partial) need(*x, *cell(b, true), "destinations before a partial write");
      return define(*x, *cell(b, true));
    }
    if (a.value != b.value) fail("the destinations differ");
  }

  void values(uint32_t at) {
    for (size_t r = static_cast<size_t>(Role::op); r < isa::kRoleCount; ++r) {
      const auto role = static_cast<Role>(r);
      if (role == Role::signal || role == Role::signals) continue;
      if (push_ && push_->word == at && role == Role::value) continue;
      if (ours_[at][role] != theirs_[at][role]) fail(fmt::format("'{}' differs", isa::role_name(role)));
    }
  }

  void command(const Instruction& a, const Instruction& b, const isa::InsnInfo& info) {
    const uint32_t longwords = std::max<uint32_t>(1, info.longwords_per_count) * std::max<uint32_t>(1, a[Role::count]);
    if (a.xfer.kind != b.xfer.kind) return fail("the transfer registers differ in kind");
    for (uint32_t k = 0; a.xfer.present() && k < longwords; ++k) {
      Operand x = a.xfer, y = b.xfer;
      x.value += k;
      y.value += k;
      if (info.xfer != isa::XferUse::read) need(*cell(x, true), *cell(y, true), "registers taken");
    }
    for (uint32_t k = 0; a.xfer.present() && k < longwords; ++k) {
      Operand x = a.xfer, y = b.xfer;
      x.value += k;
      y.value += k;
      if (info.xfer != isa::XferUse::write) define(*cell(x, false), *cell(y, false));
    }
    if ((a[Role::signal] == 0) != (b[Role::signal] == 0)) fail("only one side has a signal");
    if (a[Role::signal] == 0) return;
    define(kSignals + a[Role::signal], kSignals + b[Role::signal]);
    if (info.signal == isa::SignalUse::doubled) define(kSignals + a[Role::signal] + 1, kSignals + b[Role::signal] + 1);
  }

  void wait(const Instruction& a, const Instruction& b) {
    std::vector<uint32_t> x, y;
    for (uint32_t s = 1; s < 16; ++s) {
      if (a[Role::signals] >> s & 1) x.push_back(s);
      if (b[Role::signals] >> s & 1) y.push_back(s);
    }
    if (x.size() != y.size() || (a[Role::signals] & 1) != (b[Role::signals] & 1))
      return fail("different numbers of signals");
    for (size_t k = 0; k < x.size(); ++k) {
      need(kSignals + x[k], kSignals + y[k], "signals");
      if (!push_ || x[k] != pushed_[0][0] || y[k] != pushed_[1][0]) continue;
      for (uint32_t r = 0; r < push_->registers; ++r) define(64 + pushed_[0][1] + r, 64 + pushed_[1][1] + r);
    }
  }

  /// The signal in a number that is handed to someone else.
  void gives_signal(const Instruction& a, const Instruction& b, uint32_t at) {
    if (push_ && push_->word == at) {
      const uint32_t x = a[Role::value], y = b[Role::value];
      pushed_[0][0] = x >> 12, pushed_[0][1] = x & 0xfff;
      pushed_[1][0] = y >> 12, pushed_[1][1] = y & 0xfff;
      if (x >> 12 == 0 || y >> 12 == 0) return fail("no signal in the number");
      define(kSignals + (x >> 12), kSignals + (y >> 12));
    }
  }

  void step(uint32_t at) {
    const Instruction& a = ours_[at];
    const Instruction& b = theirs_[at];
    if (a.id != b.id) return fail("different instructions");
    const isa::InsnInfo& info = isa::info(a.id);
    values(at);
    if (std::find(excluded_.begin(), excluded_.end(), at) != excluded_.end()) {
      const auto x = cell(a.right, false), y = cell(b.right, false);
      if (x && y) define(*x, *y);
    }
    if (a.id == InsnId::local_csr_wr && a[Role::csr] == static_cast<uint32_t>(isa::Csr::same_me_signal) &&
        a.left.kind == OperandKind::constant && b.left.kind == OperandKind::constant) {
      if ((a.left.value & 0x87) != (b.left.value & 0x87)) fail("the constants differ");
      return define(kSignals + (a.left.value >> 3 & 15), kSignals + (b.left.value >> 3 & 15));
    }
    // The two address operands of a command are added: they stand where their banks put them.
    const bool crossed =
        info.group == isa::Group::command && !(same_source(a.left, b.left) && same_source(a.right, b.right));
    source(a.left, crossed ? b.right : b.left, "first sources");
    source(a.right, crossed ? b.left : b.right, "second sources");
    gives_signal(a, b, at);
    if (info.group == isa::Group::command) command(a, b, info);
    if (push_ && at == push_->order) define(kSignals + pushed_[0][0], kSignals + pushed_[1][0]);
    if (a.id == InsnId::ctx_arb) wait(a, b);
    const bool partial = (info.mnemonic.starts_with("immed_") || a.id == InsnId::ld_field);
    dest(a.dest, b.dest, partial);
  }

  /// Relative register n of every context is the same cell as one absolute register of it.
  std::string shared_cells() const {
    for (const auto* side : {&ours_, &theirs_}) {
      std::array<std::bitset<16>, 2> relative, absolute;
      for (const Instruction& i : *side) {
        for (const Role role : {Role::dest, Role::left, Role::right}) {
          const Operand& o = i.operand(role);
          if (o.kind == OperandKind::gpr) relative[o.bank == Bank::b].set(o.value % 16);
          if (o.kind == OperandKind::gpr_absolute) absolute[o.bank == Bank::b].set(o.value % 16);
        }
      }
      if ((relative[0] & absolute[0]).any() || (relative[1] & absolute[1]).any())
        return "absolute and relative registers overlap";
    }
    return {};
  }

  std::vector<Instruction> ours_, theirs_;
  std::optional<PushOrder> push_;
  const std::vector<uint32_t>& excluded_;
  uint32_t pushed_[2][2] = {};  ///< side: signal, register
  Relation relation_;
  std::map<uint32_t, uint32_t> to_theirs_, to_ours_;
  std::string wrong_;
};

}  // namespace

std::string differ_beyond_registers(const std::vector<uint64_t>& ours, const std::vector<uint64_t>& theirs,
                                    std::optional<PushOrder> push, const std::vector<uint32_t>& excluded) {
  return Comparison(ours, theirs, push, excluded).run();
}

}  // namespace weft::assembler::test
