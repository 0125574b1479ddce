// An index as JSON: docs/index.md.
#include <nlohmann/json.hpp>

#include "weft/assembler/index.h"

namespace weft::assembler {
namespace {

using Json = nlohmann::ordered_json;

Json place(const IndexPlace& p) {
  return {{"file", p.file}, {"line", p.line}, {"column", p.column}, {"length", p.length}};
}

std::string_view frame_name(IndexFrame::Kind kind) {
  static constexpr std::string_view names[] = {"macro", "loop", "define", "argument", "include"};
  return names[static_cast<size_t>(kind)];
}

std::string_view context_name(IndexContext::Kind kind) {
  static constexpr std::string_view names[] = {"none",     "statement", "directive",
                                               "argument", "option",    "macro argument"};
  return names[static_cast<size_t>(kind)];
}

Json chain(const std::vector<IndexFrame>& frames) {
  Json out = Json::array();
  for (const IndexFrame& f : frames) {
    Json j{{"kind", frame_name(f.kind)}, {"name", f.name}, {"call", place(f.call)}};
    if (f.definition) j["definition"] = place(*f.definition);
    if (!f.arguments.empty()) j["arguments"] = f.arguments;
    out.push_back(std::move(j));
  }
  return out;
}

Json reference(const Index& index, const IndexReference& r) {
  Json j = place(r.place);
  if (r.definition) j["definition"] = true;
  if (r.reads) j["reads"] = true;
  if (r.writes) j["writes"] = true;
  if (r.made) j["made"] = true;
  if (r.unexpanded) j["unexpanded"] = true;
  Json frames = chain(index.chain(r));
  if (!frames.empty()) j["chain"] = std::move(frames);
  return j;
}

Json name(const Index& index, const IndexName& n, bool references) {
  Json j{{"kind", name_of(n.kind)}, {"name", n.name}, {"written", n.written}};
  if (!n.detail.empty()) j["detail"] = n.detail;
  if (n.scope != 0) j["scope"] = n.scope;
  if (n.elements != 1) j["elements"] = n.elements;
  if (!n.allocated.empty()) j["allocated"] = n.allocated;
  if (!references) return j;
  Json list = Json::array();
  for (const uint32_t r : n.references) list.push_back(reference(index, index.references()[r]));
  j["references"] = std::move(list);
  return j;
}

Json outline(const std::vector<IndexOutline>& items) {
  Json out = Json::array();
  for (const IndexOutline& o : items) {
    Json j{{"kind", o.kind}, {"name", o.name}, {"place", place(o.place)}, {"last_line", o.last_line}};
    if (!o.inside.empty()) j["inside"] = outline(o.inside);
    out.push_back(std::move(j));
  }
  return out;
}

std::string print(const Json& j) { return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string to_json(const Index& index) {
  Json out{{"format", "weft-index"}, {"version", 1}, {"files", index.files()}};
  out["names"] = Json::array();
  for (const IndexName& n : index.names())
    if (!n.references.empty()) out["names"].push_back(name(index, n, true));
  out["scopes"] = Json::array();
  for (const IndexScope& s : index.scopes()) {
    Json j{{"parent", s.parent}};
    if (s.begin.line != 0) j["begin"] = place(s.begin);
    if (s.end.line != 0) j["end"] = place(s.end);
    out["scopes"].push_back(std::move(j));
  }
  out["tokens"] = Json::array();
  out["outline"] = Json::array();
  out["folds"] = Json::array();
  for (uint32_t f = 0; f < index.files().size(); ++f) {
    Json tokens = Json::array();
    for (const IndexToken& t : index.tokens(f)) {
      Json flags = Json::array();
      if (t.definition) flags.push_back("definition");
      if (t.reads) flags.push_back("reads");
      if (t.writes) flags.push_back("writes");
      if (t.inactive) flags.push_back("inactive");
      if (t.in_macro) flags.push_back("in macro");
      if (t.unresolved) flags.push_back("unresolved");
      Json j = Json::array({t.line, t.column, t.length, name_of(t.kind)});
      if (!flags.empty()) j.push_back(std::move(flags));
      tokens.push_back(std::move(j));
    }
    out["tokens"].push_back(std::move(tokens));
    out["outline"].push_back(outline(index.outline(f)));
    Json folds = Json::array();
    for (const IndexFold& fold : index.folds(f)) folds.push_back(Json::array({fold.first, fold.last, fold.kind}));
    out["folds"].push_back(std::move(folds));
  }
  return print(out);
}

std::string to_json(const Index& index, uint32_t file, Position position) {
  Json out{{"format", "weft-index-position"}, {"version", 1}, {"files", index.files()}};
  out["position"] = {{"file", file}, {"line", position.line}, {"column", position.column}};
  const IndexContext c = index.context_at(file, position);
  Json context{{"kind", context_name(c.kind)}};
  if (!c.head.empty()) context["head"] = c.head;
  if (c.kind == IndexContext::Kind::argument || c.kind == IndexContext::Kind::macro_argument)
    context["argument"] = c.argument;
  if (!c.classes.empty()) context["classes"] = c.classes;
  if (!c.prefix.empty()) context["prefix"] = c.prefix;
  context["scope"] = c.scope;
  out["context"] = std::move(context);
  out["names"] = Json::array();
  std::vector<uint32_t> shown;
  for (const IndexReference* r : index.at(file, position)) {
    Json j = name(index, index.names()[r->name], true);
    j["here"] = reference(index, *r);
    out["names"].push_back(std::move(j));
  }
  out["hover"] = index.hover_at(file, position);
  out["signatures"] = Json::array();
  for (const IndexSignature& s : index.signatures_at(file, position))
    out["signatures"].push_back({{"text", s.text}, {"parameters", s.parameters}, {"active", s.active}, {"doc", s.doc}});
  out["completions"] = Json::array();
  for (const IndexCompletion& i : index.completions_at(file, position))
    out["completions"].push_back({{"text", i.text}, {"kind", i.kind}, {"detail", i.detail}});
  const IndexRename rename = index.rename_at(file, position, {});
  Json r;
  if (rename.obstacle.empty()) {
    r["places"] = Json::array();
    for (const IndexPlace& p : rename.places) r["places"].push_back(place(p));
  } else {
    r["obstacle"] = rename.obstacle;
    if (rename.obstacle_place) r["place"] = place(*rename.obstacle_place);
  }
  out["rename"] = std::move(r);
  return print(out);
}

}  // namespace weft::assembler
