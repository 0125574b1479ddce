// effects.inc: what instructions and local CSRs do to the state, in the order of InsnId and of csrs.inc.
#include <algorithm>

#include "emitters.h"

namespace weft::tblgen {
namespace {

const char* flag(bool b) { return b ? "true" : "false"; }

std::string mask(const std::vector<std::string>& states) {
  std::string out;
  for (const std::string& s : states) out += (out.empty() ? "states(State::" : " | states(State::") + s + ")";
  return out.empty() ? "0" : out;
}

bool has(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Roles of all written forms.
std::string roles(const Insn& i) {
  std::vector<std::string> named;
  for (const auto& form : i.forms)
    for (const Arg& a : form)
      if (!has(named, a.role)) named.push_back(a.role);
  std::string out;
  for (const std::string& r : named) out += (out.empty() ? "" : " | ") + ("uint64_t{1} << unsigned(Role::" + r + ")");
  return out.empty() ? "0" : out;
}

std::string id(const std::string& insn) { return insn.empty() ? "std::nullopt" : "InsnId::" + insn; }

void instruction(std::ostream& os, const Insn& i) {
  const bool pure = i.group == "compute" && i.writes.empty() && i.behind.empty() &&
                    std::all_of(i.reads.begin(), i.reads.end(), [](const auto& s) { return s == "previous"; });
  const bool writes_csr = i.group == "csr" && roles(i).find("left") != std::string::npos;
  os << "    {" << i.bytes << ", " << flag(i.pairs_dest) << ", " << flag(i.right_in_a) << ", "
     << flag(i.right_is_cam_entry) << ", " << flag(has(i.tokens, "load_cc")) << ", " << flag(pure && i.bytes != 0)
     << ", " << mask(i.reads) << ", " << mask(i.writes) << ", " << (i.late.empty() ? "{}" : i.id + "_late")
     << ",\n     " << id(i.behind) << ", " << id(i.before)
     << ", Condition::" << (i.branch_if.empty() ? "none" : i.branch_if)
     << ", BranchTo::" << (i.goes.empty() ? "none" : i.goes) << ", CsrUse::"
     << (i.group != "csr" ? "none"
         : writes_csr     ? "write"
                          : "read")
     << ", Access::" << (i.does.empty() ? "nothing" : i.does)
     << ",\n     AtomicOp::" << (i.atomic.empty() ? "none" : i.atomic)
     << ", LockUse::" << (i.lock.empty() ? "none" : i.lock) << ", " << i.alignment << ", " << i.buffer_longwords << ", "
     << i.max_longwords << ", " << flag(i.needs_indirect) << ", " << flag(i.byte_mask) << ", " << roles(i) << "},\n";
}

void csrs(std::ostream& os, const Model& model, const Profile& p) {
  const std::vector<const Csr*> list = csrs_of(model, p);
  os << "constexpr CsrEffects " << p.id << "_csr_effects[] = {\n";
  for (const Csr* c : list) {
    const int64_t after = std::max<int64_t>(0, c->use_latency >= 0 ? c->use_latency : c->write_latency);
    const Csr* active = active_form(model, *c);
    os << "    {" << hex(static_cast<uint64_t>(c->offset)) << ", " << mask(c->holds) << ", " << flag(c->is_private)
       << ", " << flag(active != c) << ", " << hex(static_cast<uint64_t>(active->offset)) << ", " << after << "},\n";
  }
  os << "};\n";
}

/// Of all that words after a change wait for; what a CSR sets off elsewhere is awaited, not timed.
int64_t longest_latency(const Model& model) {
  int64_t longest = 0;
  for (const Insn& i : model.insns)
    for (const Hazard& h : i.late) longest = std::max(longest, h.cycles);
  for (const Csr& c : model.csrs) {
    if (std::none_of(c.holds.begin(), c.holds.end(), [](const auto& s) { return s.rfind("signal_", 0) == 0; }))
      longest = std::max({longest, c.write_latency, c.use_latency});
  }
  for (const Profile& p : model.profiles) longest = std::max(longest, p.sizes[6]);
  return longest;
}

}  // namespace

void emit_effects(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Insn& i : model.insns) {
    if (i.late.empty()) continue;
    os << "constexpr Hazard " << i.id << "_late[] = {";
    for (const Hazard& h : i.late) os << "{State::" << h.state << ", " << h.cycles << "}, ";
    os << "};\n";
  }
  os << "constexpr unsigned kLongestLatency = " << longest_latency(model) << ";\nconstexpr Effects kEffects[] = {\n";
  for (const Insn& i : model.insns) instruction(os, i);
  os << "};\n";
  for (const Profile& p : model.profiles) csrs(os, model, p);
  os << "constexpr CsrEffectsFile kCsrEffectsFiles[] = {\n";
  for (const Profile& p : model.profiles) os << "    {Profile::" << p.id << ", " << p.id << "_csr_effects},\n";
  os << "};\nconstexpr AluOpInfo kAluOpInfo[] = {\n";
  for (const Named& n : model.sets.at("AluOp"))
    os << "    {AluOp::" << n.id << ", " << flag(n.logical) << ", " << flag(n.shifts) << ", " << flag(n.reads_carry)
       << "},\n";
  os << "};\n";
}

}  // namespace weft::tblgen
