// Stop reasons in words.
#include <fmt/format.h>

#include "weft/emulator/engine.h"

namespace weft::emulator {
namespace {

std::string place(const StopReason& r) {
  return fmt::format("microengine {}, context {} stopped at {:#x}", r.engine, r.context, r.pc);
}

}  // namespace

std::string to_text(const StopReason& reason) {
  switch (reason.kind) {
    case StopKind::limit: return fmt::format("tick {} was reached", reason.at);
    case StopKind::idle: return "nothing is left to happen: every context sleeps or is inactive, and no unit is busy";
    case StopKind::asked: return fmt::format("stopped as asked at tick {}", reason.at);
    case StopKind::stepped:
      return fmt::format("microengine {}, context {} executed {:#x}", reason.engine, reason.context, reason.pc);
    case StopKind::breakpoint: return place(reason) + ": breakpoint";
    case StopKind::halted: return place(reason) + ": halt";
    case StopKind::undecodable: return place(reason) + ": the word is not an instruction";
    case StopKind::outside_store: return place(reason) + ": no word is loaded there";
    case StopKind::local_memory:
      return place(reason) + fmt::format(": local memory {:#x} is not populated", reason.detail);
    case StopKind::unserved: return place(reason) + ": no unit serves the command";
  }
  return {};
}

}  // namespace weft::emulator
