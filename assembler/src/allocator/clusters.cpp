#include "allocator/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "flow/accesses.h"

namespace weft::assembler {
namespace {

using isa::Role;

bool is_transfer(RegisterFile file) {
  return file == RegisterFile::s_read || file == RegisterFile::s_write || file == RegisterFile::d_read ||
         file == RegisterFile::d_write;
}

/// Union-find in which every element knows its distance from its root.
class Distances {
 public:
  explicit Distances(size_t count) : parent_(count), distance_(count, 0) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::pair<uint32_t, int32_t> find(uint32_t x) const {
    int32_t distance = 0;
    while (parent_[x] != x) {
      distance += distance_[x];
      x = parent_[x];
    }
    return {x, distance};
  }
  /// number(b) = number(a) + step; false when that contradicts what is known.
  bool join(uint32_t a, uint32_t b, int32_t step) {
    const auto [ra, da] = find(a);
    const auto [rb, db] = find(b);
    if (ra == rb) return db - da == step;
    // number(rb) = number(b) - db = number(ra) + da + step - db; the smaller tree would be better below, sizes are
    // tiny.
    parent_[rb] = ra;
    distance_[rb] = da + step - db;
    return true;
  }

 private:
  std::vector<uint32_t> parent_;
  std::vector<int32_t> distance_;
};

class Builder {
 public:
  Builder(const Program& program, const Liveness& liveness, const Sources& sources, Diagnostics& out)
      : program_(program), live_(liveness), sources_(sources), out_(out), distances_(liveness.webs.size()) {}

  std::vector<Cluster> run() {
    commands();
    numbers_as_values();
    return collect();
  }

 private:
  const Web& web(int32_t w) const { return live_.webs[static_cast<size_t>(w)]; }
  const std::string& name(int32_t w) const { return program_.vregs[static_cast<size_t>(web(w).symbol)].name; }

  void tie(int32_t a, int32_t b, int32_t step, const Origin& origin) {
    if (distances_.join(static_cast<uint32_t>(a), static_cast<uint32_t>(b), step)) return;
    out_.add(sources_.diagnostic(
        Severity::error, "asm-xfer-order-conflict", origin,
        fmt::format("'{}' and '{}' must stand {} apart here, but differently elsewhere", name(a), name(b), step),
        "declare one .xfer_order for all commands that use these registers, or use registers of their own"));
  }

  void commands() {
    size_t at = 0;
    for (uint32_t i = 0; i < program_.insns.size(); ++i) {
      const IrInsn& insn = program_.insns[i];
      int32_t first = -1, dest = -1, kept = -1;
      unsigned found[2] = {0, 0};
      for (; at < live_.accesses.size() && live_.accesses[at].insn == i; ++at) {
        const Access& access = live_.accesses[at];
        if (access.slot == Slot::dest) dest = access.web;
        if (access.slot == Slot::kept) kept = access.web;
        if (access.slot != Slot::xfer || access.web < 0) continue;
        ++found[access.use ? 1 : 0];
        if (first < 0 && access.member == 0)
          first = access.web;
        else if (first >= 0)
          tie(first, access.web, access.member, insn.origin);
      }
      if (dest >= 0 && kept >= 0) tie(dest, kept, 0, insn.origin);
      const unsigned wanted = xfer_longwords(insn);
      if (first >= 0 && std::max(found[0], found[1]) < wanted) missing_order(insn, wanted);
    }
  }

  void missing_order(const IrInsn& insn, unsigned wanted) {
    const VregId first = insn.vreg[static_cast<size_t>(Role::xfer)];
    const Vreg& vreg = program_.vregs[static_cast<size_t>(first)];
    Diagnostic d = sources_.diagnostic(
        Severity::error, "asm-xfer-order-missing", insn.origin,
        fmt::format("this command moves {} longwords from '{}' on, but no .xfer_order says which registers follow it",
                    wanted, vreg.name),
        fmt::format("declare an array, .reg {}[{}], or list the registers in an .xfer_order", vreg.name, wanted));
    // When the registers declared right after it would do, offer exactly that order.
    std::string order = vreg.name;
    unsigned have = 1;
    for (size_t v = static_cast<size_t>(first) + 1; v < program_.vregs.size() && have < wanted; ++v) {
      const Vreg& next = program_.vregs[v];
      if (next.cls != vreg.cls || next.declared.line != vreg.declared.line || next.declared.file != vreg.declared.file)
        break;
      order += " " + next.name;
      ++have;
    }
    if (have == wanted && wanted > 1) {
      SourceRange place = sources_.range(insn.origin);
      place.begin.column = 1;
      place.end = place.begin;
      d.fixits.push_back({place, fmt::format(".xfer_order {}\n", order)});
    }
    out_.add(std::move(d));
  }

