#include "coverage_run.h"

#include <algorithm>
#include <functional>

#include "weft/isa/isa.h"

namespace weft::ide {

namespace {

class LabelNames final : public isa::PrintNames {
 public:
  explicit LabelNames(const image::Image& image) : image_(image) {}
  std::string label(uint32_t address) const override {
    for (const image::Label& label : image_.labels)
      if (label.address == address) return label.name;
    return isa::PrintNames::label(address);
  }

 private:
  const image::Image& image_;
};

std::shared_ptr<const CoverageProgram> describe(const image::Image* image, size_t words) {
  auto out = std::make_shared<CoverageProgram>();
  out->words.resize(words);
  if (image == nullptr) {
    out->name = "(words)";
    return out;
  }
  out->name = image->name;
  out->labels = image->labels;
  std::ranges::stable_sort(out->labels, {}, &image::Label::address);
  const LabelNames names(*image);
  size_t behind = 0;  // labels at or before the address
  for (uint32_t address = 0; address < words; ++address) {
    CoverageWord& word = out->words[address];
    while (behind < out->labels.size() && out->labels[behind].address <= address) ++behind;
    if (behind > 0) {
      const image::Label& last = out->labels[behind - 1];
      word.label = last.address == address ? last.name : last.name + "+" + std::to_string(address - last.address);
    }
    if (address < image->lines.size()) {
      const image::Line& place = image->lines[address].place;
      if (place.line != 0 && place.file < image->files.size())
        word.file = image->files[place.file], word.line = place.line;
    }
    if (address < image->words.size())
      if (const auto instruction = isa::decode(image->profile, image->words[address]))
        word.text = isa::print(image->profile, *instruction, names);
    const std::hash<std::string> hash;
    for (const uint64_t part : {uint64_t{hash(word.label)}, uint64_t{hash(word.file)}, uint64_t{word.line}})
      out->shape = (out->shape ^ part) * 0x100000001b3 + address;
  }
  return out;
}

void add(std::vector<CoverageCounts>& sum, const std::vector<CoverageCounts>& more) {
  for (size_t i = 0; i < std::min(sum.size(), more.size()); ++i) {
    for (size_t c = 0; c < emulator::kContexts; ++c) {
      sum[i].executed[c] += more[i].executed[c];
      sum[i].taken[c] += more[i].taken[c];
    }
    sum[i].branch |= more[i].branch;
    sum[i].conditional |= more[i].conditional;
  }
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::vector<std::optional<uint64_t>> counterparts_by_line(const CoverageSeries& now, const KeptCoverage& kept) {
  std::vector<std::optional<uint64_t>> out(now.size());
  for (const unsigned engine : now.choice.engines) {
    const auto files = kept.lines.find(engine);
    if (files == kept.lines.end()) continue;
    for (uint32_t address = 0; address < now.size(); ++address) {
      const CoverageWord& word = now.program->words[address];
      if (word.line == 0) continue;
      // A folder may have another name elsewhere.
      auto file = files->second.find(word.file);
      if (file == files->second.end())
        file = std::ranges::find_if(files->second,
                                    [&](const auto& known) { return file_name(known.first) == file_name(word.file); });
      if (file == files->second.end()) continue;
      if (const auto line = file->second.find(word.line); line != file->second.end())
        out[address] = out[address].value_or(0) + line->second;
    }
  }
  return out;
}

}  // namespace

std::shared_ptr<const CoverageProgram> CoveragePrograms::of(const Inspector& machine, unsigned chip, unsigned engine,
                                                            size_t words) {
  auto& known = known_[{chip, engine}];
  if (!known || known->words.size() != words) known = describe(machine.program(chip, engine), words);
  return known;
}

CoverageRun take_coverage(const Inspector& machine, CoveragePrograms& programs) {
  CoverageRun out;
  const workbench::MachineView view = machine.machine();
  out.chips = view.chips;
  out.cycle = machine.counted_cycle();
  for (const workbench::EngineView& e : view.engines) {
    const emulator::Coverage* coverage = machine.coverage(e.chip);
    if (coverage == nullptr || e.engine >= coverage->engines()) continue;
    out.recorded = true;
    CoverageEngine engine;
    engine.chip = e.chip;
    engine.engine = e.engine;
    engine.contexts = static_cast<unsigned>(std::ranges::count_if(
        view.contexts, [&](const auto& c) { return c.id.chip == e.chip && c.id.engine == e.engine; }));
    engine.counts = coverage->words(e.engine);
    engine.program = programs.of(machine, e.chip, e.engine, engine.counts.size());
    if (!engine.counts.empty()) out.engines.push_back(std::move(engine));
  }
  return out;
}

emulator::Images images_of(const Inspector& machine, unsigned chip) {
  emulator::Images images;
  for (const workbench::EngineView& e : machine.machine().engines) {
    if (e.chip != chip) continue;
    images.resize(std::max<size_t>(images.size(), e.engine + 1));
    images[e.engine] = machine.program(chip, e.engine);
  }
  return images;
}

std::string coverage_file(const Inspector& machine, unsigned chip, CoverageFormat format) {
  const emulator::Coverage* coverage = machine.coverage(chip);
  if (coverage == nullptr) return {};
  const emulator::Images images = images_of(machine, chip);
  switch (format) {
    case CoverageFormat::lcov: return to_lcov(*coverage, images);
    case CoverageFormat::csv: return to_csv(*coverage, images);
    case CoverageFormat::json: return to_json(*coverage, images);
  }
  return {};
}

std::vector<CoverageChoice> choices(const CoverageRun& run) {
  std::vector<CoverageChoice> out;
  for (const CoverageEngine& e : run.engines) {
    CoverageChoice same{e.chip, {}};
    for (const CoverageEngine& other : run.engines)
      if (other.chip == e.chip && other.program->name == e.program->name && other.program->shape == e.program->shape &&
          other.counts.size() == e.counts.size())
        same.engines.push_back(other.engine);
    if (same.engines.size() > 1 && same.engines.front() == e.engine) out.push_back(std::move(same));
  }
  for (const CoverageEngine& e : run.engines) out.push_back({e.chip, {e.engine}});
  return out;
}

CoverageSeries series_of(const CoverageRun& run, const CoverageChoice& choice) {
  CoverageSeries out;
  out.choice = choice;
  for (const CoverageEngine& e : run.engines) {
    if (e.chip != choice.chip || std::ranges::find(choice.engines, e.engine) == choice.engines.end()) continue;
    if (out.program) {
      add(out.counts, e.counts);
      continue;
    }
    out.program = e.program;
    out.contexts = e.contexts;
    out.counts = e.counts;
  }
  return out;
}

std::vector<std::optional<uint64_t>> counterparts(const CoverageSeries& now, const KeptCoverage& kept, int context) {
  if (!now.program) return {};
  if (kept.by_line()) return counterparts_by_line(now, kept);
  std::vector<std::optional<uint64_t>> out(now.size());
  const CoverageSeries then = series_of(kept.run, now.choice);
  if (!then.program) return out;
  const auto& old_words = then.program->words;
  const auto& words = now.program->words;
  // The text of an instruction has labels where a file has addresses, so without labels only the place can be compared.
  const bool named = !then.program->labels.empty();
  const auto same = [&](uint32_t address) {
    if (address >= old_words.size()) return false;
    if (named)
      return words[address].label == old_words[address].label && words[address].text == old_words[address].text;
    return words[address].line == old_words[address].line &&
           file_name(words[address].file) == file_name(old_words[address].file);
  };
  std::map<std::string, uint32_t> by_label;
  bool all_same = old_words.size() == words.size();
  for (uint32_t address = 0; all_same && address < now.size(); ++address) all_same = same(address);
  if (!all_same && named)
    for (uint32_t address = 0; address < then.size(); ++address) by_label.emplace(old_words[address].label, address);
  for (uint32_t address = 0; address < now.size(); ++address) {
    if (all_same || (!named && same(address))) {
      out[address] = then.count(address, context);
    } else if (named) {
      const auto at = by_label.find(words[address].label);
      if (at != by_label.end() && !words[address].label.empty()) out[address] = then.count(at->second, context);
    }
  }
  return out;
}

std::vector<uint64_t> compared_counts(const CoverageRun& run, const CoverageSeries& now, bool by_line, int context) {
  std::vector<uint64_t> out(now.size());
  for (uint32_t address = 0; address < now.size(); ++address) out[address] = now.count(address, by_line ? -1 : context);
  if (!by_line) return out;
  // lcov takes the most executed word of a line in each microengine, and adds microengines up.
  std::map<std::pair<std::string, uint32_t>, uint64_t> lines;
  for (const unsigned engine : now.choice.engines) {
    const CoverageSeries one = series_of(run, {now.choice.chip, {engine}});
    std::map<std::pair<std::string, uint32_t>, uint64_t> max;
    for (uint32_t address = 0; address < one.size(); ++address) {
      uint64_t& line = max[{one.program->words[address].file, one.program->words[address].line}];
      line = std::max(line, one.count(address));
    }
    for (const auto& [place, count] : max) lines[place] += count;
  }
  for (uint32_t address = 0; address < now.size(); ++address)
    if (const CoverageWord& word = now.program->words[address]; word.line != 0)
      out[address] = lines[{word.file, word.line}];
  return out;
}

}  // namespace weft::ide
