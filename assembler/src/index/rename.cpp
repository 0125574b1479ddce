// Which places change with a name, and when a change would mean something else.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "index/data.h"
#include "resolver/matching.h"

namespace weft::assembler {
namespace {

bool is_word(char c) { return c == '_' || (c >= '0' && c <= '9') || (fold(c) >= 'a' && fold(c) <= 'z'); }

std::string_view prefix_of(std::string_view name) {
  for (const std::string_view p : {"$$", "$", "@", "n$", "i$", "N$", "I$"})
    if (name.starts_with(p)) return name.substr(0, p.size());
  return {};
}

}  // namespace

IndexRename Index::rename_at(uint32_t file, Position p, std::string_view to) const {
  const Data& d = *data_;
  IndexRename out;
  const auto refuse = [&](std::string why, std::optional<IndexPlace> where = std::nullopt) {
    out.places.clear();
    out.obstacle = std::move(why);
    out.obstacle_place = where;
    return out;
  };
  // The names that this place stands for: in a macro's body one for each call.
  std::set<uint32_t> targets;
  for (const IndexReference* r : at(file, p))
    if (!r->made) targets.insert(r->name);
  if (targets.empty())
    return refuse(at(file, p).empty() ? "no name stands here"
                                      : "the name that stands here is made by the preprocessor");
  const NameKind kind = d.names[*targets.begin()].kind;
  if (kind == NameKind::file || kind == NameKind::mark)
    return refuse("this is the name of a file or mark, not of the language");
  const std::string_view written = d.names[*targets.begin()].written;
  std::set<IndexPlace> places;
  // A place that stands for one of the names may stand for others too, which then change with it.
  std::vector<uint32_t> work(targets.begin(), targets.end());
  std::map<IndexPlace, std::vector<uint32_t>> by_place;
  for (uint32_t r = 0; r < d.references.size(); ++r)
    if (!d.references[r].made) by_place[d.references[r].place].push_back(d.references[r].name);
  while (!work.empty()) {
    const IndexName& n = d.names[work.back()];
    work.pop_back();
    if (n.kind != kind)
      return refuse(fmt::format("one place stands for a {} and for a {}", name_of(kind), name_of(n.kind)));
    bool defined = false;
    for (const uint32_t at : n.references) {
      const IndexReference& r = d.references[at];
      if (is_built_in(r.place.file))
        return refuse(fmt::format("'{}' is built in or comes from the command line", n.written));
      defined = defined || r.definition;
      if (r.made) {
        if (r.through_define) continue;  // the word in the define's text is a place of its own
        return refuse(fmt::format("'{}' is put together by the preprocessor here", n.name), r.place);
      }
      if (!places.insert(r.place).second) continue;
      for (const uint32_t other : by_place[r.place])
        if (targets.insert(other).second) work.push_back(other);
    }
    if (!defined) return refuse(fmt::format("'{}' has no definition", n.written));
  }
  // A define whose text holds the name but is never expanded into it cannot be followed.
  for (const IndexName& n : d.names) {
    if (n.kind != NameKind::define || kind == NameKind::define || kind == NameKind::parameter ||
        kind == NameKind::macro)
      continue;
    for (const uint32_t at : n.references) {
      const IndexReference& r = d.references[at];
      if (!r.definition) continue;
      const LineRef* l = d.files[r.place.file].line(r.place.line);
      for (const Token* t = l ? l->begin + 3 : nullptr; l && t < l->end(); ++t) {
        const IndexPlace place{r.place.file, t->origin.line, t->origin.column, t->origin.length};
        if (t->kind == TokenKind::name && d.sources.names().same(t->text, written) && !places.contains(place))
          return refuse(
              fmt::format("the text of '{}' holds the same word, and nothing says that it means this name", n.written),
              place);
      }
    }
  }
  out.places.assign(places.begin(), places.end());
  if (to.empty() || d.sources.names().same(to, written)) return out;

  if (to.ends_with('#')) to.remove_suffix(1);
  const std::string_view prefix = prefix_of(to);
  const std::string_view rest = to.substr(prefix.size());
  if (rest.empty() || !std::all_of(rest.begin(), rest.end(), is_word) ||
      (prefix.empty() && rest[0] >= '0' && rest[0] <= '9'))
    return refuse(fmt::format("'{}' is not a name", to));
  if ((kind == NameKind::reg || kind == NameKind::import_variable) && folded(prefix) != folded(prefix_of(written)))
    return refuse(fmt::format("the prefix '{}' says what kind of name it is and must stay", prefix_of(written)));
  if (kind != NameKind::reg && kind != NameKind::import_variable && !prefix.empty())
    return refuse(fmt::format("'{}' is not a name of a {}", to, name_of(kind)));
  const auto same = d.by_name.find(d.key(to));
  if (same != d.by_name.end()) {
    for (const uint32_t other : same->second) {
      const IndexName& o = d.names[other];
      if (targets.contains(other) || o.references.empty()) continue;
      if ((o.kind == NameKind::label) != (kind == NameKind::label) && o.kind != NameKind::define) continue;
      if (o.kind == NameKind::parameter && kind == NameKind::parameter && o.detail != d.names[*targets.begin()].detail)
        continue;
      return refuse(fmt::format("'{}' is a {} already", o.written, name_of(o.kind)),
                    d.references[o.references.front()].place);
    }
  }
  if (kind == NameKind::macro && !isa::by_mnemonic(d.profile, folded(to)).empty())
    return refuse(fmt::format("'{}' is an instruction", to));
  return out;
}

}  // namespace weft::assembler