  /// Where a register's number is a value, both halves have that number, and so has the group its place.
  void numbers_as_values() {
    const std::vector<bool> taken = address_taken_vregs(program_);
    std::map<std::pair<VregId, bool>, int32_t> fixed;  // vreg and write side
    for (size_t w = 0; w < live_.webs.size(); ++w) {
      const Web& x = live_.webs[w];
      if (!is_transfer(x.file) || !taken[static_cast<size_t>(x.symbol)]) continue;
      const bool write = x.file == RegisterFile::s_write || x.file == RegisterFile::d_write;
      fixed[{x.symbol, write}] = static_cast<int32_t>(w);
    }
    for (const auto& [key, w] : fixed) {
      const auto twin = fixed.find({key.first, !key.second});
      if (twin != fixed.end()) tie(w, twin->second, 0, program_.vregs[static_cast<size_t>(key.first)].declared);
    }
    for (const XferGroup& group : program_.groups) {
      int32_t base = -1;
      int32_t base_at = 0;
      for (size_t k = 0; k < group.members.size(); ++k) {
        for (const bool write : {false, true}) {
          if (group.side == (write ? XferGroup::Side::read : XferGroup::Side::write)) continue;
          const auto found = fixed.find({group.members[k], write});
          if (found == fixed.end()) continue;
          if (base < 0) {
            base = found->second;
            base_at = static_cast<int32_t>(k);
          } else {
            tie(base, found->second, static_cast<int32_t>(k) - base_at, group.origin);
          }
        }
      }
    }
  }

  std::vector<Cluster> collect() {
    struct Rough {
      std::vector<std::pair<int32_t, int32_t>> members;  // web, distance from the root
      int32_t lowest = 0;
    };
    std::map<uint32_t, Rough> by_root;
    for (uint32_t w = 0; w < live_.webs.size(); ++w) {
      if (!is_transfer(live_.webs[w].file)) continue;
      const auto [root, distance] = distances_.find(w);
      Rough& rough = by_root[root];
      rough.lowest = rough.members.empty() ? distance : std::min(rough.lowest, distance);
      rough.members.emplace_back(static_cast<int32_t>(w), distance);
    }
    std::vector<Cluster> out;
    for (const auto& [root, rough] : by_root) {
      Cluster cluster;
      for (const auto& [w, distance] : rough.members) {
        const auto offset = static_cast<uint32_t>(distance - rough.lowest);
        cluster.members.push_back({w, offset});
        cluster.width = std::max(cluster.width, offset + 1);
        if (!web(w).spans.empty()) cluster.insn = web(w).spans.front().begin / 2;
        pin(cluster, w, offset);
      }
      out.push_back(std::move(cluster));
    }
    return out;
  }

  void pin(Cluster& cluster, int32_t w, uint32_t offset) {
    const Vreg& vreg = program_.vregs[static_cast<size_t>(web(w).symbol)];
    const std::optional<uint32_t> number = web(w).pin ? std::optional(web(w).pin->number) : vreg.pinned;
    if (!number) return;
    if (*number >= offset && (!cluster.base || *cluster.base == *number - offset)) {
      cluster.base = *number - offset;
      return;
    }
    out_.add(sources_.diagnostic(
        Severity::error, "asm-pin-conflict", vreg.declared,
        fmt::format("'{}' is pinned to {}, which does not agree with the order of its group", vreg.name, *number),
        "pin the first register of the group only"));
  }

  const Program& program_;
  const Liveness& live_;
  const Sources& sources_;
  Diagnostics& out_;
  Distances distances_;
};

}  // namespace

std::vector<Cluster> make_clusters(const Program& program, const Liveness& liveness, const Sources& sources,
                                   Diagnostics& out) {
  return Builder(program, liveness, sources, out).run();
}

}  // namespace weft::assembler
