#include "source/pragmas.h"

#include <algorithm>
#include <set>

#include "weft/assembler/catalogue.h"

namespace weft::assembler {

void WarningRules::change(Rules rules) {
  states_.push_back(std::move(rules));
  now_ = states_.size() - 1;
  last_ = 0;
}

std::optional<WarningRules::Fault> WarningRules::pragma(const Token* t, const Token* end, const Origin& place) {
  constexpr const char* forms = "write #pragma warning(disable|error|once|default: codes), (push) or (pop)";
  if (end - t < 3 || !is_punct(*t, '(') || !is_punct(end[-1], ')'))
    return Fault{place, "this pragma is not understood", forms};
  ++t;
  --end;
  if (is_name(*t, "push")) {
    pushed_.push_back(now_);  // a level after it means nothing here: warnings have names, no levels
    return std::nullopt;
  }
  if (is_name(*t, "pop")) {
    if (pushed_.empty()) return Fault{t->origin, "#pragma warning(pop) without a push", ""};
    now_ = pushed_.back();
    pushed_.pop_back();
    last_ = 0;
    return std::nullopt;
  }
  const bool level = t->kind == TokenKind::number && t->value >= 1 && t->value <= 4;
  std::optional<Action> action;
  if (is_name(*t, "disable"))
    action = Action::off;
  else if (is_name(*t, "once"))
    action = Action::once;
  else if (is_name(*t, "error"))
    action = Action::error;
  else if (!is_name(*t, "default") && !level)
    return Fault{t->origin, "this pragma is not understood", forms};
  const Token* colon = t + 1;
  if (colon >= end || !is_punct(*colon, ':') || colon + 1 == end)
    return Fault{t->origin, "this pragma names no warning", forms};
  Rules rules = states_[now_];
  std::optional<Fault> fault;
  static const auto groups = catalogue();
  // A code is several tokens without blanks between them: asm-runs-off.
  for (t = colon + 1; t < end;) {
    if (is_punct(*t, ',')) {
      ++t;
      continue;
    }
    const Token* last = t + 1;
    while (last < end && !last->space_before && !is_punct(*last, ',')) ++last;
    const std::string name = folded(spelling(t, last));
    const auto code = code_of_class(groups, name);
    if (t->kind == TokenKind::number) {
      fault = Fault{t->origin, "the numbers of another assembler's warnings mean nothing here",
                    "name the code that stands in brackets after the message"};
    } else if (!code) {
      fault = Fault{t->origin, "there is no warning '" + name + "'", remedy_of_class(groups, name)};
    } else if (action) {
      rules[*code] = *action;
    } else {
      rules.erase(*code);
    }
    t = last;
  }
  change(std::move(rules));
  return fault;
}

void WarningRules::note(const Origin& origin) {
  if (idle()) return;
  const uint64_t key = uint64_t{origin.file} << 32 | origin.line;
  if (key == last_) return;
  last_ = key;
  lines_[key] = now_;
}

Diagnostics WarningRules::apply(const Diagnostics& all, const Sources& sources) const {
  if (idle()) return all;
  std::map<const SourceFile*, uint64_t> files;
  for (uint32_t f = 0; f < sources.file_count(); ++f) files.emplace(sources.file(f).get(), f);
  std::set<std::string> seen;
  return all.changed([&](Diagnostic& d) {
    const auto file = files.find(d.range.file.get());
    if (d.severity != Severity::warning || file == files.end()) return true;
    const auto state = lines_.find(file->second << 32 | d.range.begin.line);
    const Rules& rules = states_[state == lines_.end() ? 0 : state->second];
    const auto rule = rules.find(d.code);
    if (rule == rules.end()) return true;
    if (rule->second == Action::error) d.severity = Severity::error;
    return rule->second != Action::off && (rule->second != Action::once || seen.insert(d.code).second);
  });
}

}  // namespace weft::assembler
