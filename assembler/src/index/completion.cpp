// Which words may stand at a position: what the forms of the ISA take there, and the names in scope that fit.
#include <algorithm>
#include <set>

#include "index/position.h"
#include "resolver/directives.h"
#include "resolver/matching.h"

namespace weft::assembler {

using isa::ArgClass;
using Kind = IndexContext::Kind;

namespace {

isa::OperandKind operand_kind(std::string_view name) {
  if (name.starts_with("$$")) return isa::OperandKind::xfer_d;
  if (name.starts_with("$")) return isa::OperandKind::xfer_s;
  if (name.starts_with("n$")) return isa::OperandKind::neighbor;
  if (name.starts_with("@")) return isa::OperandKind::gpr_absolute;
  return isa::OperandKind::gpr;
}

class Completions {
 public:
  Completions(const Index::Data& d, const IndexContext& c, uint32_t file, Position p)
      : d_(d), c_(c), file_(file), p_(p) {}

  std::vector<IndexCompletion> take() {
    std::sort(out_.begin(), out_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.kind, a.text, a.detail) < std::tie(b.kind, b.text, b.detail);
    });
    return std::move(out_);
  }
  void offer(std::string_view text, std::string_view kind, std::string detail = {}) {
    if (text.size() < c_.prefix.size() || !same_name(text.substr(0, c_.prefix.size()), c_.prefix)) return;
    if (seen_.insert({std::string(kind), std::string(text)}).second)
      out_.push_back({std::string(text), std::string(kind), std::move(detail)});
  }
  template <class Accept>
  void names(NameKind kind, Accept accept) {
    for (const IndexName& n : d_.names) {
      if (n.kind != kind || !accept(n) || !visible(n)) continue;
      offer(kind == NameKind::label ? n.written + "#" : n.written, name_of(kind), n.detail);
    }
  }
  void names(NameKind kind) {
    names(kind, [](const IndexName&) { return true; });
  }
  void constants() {
    names(NameKind::define);
    names(NameKind::import_variable);
    names(NameKind::memory);
  }
  template <class Values>
  void words(const Values& values, std::string_view kind) {
    for (const auto& v : values) offer(folded(v.name), kind);
  }
  /// Parameters of the macro around the position may stand for anything.
  void parameters() {
    for (const MacroBody& m : d_.macros) {
      if (m.file != file_ || p_.line <= m.first || p_.line > m.last) continue;
      for (const auto& [written, name] : m.parameters)
        offer(written, name_of(NameKind::parameter), std::string(d_.names[m.name].written));
    }
  }
  void argument(const Choice& choice) {
    if (choice.arg == nullptr) return offer(choice.info->subcommand, "command", std::string(choice.info->summary));
    const isa::Arg& arg = *choice.arg;
    const bool dest = arg.cls == ArgClass::ur_dest || arg.cls == ArgClass::re_dest;
    if (arg.optional || (dest && isa::check_operand(d_.profile, arg, {}))) offer("--", "operation");
    switch (arg.cls) {
      case ArgClass::label: return names(NameKind::label);
      case ArgClass::signal: words(isa::signal_names(d_.profile), "signal"); return names(NameKind::signal);
      case ArgClass::signal_list:
        words(isa::signal_names(d_.profile), "signal");
        for (const char* word : {"voluntary", "kill", "bpt"}) offer(word, "constant");
        return names(NameKind::signal);
      case ArgClass::alu_op:
      case ArgClass::shf_op:
        for (const isa::NamedValue& v : isa::alu_ops()) {
          const bool shifts = isa::alu_op_info(static_cast<isa::AluOp>(v.value)).shifts;
          if (arg.cls == ArgClass::alu_op || shifts) offer(v.name, "operation");
        }
        return;
      case ArgClass::input_state: return words(isa::input_states(d_.profile), "constant");
      case ArgClass::crc_type: return words(isa::crc_types(), "constant");
      case ArgClass::local_csr: return words(isa::csrs(d_.profile), "constant");
      case ArgClass::cap_csr: return words(isa::cap_csrs(d_.profile), "constant");
      case ArgClass::alu_output: return offer("alu", "constant");
      case ArgClass::none_only: return offer("--", "operation");
      case ArgClass::constant:
      case ArgClass::count:
      case ArgClass::context:
      case ArgClass::byte_mask:
      case ArgClass::immediate: return constants();
      case ArgClass::shift:
      case ArgClass::right_shift:
      case ArgClass::byte_shift:
      case ArgClass::mul_step: return;
      default: break;
    }
    const bool transfer = is_transfer(arg.cls);
    const isa::OperandKind wanted =
        choice.info->unit == isa::Unit::dram ? isa::OperandKind::xfer_d : isa::OperandKind::xfer_s;
    names(NameKind::reg, [&](const IndexName& n) {
      isa::Operand o;
      o.kind = operand_kind(n.name);
      if (transfer && o.kind != wanted) return false;
      if (o.is_gpr()) o.bank = isa::Bank::a;
      if (!isa::check_operand(d_.profile, arg, o)) return false;
      const bool takes = arg.cls == ArgClass::xfer_write || (!transfer && arg.role == isa::Role::dest);
      const bool read_only = n.detail.find("read") != std::string::npos,
                 write_only = n.detail.find("write") != std::string::npos;
      if (o.kind != isa::OperandKind::xfer_s && o.kind != isa::OperandKind::xfer_d) return true;
      return takes ? !read_only : !write_only;
    });
    isa::Operand constant;
    constant.kind = isa::OperandKind::constant;
    if (isa::check_operand(d_.profile, arg, constant)) constants();
  }

