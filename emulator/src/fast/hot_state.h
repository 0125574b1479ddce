// What the functions of operations, and host code in their place, read and write of a FastEngine: of standard layout,
// so that host code can name its members by their offsets.
#pragma once

#include <cstdint>

#include "fast/operation.h"
#include "schedule/in_flight.h"
#include "schedule/key.h"
#include "schedule/lookahead.h"
#include "semantics/codes.h"

namespace weft::emulator::fast {

/// How often one context has executed a word (WordCounter).
struct CountedWord {
  uint64_t difference = 0;  ///< to the word before, modulo 2^64
  uint64_t taken = 0;       ///< of a branch
};

struct alignas(64) HotState {
  EngineState* s = nullptr;
  uint64_t check_at = 0;  ///< before this cycle's word something must be looked at
  LazyCodes codes;        ///< instead of those in the state
  uint32_t nowhere = 0;
  char* base[kBases] = {};
  uint64_t turn_cycle = 0;    ///< of the last next_key()
  uint64_t seen = 0;          ///< the cycle in which the core had the smallest key
  EngineLookahead lookahead;  ///< what cannot happen for so many cycles after that
  InFlight::Registers* in_flight = nullptr;
  ContextRecord* record = nullptr;
  const Key* next_other_key = nullptr;  ///< the smallest key of anybody else, while this core runs
  Tick period = 0;
  AnalyticUnit::Sender sender{};  ///< the executing context
  const Op* ops = nullptr;
  const CommandWord* commands = nullptr;
  const AnalyticUnit::PlainCommand* plain = nullptr;
  size_t words = 0;
  uint64_t aborted = 0;                     ///< cycles since first_cycle
  uint64_t slot_end = kNever;               ///< cycle after the deferred slots of the open branch
  CountedWord* counted = nullptr;           ///< words of the context that holds the engine; null: nobody counts
  uint64_t step_cycle = 0, after_step = 0;  ///< the engine's cycles between them were lost after a branch
};

}  // namespace weft::emulator::fast
