// Profile: where engine cycles went, by program word, and from there by line, macro, block and stage.
//
// Every cycle of every context is charged to one word: executing to the word itself, stalled to the command that could
// not issue, aborted to the branch or swap that caused it, sleep and ready to the word at which the context gave the
// engine away. Inactive contexts are charged to nobody.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/observers/programs.h"

namespace weft::emulator {

struct ProfileCycles {
  uint64_t executing = 0, aborted = 0, stalled = 0;  ///< the context holds the engine
  uint64_t sleep = 0, ready = 0;                     ///< it waits for signals; it could run and another one does
  uint64_t busy() const { return executing + aborted + stalled; }
  ProfileCycles& operator+=(const ProfileCycles& other) {
    executing += other.executing, aborted += other.aborted, stalled += other.stalled;
    sleep += other.sleep, ready += other.ready;
    return *this;
  }
  bool operator==(const ProfileCycles&) const = default;
  WEFT_FIELDS(ProfileCycles, executing, aborted, stalled, sleep, ready)
};

struct ProfileFigures {
  struct Context {
    ProfileCycles cycles;
    uint64_t inactive = 0;
    WEFT_FIELDS(Context, cycles, inactive)
  };
  struct Engine {
    uint64_t cycles = 0;
    std::vector<ProfileCycles> words;  ///< over all contexts
    std::array<Context, kContexts> contexts{};
    WEFT_FIELDS(Engine, cycles, words, contexts)
  };
  uint64_t from_cycle = 0, to_cycle = 0;
  unsigned chip_contexts = kContexts;  ///< of each engine; the others do not exist
  std::vector<Engine> engines;
};

class Profile : public Observer {
 public:
  /// Programs must be loaded; `machine` must outlive the observer. Counts from now on. 40 bytes per program word.
  explicit Profile(const Machine& machine);
  ProfileFigures figures() const;

  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stretch(const WordStretch& stretch) override;
  void on_stall(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stalls(ContextRef who, uint16_t pc, uint64_t cycle, uint64_t times) override;
  void on_state(ContextRef who, ContextState state, uint64_t cycle) override;
  bool reads_state() const override { return false; }
  bool may_stop() const override { return false; }
  bool takes_stretches() const override { return true; }
  bool takes_commands() const override { return false; }
  bool takes_values() const override { return false; }

 private:
  friend struct weft::fields::Access;
  WEFT_FIELDS(Profile, engines_, shadows_)
  struct Waiting {
    ContextState state = ContextState::inactive;
    uint64_t since = 0;
    uint16_t pc = 0;  ///< of the word that gave up the engine
    WEFT_FIELDS(Waiting, state, since, pc)
  };
  struct EngineShadow {
    uint16_t cause = 0;   ///< of the last branch or swap that took place
    bool open = false;    ///< its deferred slots are running
    uint8_t context = 0;  ///< whose
    uint64_t from = 0;
    std::array<Waiting, kContexts> waiting{};
    WEFT_FIELDS(EngineShadow, cause, open, context, from, waiting)
  };
  static ProfileCycles& word(ProfileFigures::Engine& engine, uint16_t pc);
  static void end_wait(ProfileFigures::Engine& engine, unsigned context, const Waiting& waiting, uint64_t cycle);

  const Machine& machine_;
  EngineStates states_;
  std::vector<ProfileFigures::Engine> engines_;
  std::vector<EngineShadow> shadows_;
};

/// Tables: contexts, programs, stages, blocks, macros (inclusive and exclusive), lines.
std::string to_text(const ProfileFigures& figures, const Images& images);
/// Version 1 (docs/observers.md).
std::string to_json(const ProfileFigures& figures, const Images& images);
/// Folded stacks, the input of flame-graph programs: "me0;PROGRAM;BLOCK;MACRO;...;FILE:LINE;STATE CYCLES" for the three
/// states in which a context holds the engine.
std::string to_folded(const ProfileFigures& figures, const Images& images);

}  // namespace weft::emulator
