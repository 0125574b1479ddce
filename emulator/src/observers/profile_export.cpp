// The profile as tables, JSON and folded stacks.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "weft/base/paths.h"
#include "weft/emulator/observers/tables.h"

namespace weft::emulator {
namespace {

constexpr size_t kRowsInText = 40;

class Table {
 public:
  ProfileRow& row(const std::string& name) {
    ProfileRow& r = rows_[name];
    r.name = name;
    return r;
  }
  /// Largest first; equal ones by name.
  std::vector<ProfileRow> sorted() const {
    std::vector<ProfileRow> out;
    for (const auto& [name, r] : rows_) out.push_back(r);
    std::stable_sort(out.begin(), out.end(), [](const ProfileRow& a, const ProfileRow& b) {
      return std::max(a.own.busy(), a.inclusive.busy()) > std::max(b.own.busy(), b.inclusive.busy());
    });
    return out;
  }

 private:
  std::map<std::string, ProfileRow> rows_;
};

std::string place_of(const Images& images, unsigned engine, unsigned pc) {
  const std::string place = source_place(images, engine, pc);
  return place.empty() ? fmt::format("me{} word {:#x}", engine, pc) : place;
}
const image::LineRow* line_row(const image::Image* image, unsigned pc) {
  return image != nullptr && pc < image->lines.size() ? &image->lines[pc] : nullptr;
}
std::string mark_text(const image::Image* image, unsigned pc, image::Mark::Kind kind, const char* none) {
  const image::Mark* mark = image != nullptr ? image::mark_at(*image, pc, kind) : nullptr;
  return mark != nullptr ? mark->text : none;
}
std::string program_name(const Images& images, unsigned engine) {
  const image::Image* image = image_of(images, engine);
  return image != nullptr ? image->name : "raw words";
}

}  // namespace

ProfileTables profile_tables(const ProfileFigures& f, const Images& images) {
  Table programs, stages, blocks, macros, lines;
  for (unsigned e = 0; e < f.engines.size(); ++e) {
    const image::Image* image = image_of(images, e);
    for (unsigned pc = 0; pc < f.engines[e].words.size(); ++pc) {
      const ProfileCycles& cycles = f.engines[e].words[pc];
      if (cycles == ProfileCycles{}) continue;
      programs.row(fmt::format("me{} {}", e, program_name(images, e))).own += cycles;
      stages.row(mark_text(image, pc, image::Mark::Kind::stage, "(no stage)")).own += cycles;
      blocks.row(mark_text(image, pc, image::Mark::Kind::block, "(no block)")).own += cycles;
      lines.row(place_of(images, e, pc)).own += cycles;
      const image::LineRow* row = line_row(image, pc);
      const bool in_macro = row != nullptr && !row->macros.empty();
      macros.row(in_macro ? row->macros.front().first : "(outside macros)").own += cycles;
      std::set<std::string> seen;  // a macro that calls itself counts once
      if (in_macro)
        for (const auto& [name, call] : row->macros)
          if (seen.insert(name).second) macros.row(name).inclusive += cycles;
      if (!in_macro) macros.row("(outside macros)").inclusive += cycles;
    }
  }
  return {programs.sorted(), stages.sorted(), blocks.sorted(), macros.sorted(), lines.sorted()};
}

namespace {

double share(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

void table(std::string& out, const char* title, const std::vector<ProfileRow>& rows, uint64_t busy, bool macros) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n{:>12} {:>7}", macros ? "own" : "cycles", "share");
  if (macros) fmt::format_to(to, " {:>12} {:>7}", "with inner", "share");
  fmt::format_to(to, " {:>12} {:>10} {:>10} {:>12} {:>12}  {}\n", "executing", "aborted", "stalled", "sleep", "ready",
                 title);
  for (size_t i = 0; i < std::min(rows.size(), kRowsInText); ++i) {
    const ProfileRow& r = rows[i];
    fmt::format_to(to, "{:>12} {:>6.2f}%", r.own.busy(), share(r.own.busy(), busy));
    if (macros) fmt::format_to(to, " {:>12} {:>6.2f}%", r.inclusive.busy(), share(r.inclusive.busy(), busy));
    fmt::format_to(to, " {:>12} {:>10} {:>10} {:>12} {:>12}  {}\n", r.own.executing, r.own.aborted, r.own.stalled,
                   r.own.sleep, r.own.ready, printable(r.name));
  }
  if (rows.size() > kRowsInText) fmt::format_to(to, "... and {} more (JSON has all)\n", rows.size() - kRowsInText);
}

nlohmann::json to_json(const ProfileCycles& c) {
  return {{"executing", c.executing},
          {"aborted", c.aborted},
          {"stalled", c.stalled},
          {"sleep", c.sleep},
          {"ready", c.ready}};
}
nlohmann::json to_json(const std::vector<ProfileRow>& rows, const char* key, bool macros) {
  nlohmann::json out = nlohmann::json::array();
  for (const ProfileRow& r : rows) {
    nlohmann::json one = {{key, r.name}, {"own", to_json(r.own)}};
    if (macros) one["inclusive"] = to_json(r.inclusive);
    out.push_back(std::move(one));
  }
  return out;
}

/// A frame of a folded stack: neither ';' nor line ends.
std::string frame(std::string text) {
  std::replace(text.begin(), text.end(), ';', ':');
  return printable(text);
}

}  // namespace

std::string to_text(const ProfileFigures& f, const Images& images) {
  uint64_t busy = 0;
  for (const auto& engine : f.engines)
    for (const ProfileCycles& word : engine.words) busy += word.busy();
  std::string out = fmt::format("profile of cycles {} to {}: {} cycles in which a context held an engine\n",
                                f.from_cycle, f.to_cycle, busy);
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n{:<10} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "context", "executing", "aborted",
                 "stalled", "sleep", "ready", "inactive");
  for (unsigned e = 0; e < f.engines.size(); ++e) {
    if (f.engines[e].words.empty()) continue;
    fmt::format_to(to, "me{}: {}\n", e, printable(program_name(images, e)));
    for (unsigned c = 0; c < f.chip_contexts; ++c) {
      const ProfileFigures::Context& x = f.engines[e].contexts[c];
      fmt::format_to(to, "  ctx{:<5} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", c, x.cycles.executing,
                     x.cycles.aborted, x.cycles.stalled, x.cycles.sleep, x.cycles.ready, x.inactive);
    }
  }
  const ProfileTables g = profile_tables(f, images);
  table(out, "program", g.programs, busy, false);
  table(out, "stage", g.stages, busy, false);
  table(out, "block", g.blocks, busy, false);
  table(out, "macro", g.macros, busy, true);
  table(out, "line", g.lines, busy, false);
  return out;
}

