// Instructions: the form of the ISA that fits, its roles filled, and what would have been right.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resolver/operands.h"
#include "resolver/transfers.h"

namespace weft::assembler {

class Instructions {
 public:
  struct Uses {
    Program& program;
    const Sources& sources;
    Reporter& report;
    Symbols& symbols;
    Labels& labels;
    Transfers& transfers;
    Operands& operands;
  };
  /// `lost_of_chip`: cycles that the chip file says branches and swaps lose; `macro_names` for suggestions.
  Instructions(const Uses& uses, const std::optional<isa::LostCycles>& lost_of_chip,
               const std::vector<std::string>& macro_names)
      : program_(uses.program),
        sources_(uses.sources),
        report_(uses.report),
        symbols_(uses.symbols),
        labels_(uses.labels),
        transfers_(uses.transfers),
        operands_(uses.operands),
        lost_of_chip_(lost_of_chip),
        macro_names_(macro_names) {}

  /// What is added from now on comes from this line of the tokens.
  void start_line(uint32_t index) { line_ = index; }
  void resolve(const ast::Instruction& i);
  void add(IrInsn insn, const Origin& origin);

 private:
  struct Candidate {
    isa::InsnId id;
    const isa::Form* form;
    size_t skip;  ///< operands before the form's: 1 for the command name
  };
  std::optional<Candidate> choose(const ast::Instruction& i, std::span<const isa::InsnId> ids);
  bool fits(const isa::Arg& arg, const ast::Operand& o) const;
  bool match(const ast::Instruction& i, const Candidate& c, IrInsn& out);
  bool argument(const ast::Instruction& i, const isa::InsnInfo& info, const isa::Arg& arg, size_t position,
                const ast::Operand& o, IrInsn& out);
  bool place_operand(const isa::InsnInfo& info, const isa::Arg& arg, const ast::Operand& o, std::string_view where,
                     IrInsn& out);
  bool keeps_readable(const ast::Instruction& i, const IrInsn& insn);
  bool check_pair(const ast::Instruction& i, const IrInsn& insn);
  bool check_sequence(const ast::Instruction& i, const isa::InsnInfo& info, const IrInsn& insn);
  void use_transfers(const ast::Instruction& i, const isa::InsnInfo& info, const IrInsn& insn);

  // arguments.cpp
  bool number_argument(const isa::InsnInfo& info, const isa::Arg& arg, const ast::Operand& o, std::string_view where,
                       IrInsn& out);
  bool name_argument(const isa::Arg& arg, const ast::Operand& o, std::string_view where, IrInsn& out);
  bool operation(const isa::Arg& arg, const ast::Operand& o, IrInsn& out);
  bool shift(const isa::Arg& arg, const ast::Operand& o, IrInsn& out);
  bool immediate(const ast::Instruction& i, IrInsn& out, const ast::Operand& o);
  bool signal_list(const ast::Instruction& i, IrInsn& out);

  // tokens.cpp
  bool mul_step_name(const ast::Modifier& m, IrInsn& out);
  bool modifiers(const ast::Instruction& i, const isa::InsnInfo& info, bool has_mul_step, IrInsn& out);
  bool modifier(const ast::Modifier& m, const isa::InsnInfo& info, IrInsn& out);
  bool modifier_number(const ast::Modifier& m, int64_t max, uint32_t& out);

  Program& program_;
  const Sources& sources_;
  Reporter& report_;
  Symbols& symbols_;
  Labels& labels_;
  Transfers& transfers_;
  Operands& operands_;
  const std::optional<isa::LostCycles>& lost_of_chip_;
  const std::vector<std::string>& macro_names_;
  uint32_t line_ = 0;  ///< index into TokenProgram::lines
};

}  // namespace weft::assembler
