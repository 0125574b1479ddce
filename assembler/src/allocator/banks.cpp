#include "allocator/banks.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>

#include "flow/accesses.h"
#include "source/message_limits.h"

namespace weft::assembler {
namespace {

using isa::Bank;

/// Union-find in which every element knows whether it stands in the same or the other bank as its root.
class Parity {
 public:
  explicit Parity(size_t count) : parent_(count), odd_(count, false) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::pair<uint32_t, bool> find(uint32_t x) {
    bool odd = false;
    uint32_t root = x;
    while (parent_[root] != root) {
      odd = odd != odd_[root];
      root = parent_[root];
    }
    for (bool rest = odd; parent_[x] != x;) {
      const uint32_t up = parent_[x];
      const bool step = odd_[x];
      parent_[x] = root;
      odd_[x] = rest;
      rest = rest != step;
      x = up;
    }
    return {root, odd};
  }
  /// False when a and b are already known to share a bank (differ = true) or not to.
  bool join(uint32_t a, uint32_t b, bool differ) {
    const auto [ra, pa] = find(a);
    const auto [rb, pb] = find(b);
    if (ra == rb) return (pa != pb) == differ;
    parent_[ra] = rb;
    odd_[ra] = (pa != pb) != differ;
    return true;
  }

 private:
  std::vector<uint32_t> parent_;
  std::vector<bool> odd_;
};

class Assigner {
 public:
  /// `out` null: conflicts are only collected.
  Assigner(const Program& program, const Liveness& liveness, const Sources& sources, Diagnostics* out)
      : program_(program),
        live_(liveness),
        sources_(sources),
        out_(out),
        node_a_(static_cast<uint32_t>(liveness.webs.size())),
        node_b_(node_a_ + 1),
        parity_(node_b_ + 1),
        edges_(out != nullptr ? node_b_ + 1 : 0) {}

  /// The ties of instructions that `last` names come after those of the others, so that conflicts are found in them.
  void constrain(const std::function<bool(uint32_t insn)>& last = {}) {
    parity_.join(node_a_, node_b_, true);
    for (uint32_t w = 0; w < live_.webs.size(); ++w) {
      if (!general(w)) continue;
      const Vreg& vreg = program_.vregs[static_cast<size_t>(live_.webs[w].symbol)];
      const Bank pinned = live_.webs[w].pin ? live_.webs[w].pin->bank : vreg.pinned ? vreg.pinned_bank : Bank::none;
      if (pinned == Bank::none) continue;
      if (parity_.join(w, pinned == Bank::a ? node_a_ : node_b_, false)) continue;
      if (out_ != nullptr)
        out_->add(sources_.diagnostic(Severity::error, "asm-pin-conflict", vreg.declared,
                                      fmt::format("'{}' is pinned to both banks", vreg.name)));
    }
    std::vector<BankPair> ties = wanted();
    if (last) std::stable_partition(ties.begin(), ties.end(), [&](const BankPair& pair) { return !last(pair.insn); });
    for (const BankPair& pair : ties) tie(pair);
  }

  bool general(uint32_t w) const {
    return live_.webs[w].file == RegisterFile::gpr || live_.webs[w].file == RegisterFile::gpr_absolute;
  }
  const std::vector<BankPair>& conflicts() const { return conflicts_; }
  Parity& parity() { return parity_; }
  uint32_t node_a() const { return node_a_; }

 private:
  /// What the instructions say, in their order.
  std::vector<BankPair> wanted() const {
    std::vector<BankPair> out;
    const auto add = [&](int32_t first, int32_t second, uint32_t insn, bool same) {
      if (first >= 0 && second >= 0) out.push_back({first, second, insn, same});
    };
    size_t at = 0;
    for (uint32_t i = 0; i < program_.insns.size(); ++i) {
      int32_t left = -1, right = -1, dest = -1;
      for (; at < live_.accesses.size() && live_.accesses[at].insn == i; ++at) {
        const Access& access = live_.accesses[at];
        if (access.web < 0 || !general(static_cast<uint32_t>(access.web))) continue;
        if (access.slot == Slot::left) left = access.web;
        if (access.slot == Slot::right) right = access.web;
        if (access.slot == Slot::dest) dest = access.web;
      }
      const IrInsn& insn = program_.insns[i];
      left = left >= 0 ? left : physical(insn.insn.left);
      right = right >= 0 ? right : physical(insn.insn.right);
      dest = dest >= 0 ? dest : physical(insn.insn.dest);
      const bool field = isa::effects(insn.insn.id).pairs_dest;
      if (field) {
        add(dest, left >= 0 ? left : right, i, false);
      } else if (isa::effects(insn.insn.id).right_in_a) {  // slot B of a CRC's word is full of options (isa.md 3.4)
        add(right, static_cast<int32_t>(node_a_), i, true);
      } else {
        add(left, right, i, false);
      }
    }
    return out;
  }

