#include "testing/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "weft/base/paths.h"

namespace weft::workbench::testing {
namespace {

namespace fs = std::filesystem;

/// Everything of a project that its programs depend on.
std::string key_of(const Project& project, const std::string& project_file) {
  std::string key = fmt::format("{}\n{}\n{}\n", project_file, project.folder.string(), project.board);
  for (const ProgramEntry& p : project.programs) {
    key += fmt::format("program {} {} {} {}\n{}\n", p.chip.name, p.file.string(), p.is_image, p.case_sensitive,
                       p.text.value_or(""));
    for (const unsigned engine : p.engines) key += fmt::format("{} ", engine);
    for (const auto& [name, value] : p.defines) key += fmt::format("{}={}\n", name, value);
    for (const auto& folder : p.include_dirs) key += folder.string() + "\n";
  }
  for (const auto& [name, value] : project.constants) key += fmt::format("{}={}\n", name, value);
  // The rest of a project comes from its document, with what the test overrides in it.
  if (!project_file.empty())
    key += project.document.root().raw().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return key;
}

std::vector<ProgramWords> programs_of(const Built& built) {
  std::vector<ProgramWords> all;
  std::map<std::pair<const image::Image*, std::vector<uint64_t>>, size_t> known;
  for (unsigned chip = 0; chip < built.chips.size(); ++chip) {
    const auto& linked = built.chips[chip].linked.programs;
    for (size_t i = 0; i < linked.size(); ++i) {
      const auto [at, fresh] = known.emplace(std::pair(linked[i].image, linked[i].words), all.size());
      if (fresh) {
        ProgramWords p;
        p.profile = linked[i].image->profile;
        p.words = linked[i].words;
        p.places = image::word_places(*linked[i].image);
        for (const std::string& file : linked[i].image->files) {
          const std::string name = tidy(file).string();
          std::error_code error;
          p.files.push_back(fs::is_regular_file(name, error) ? name : std::string());
        }
        for (const uint64_t word : p.words) p.instructions.push_back(isa::decode(p.profile, word));
        all.push_back(std::move(p));
      }
      all[at->second].loaded.emplace_back(chip, i);
    }
  }
  return all;
}

bool apply(Built& built, const std::vector<ProgramWords>& programs, const Site& site, const std::string& mutation) {
  bool changed = false;
  for (const ProgramWords& program : programs) {
    const std::vector<size_t> words = program.words_at(site);
    if (words.empty()) continue;
    const RegisterUse registers(program.instructions);
    for (const size_t at : words) {
      if (!program.instructions[at]) continue;
      for (const Mutation& m : mutations_of(program.profile, *program.instructions[at], registers)) {
        if (m.name != mutation) continue;
        const auto word = mutated_word(program.profile, m, program.words[at]);
        if (!word) continue;
        changed = true;
        for (const auto& [chip, index] : program.loaded) built.chips[chip].linked.programs[index].words[at] = *word;
      }
    }
  }
  return changed;
}

}  // namespace

std::vector<size_t> ProgramWords::words_at(const Site& site) const {
  std::vector<size_t> found;
  for (size_t at = 0; at < places.size() && at < words.size(); ++at)
    if (places[at].line == site.line && site.line != 0 && places[at].ordinal == site.ordinal &&
        files[places[at].file] == site.file)
      found.push_back(at);
  return found;
}

Result<std::shared_ptr<Prepared>> ProgramStore::prepare(const Project& project, const std::string& project_file) {
  auto& known = known_[key_of(project, project_file)];
  if (known) return known;
  auto built = build(project);
  if (!built) return tl::unexpected(std::move(built.error()));
  auto prepared = std::make_shared<Prepared>();
  prepared->programs = programs_of(*built);
  prepared->built = std::move(*built);
  known = prepared;
  return prepared;
}

bool apply(Prepared& prepared, const Site& site, const std::string& mutation) {
  return apply(prepared.built, prepared.programs, site, mutation);
}

bool apply(Built& built, const Site& site, const std::string& mutation) {
  return apply(built, programs_of(built), site, mutation);
}

}  // namespace weft::workbench::testing
