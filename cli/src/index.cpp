// weft index: every name of a program, or what stands and may stand at one place of a file.
#include "weft/assembler/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "assembly_target.h"
#include "commands.h"
#include "console.h"
#include "weft/base/files.h"
#include "weft/base/limits.h"
#include "weft/base/paths.h"

namespace weft::cli {
namespace {

using assembler::Index;

struct IndexOptions {
  std::string file;
  std::string at;
  bool json = false;
  bool allocate = false;
  std::string chip = "ixp2400";
  std::vector<std::string> include_dirs;
  bool case_sensitive = false;
  std::vector<std::string> defines;
};

std::string place_text(const Index& index, const assembler::IndexPlace& p) {
  return fmt::format("{}:{}:{}", printable(index.files()[p.file]), p.line, p.column);
}

std::string all_names(const Index& index) {
  std::string out;
  for (const assembler::IndexName& n : index.names()) {
    if (n.references.empty() || index.is_built_in(index.references()[n.references[0]].place.file)) continue;
    out += fmt::format("{} {}", assembler::name_of(n.kind), n.written);
    if (n.kind == assembler::NameKind::label && n.name != n.written + "#") out += fmt::format(" ({})", n.name);
    if (!n.detail.empty()) out += fmt::format("  {}", n.detail);
    if (!n.allocated.empty()) out += fmt::format("  in {}", fmt::join(n.allocated, ", "));
    out += '\n';
    for (const uint32_t r : n.references) {
      const assembler::IndexReference& ref = index.references()[r];
      out += fmt::format("  {} {}",
                         ref.definition            ? "defined"
                         : ref.reads && ref.writes ? "changed"
                         : ref.writes              ? "written"
                         : ref.reads               ? "read"
                                                   : "used",
                         place_text(index, ref.place));
      for (const assembler::IndexFrame& f : index.chain(ref)) {
        if (f.kind != assembler::IndexFrame::Kind::macro) continue;
        out += fmt::format(", in {}({}) from {}", f.name, fmt::join(f.arguments, ", "), place_text(index, f.call));
      }
      out += '\n';
    }
  }
  return out;
}

std::string at_place(const Index& index, uint32_t file, Position p) {
  std::string out = index.hover_at(file, p);
  if (!out.empty()) out += "\n\n";
  const assembler::IndexContext c = index.context_at(file, p);
  if (!c.classes.empty()) out += fmt::format("expected: {}\n", fmt::join(c.classes, ", "));
  for (const auto& s : index.signatures_at(file, p)) out += fmt::format("form: {}\n", s.text);
  std::string kind;
  for (const auto& i : index.completions_at(file, p)) {
    out += i.kind == kind ? ", " + i.text : fmt::format("{}{}: {}", kind.empty() ? "" : "\n", i.kind, i.text);
    kind = i.kind;
  }
  if (!kind.empty()) out += '\n';
  return out.empty() ? "nothing to say about this place\n" : out;
}

std::optional<Position> position_of(const std::string& text) {
  Position p;
  const size_t colon = text.find(':');
  const auto number = [](const std::string& digits, uint32_t& out) {
    if (digits.empty() || digits.size() > 8 ||
        !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }))
      return false;
    out = static_cast<uint32_t>(std::stoul(digits));
    return out > 0;
  };
  if (colon == std::string::npos || !number(text.substr(0, colon), p.line) || !number(text.substr(colon + 1), p.column))
    return std::nullopt;
  return p;
}

int show_index(const IndexOptions& o) {
  assembler::Options options;
  options.include_dirs = o.include_dirs;
  options.case_sensitive = o.case_sensitive;
  define_names(options, o.defines);
  const auto chip = load_part(o.chip);
  if (!chip) {
    report(chip.error());
    return kWrongInput;
  }
  assemble_for(options, *chip);
  auto text = read_input(o.file, limits::kSourceBytes);
  if (!text) {
    report(text.error());
    return kWrongInput;
  }
  Index::Settings settings;
  settings.allocate = o.allocate;
  const auto index = Index::build(
      make_source(o.file == "-" ? "<standard input>" : o.file, without_mark(std::move(*text))), options, settings);
  if (!index->diagnostics().empty()) report(index->diagnostics());
  std::string out;
  if (o.at.empty()) {
    out = o.json ? to_json(*index) : all_names(*index);
  } else {
    const auto at = position_of(o.at);
    out = o.json ? to_json(*index, 0, *at) : at_place(*index, 0, *at);
  }
  // An index of a program with errors is still one; what is wrong was said.
  return write_text("-", out) ? kDone : kWrongInput;
}

}  // namespace

Command declare_index(CLI::App& app) {
  auto options = std::make_shared<IndexOptions>();
  app.add_option("FILE", options->file, "source file; - is standard input")->required();
  app.add_option("--at", options->at, "LINE:COLUMN: only what stands there, and what may")
      ->check(CLI::Validator(
          [](std::string& text) { return position_of(text) ? "" : fmt::format("'{}' is not a LINE:COLUMN", text); },
          ""));
  app.add_flag("--json", options->json, "for programs (docs/index.md)");
  app.add_flag("--allocation", options->allocate, "also the numbers that registers and signals get");
  app.add_option("--chip", options->chip, "chip description, by name or file")->capture_default_str();
  app.add_option("-I", options->include_dirs, "folder for #include")->allow_extra_args(false);
  app.add_option("-D", options->defines, "NAME[=VALUE]: define before the first line")->allow_extra_args(false);
  app.add_flag("-C,--case-sensitive", options->case_sensitive, "names that differ by case alone are different names");
  return [options]() -> int { return show_index(*options); };
}

}  // namespace weft::cli
