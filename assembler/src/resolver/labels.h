// Labels: those of the program and those that structured blocks make.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resolver/ir.h"
#include "resolver/reporter.h"

namespace weft::assembler {

class Labels {
 public:
  Labels(Program& program, const Sources& sources, Reporter& report)
      : program_(program), sources_(sources), report_(report) {}

  /// A label of the program; its place comes later, so that it can be used before.
  void define(std::string_view text, const Origin& origin);
  /// A label of a structured block; the view stays valid.
  std::string_view make(std::string name, const Origin& origin);
  /// The label gets the place of the next instruction.
  void place(std::string_view name);
  /// The same for a label of the program, of which the first definition counts.
  void reach(std::string_view text);
  /// The label that an instruction leads to; reported when there is none.
  std::optional<LabelId> use(std::string_view text, const Origin& origin);
  /// A label at the place `index`; -1 when there is none.
  LabelId at(uint32_t index) const;
  /// An instruction must follow each label that is used. Labels of blocks that were never closed are not reported
  /// again.
  void finish(bool blocks_closed) const;

 private:
  struct State {
    bool placed = false;
    std::optional<Origin> used;  ///< first reference
  };

  Program& program_;
  const Sources& sources_;
  Reporter& report_;
  std::map<std::string, LabelId, std::less<>> ids_;
  std::vector<State> states_;  ///< by LabelId
};

}  // namespace weft::assembler
