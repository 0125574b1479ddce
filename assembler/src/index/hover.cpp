// What a person wants to read about the thing under the pointer, and the form of the call that is being written.
#include <fmt/format.h>

#include <algorithm>

#include "index/hover_text.h"
#include "index/position.h"
#include "resolver/forms.h"
#include "resolver/matching.h"

namespace weft::assembler {
namespace {

std::string register_kind(std::string_view name) {
  if (name.starts_with("$$")) return "DRAM transfer register";
  if (name.starts_with("$")) return "SRAM transfer register";
  if (name.starts_with("n$")) return "next-neighbor register";
  if (name.starts_with("@")) return "absolute register, one for all contexts";
  return "general-purpose register";
}

class Hover {
 public:
  Hover(const Index& index, const Index::Data& d) : index_(index), d_(d) {}

  std::string name(const IndexReference& r) {
    const IndexName& n = d_.names[r.name];
    switch (n.kind) {
      case NameKind::reg:
        head(fmt::format(".reg {}{}", n.detail.empty() ? "" : n.detail + " ", n.written),
             n.id < 0 ? "register that is not declared" : register_kind(n.name));
        break;
      case NameKind::signal:
        head(fmt::format(".sig {}{}", n.detail.empty() ? "" : n.detail + " ", n.written),
             n.id < 0 ? "signal that is not declared" : "signal");
        break;
      case NameKind::label:
        head(n.written + "#:", n.name == d_.key(n.written) + "#"
                                   ? "label"
                                   : fmt::format("label of a macro call, '{}' in the program", n.name));
        break;
      case NameKind::macro: macro(n, r); break;
      case NameKind::define: define(n); break;
      case NameKind::parameter:
        head(n.written, fmt::format("parameter of '{}'", n.detail));
        values(n);
        break;
      case NameKind::import_variable:
        head(".import_var " + n.written, "import variable: the linker gives its value");
        break;
      case NameKind::memory: head(n.written, fmt::format("memory block, {}", n.detail)); break;
      case NameKind::mark: head(fmt::format("{} {}", n.detail, n.written), "mark"); break;
      case NameKind::file: head(n.written, "included file"); break;
    }
    if (!n.allocated.empty()) text_ += fmt::format("\n\nAllocated: {}", fmt::join(n.allocated, ", "));
    if (r.made && !r.through_define) text_ += fmt::format("\n\nWritten here as `{}`.", d_.text(r.place));
    for (const uint32_t at : n.references) {
      const IndexReference& def = d_.references[at];
      if (!def.definition || n.kind == NameKind::file) continue;
      text_ += fmt::format("\n\nDefined at {}:{}:{}", d_.paths[def.place.file], def.place.line, def.place.column);
      const std::vector<IndexFrame> chain = index_.chain(def);
      for (const IndexFrame& f : chain) {
        if (f.kind != IndexFrame::Kind::macro) continue;
        text_ += fmt::format(", in `{}({})` called at {}:{}", f.name, fmt::join(f.arguments, ", "),
                             d_.paths[f.call.file], f.call.line);
      }
      text_ += '.';
      break;
    }
    size_t uses = 0;
    for (const uint32_t at : n.references) uses += d_.references[at].definition ? 0 : 1;
    text_ += fmt::format(" {} use{}.", uses, uses == 1 ? "" : "s");
    return std::move(text_);
  }

