#include "weft/workbench/flame.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::workbench {

using emulator::ProfileCycles;
using Kind = FlameNode::Kind;

namespace {

FlameNode& child(FlameNode& node, Kind kind, const std::string& name, unsigned chip, unsigned engine) {
  for (FlameNode& c : node.children)
    if (c.kind == kind && c.name == name && c.chip == chip && c.engine == engine) return c;
  FlameNode& fresh = node.children.emplace_back();
  fresh.kind = kind;
  fresh.name = name;
  fresh.chip = chip;
  fresh.engine = engine;
  return fresh;
}

void sort_nodes(FlameNode& node, const FlameOptions& options) {
  std::ranges::stable_sort(node.children, std::greater{}, [&](const FlameNode& n) { return flame_width(n, options); });
  for (FlameNode& c : node.children) sort_nodes(c, options);
}

}  // namespace

uint64_t flame_width(const FlameNode& node, const FlameOptions& options) {
  return node.cycles.busy() + (options.waiting ? node.cycles.sleep + node.cycles.ready : 0);
}

FlameNode flame_of(const Inspector& machine, const std::vector<emulator::ProfileFigures>& profiles,
                   const FlameOptions& options) {
  FlameNode root;
  root.name = "all cycles";
  const std::vector<std::string> chips = machine.machine().chips;
  for (unsigned chip = 0; chip < profiles.size(); ++chip)
    for (unsigned engine = 0; engine < profiles[chip].engines.size(); ++engine) {
      const image::Image* image = machine.program(chip, engine);
      const auto& words = profiles[chip].engines[engine].words;
      for (uint32_t pc = 0; pc < words.size(); ++pc) {
        ProfileCycles cycles = words[pc];
        if (!options.waiting) cycles.sleep = cycles.ready = 0;
        if (cycles == ProfileCycles()) continue;
        root.cycles += cycles;
        FlameNode* at = &root;
        unsigned c = chip, e = engine;
        if (options.by_engine) {
          const std::string of_chip = chips.size() > 1 && chip < chips.size() ? chips[chip] + " " : std::string();
          at = &child(*at, Kind::engine, of_chip + fmt::format("me{}", engine), chip, engine);
          at->cycles += cycles;
        } else {
          c = e = 0;
        }
        const auto down = [&](Kind kind, const std::string& name) -> FlameNode& {
          at = &child(*at, kind, name, c, e);
          at->cycles += cycles;
          return *at;
        };
        down(Kind::program, image != nullptr ? image->name : "raw words");
        if (image == nullptr) continue;
        if (const image::Mark* block = image::mark_at(*image, pc, image::Mark::Kind::block))
          down(Kind::block, block->text);
        if (pc >= image->lines.size()) continue;
        const image::LineRow& row = image->lines[pc];
        for (auto macro = row.macros.rbegin(); macro != row.macros.rend(); ++macro) {
          FlameNode& node = down(Kind::macro, macro->first);
          if (node.line == 0 && macro->second.file < image->files.size()) {
            node.file = image->files[macro->second.file];
            node.line = macro->second.line;
          }
        }
        if (!options.lines || row.place.line == 0 || row.place.file >= image->files.size()) continue;
        const std::string& file = image->files[row.place.file];
        FlameNode& line = down(Kind::line, fmt::format("{}:{}", file.substr(file.rfind('/') + 1), row.place.line));
        line.file = file;
        line.line = row.place.line;
      }
    }
  sort_nodes(root, options);
  return root;
}

}  // namespace weft::workbench
