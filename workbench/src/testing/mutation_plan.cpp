#include "testing/mutation_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "testing/equivalence.h"
#include "testing/source_lines.h"
#include "weft/base/random.h"

namespace weft::workbench::testing {
namespace {

/// FNV-1a: the same on every host.
uint64_t hash_of(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

template <class T>
void shuffle(std::vector<T>& list, Random& random) {
  for (size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
}

std::string text_of(isa::Profile profile, const isa::Instruction& insn) {
  return isa::print(profile, insn, isa::PrintNames());
}

}  // namespace

std::string MutantCatalogue::Key::id() const {
  return site.ordinal == 0 ? fmt::format("{}:{}: {}", site.file, site.line, mutation)
                           : fmt::format("{}:{}.{}: {}", site.file, site.line, site.ordinal, mutation);
}

MutantCatalogue::MutantCatalogue(const std::vector<std::string>& blocks) {
  for (const std::string& name : blocks) {
    Block& block = blocks_[name];
    block.lines = lines_of(name);
    block.contexts = contexts_of(block.lines);
  }
}

void MutantCatalogue::add(const Prepared& prepared) {
  for (const ProgramWords& program : prepared.programs) {
    const bool holds_a_block = std::any_of(program.files.begin(), program.files.end(),
                                           [&](const std::string& file) { return blocks_.contains(file); });
    if (!holds_a_block) continue;
    const ProgramFlow flow(program.profile, program.words);
    const RegisterUse registers(program.instructions);
    for (size_t at = 0; at < program.words.size() && at < program.places.size(); ++at) {
      const image::WordPlace& place = program.places[at];
      if (place.line == 0 || !program.instructions[at]) continue;
      const auto block = blocks_.find(program.files[place.file]);
      if (block == blocks_.end()) continue;
      const isa::Instruction& insn = *program.instructions[at];
      for (const Mutation& m : mutations_of(program.profile, insn, registers)) {
        const Key key{{block->first, place.line, place.ordinal}, m.name};
        if (m.instruction == insn) continue;
        if (!mutated_word(program.profile, m, program.words[at])) {
          block->second.refused.emplace(key, true);
          continue;
        }
        const auto proven = flow.proof(at, m.instruction);
        const auto [known, fresh] = block->second.candidates.emplace(key, Candidate{m.kind, {}, {}, proven});
        if (fresh) {
          known->second.before = text_of(program.profile, insn);
          known->second.after = text_of(program.profile, m.instruction);
        } else if (!proven) {
          known->second.proven.reset();
        }
      }
    }
  }
}

const std::map<MutantCatalogue::Key, Candidate>& MutantCatalogue::candidates(const std::string& block) const {
  return blocks_.at(block).candidates;
}
const std::vector<std::string>& MutantCatalogue::lines(const std::string& block) const {
  return blocks_.at(block).lines;
}

MutantCatalogue::Context MutantCatalogue::context(const std::string& block, uint32_t line) const {
  const Block& b = blocks_.at(block);
  Context out;
  if (line == 0 || line > b.lines.size()) return out;
  out.label = b.contexts[line - 1];
  const std::string text = bare(b.lines[line - 1]);
  out.nth = out.of = 0;
  for (size_t i = 0; i < b.lines.size(); ++i) {
    if (b.contexts[i] != out.label || bare(b.lines[i]) != text) continue;
    ++out.of;
    if (i + 1 <= line) ++out.nth;
  }
  return out;
}

size_t MutantCatalogue::refused(const std::string& block) const {
  const Block& b = blocks_.at(block);
  return static_cast<size_t>(std::count_if(b.refused.begin(), b.refused.end(),
                                           [&](const auto& entry) { return !b.candidates.contains(entry.first); }));
}

std::vector<MutantCatalogue::Key> MutantCatalogue::choose(const std::string& block, unsigned max, uint64_t seed) const {
  std::map<std::pair<Site, Mutation::Kind>, std::vector<Key>> sorts;
  for (const auto& [key, candidate] : candidates(block)) sorts[{key.site, candidate.kind}].push_back(key);
  // By the name alone, so that the choice does not depend on the folder in which the command was given.
  Random random(seed ^ hash_of(std::filesystem::path(block).filename().string()));
  std::vector<std::vector<Key>> lists;
  for (auto& [sort, keys] : sorts) {
    shuffle(keys, random);
    lists.push_back(std::move(keys));
  }
  shuffle(lists, random);
  std::vector<Key> chosen;
  for (size_t round = 0; chosen.size() < max; ++round) {
    bool any = false;
    for (const auto& keys : lists) {
      if (round >= keys.size()) continue;
      any = true;
      if (chosen.size() < max) chosen.push_back(keys[round]);
    }
    if (!any) break;
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::map<MutantCatalogue::Key, ListedEquivalent> listed_equivalents(
    const std::vector<std::shared_ptr<const Suite>>& suites, const MutantCatalogue& catalogue, Diagnostics& out) {
  std::map<MutantCatalogue::Key, ListedEquivalent> listed;
  for (const auto& suite : suites) {
    for (const Equivalent& e : suite->blocks().equivalents) {
      const auto wrong = [&](std::string text, std::string remedy) {
        out.error("test-equivalent", e.range, std::move(text), std::move(remedy));
      };
      std::vector<std::pair<std::string, uint32_t>> places;
      std::set<std::string> labels;  // before lines of that text
      for (const std::string& file : suite->blocks().files) {
        const auto& lines = catalogue.lines(file);
        for (size_t i = 0; i < lines.size(); ++i)
          if (bare(lines[i]) == bare(e.line)) {
            const auto line = static_cast<uint32_t>(i + 1);
            const std::string label = catalogue.context(file, line).label;
            labels.insert(label);
            if (e.label.empty() || e.label == label) places.emplace_back(file, line);
          }
      }
      const std::string what =
          e.label.empty() ? fmt::format("'{}'", e.line) : fmt::format("'{}' after {}", e.line, e.label);
      if (places.empty() && !labels.empty()) {
        wrong(fmt::format("no line is {}", what), fmt::format("its labels are: {}", fmt::join(labels, ", ")));
        continue;
      }
      if (places.empty()) {
        wrong(fmt::format("no line of {} is '{}'", fmt::join(suite->blocks().files, ", "), e.line),
              "write the line as it stands there, without its comment");
        continue;
      }
      if (e.nth == 0 && places.size() > 1) {
        std::string which = fmt::format("\"nth\" from 1 to {}", places.size());
        if (e.label.empty() && labels.size() > 1)
          which = fmt::format("\"label\", the label before it, of {}; or {}", fmt::join(labels, ", "), which);
        wrong(fmt::format("{} lines are {}", places.size(), what), "say which one: " + which);
        continue;
      }
      if (e.nth > places.size()) {
        wrong(fmt::format("only {} lines are {}", places.size(), what), {});
        continue;
      }
      const auto& [file, line] = places[e.nth == 0 ? 0 : e.nth - 1];
      std::set<std::string> names;
      bool found = false;
      for (const auto& [key, candidate] : catalogue.candidates(file)) {
        if (key.site.line != line) continue;
        names.insert(key.mutation);
        if (key.mutation != e.mutation) continue;
        found = true;
        listed[key] = {e.reason, e.range};
      }
      if (!found)
        wrong(fmt::format("{}:{} has no mutant '{}'", file, line, e.mutation),
              names.empty() ? std::string("no program of these tests holds an instruction of the line")
                            : fmt::format("its mutants are: {}", fmt::join(names, ", ")));
    }
  }
  return listed;
}

}  // namespace weft::workbench::testing