  std::string instruction(const IndexFile& f, const IndexToken& t) {
    const Statement s = statement_at(f, {t.line, t.column});
    // The whole statement from this token on, to know a command's second word.
    std::string mnemonic, command;
    const Token* at = f.token(t.line, t.column);
    if (t.kind == TokenClass::command) {
      for (const Token& before : s.tokens) {
        if (is_punct(before, '[')) break;
        mnemonic += folded(before.text);
      }
      command = folded(at->text);
    } else {
      const Token* end = f.lexed.tokens.data() + f.lexed.tokens.size();
      while (at > f.lexed.tokens.data() && f.out[f.out_of[f.index(at - 1)]].kind == TokenClass::instruction &&
             !at->space_before)
        --at;
      for (; at < end && f.out[f.out_of[f.index(at)]].kind == TokenClass::instruction && at->origin.line == t.line;
           ++at)
        mnemonic += folded(at->text);
      if (at + 1 < end && is_punct(*at, '[') && at[1].kind == TokenKind::name) command = folded(at[1].text);
    }
    auto ids = isa::by_mnemonic(d_.profile, mnemonic);
    std::vector<isa::InsnId> list(ids.begin(), ids.end());
    for (const isa::Alias& alias : isa::aliases(d_.profile)) {
      if (alias.spelling != mnemonic) continue;
      list = {alias.instruction.id};
      text_ += fmt::format("`{}` is another spelling.\n\n", mnemonic);
    }
    for (const isa::InsnId id : list) {
      const isa::InsnInfo& info = isa::info(id);
      if (!info.subcommand.empty() && info.subcommand != command) continue;
      text_ += "```\n";
      for (const isa::Form& form : info.forms) text_ += form_text(info, form) + "\n";
      text_ += fmt::format("```\n{}", info.summary);
      if (info.sets_cc) text_ += " Sets the condition codes.";
      if (const unsigned slots = isa::max_deferred(d_.profile, info)) text_ += fmt::format(" defer up to {}.", slots);
      if (const std::string cost = cycles_text(info, d_.profile, d_.lost); !cost.empty()) text_ += "\n\n" + cost;
      if (!info.tokens.empty()) {
        text_ += "\n\nOptions:";
        for (const isa::TokenId token : info.tokens) text_ += fmt::format(" {}", isa::token_name(token));
      }
      text_ += fmt::format("\n\n{}", info.doc);
      break;
    }
    return std::move(text_);
  }

 private:
  void head(std::string_view code, std::string_view what) { text_ += fmt::format("```\n{}\n```\n{}", code, what); }
  void macro(const IndexName& n, const IndexReference& r) {
    head(fmt::format("#macro {}{}", n.written, n.detail), "macro");
    for (const MacroBody& m : d_.macros) {
      if (&d_.names[m.name] != &n) continue;
      // Under a call the body stands as this call expands it: with the arguments in place of the parameters.
      std::vector<std::string> arguments;
      for (size_t i = 0; !r.definition && i < m.parameters.size(); ++i) {
        const std::vector<std::string> given = arguments_of(r, i);
        arguments.push_back(given.empty() ? std::string(m.parameters[i].first) : given.front());
      }
      text_ += arguments.empty() ? "\n```\n" : "; here\n```\n";
      const IndexFile& f = d_.files[m.file];
      uint32_t shown = 0;
      for (uint32_t line = m.first; line <= m.last && shown < 24; ++line, ++shown)
        text_ += line_with(f, m, line, arguments) + "\n";
      if (m.last - m.first + 1 > shown) text_ += "...\n";
      text_ += "```";
      return;
    }
  }
  std::string line_with(const IndexFile& f, const MacroBody& m, uint32_t line,
                        const std::vector<std::string>& arguments) const {
    std::string text(f.source->line(line));
    if (arguments.empty()) return text;
    std::ptrdiff_t longer = 0;
    for (uint32_t i = f.first_token.size() > line ? f.first_token[line] : 0;
         i < f.lexed.tokens.size() && f.lexed.tokens[i].origin.line <= line; ++i) {
      const Token& t = f.lexed.tokens[i];
      if (t.origin.line != line || t.kind != TokenKind::name) continue;
      for (size_t p = 0; p < m.parameters.size(); ++p) {
        if (!d_.sources.names().same(t.text, m.parameters[p].first)) continue;
        text.replace(static_cast<size_t>(static_cast<std::ptrdiff_t>(t.origin.column) - 1 + longer), t.text.size(),
                     arguments[p]);
        longer += static_cast<std::ptrdiff_t>(arguments[p].size()) - static_cast<std::ptrdiff_t>(t.text.size());
      }
    }
    return text;
  }
  void define(const IndexName& n) {
    bool blank = true;  // before a text in parentheses, or they would be parameters
    for (const uint32_t at : n.references) {
      const IndexReference& r = d_.references[at];
      const Token* t = r.definition ? d_.files[r.place.file].token(r.place.line, r.place.column) : nullptr;
      if (t == nullptr) continue;
      const IndexFile& f = d_.files[r.place.file];
      blank = f.index(t) + 1 >= f.lexed.tokens.size() || t[1].space_before;
      break;
    }
    head(fmt::format("#define {}{}{}", n.written, blank ? " " : "", n.detail), "define");
    // One number in whatever parentheses.
    std::string_view digits = n.detail;
    while (digits.size() > 1 && digits.front() == '(' && digits.back() == ')')
      digits = digits.substr(1, digits.size() - 2);
    if (const auto value = number(digits)) text_ += "\n\n" + number_text(*value);
  }
  void values(const IndexName& n) {
    std::vector<std::string> given;
    for (const uint32_t at : n.references) {
      if (!d_.references[at].definition) continue;
      for (const MacroBody& m : d_.macros) {
        for (size_t i = 0; i < m.parameters.size(); ++i) {
          if (&d_.names[m.parameters[i].second] != &n) continue;
          for (const uint32_t call : d_.names[m.name].references) {
            // A call's arguments are in the expansions that begin there.
            const IndexReference& r = d_.references[call];
            if (r.definition || given.size() >= 8) continue;
            for (const std::string& a : arguments_of(r, i))
              if (std::find(given.begin(), given.end(), a) == given.end()) given.push_back(a);
          }
        }
      }
      break;
    }
    if (!given.empty()) text_ += fmt::format("\n\nCalled with: `{}`", fmt::join(given, "`, `"));
  }
  std::vector<std::string> arguments_of(const IndexReference& call, size_t i) const {
    std::vector<std::string> out;
    const auto at = d_.calls.find({call.place.file, call.place.line, call.place.column});
    if (at == d_.calls.end()) return out;
    for (const uint32_t e : at->second)
      if (i < d_.sources.expansion(e).arguments.size()) out.push_back(d_.sources.expansion(e).arguments[i]);
    return out;
  }

