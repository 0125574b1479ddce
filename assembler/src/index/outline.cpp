// The outline of a file and what can be folded in it.
#include <algorithm>
#include <unordered_map>

#include "index/data.h"
#include "weft/base/limits.h"

namespace weft::assembler {
namespace {

/// The word with its point that begins a logical line after its labels, lower case.
std::string first_word(const LineRef& l) {
  const Token* t = l.begin;
  while (l.end() - t >= 3 && is_label_name(t, l.end()) && is_punct(t[2], ':')) t += 3;
  return t != l.end() && t->kind == TokenKind::name && t->text[0] == '.' ? folded(t->text) : "";
}

}  // namespace

std::vector<IndexFold> Index::folds(uint32_t file) const {
  const IndexFile& f = data_->files[file];
  std::vector<IndexFold> out;
  struct Open {
    std::string kind;
    uint32_t line;
  };
  std::vector<Open> open;
  const auto close = [&](std::string_view kind, uint32_t line) {
    // What was never closed inside is given up.
    for (size_t i = open.size(); i-- > 0;) {
      if (open[i].kind != kind) continue;
      if (line > open[i].line) out.push_back({open[i].line, line, open[i].kind});
      open.resize(i);
      return;
    }
  };
  for (const LineRef& l : f.lexed.lines) {
    const uint32_t line = l.begin->origin.line;
    switch (l.directive) {
      case Directive::macro: open.push_back({"macro", line}); break;
      case Directive::endm: close("macro", line); break;
      case Directive::if_:
      case Directive::ifdef:
      case Directive::ifndef: open.push_back({"condition", line}); break;
      case Directive::elif:
      case Directive::else_:
        close("condition", line - 1);
        open.push_back({"condition", line});
        break;
      case Directive::endif: close("condition", line); break;
      case Directive::repeat:
      case Directive::while_:
      case Directive::for_: open.push_back({"loop", line}); break;
      case Directive::endloop: close("loop", line); break;
      default: {
        const std::string word = first_word(l);
        if (word == ".begin" || word == ".local" || word == ".subroutine") open.push_back({"scope", line});
        if (word == ".end" || word == ".endlocal" || word == ".endsub") close("scope", line);
        if (word == ".if" || word == ".if_unsigned" || word == ".while" || word == ".while_unsigned" ||
            word == ".repeat")
          open.push_back({"block", line});
        if (word == ".elif" || word == ".elif_unsigned" || word == ".else") {
          close("block", line - 1);
          open.push_back({"block", line});
        }
        if (word == ".endif" || word == ".endw" || word == ".until" || word == ".until_unsigned") close("block", line);
      }
    }
  }
  // Comments: of several lines, or one below the other.
  uint32_t first = 0, last = 0;
  const auto flush = [&] {
    if (last > first) out.push_back({first, last, "comment"});
    first = last = 0;
  };
  for (const Token& c : f.lexed.comments) {
    const auto lines = static_cast<uint32_t>(std::count(c.text.begin(), c.text.end(), '\n'));
    const bool alone = f.first_token[c.origin.line] >= f.lexed.tokens.size() ||
                       f.lexed.tokens[f.first_token[c.origin.line]].origin.line != c.origin.line;
    if (!alone && lines == 0) continue;
    if (first == 0 || c.origin.line > last + 1) {
      flush();
      first = c.origin.line;
    }
    last = c.origin.line + lines;
  }
  flush();
  std::sort(out.begin(), out.end(), [](const IndexFold& a, const IndexFold& b) {
    return std::pair(a.first, b.last) < std::pair(b.first, a.last);
  });
  return out;
}

std::vector<IndexOutline> Index::outline(uint32_t file) const {
  const Data& d = *data_;
  std::vector<IndexOutline> flat;
  std::unordered_map<uint32_t, uint32_t> last_lines;  // of macros, by name
  for (const MacroBody& m : d.macros) last_lines[m.name] = m.last;
  for (uint32_t i = 0; i < d.names.size(); ++i) {
    const IndexName& n = d.names[i];
    if (n.kind == NameKind::parameter || n.kind == NameKind::file) continue;
    for (const uint32_t at : n.references) {
      const IndexReference& r = d.references[at];
      if (!r.definition || r.place.file != file) continue;
      IndexOutline o;
      o.kind = n.kind == NameKind::mark ? n.detail.substr(1) : std::string(name_of(n.kind));
      o.name = n.kind == NameKind::label ? n.written + "#" : n.written;
      o.place = r.place;
      o.last_line = r.place.line;
      if (n.kind == NameKind::macro) {
        o.name += n.detail;
        if (const auto last = last_lines.find(i); last != last_lines.end()) o.last_line = last->second;
      }
      flat.push_back(std::move(o));
    }
  }
  for (const IndexScope& s : d.scopes) {
    if (s.begin.line == 0 || s.begin.file != file) continue;
    IndexOutline o;
    o.kind = "scope";
    o.place = s.begin;
    o.last_line = s.end.line >= s.begin.line && s.end.file == file ? s.end.line : s.begin.line;
    flat.push_back(std::move(o));
  }
  const auto key = [](const IndexOutline& o) { return std::tuple(o.place.line, o.place.column, o.name); };
  std::sort(flat.begin(), flat.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  // Each call of a macro defines the names of its body again.
  flat.erase(std::unique(flat.begin(), flat.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
             flat.end());
  std::vector<IndexOutline> out;
  std::vector<std::vector<IndexOutline>*> level{&out};
  std::vector<uint32_t> ends{UINT32_MAX};
  for (IndexOutline& o : flat) {
    while (ends.size() > 1 && o.place.line > ends.back()) {
      ends.pop_back();
      level.pop_back();
    }
    const bool holds = o.kind == "macro" || o.kind == "scope";
    const uint32_t last = o.last_line;
    level.back()->push_back(std::move(o));
    if (!holds || level.size() > limits::kOutlineNesting) continue;
    level.push_back(&level.back()->back().inside);
    ends.push_back(last);
  }
  return out;
}

}  // namespace weft::assembler
