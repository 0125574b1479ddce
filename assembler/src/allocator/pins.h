// Forced registers, one live range at a time: the text of `--pin FILE`.
//
// One pin per line, '#' begins a comment:
//
//     NAME PLACE REGISTER
//
// NAME is a register or signal as declared ("temp", "@count", "$x", "zzz"). PLACE selects its live ranges:
//     *        all of them
//     12       those that the instruction at word 12 mentions
//     s12 d12  of these the ones it reads (s) or writes (d); a command reads what it takes and writes what it fills
//     :40      those that the instructions of source line 40 mention; also s:40, d:40
// REGISTER is a5, b12 (general), @a16, @b0 (absolute), $3, $$3 (transfer; the half follows from the use), n$2, s4
// (signal).
#pragma once

#include <string>
#include <vector>

#include "flow/liveness.h"

namespace weft::assembler {

class Pins {
 public:
  static Pins parse(const SourceFilePtr& file, Diagnostics& out);
  /// Sets Web::pin. Reports pins that select nothing or contradict each other.
  void apply(const Program& program, const Sources& sources, Liveness& liveness, Diagnostics& out) const;
  bool empty() const { return pins_.empty(); }

 private:
  enum class By : uint8_t { all, word, line };
  enum class Side : uint8_t { any, source, dest };
  enum class Kind : uint8_t { gpr, gpr_absolute, xfer_s, xfer_d, neighbor, signal };
  struct Pin {
    std::string name;  ///< as written
    By by = By::all;
    Side side = Side::any;
    uint32_t at = 0;
    Kind kind = Kind::gpr;
    Place place;
    SourceRange range;
  };
  static bool read_place(std::string_view text, Pin& pin);
  static bool read_register(std::string_view text, Pin& pin);
  static bool fits(Kind kind, RegisterFile file);
  static bool selects(const Pin& pin, const Program& program, const Sources& sources, const Access& access);
  std::vector<Pin> pins_;
};

}  // namespace weft::assembler