 public:
  static std::optional<int64_t> number(std::string_view text) {
    if (text.empty()) return std::nullopt;
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (fold(text[1]) == 'x' || fold(text[1]) == 'b')) {
      base = fold(text[1]) == 'x' ? 16 : 2;
      text.remove_prefix(2);
    }
    uint64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return static_cast<int64_t>(value);
  }

 private:
  const Index& index_;
  const Index::Data& d_;
  std::string text_;
};

}  // namespace

std::string Index::hover_at(uint32_t file, Position p) const {
  Hover hover(*this, *data_);
  const auto references = at(file, p);
  // What a place means in the program says more than that it is a parameter or define; but that is what stands there.
  if (!references.empty()) {
    const IndexReference* shown = references.front();
    for (const IndexReference* r : references)
      if (!r->made && shown->made) shown = r;
    return hover.name(*shown);
  }
  const IndexFile& f = data_->files[file];
  for (const IndexToken& t : f.out) {
    if (t.line != p.line || p.column < t.column || p.column > t.column + t.length) continue;
    const Token* token = f.token(t.line, t.column);
    if (token == nullptr) continue;
    if (t.kind == TokenClass::instruction || t.kind == TokenClass::command) return hover.instruction(f, t);
    if (t.kind == TokenClass::number) return number_text(token->value);
    if (t.kind == TokenClass::constant) {
      if (const isa::CsrInfo* csr = isa::find_csr(data_->profile, token->text))
        return fmt::format("```\n{}\n```\nlocal CSR at {:#x}{}\n\n{}", csr->name, csr->offset,
                           csr->writable ? "" : ", read only", csr->doc);
    }
  }
  return {};
}

std::vector<IndexSignature> Index::signatures_at(uint32_t file, Position p) const {
  const Statement s = statement_at(data_->files[file], p);
  const IndexContext c = context_of(*data_, s);
  std::vector<IndexSignature> out;
  if (c.kind == IndexContext::Kind::macro_argument) {
    for (const MacroBody& m : data_->macros) {
      const IndexName& n = data_->names[m.name];
      if (n.name != c.head) continue;
      IndexSignature g;
      for (const auto& [written, name] : m.parameters) g.parameters.emplace_back(written);
      g.text = fmt::format("{}({})", n.written, fmt::join(g.parameters, ", "));
      g.active = c.argument;
      if (std::none_of(out.begin(), out.end(), [&](const IndexSignature& o) { return o.text == g.text; }))
        out.push_back(std::move(g));
    }
    return out;
  }
  if (c.kind != IndexContext::Kind::argument) return out;
  for (const Choice& choice : choices(*data_, c, s)) {
    IndexSignature g;
    g.text = form_text(*choice.info, *choice.form);
    if (!choice.info->subcommand.empty()) g.parameters.emplace_back(choice.info->subcommand);
    for (const isa::Arg& arg : choice.form->args)
      if (arg.cls != isa::ArgClass::mul_step) g.parameters.push_back(arg_name(arg));
    g.active = c.argument;
    g.doc = choice.info->summary;
    if (std::none_of(out.begin(), out.end(), [&](const IndexSignature& o) { return o.text == g.text; }))
      out.push_back(std::move(g));
  }
  return out;
}

}  // namespace weft::assembler