 private:
  bool visible(const IndexName& n) const {
    if (n.references.empty()) return false;
    const IndexReference& first = d_.references[n.references.front()];
    if (n.kind == NameKind::label)
      return first.definition && (first.expansion == 0 || d_.macro_at(file_, p_.line) != nullptr);
    if (n.kind == NameKind::define && first.place.file < d_.paths.size() && d_.paths[first.place.file] == "<built-in>")
      return true;
    if (n.kind != NameKind::reg && n.kind != NameKind::signal) return true;
    if (n.id < 0 || !d_.in_scope(n, c_.scope)) return false;
    return first.place.file != file_ || first.expansion != 0 || first.place.line < p_.line;
  }

  const Index::Data& d_;
  const IndexContext& c_;
  uint32_t file_;
  Position p_;
  std::vector<IndexCompletion> out_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

std::vector<IndexCompletion> Index::completions_at(uint32_t file, Position p) const {
  const Statement s = statement_at(data_->files[file], p);
  IndexContext c = context_of(*data_, s);
  c.scope = scope_at(file, p);
  Completions out(*data_, c, file, p);
  const auto directives = [&] {
    for (const std::string& d : assembler_directives()) out.offer(d, "directive");
  };
  switch (c.kind) {
    case Kind::none: break;
    case Kind::statement:
      for (const isa::InsnInfo& info : isa::all_instructions())
        if (isa::enabled(data_->profile, info.id))
          out.offer(info.mnemonic, "instruction", info.subcommand.empty() ? std::string(info.summary) : "");
      for (const isa::Alias& alias : isa::aliases(data_->profile)) out.offer(alias.spelling, "instruction");
      out.names(NameKind::macro);
      directives();
      break;
    case Kind::directive:
      if (c.head == "#") {
        for (const std::string& word : directive_names()) out.offer(word, "directive");
      } else if (c.head.empty()) {
        directives();
      } else if (c.head.starts_with('#')) {
        out.names(NameKind::define);
        if (c.head == "#ifdef" || c.head == "#ifndef" || c.head == "#undef") out.names(NameKind::macro);
        out.parameters();
      } else if (c.head == ".reg") {
        for (const char* word : {"volatile", "global", "visible", "read", "write", "extern", "remote"})
          out.offer(word, "attribute");
      } else if (c.head == ".sig") {
        for (const char* word : {"volatile", "global", "visible", "extern", "remote"}) out.offer(word, "attribute");
      } else if (c.head.starts_with(".set") || c.head.starts_with(".use") || c.head == ".io_completed" ||
                 c.head == ".addr") {
        if (c.head != ".set_sig") out.names(NameKind::reg);
        out.names(NameKind::signal);
        out.parameters();
      } else if (c.head.starts_with(".xfer_order")) {
        out.names(NameKind::reg, [](const IndexName& n) { return n.name.starts_with('$'); });
        out.parameters();
      } else if (c.head.starts_with(".if") || c.head.starts_with(".elif") || c.head.starts_with(".while") ||
                 c.head.starts_with(".until")) {
        out.names(NameKind::reg);
        out.constants();
        out.parameters();
      }
      break;
    case Kind::option:
      if (c.argument == UINT32_MAX) {
        IndexContext whole = c;
        whole.argument = 1;
        for (const Choice& choice : choices(*data_, whole, s))
          for (const isa::TokenId token : choice.info->tokens) out.offer(isa::token_name(token), "option");
      } else if (c.classes == std::vector<std::string>{"signal"}) {
        out.names(NameKind::signal);
      } else if (c.classes == std::vector<std::string>{"label"}) {
        out.names(NameKind::label);
      } else {
        out.constants();
      }
      out.parameters();
      break;
    case Kind::argument:
      for (const Choice& choice : choices(*data_, c, s)) out.argument(choice);
      out.parameters();
      break;
    case Kind::macro_argument:
      for (const NameKind kind : {NameKind::reg, NameKind::signal, NameKind::label}) out.names(kind);
      out.constants();
      out.parameters();
      break;
  }
  return out.take();
}

}  // namespace weft::assembler