std::string to_json(const ProfileFigures& f, const Images& images) {
  using nlohmann::json;
  json engines = json::array();
  for (unsigned e = 0; e < f.engines.size(); ++e) {
    const ProfileFigures::Engine& engine = f.engines[e];
    if (engine.words.empty()) continue;
    json words = json::array(), contexts = json::array();
    for (unsigned pc = 0; pc < engine.words.size(); ++pc) {
      if (engine.words[pc] == ProfileCycles{}) continue;
      json word = to_json(engine.words[pc]);
      word["address"] = pc;
      if (const std::string place = source_place(images, e, pc); !place.empty()) word["line"] = place;
      words.push_back(std::move(word));
    }
    for (unsigned c = 0; c < f.chip_contexts; ++c) {
      contexts.push_back(to_json(engine.contexts[c].cycles));
      contexts.back()["context"] = c;
      contexts.back()["inactive"] = engine.contexts[c].inactive;
    }
    engines.push_back({{"engine", e},
                       {"program", program_name(images, e)},
                       {"cycles", engine.cycles},
                       {"contexts", std::move(contexts)},
                       {"words", std::move(words)}});
  }
  const ProfileTables g = profile_tables(f, images);
  const json out = {{"version", 1},
                    {"kind", "profile"},
                    {"from-cycle", f.from_cycle},
                    {"to-cycle", f.to_cycle},
                    {"engines", std::move(engines)},
                    {"programs", to_json(g.programs, "program", false)},
                    {"stages", to_json(g.stages, "stage", false)},
                    {"blocks", to_json(g.blocks, "block", false)},
                    {"macros", to_json(g.macros, "macro", true)},
                    {"lines", to_json(g.lines, "line", false)}};
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string to_folded(const ProfileFigures& f, const Images& images) {
  std::map<std::string, uint64_t> stacks;
  for (unsigned e = 0; e < f.engines.size(); ++e) {
    const image::Image* image = image_of(images, e);
    for (unsigned pc = 0; pc < f.engines[e].words.size(); ++pc) {
      const ProfileCycles& cycles = f.engines[e].words[pc];
      if (cycles.busy() == 0) continue;
      std::string stack = fmt::format("me{};{}", e, frame(program_name(images, e)));
      if (const std::string block = mark_text(image, pc, image::Mark::Kind::block, ""); !block.empty())
        stack += ";" + frame(block);
      if (const image::LineRow* row = line_row(image, pc))
        for (auto macro = row->macros.rbegin(); macro != row->macros.rend(); ++macro)
          stack += ";" + frame(macro->first);
      stack += ";" + frame(place_of(images, e, pc));
      for (const auto& [state, count] : {std::pair{"executing", cycles.executing}, std::pair{"aborted", cycles.aborted},
                                         std::pair{"stalled", cycles.stalled}})
        if (count != 0) stacks[stack + ";" + state] += count;
    }
  }
  std::string out;
  for (const auto& [stack, count] : stacks) fmt::format_to(std::back_inserter(out), "{} {}\n", stack, count);
  return out;
}

}  // namespace weft::emulator