  int32_t physical(const isa::Operand& operand) const {
    if (!operand.is_gpr() || operand.bank == Bank::none) return -1;
    return static_cast<int32_t>(operand.bank == Bank::a ? node_a_ : node_b_);
  }

  std::string name(int32_t node) const {
    if (static_cast<uint32_t>(node) >= node_a_) return static_cast<uint32_t>(node) == node_a_ ? "bank A" : "bank B";
    return program_.vregs[static_cast<size_t>(live_.webs[static_cast<size_t>(node)].symbol)].name;
  }

  void tie(const BankPair& pair) {
    const auto [first, second, insn, same] = pair;
    if (!parity_.join(static_cast<uint32_t>(first), static_cast<uint32_t>(second), !same)) {
      conflicts_.push_back(pair);
      if (out_ != nullptr) report(pair);
      return;
    }
    if (out_ == nullptr) return;
    const auto k = static_cast<uint32_t>(pairs_.size());
    pairs_.push_back(pair);
    edges_[static_cast<size_t>(first)].push_back(k);
    if (second != first) edges_[static_cast<size_t>(second)].push_back(k);
  }

  bool fixed(int32_t node) const { return static_cast<uint32_t>(node) >= node_a_; }

  void report(const BankPair& conflict) {
    if (conflicts_.size() >= kMaxErrors) {
      if (conflicts_.size() == kMaxErrors) out_->add(too_many_errors(sources_, program_.insns[conflict.insn].origin));
      return;
    }
    const auto [first, second, insn, same] = conflict;
    const Origin& origin = program_.insns[insn].origin;
    if (same) {
      if (fixed(first)) return;  // a register by number, which the encoding refuses by that number
      const Vreg& vreg = program_.vregs[static_cast<size_t>(live_.webs[static_cast<size_t>(first)].symbol)];
      const bool pinned = vreg.pinned || live_.webs[static_cast<size_t>(first)].pin;
      Diagnostic d = sources_.diagnostic(
          Severity::error, "asm-bank-conflict", origin,
          fmt::format("{} reads bank A, but {} '{}' into bank B", isa::info(program_.insns[insn].insn.id).mnemonic,
                      pinned ? ".addr or a pin puts" : "other instructions put", name(first)),
          fmt::format("copy it into a register of its own before this instruction, alu[copy, --, B, {}]", name(first)));
      explain(d, conflict);
      out_->add(std::move(d));
      return;
    }
    if (first == second) {
      out_->add(sources_.diagnostic(
          Severity::error, "asm-bank-conflict", origin,
          fmt::format("'{}' cannot be both sources of one instruction", name(first)),
          fmt::format("copy it first, alu[copy, --, B, {}], and use the copy as one source", name(first))));
      return;
    }
    Diagnostic d = sources_.diagnostic(
        Severity::error, "asm-bank-conflict", origin,
        fmt::format("no choice of banks fits: '{}' and '{}' are the two sources here, but other instructions put them "
                    "into the same bank",
                    name(first), name(second)),
        fmt::format("copy one of them into a register of its own before this instruction, alu[copy, --, B, {}]",
                    name(second)));
    explain(d, conflict);
    out_->add(std::move(d));
  }

  void explain(Diagnostic& d, const BankPair& conflict) {
    if (explained_++ >= kMaxSuggested) return;
    for (const BankPair& step : chain(conflict.first, conflict.second)) {
      const SourceRange range = sources_.range(program_.insns[step.insn].origin);
      if (step.same)
        d.notes.push_back({range, fmt::format("'{}' must be in bank A because of this instruction", name(step.first))});
      else
        d.notes.push_back({range, fmt::format("'{}' and '{}' must be in different banks because of this instruction",
                                              name(step.first), name(step.second))});
    }
  }

  /// The shortest chain of instructions that ties two webs.
  std::vector<BankPair> chain(int32_t from, int32_t to) const {
    std::vector<int32_t> via(node_b_ + 1, -1);
    std::deque<int32_t> work{from};
    while (!work.empty() && via[static_cast<size_t>(to)] < 0) {
      const int32_t at = work.front();
      work.pop_front();
      for (uint32_t k : edges_[static_cast<size_t>(at)]) {
        const int32_t other = pairs_[k].first == at ? pairs_[k].second : pairs_[k].first;
        if (other == from || via[static_cast<size_t>(other)] >= 0) continue;
        via[static_cast<size_t>(other)] = static_cast<int32_t>(k);
        work.push_back(other);
      }
    }
    std::vector<BankPair> out;
    for (int32_t at = to; at != from && via[static_cast<size_t>(at)] >= 0 && out.size() < 8;) {
      const BankPair& step = pairs_[static_cast<size_t>(via[static_cast<size_t>(at)])];
      out.push_back(step);
      at = step.first == at ? step.second : step.first;
    }
    return out;
  }

