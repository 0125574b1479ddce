#include "project/build.h"

#include <fmt/format.h>

#include <algorithm>

#include "project/changes.h"
#include "project/defines.h"
#include "project/design.h"
#include "project/filter_rules.h"
#include "project/image_store.h"
#include "project/memory_fit.h"
#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/paths.h"
#include "weft/control/firewall/compiled_rules.h"
#include "weft/control/programs.h"
#include "weft/emulator/lost_cycles.h"

namespace weft::workbench {
namespace {

/// A source that several engines run with other definitions has the same mistakes for each: they are said once, and so
/// are those that are only counted.
void append_new(Diagnostics& list, const Diagnostics& more) {
  Diagnostics fresh = more.changed([&](const Diagnostic& d) {
    return std::none_of(list.begin(), list.end(), [&](const Diagnostic& k) {
      const bool same_file =
          k.range.file && d.range.file ? k.range.file->name() == d.range.file->name() : k.range.file == d.range.file;
      return same_file && k.code == d.code && k.text == d.text && k.range.begin.line == d.range.begin.line &&
             k.range.begin.column == d.range.begin.column;
    });
  });
  if (!fresh.empty()) list.append(std::move(fresh));
}

/// Where compiled rules make a program longer than the control store, the rules are to blame, and not the word of a
/// library block at which the store happens to be full.
Diagnostics blamed_on_rules(const Diagnostics& problems, const ProgramEntry& entry, const std::string& compiled_rules) {
  return problems.changed([&](Diagnostic& d) {
    // The first line of the text says "// Made from FILE (N rules): N instructions."
    const std::string first = compiled_rules.substr(0, compiled_rules.find('\n'));
    const size_t from = first.find("from ");
    if (!entry.rules.empty() && d.code == "asm-control-store" && from != std::string::npos) {
      d.code = "firewall-rules-size";
      d.text = fmt::format("with {} the {}", first.substr(from + 5, first.size() - from - 6), d.text);
      d.range = whole_file(entry.rules.string());
      d.notes.clear();
      d.remedy =
          "use the rule store sram, or fewer rules; rules after one another that have a field in common share its "
          "test";
    }
  });
}

Result<image::Image> program_image(const ProgramEntry& entry, const emulator::ChipOnBoard& chip,
                                   const std::string& compiled_rules, Diagnostics& warnings,
                                   std::vector<std::string>& files, ImageStore* store = nullptr) {
  if (entry.is_image) {
    files.push_back(entry.file.string());
    auto image = image::read_image(entry.file.string());
    if (image) return image;
    return tl::unexpected(image.error().changed([](Diagnostic& d) {
      if (d.code == "file-missing") d.remedy = "make it with 'weft asm' first, or check the name";
    }));
  }
  assembler::Options options = assembler_options(entry, chip);
  std::string key;
  if (store != nullptr && entry.rules.empty()) {
    key = assembly_key(entry, options);
    if (const AssembledImage* known = store->find(key)) {
      files.insert(files.end(), known->files.begin(), known->files.end());
      return known->image;
    }
  }
  if (!entry.rules.empty())
    options.read = [&](const std::string& path) -> Result<SourceFilePtr> {
      if (std::filesystem::path(path).filename() == control::firewall::kCompiledRules)
        return make_source(path, compiled_rules);
      return read_source(path);
    };
  assembler::Assembly assembly = entry.text
                                     ? assembler::assemble(make_source(entry.file.string(), *entry.text), options)
                                     : assembler::assemble(entry.file.string(), options);
  assembly.diagnostics = at_defines(assembly.diagnostics, entry);
  files.insert(files.end(), assembly.files.begin(), assembly.files.end());
  if (assembly.diagnostics.has_errors() || !assembly.image)
    return tl::unexpected(blamed_on_rules(assembly.diagnostics, entry, compiled_rules));
  if (!key.empty() && assembly.diagnostics.empty())
    store->keep({std::move(key), *assembly.image, std::move(assembly.files)});
  append_new(warnings, assembly.diagnostics);
  return std::move(*assembly.image);
}

std::string chip_names(const emulator::BoardDescription& board) {
  std::string out;
  for (const emulator::ChipOnBoard& chip : board.chips) out += (out.empty() ? "" : ", ") + chip.name;
  return out;
}

}  // namespace

unsigned chip_of(const ChipName& name, const char* what, const emulator::BoardDescription& board, Diagnostics& out) {
  if (name.name.empty()) {
    if (board.chips.size() > 1)
      out.error("project-chip", name.range,
                fmt::format("the board {} has several chips, and {} names none", board.name, what),
                fmt::format("add \"chip\"; the chips are {}", chip_names(board)));
    return 0;
  }
  for (unsigned c = 0; c < board.chips.size(); ++c)
    if (board.chips[c].name == name.name) return c;
  const bool none = board.chips.size() == 1 && board.chips[0].name.empty();
  out.error("project-chip", name.range, fmt::format("the board {} has no chip '{}'", board.name, name.name),
            none ? "it has one chip, which has no name: leave \"chip\" out"
                 : fmt::format("its chips are {}", chip_names(board)));
  return 0;
}

namespace {

/// The chip must have the engines that a program asks for, and hold its words.
void check_fit(const ProgramEntry& entry, const image::Image& image, const emulator::ChipDescription& chip,
               Diagnostics& out) {
  for (unsigned engine : entry.engines)
    if (engine >= chip.engine_numbers.size())
      out.error("project-engine", entry.range, fmt::format("{} has no microengine {}", chip.name, engine),
                fmt::format("use 0 to {}", chip.engine_numbers.size() - 1));
  if (image.words.size() > chip.engine.control_store)
    out.error("project-control-store", entry.range,
              fmt::format("the program has {} words, the control store of {} holds {}", image.words.size(), chip.name,
                          chip.engine.control_store),
              "split the program over several microengines");
  if (image.profile != chip.profile)
    out.error("project-profile", entry.range, fmt::format("the words of this Image are not those of {}", chip.name),
              "assemble the source again for this chip");
}

}  // namespace

Result<control::ControlSetup> load_control(const Project& project, const emulator::BoardDescription& board,
                                           unsigned chip_number) {
  const ControlEntry& entry = *project.control;
  const emulator::ChipOnBoard& chip = board.chips[chip_number];
  const control::ProgramKind* program = control::find_program(entry.program);
  std::string fitting;  // names of the programs for this chip
  for (const control::ProgramKind& kind : control::program_kinds())
    if (kind.profile == chip.chip.profile)
      fitting += fmt::format("{}\"{}\" ({})", fitting.empty() ? "" : ", ", kind.name, kind.for_what);
  if (!program)
    return fail("project-control", entry.program_range, fmt::format("there is no control program '{}'", entry.program),
                fmt::format("for {} there are {}", chip.chip.name, fitting));
  if (program->profile != chip.chip.profile)
    return fail("project-control", entry.program_range,
                fmt::format("the control program '{}' is not for {}", entry.program, chip.chip.name),
                fmt::format("use {}", fitting));
  if (!board.control)
    return fail("project-control", entry.range,
                fmt::format("the board {} does not describe a control processor", board.name),
                "add \"control\" to the board file (docs/schemas/board.schema.json)");
  control::ControlOptions options;
  options.cycles_per_interrupt = board.control->cycles_per_interrupt;
  options.cycles_per_packet = board.control->cycles_per_packet;
  options.cycles_per_route = board.control->cycles_per_route;
  options.control_kilohertz = board.ticks_per_second / board.control->period / 1000;
  options.sram_bytes = {};
  for (size_t i = 0; i < chip.sram.size() && i < options.sram_bytes.size(); ++i)
    options.sram_bytes[i] = chip.sram[i].bytes;
  options.dram_bytes = chip.dram.bytes;
  options.ports = static_cast<unsigned>(chip.ports.size());
  options.engine_kilohertz = board.ticks_per_second / chip.chip.engine.period / 1000;
  options.switches = entry.options;
  options.filter_store = defined_store(project);
  for (const ProgramEntry& with : project.programs)
    if (!with.rules.empty() && (with.chip.name.empty() || with.chip.name == chip.name))
      options.rule_engines.insert(options.rule_engines.end(), with.engines.begin(), with.engines.end());
  return program->load(entry.config.string(), options);
}

namespace {

/// A program for an engine of a machine that was built.
Result<OneProgram> loadable(const Project& project, const Built& built, unsigned chip_number, const ProgramEntry& entry,
                            unsigned engine, const std::string& compiled_rules) {
  const emulator::ChipDescription& chip = built.board.chips[chip_number].chip;
  Diagnostics problems;
  OneProgram out;
  auto image = program_image(entry, built.board.chips[chip_number], compiled_rules, problems, out.files);
  if (!image) return tl::unexpected(std::move(image.error()));
  ProgramEntry fit = entry;
  fit.engines = {engine};
  check_fit(fit, *image, chip, problems);
  if (!image->memory.empty())
    problems.error("project-load", whole_file(entry.file.string()),
                   "a program that is loaded during the run can have no .alloc_mem",
                   "name the memory of the first programs by import variables");
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  out.engine = engine;
  auto shared = std::make_shared<const image::Image>(std::move(*image));
  image::LinkInput input;
  input.programs.push_back({shared.get(), {engine}});
  input.engine_numbers = built.board.chips[chip_number].chip.engine_numbers;
  if (built.control) {
    input.constants = built.control->constants;
    input.withheld = built.control->withheld;
  }
  for (const auto& [name, value] : project.constants) input.constants[name] = value;
  for (const image::Placement& block : built.chips[chip_number].linked.placements)
    if (block.engine < 0) input.constants[block.name] = block.address;
  auto linked = image::link(input);
  if (!linked) return tl::unexpected(std::move(linked.error()));
  out.words = std::move(linked->programs.front().words);
  out.image = std::move(shared);
  return out;
}

}  // namespace

Result<std::string> compiled_rules(const ProgramEntry& entry, const emulator::ChipDescription& chip,
                                   const std::optional<control::ControlSetup>& control) {
  std::vector<control::firewall::PortName> ports;
  if (control) ports = control::firewall::port_names(control->ports);
  auto rules = control::firewall::read_rules(entry.rules.string(), ports);
  if (!rules) return tl::unexpected(named_at(rules.error(), entry.rules_range, entry.rules.string()));
  auto compiled = control::firewall::compile_rules(*rules, chip.engine.control_store);
  if (!compiled) return tl::unexpected(named_at(compiled.error(), entry.rules_range, entry.rules.string()));
  return std::move(compiled->text);
}

Diagnostics named_at(const Diagnostics& problems, const SourceRange& range, const std::string& file) {
  return problems.changed([&](Diagnostic& d) {
    if (range && d.range.file && d.range.begin.line == 0 && d.range.file->name() == file)
      d.notes.push_back(range.begin.line != 0 ? Note{range, "the project names it here"}
                                              : Note{{}, "the command line names it"});
  });
}

namespace {

/// What programs must know of the board's MACs: how many bytes of check sequence follow each frame that they receive.
/// Nothing when there are none, when the project says it, or when the ports are not alike.
void define_board(const ProgramEntry& entry, const emulator::ChipOnBoard& on, assembler::Options& options) {
  static const std::string kName = "MAC_FCS_BYTES";
  if (on.ports.empty()) return;
  const uint32_t bytes = on.ports.front().handed_over();
  if (bytes == 0 || std::any_of(on.ports.begin(), on.ports.end(),
                                [&](const emulator::PortDescription& p) { return p.handed_over() != bytes; }))
    return;
  if (std::none_of(entry.defines.begin(), entry.defines.end(), [](const auto& d) { return d.first == kName; }))
    options.defines.emplace_back(kName, std::to_string(bytes));
}

}  // namespace

assembler::Options assembler_options(const ProgramEntry& entry, const emulator::ChipOnBoard& on) {
  const emulator::ChipDescription& chip = on.chip;
  assembler::Options options;
  options.chip = chip.name;
  options.family = chip.family;
  options.profile = chip.profile;
  options.control_store = chip.engine.control_store;
  options.sram_channels = chip.sram.channels;
  for (const auto& dir : entry.include_dirs) options.include_dirs.push_back(dir.string());
  if (entry.text) options.main_folder = entry.text_folder.string();
  options.defines = entry.defines;
  options.case_sensitive = entry.case_sensitive;
  define_board(entry, on, options);
  options.lost = emulator::lost_cycles(chip.engine);
  return options;
}

namespace {

/// A path starts at the project's folder; a name stays as it is.
std::string wanted_board(const Project& project) {
  const bool is_path = project.board.find('/') != std::string::npos || project.board.ends_with(".json");
  return is_path ? tidy(project.folder / project.board).string() : project.board;
}

constexpr size_t kWeftFolder = 1;  ///< of description_folders()
std::vector<std::string> description_folders(const Project& project) {
  return {project.folder.string(), data_folder().string()};
}

}  // namespace

std::vector<std::string> board_files(const Project& project, bool all) {
  std::vector<std::string> out;
  for (const emulator::DescriptionFile& file :
       emulator::files_of_board(wanted_board(project), description_folders(project)))
    if (all || file.folder != kWeftFolder) out.push_back(file.path);
  return out;
}

Result<emulator::BoardDescription> board_of(const Project& project) {
  auto board = emulator::load_board(wanted_board(project), description_folders(project));
  if (board) return board;
  const SourceRange& named = project.board_range;
  return tl::unexpected(board.error().changed([&](Diagnostic& d) {
    if (!d.range)
      d.range = named;
    else
      d.notes.push_back({named, "the board is named here"});
  }));
}

Result<OneProgram> build_one(const Project& project, const Built& built, unsigned chip_number,
                             const std::filesystem::path& file, unsigned engine) {
  ProgramEntry entry;
  entry.file = file;
  entry.is_image = file.extension() == ".json";
  entry.engines = {engine};
  for (const ProgramEntry& known : project.programs) {
    entry.case_sensitive = entry.case_sensitive || known.case_sensitive;
    for (const auto& folder : known.include_dirs)
      if (std::find(entry.include_dirs.begin(), entry.include_dirs.end(), folder) == entry.include_dirs.end())
        entry.include_dirs.push_back(folder);
  }
  return loadable(project, built, chip_number, entry, engine, {});
}

Result<std::vector<OneProgram>> build_rules(const Project& project, const Built& built, unsigned chip_number,
                                            const std::string& text) {
  std::vector<OneProgram> out;
  const std::string& chip = built.board.chips[chip_number].name;
  for (const ProgramEntry& entry : project.programs) {
    if (entry.rules.empty() || (!entry.chip.name.empty() && entry.chip.name != chip)) continue;
    for (const unsigned engine : entry.engines) {
      auto one = loadable(project, built, chip_number, entry, engine, text);
      if (!one) return tl::unexpected(std::move(one.error()));
      out.push_back(std::move(*one));
    }
  }
  return out;
}

namespace {

/// With where the control program and its configuration are named, which the command line may do.
Diagnostics of_control(const Diagnostics& problems, const ControlEntry& entry) {
  const Diagnostics named = named_at(problems, entry.config_range, entry.config.string());
  const SourceFilePtr& project = entry.program_range.file;
  return project ? named_at(named, entry.program_range, project->name()) : named;
}

/// The files that were read stand in `files` also when something was wrong.
Result<Built> build_with(const Project& project, std::vector<std::string>& files, ImageStore* store) {
  Built built;
  auto board = board_of(project);
  if (!board) return tl::unexpected(std::move(board.error()));
  built.board = std::move(*board);
  built.chips.resize(built.board.chips.size());

  Diagnostics problems;
  if (project.control && !project.control->has_program() && !project.control->chip.name.empty())
    built.control_chip = chip_of(project.control->chip, "the control processor", built.board, problems);
  if (project.control && project.control->has_program()) {
    built.control_chip = chip_of(project.control->chip, "the control program", built.board, problems);
    auto setup = load_control(project, built.board, built.control_chip);
    if (setup)
      built.control = std::move(*setup),
      files.insert(files.end(), built.control->files.begin(), built.control->files.end());
    else
      problems.append(of_control(setup.error(), *project.control));
  }
  for (size_t place = 0; place < project.programs.size(); ++place) {
    const ProgramEntry& entry = project.programs[place];
    const size_t before = problems.size();
    const unsigned number = chip_of(entry.chip, "this program", built.board, problems);
    if (problems.size() != before) continue;
    const emulator::ChipOnBoard& chip = built.board.chips[number];
    std::string rules;
    if (!entry.rules.empty()) {
      if (project.control && project.control->has_program() && !built.control)
        continue;  // what its rules name is not known
      auto text = compiled_rules(entry, chip.chip, built.control);
      if (!text) {
        append_new(problems, text.error());
        continue;
      }
      rules = std::move(*text);
      files.push_back(entry.rules.string());
    }
    auto image = program_image(entry, chip, rules, built.warnings, files, store);
    if (!image) {
      append_new(problems, named_at(image.error(), entry.range, entry.file.string()));
      continue;
    }
    check_fit(entry, *image, chip.chip, problems);
    if (built.control && built.control->rules && number == built.control_chip)
      check_rules(project, place, *image, rules, *built.control->rules, problems);
    built.chips[number].programs.push_back(
        std::make_unique<BuiltProgram>(BuiltProgram{std::move(*image), entry.engines}));
  }
  for (const PoolEntry& pool : project.pools)
    built.pool_chips.push_back(chip_of(pool.chip, "this pool", built.board, problems));
  for (const RingEntry& ring : project.rings)
    built.ring_chips.push_back(chip_of(ring.chip, "this ring", built.board, problems));
  if (!problems.has_errors()) check_memories(project, built, problems);
  if (!problems.has_errors()) check_rings(project, built, problems);
  if (problems.has_errors()) return tl::unexpected(std::move(problems));

  // Each chip has memories of its own, so programs are linked chip by chip.
  for (size_t c = 0; c < built.chips.size(); ++c) {
    BuiltChip& chip = built.chips[c];
    image::LinkInput input;
    for (const auto& program : chip.programs) input.programs.push_back({&program->image, program->engines});
    input.engine_numbers = built.board.chips[c].chip.engine_numbers;
    input.spaces = project.spaces;
    if (built.control) {
      input.constants = built.control->constants;
      input.withheld = built.control->withheld;
    }
    for (const auto& [name, value] : project.constants) input.constants[name] = value;
    auto linked = image::link(input);
    if (!linked) return tl::unexpected(std::move(linked.error()));
    chip.linked = std::move(*linked);
    check_placements(chip, built.board.chips[c], problems);
  }
  add_counters(project, built, problems);
  add_tables(project, built, problems);
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  return built;
}

}  // namespace

Result<Built> build(const Project& project, std::vector<std::string>* read, ImageStore* store) {
  std::vector<std::string> files;
  auto built = build_with(project, files, store);
  if (read != nullptr) *read = files;
  if (!built) return tl::unexpected(with_changes(built.error(), project));
  built->files = std::move(files);
  return built;
}

}  // namespace weft::workbench
