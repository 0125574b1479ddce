#include "output/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>

#include "flow/accesses.h"
#include "flow/flow.h"
#include "weft/assembler/cycles.h"
#include "weft/base/paths.h"

namespace weft::assembler {
namespace {

image::RegisterKind kind_of(RegisterFile file) {
  switch (file) {
    case RegisterFile::gpr: return image::RegisterKind::gpr;
    case RegisterFile::gpr_absolute: return image::RegisterKind::gpr_absolute;
    case RegisterFile::s_read: return image::RegisterKind::xfer_s_read;
    case RegisterFile::s_write: return image::RegisterKind::xfer_s_write;
    case RegisterFile::d_read: return image::RegisterKind::xfer_d_read;
    case RegisterFile::d_write: return image::RegisterKind::xfer_d_write;
    case RegisterFile::neighbor:
    case RegisterFile::signal: break;
  }
  return image::RegisterKind::neighbor;
}

image::RegisterKind kind_of(isa::OperandKind kind) {
  switch (kind) {
    case isa::OperandKind::gpr: return image::RegisterKind::gpr;
    case isa::OperandKind::gpr_absolute: return image::RegisterKind::gpr_absolute;
    // What a program reads: a command is given what the program itself writes.
    case isa::OperandKind::xfer_s: return image::RegisterKind::xfer_s_read;
    case isa::OperandKind::xfer_d: return image::RegisterKind::xfer_d_read;
    default: return image::RegisterKind::neighbor;
  }
}

/// Word addresses before which a web is live: one pair per stretch.
std::vector<std::pair<uint32_t, uint32_t>> stretches(const Web& web, uint32_t size) {
  std::vector<std::pair<uint32_t, uint32_t>> out;
  for (const Span& span : web.spans) {
    const uint32_t begin = (span.begin + 1) / 2;
    const uint32_t end = std::min(std::max((span.end + 1) / 2, begin + 1), size);
    if (begin >= end) continue;
    if (!out.empty() && begin <= out.back().second)
      out.back().second = std::max(out.back().second, end);
    else
      out.emplace_back(begin, end);
  }
  return out;
}

/// Where a token of a #define was used; where anything else stands.
Origin written_place(Origin origin, const Sources& sources) {
  while (origin.expansion != 0 && sources.expansion(origin.expansion).kind == Expansion::Kind::define) {
    origin = sources.expansion(origin.expansion).call;
  }
  return origin;
}

image::LineRow line_row(const Origin& written, const Sources& sources) {
  Origin origin = written_place(written, sources);
  image::LineRow row;
  row.place = {origin.file, origin.line, origin.column};
  while (origin.expansion != 0) {
    const Expansion& expansion = sources.expansion(origin.expansion);
    const Origin call = written_place(expansion.call, sources);
    if (expansion.kind == Expansion::Kind::macro)
      row.macros.emplace_back(expansion.name, image::Line{call.file, call.line, call.column});
    origin = call;
  }
  return row;
}

class ProgramNames final : public isa::PrintNames {
 public:
  explicit ProgramNames(const Program& program) {
    for (const Label& label : program.labels) labels_.try_emplace(label.index, label.name);
  }
  std::string label(uint32_t address) const override {
    const auto found = labels_.find(address);
    return found == labels_.end() ? PrintNames::label(address) : found->second;
  }

