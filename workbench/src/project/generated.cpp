#include "weft/workbench/generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "weft/isa/effects.h"
#include "weft/workbench/inspect.h"

namespace weft::workbench {
namespace {

using image::RegisterKind;
using isa::OperandKind;
using isa::Role;

/// The file's number in the Image; past the end: the program does not have it.
size_t number_of(const image::Image& image, const std::string& file) {
  return static_cast<size_t>(std::find(image.files.begin(), image.files.end(), file) - image.files.begin());
}

bool stands_at(const image::LineRow& row, size_t file, uint32_t line) {
  const auto here = [&](const image::Line& at) { return at.file == file && at.line == line; };
  return here(row.place) ||
         std::any_of(row.macros.begin(), row.macros.end(), [&](const auto& call) { return here(call.second); });
}

class ImageNames final : public isa::PrintNames {
 public:
  explicit ImageNames(const image::Image& image) : image_(image) {}
  std::string label(uint32_t address) const override {
    for (const image::Label& label : image_.labels)
      if (label.address == address) return label.name;
    return PrintNames::label(address);
  }

 private:
  const image::Image& image_;
};

/// The names of a word's operands. A source is alive before the word; what it writes, after it.
class Names {
 public:
  Names(const image::Image& image, uint32_t address) : image_(image), address_(address) {}

  void add(const isa::Operand& operand, bool reads, bool writes) {
    if (!operand.present()) return;
    const auto either = [&](RegisterKind read, RegisterKind write) {
      if (reads) reg(read, isa::Bank::none, operand.value, address_, isa::print_operand(operand));
      if (writes) reg(write, isa::Bank::none, operand.value, address_ + 1, isa::print_operand(operand));
    };
    switch (operand.kind) {
      case OperandKind::gpr:
      case OperandKind::gpr_absolute: {
        const RegisterKind kind = operand.kind == OperandKind::gpr ? RegisterKind::gpr : RegisterKind::gpr_absolute;
        if (reads) reg(kind, operand.bank, operand.value, address_, isa::print_operand(operand));
        if (writes) reg(kind, operand.bank, operand.value, address_ + 1, isa::print_operand(operand));
        break;
      }
      case OperandKind::xfer_s: either(RegisterKind::xfer_s_read, RegisterKind::xfer_s_write); break;
      case OperandKind::xfer_d: either(RegisterKind::xfer_d_read, RegisterKind::xfer_d_write); break;
      case OperandKind::neighbor: either(RegisterKind::neighbor, RegisterKind::neighbor); break;
      default: break;
    }
  }
  /// Of a command the sides are the other way round: it takes what was written, and fills what will be read.
  void add_transfer(const isa::Operand& operand, isa::XferUse use) {
    const bool d = operand.kind == OperandKind::xfer_d;
    if (operand.kind != OperandKind::xfer_s && !d) return;
    if (use == isa::XferUse::write || use == isa::XferUse::both)
      reg(d ? RegisterKind::xfer_d_write : RegisterKind::xfer_s_write, isa::Bank::none, operand.value, address_,
          isa::print_operand(operand));
    if (use == isa::XferUse::read || use == isa::XferUse::both)
      reg(d ? RegisterKind::xfer_d_read : RegisterKind::xfer_s_read, isa::Bank::none, operand.value, address_ + 1,
          isa::print_operand(operand));
  }
  void add_signal(uint32_t number) {
    for (const uint32_t at : {address_, address_ + 1})
      for (const image::Signal& s : image_.signals)
        if (at >= s.begin && at < s.end && (s.number == number || (s.doubled && s.number + 1 == number)))
          return put(s.name, fmt::format("s{}", s.number));
  }
  std::vector<GeneratedName> all() { return std::move(out_); }

 private:
  void reg(RegisterKind kind, isa::Bank bank, uint32_t number, uint32_t at, const std::string& place) {
    const bool banked = kind == RegisterKind::gpr || kind == RegisterKind::gpr_absolute;
    for (const image::Register& r : image_.registers)
      if (r.kind == kind && r.number == number && (!banked || r.bank == bank) && at >= r.begin && at < r.end)
        return put(r.name, place);
  }
  void put(const std::string& name, const std::string& place) {
    const GeneratedName one{name, place};
    if (std::find(out_.begin(), out_.end(), one) == out_.end()) out_.push_back(one);
  }

  const image::Image& image_;
  const uint32_t address_;
  std::vector<GeneratedName> out_;
};

std::vector<GeneratedName> names_of(const image::Image& image, uint32_t address, const isa::Instruction& insn) {
  const isa::InsnInfo& info = isa::info(insn.id);
  Names names(image, address);
  // Some write what they read: ld_field without load, local operations on one register.
  names.add(insn.dest, isa::effects(insn.id).bytes == isa::kBytesByMask, true);
  names.add(insn.left, true, false);
  names.add(insn.right, true, false);
  if (info.group == isa::Group::command) names.add_transfer(insn.xfer, info.xfer);
  if (insn[Role::signal] != 0) names.add_signal(insn[Role::signal]);
  if (isa::info(insn.id).group == isa::Group::context)
    for (uint32_t signal = 1; signal < 16; ++signal)
      if ((insn[Role::signals] >> signal & 1) != 0) names.add_signal(signal);
  return names.all();
}

}  // namespace

std::map<uint32_t, GeneratedLine> generated_lines(const image::Image& image, const std::string& file) {
  std::map<uint32_t, GeneratedLine> out;
  const size_t number = number_of(image, file);
  for (const image::LineRow& row : image.lines) {
    std::set<uint32_t> seen;  // a line that calls a macro of its own line counts the word once
    const auto add = [&](const image::Line& at, bool call) {
      if (at.file != number || at.line == 0) return;
      GeneratedLine& line = out[at.line];
      if (seen.insert(at.line).second) ++line.words;
      line.calls = line.calls || call;
    };
    add(row.place, false);
    for (const auto& [macro, place] : row.macros) add(place, true);
  }
  return out;
}

std::vector<uint32_t> generated_at(const image::Image& image, const std::string& file, uint32_t line) {
  std::vector<uint32_t> out;
  const size_t number = number_of(image, file);
  for (uint32_t address = 0; address < image.lines.size(); ++address)
    if (stands_at(image.lines[address], number, line)) out.push_back(address);
  return out;
}

GeneratedWord generated_word(const image::Image& image, std::span<const uint64_t> words, uint32_t address,
                             const assembler::LostCycles& lost) {
  GeneratedWord out;
  out.address = address;
  out.word = address < words.size() ? words[address] : image.words.at(address);
  for (const image::Label& label : image.labels)
    if (label.address == address) out.label += (out.label.empty() ? "" : " ") + written_label(label.name);
  if (const auto insn = isa::decode(image.profile, out.word)) {
    out.text = isa::print(image.profile, *insn, ImageNames(image));
    out.cycles = assembler::cycles_of(*insn, lost);
    out.names = names_of(image, address, *insn);
  } else {
    out.text = fmt::format(".word {:#x}", out.word);
  }
  if (address < image.lines.size()) {
    const image::LineRow& row = image.lines[address];
    if (!row.macros.empty()) out.macro = row.macros.front().first;
    if (row.place.file < image.files.size()) out.file = image.files[row.place.file];
    out.line = row.place.line;
  }
  return out;
}

}  // namespace weft::workbench