  const Program& program_;
  const Liveness& live_;
  const Sources& sources_;
  Diagnostics* out_;
  uint32_t node_a_, node_b_;
  Parity parity_;
  std::vector<BankPair> pairs_, conflicts_;
  std::vector<std::vector<uint32_t>> edges_;  ///< by node: pairs_ that it is in
  size_t explained_ = 0;
};

/// How many registers of each bank are in use at each point, while banks are being chosen.
class Pressure {
 public:
  explicit Pressure(uint32_t points) : load_{std::vector<uint16_t>(points, 0), std::vector<uint16_t>(points, 0)} {}

  /// (highest, total) load of a bank where the web is live.
  void cost(const Web& web, Bank bank, uint32_t& highest, uint64_t& total) const {
    const std::vector<uint16_t>& load = load_[bank == Bank::a ? 0 : 1];
    for (const Span& span : web.spans) {
      for (uint32_t p = span.begin; p < span.end; ++p) {
        highest = std::max<uint32_t>(highest, load[p]);
        total += load[p];
      }
    }
    // Eight absolute registers share one slot: they weigh little, but should spread as well.
    if (web.file == RegisterFile::gpr_absolute) total += uint64_t{1000} * absolutes_[bank == Bank::a ? 0 : 1];
  }
  void add(const Web& web, Bank bank) {
    const size_t b = bank == Bank::a ? 0 : 1;
    if (web.file == RegisterFile::gpr_absolute && absolutes_[b]++ % 8 != 0) return;
    for (const Span& span : web.spans) {
      for (uint32_t p = span.begin; p < span.end; ++p) ++load_[b][p];
    }
  }

 private:
  std::array<std::vector<uint16_t>, 2> load_;
  std::array<uint32_t, 2> absolutes_{};
};

Bank other(Bank bank) { return bank == Bank::a ? Bank::b : Bank::a; }

}  // namespace

Banks Banks::assign(const Program& program, const Liveness& liveness, const Sources& sources, Diagnostics& out) {
  Assigner assigner(program, liveness, sources, &out);
  assigner.constrain();

  Banks banks;
  const size_t count = liveness.webs.size();
  banks.bank_.assign(count, Bank::none);
  banks.component_.assign(count, UINT32_MAX);
  struct Component {
    std::vector<std::pair<uint32_t, bool>> members;  // web, odd
    uint64_t length = 0;
    std::optional<Bank> root_bank;
  };
  std::vector<Component> components;
  std::vector<uint32_t> of_root(count + 2, UINT32_MAX);
  const auto [fixed_root, fixed_odd] = assigner.parity().find(assigner.node_a());
  for (uint32_t w = 0; w < count; ++w) {
    if (!assigner.general(w)) continue;
    const auto [root, odd] = assigner.parity().find(w);
    if (of_root[root] == UINT32_MAX) {
      of_root[root] = static_cast<uint32_t>(components.size());
      components.emplace_back();
      if (root == fixed_root) components.back().root_bank = fixed_odd ? Bank::b : Bank::a;
    }
    Component& c = components[of_root[root]];
    c.members.emplace_back(w, odd);
    c.length += liveness.webs[w].length();
    banks.component_[w] = of_root[root];
  }
  banks.fixed_.assign(components.size(), false);
  std::vector<uint32_t> order(components.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
    const Component& a = components[x];
    const Component& b = components[y];
    if (a.root_bank.has_value() != b.root_bank.has_value()) return a.root_bank.has_value();
    if ((a.members.size() > 1) != (b.members.size() > 1)) return a.members.size() > 1;
    return a.length > b.length;
  });
  Pressure pressure(liveness.points);
  for (uint32_t c : order) {
    sources.checkpoint();
    const Component& component = components[c];
    Bank root = Bank::a;
    if (component.root_bank) {
      root = *component.root_bank;
      banks.fixed_[c] = true;
    } else {
      uint32_t highest[2] = {0, 0};
      uint64_t total[2] = {0, 0};
      for (size_t choice = 0; choice < 2; ++choice) {
        const Bank as_root = choice == 0 ? Bank::a : Bank::b;
        for (const auto& [w, odd] : component.members) {
          pressure.cost(liveness.webs[w], odd ? other(as_root) : as_root, highest[choice], total[choice]);
        }
      }
      if (std::pair(highest[1], total[1]) < std::pair(highest[0], total[0])) root = Bank::b;
    }
    for (const auto& [w, odd] : component.members) {
      banks.bank_[w] = odd ? other(root) : root;
      pressure.add(liveness.webs[w], banks.bank_[w]);
    }
  }
  return banks;
}

std::vector<BankPair> Banks::conflicts(const Program& program, const Liveness& liveness, const Sources& sources,
                                       const std::function<bool(uint32_t insn)>& yields) {
  Assigner assigner(program, liveness, sources, nullptr);
  assigner.constrain(yields);
  return assigner.conflicts();
}

bool Banks::flip(int32_t web) {
  const uint32_t component = component_[static_cast<size_t>(web)];
  if (fixed_[component]) return false;
  for (size_t w = 0; w < bank_.size(); ++w) {
    if (component_[w] == component) bank_[w] = other(bank_[w]);
  }
  return true;
}

}  // namespace weft::assembler