 private:
  std::map<uint32_t, std::string> labels_;
};

}  // namespace

image::Image make_image(const Program& program, const Allocation& allocation, const Encoded& encoded,
                        const Sources& sources, std::string name) {
  image::Image image;
  image.name = std::move(name);
  image.chip = program.chip;
  image.profile = program.profile;
  image.contexts = program.contexts;
  image.nn_self = program.nn_self;
  image.lm_absolute = program.lm_absolute;
  image.words = encoded.words;
  image.uses = encoded.uses;
  image.marks = program.marks;
  image.memory = program.memory;
  image.imports = program.imports;
  for (uint32_t f = 0; f < sources.file_count(); ++f) image.files.push_back(sources.file(f)->name());
  for (const IrInsn& insn : program.insns) image.lines.push_back(line_row(insn.origin, sources));
  for (const Label& label : program.labels) image.labels.push_back({label.name, label.index});
  std::stable_sort(image.labels.begin(), image.labels.end(),
                   [](const auto& a, const auto& b) { return a.address < b.address; });

  const auto size = static_cast<uint32_t>(program.insns.size());
  std::vector<bool> has_register(program.vregs.size(), false);
  for (size_t w = 0; w < allocation.liveness.webs.size(); ++w) {
    const Web& web = allocation.liveness.webs[w];
    const Place& place = allocation.places[w];
    const auto symbol = static_cast<size_t>(web.symbol);
    for (const auto& [begin, end] : stretches(web, size)) {
      if (web.file == RegisterFile::signal) {
        image.signals.push_back(
            {program.signals[symbol].name, place.number, program.signals[symbol].doubled, begin, end});
      } else {
        has_register[symbol] = true;
        image.registers.push_back(
            {program.vregs[symbol].name, kind_of(web.file), place.bank, place.number, begin, end});
      }
    }
  }
  for (const auto& [written, place] : program.initialised)
    image.registers.push_back({written, kind_of(place.kind), place.bank, place.value, 0, size});
  // Initial values of registers that no instruction uses are of no use either.
  std::unordered_set<std::string_view> unused;
  for (size_t v = 0; v < program.vregs.size(); ++v) {
    if (!has_register[v]) unused.insert(program.vregs[v].name);
  }
  for (const image::Init& init : program.inits) {
    if (!unused.contains(init.name)) image.inits.push_back(init);
  }
  return image;
}

std::string make_listing(const Program& program, const Encoded& encoded, const Sources& sources,
                         const std::optional<LostCycles>& lost) {
  const unsigned digits = 2 * isa::word_bytes(program.profile);
  const size_t indent = digits + 8 + (lost ? 5 : 0);
  const ProgramNames names(program);
  std::multimap<uint32_t, const std::string*> labels;
  for (const Label& label : program.labels) labels.emplace(label.index, &label.name);
  std::map<uint32_t, uint64_t> raw(program.raw_words.begin(), program.raw_words.end());
  std::string out;
  Origin last;
  for (uint32_t i = 0; i < program.insns.size(); ++i) {
    const image::LineRow row = line_row(program.insns[i].origin, sources);
    // The outermost line first: that is what the author of the program wrote.
    const image::Line& outer = row.macros.empty() ? row.place : row.macros.back().second;
    if (outer.file != last.file || outer.line != last.line || i == 0) {
      const SourceFilePtr& file = sources.file(outer.file);
      out +=
          fmt::format("{:>{}}; {}:{}: {}\n", "", indent, printable(file->name()), outer.line, file->line(outer.line));
      last.file = outer.file;
      last.line = outer.line;
    }
    const auto [first, end] = labels.equal_range(i);
    for (auto label = first; label != end; ++label) out += fmt::format("{:>{}}{}:\n", "", indent, *label->second);
    const std::string text =
        raw.contains(i) ? fmt::format(".word {:#x}", raw[i]) : isa::print(program.profile, encoded.insns[i], names);
    out += fmt::format("{:5}  {:0{}x}  ", i, encoded.words[i], digits);
    if (lost) out += fmt::format("{:<5}", raw.contains(i) ? "" : text_of(cycles_of(encoded.insns[i], *lost)));
    out += text;
    if (!row.macros.empty()) {
      out += fmt::format("  ; {} {}:{}", row.macros.front().first, printable(sources.file(row.place.file)->name()),
                         row.place.line);
    }
    out += '\n';
  }
  return out;
}

std::string dump_final(const Program& program, const Encoded& encoded) {
  const ProgramNames names(program);
  std::string out;
  for (uint32_t i = 0; i < encoded.insns.size(); ++i) {
    out += fmt::format("{:5}  {}\n", i, isa::print(program.profile, encoded.insns[i], names));
  }
  return out;
}

}  // namespace weft::assembler
