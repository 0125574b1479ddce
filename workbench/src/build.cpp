#include "build.h"

#include <fmt/format.h>

#include <algorithm>

#include "weft/assembler/assembler.h"

namespace weft::workbench {
namespace {

Result<image::Image> program_image(const ProgramEntry& entry, const emulator::ChipDescription& chip, Diagnostics& warnings) {
  if (entry.is_image) return image::read_image(entry.file.string());
  assembler::Options options;
  options.chip = chip.name;
  options.profile = chip.profile;
  options.control_store = chip.engine.control_store;
  for (const auto& dir : entry.include_dirs) options.include_dirs.push_back(dir.string());
  options.defines = entry.defines;
  assembler::Assembly assembly = entry.text ? assembler::assemble(make_source(entry.file.string(), *entry.text), options)
                                            : assembler::assemble(entry.file.string(), options);
  if (assembly.diagnostics.has_errors() || !assembly.image) return tl::unexpected(std::move(assembly.diagnostics));
  warnings.append(std::move(assembly.diagnostics));
  return std::move(*assembly.image);
}

/// A file that cannot be read at all: say where the project names it.
Diagnostics named_at(Diagnostics problems, const SourceRange& range, const std::string& file) {
  Diagnostics out;
  for (Diagnostic d : problems) {
    if (d.range.file && d.range.begin.line == 0 && d.range.file->name() == file && range.begin.line != 0)
      d.notes.push_back({range, "the project names it here"});
    out.add(std::move(d));
  }
  return out;
}

/// The chip must have the engines that a program asks for, and hold its words.
void check_fit(const ProgramEntry& entry, const image::Image& image, const emulator::ChipDescription& chip, Diagnostics& out) {
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

Result<control::ControlSetup> load_control(const ControlEntry& entry, const emulator::BoardDescription& board) {
  const emulator::ChipOnBoard& chip = board.chips.front();
  if (entry.program != "ipv4")
    return fail("project-control", entry.range, fmt::format("there is no control program '{}'", entry.program), "use \"ipv4\"");
  if (!board.control)
    return fail("project-control", entry.range, fmt::format("the board {} does not describe a control processor", board.name),
                "add \"control\" to the board file (docs/board.schema.json)");
  control::ControlOptions options;
  options.cycles_per_interrupt = board.control->cycles_per_interrupt;
  options.cycles_per_packet = board.control->cycles_per_packet;
  options.cycles_per_route = board.control->cycles_per_route;
  options.sram_bytes = {};
  for (size_t i = 0; i < chip.sram.size() && i < options.sram_bytes.size(); ++i) options.sram_bytes[i] = chip.sram[i].bytes;
  options.dram_bytes = chip.dram.bytes;
  options.ports = static_cast<unsigned>(chip.ports.size());
  options.switches = entry.options;
  return control::load_ipv4_control(entry.config.string(), options);
}

}  // namespace

Result<std::pair<std::shared_ptr<const image::Image>, std::vector<uint64_t>>> build_one(const Project& project, const Built& built, const std::filesystem::path& file,
                                                                                        unsigned engine) {
  const emulator::ChipDescription& chip = built.board.chips.front().chip;
  ProgramEntry entry;
  entry.file = file;
  entry.is_image = file.extension() == ".json";
  entry.engines = {engine};
  for (const ProgramEntry& known : project.programs)
    for (const auto& folder : known.include_dirs)
      if (std::find(entry.include_dirs.begin(), entry.include_dirs.end(), folder) == entry.include_dirs.end()) entry.include_dirs.push_back(folder);
  Diagnostics problems;
  auto image = program_image(entry, chip, problems);
  if (!image) return tl::unexpected(std::move(image.error()));
  check_fit(entry, *image, chip, problems);
  if (!image->memory.empty())
    problems.error("project-load", whole_file(file.string()), "a program that is loaded during the run can have no .alloc_mem",
                   "name the memory of the first programs by import variables");
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  auto shared = std::make_shared<const image::Image>(std::move(*image));
  image::LinkInput input;
  input.programs.push_back({shared.get(), {engine}});
  if (built.control) input.constants = built.control->constants;
  for (const auto& [name, value] : project.constants) input.constants[name] = value;
  for (const image::Placement& block : built.linked.placements)
    if (block.engine < 0) input.constants[block.name] = block.address;
  auto linked = image::link(input);
  if (!linked) return tl::unexpected(std::move(linked.error()));
  return std::pair(std::shared_ptr<const image::Image>(shared), std::move(linked->programs.front().words));
}

Result<Built> build(const Project& project) {
  Built built;
  auto board = emulator::load_board(project.board, {project.folder.string(), data_folder().string()});
  if (!board) {
    Diagnostics out;
    for (Diagnostic d : board.error()) {
      d.notes.push_back({project.document.root().get("board").range(), "the board is named here"});
      out.add(std::move(d));
    }
    return tl::unexpected(std::move(out));
  }
  built.board = std::move(*board);
  const emulator::ChipOnBoard& chip = built.board.chips.front();

  Diagnostics problems;
  for (const ProgramEntry& entry : project.programs) {
    auto image = program_image(entry, chip.chip, built.warnings);
    if (!image) {
      problems.append(named_at(std::move(image.error()), entry.range, entry.file.string()));
      continue;
    }
    check_fit(entry, *image, chip.chip, problems);
    built.programs.push_back(std::make_unique<BuiltProgram>(BuiltProgram{std::move(*image), entry.engines}));
  }
  if (project.control) {
    auto setup = load_control(*project.control, built.board);
    if (setup) built.control = std::move(*setup);
    else problems.append(named_at(std::move(setup.error()), project.control->range, project.control->config.string()));
  }
  if (problems.has_errors()) return tl::unexpected(std::move(problems));

  image::LinkInput input;
  for (const auto& program : built.programs) input.programs.push_back({&program->image, program->engines});
  input.spaces = project.spaces;
  if (built.control) input.constants = built.control->constants;
  for (const auto& [name, value] : project.constants) input.constants[name] = value;
  auto linked = image::link(input);
  if (!linked) return tl::unexpected(std::move(linked.error()));
  built.linked = std::move(*linked);
  return built;
}

}  // namespace weft::workbench
