// What checks keep beside the state of a machine: of registers, signals, commands under way, and of the words of a
// program.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <utility>
#include <vector>

#include "weft/emulator/machine.h"

namespace weft::emulator::checks {

/// A word that did something at some time: the other party of a finding.
struct Party {
  enum class Kind : uint8_t { unknown, word, media } kind = Kind::unknown;
  ContextRef who;
  uint16_t pc = 0;
  uint64_t cycle = 0;
  isa::InsnId op{};
};

/// What a context knew of the deeds of others (Races::Snapshot); empty: nothing.
using Clock = std::vector<uint32_t>;

/// What an answer tells its context of the deeds of others (Races).
struct AnswerOrder {
  enum class Kind : uint8_t {
    none,
    list,       ///< a ring or a queue
    longwords,  ///< `count` from `what` on, some of which may be locks
  } kind = Kind::none;
  uint8_t count = 0;
  uint64_t what = 0;
};

/// A command under way.
struct Open {
  Party party;
  AnswerOrder order;
  uint32_t issued = 0;            ///< Races::issued
  bool d = false, reads = false;  ///< transfer registers
  uint8_t xfer = 0, count = 0;
  bool data_left = false;
  bool handles = false;  ///< buffers come with its answer
  uint8_t event = 0;     ///< of other threads, that a write of an FBI CSR raises behind its service
  uint16_t raises = 0;   ///< in so many threads that have not got it yet
  uint16_t signals_left = 0;
};

/// What checks ask of a command, by InsnId.
struct CommandFacts {
  uint32_t low_bits = 0;  ///< of its address: 0 where it is aligned
  uint16_t signals = 0;   ///< of signal 0: one or two
  uint8_t longwords_per_count = 0, unit_signal = 0;
  uint8_t hash_width = 0;                       ///< bits; 0: not a hash
  bool reads = false, writes = false;           ///< transfer registers
  bool writes_msf = false, writes_fbi = false;  ///< registers of the media interface, of the FBI
  bool in_word = false;                         ///< the datum is not in a transfer register
  bool touches = false;                         ///< memory, rings, queues or media buffers, as access_of() follows them
};

/// A signal on its way inside the engines.
struct Sent {
  uint8_t context = 0;
  uint8_t number = 0;
  Party party;
  Clock clock;
  uint8_t same = 0;  ///< bit of the sending context, when it is of the same engine
};

/// What each word of a context asks for.
struct ContextNow {
  uint16_t pending = 0;  ///< signals that were raised, and not consumed
  uint16_t follows = 0;  ///< contexts whose signals it has taken, and has not run since
};
struct ContextShadow {
  uint16_t media = 0;  ///< signals that the receiver of the media interface will raise
  uint64_t asleep_since = 0;
  std::array<Party, 16> raised{};
  std::array<uint64_t, 16> raised_at{};
  std::array<Clock, 16> raised_clock{};                ///< what another context knew that raised it
  std::array<uint8_t, 16> raised_by_same{};            ///< bits of contexts of this engine that raised it
  std::vector<std::pair<uint16_t, Party>> csr_writes;  ///< last one, with its offset
};

/// The files of an engine, in the order in which their registers stand in EngineShadow.
enum File : uint8_t { bank_a, bank_b, s_in, d_in, s_out, d_out };
constexpr File in_file(bool d) { return d ? d_in : s_in; }
constexpr File out_file(bool d) { return d ? d_out : s_out; }
/// From a file to the next: the numbers of a context, up to kReach, are added to the place of its first register
/// without coming into another file.
inline constexpr unsigned kFile = 128 + 16, kReach = 31;
/// Operands that are no register, or not followed; those that need a closer look.
inline constexpr unsigned kNoRegister = 6 * kFile, kElsewhere = 7 * kFile, kRegisters = 8 * kFile;
/// What is known of a register.
inline constexpr uint8_t kWritten = 1, kUnderWay = 2;  ///< a command will fill or take it

/// What checks ask of a word, worked out once.
struct alignas(16) Word {
  enum Flag : uint16_t {
    special = 1,  ///< more than registers of its context and codes is to be looked at
    reads_codes = 2,
    reads_shared = 4,   ///< absolute registers and local memory; not the CAM
    writes_shared = 8,  ///< the same
    neighbors = 16,     ///< next-neighbor rings
    looks_up = 32,
    enters = 64,  ///< in the CAM
    reads_csr = 128,
    writes_csr = 256,
    moves_pointer = 512,  ///< beside its result
  };
  static constexpr unsigned kShares = reads_shared | writes_shared | neighbors | looks_up | enters;

  uint16_t left = kNoRegister, right = kNoRegister, dest = kNoRegister;  ///< in EngineShadow::registers, of context 0
  uint16_t flags = 0;
  uint16_t leaves = 0xffff;  ///< of EngineShadow::watched: without reads_codes where it sets them
  /// Bytes that it adds to index registers.
  int16_t transfer_step = 0;
  std::array<int16_t, 2> local_memory_step{};

  bool is(Flag flag) const { return (flags & flag) != 0; }
};

struct EngineShadow {
  const EngineState* state = nullptr;
  const Word* words = nullptr;  ///< of the program
  const std::optional<isa::Instruction>* instructions = nullptr;
  uint32_t size = 0;
  /// Flags of words that are never plainly right now: reads_codes until the running context has set them.
  uint16_t watched = Word::special | Word::reads_codes;
  std::array<ContextNow, kContexts> now;
  std::array<uint16_t, kContexts> last_pc{};
  std::array<uint8_t, kRegisters> registers{};
  std::array<ContextShadow, kContexts> contexts;
  std::array<std::array<uint64_t, 128>, 4> commands{};  ///< of transfer registers: sequence + 1 of their command
  std::bitset<kLocalMemory> local_memory;
  std::vector<Sent> sent;

  EngineShadow() {
    // What no register stands at is never plainly right.
    for (unsigned i = 0; i < kRegisters; ++i)
      registers[i] = i / kFile == kElsewhere / kFile || i % kFile >= 128 ? kUnderWay : 0;
    for (unsigned i = kNoRegister; i < kNoRegister + kFile; ++i) registers[i] = kWritten;
  }
  uint8_t& at(File file, unsigned number) { return registers[file * kFile + number]; }
  void write(File file, unsigned number) { at(file, number) |= kWritten; }
  /// What a command was to bring is there.
  void fill(File file, unsigned number) {
    commands[file - s_in][number] = 0;
    at(file, number) = kWritten;
  }
  uint64_t command(File file, unsigned number) const { return commands[file - s_in][number]; }
  /// For a command: `count` from `first` on.
  void take(File file, unsigned first, unsigned count, uint64_t sequence) {
    for (unsigned i = 0; i < count; ++i) {
      const unsigned number = (first + i) & 127;
      commands[file - s_in][number] = sequence + 1;
      at(file, number) |= kUnderWay;
    }
  }
  void give_back(File file, unsigned number) {
    commands[file - s_in][number] = 0;
    at(file, number) &= static_cast<uint8_t>(~kUnderWay);
  }
  /// Those of `count` from `first` on that are still the command's.
  void give_back(File file, unsigned first, unsigned count, uint64_t sequence) {
    for (unsigned i = 0; i < count; ++i)
      if (const unsigned number = (first + i) & 127; command(file, number) == sequence + 1) give_back(file, number);
  }
  bool has_codes() const { return (watched & Word::reads_codes) == 0; }
  /// Signals that are not set any more have been consumed.
  unsigned consumed(unsigned context) const {
    return now[context].pending & ~unsigned{state->contexts[context].signals};
  }
  /// Whether signals of the context are to be looked at before its word: some were consumed, or it follows others.
  bool is_behind(unsigned context) const {
    const unsigned both = now[context].pending | unsigned{now[context].follows} << 16;
    return (both & ~unsigned{state->contexts[context].signals}) != 0;
  }
  /// Whether nothing is wrong with the word, which has just run, and nothing else is to be done; it is noted then.
  bool is_plainly_right(unsigned context, const Word& word) {
    if ((word.flags & watched) != 0) return false;
    const Shadow& shadow = state->shadow;
    if (shadow.kind != Shadow::Kind::none && shadow.to_target && shadow.target >= size) return false;
    uint8_t* const own = &registers[16 * context];
    if (own[word.left] != kWritten || own[word.right] != kWritten || (own[word.dest] & kUnderWay) != 0) return false;
    own[word.dest] = kWritten;
    watched &= word.leaves;
    return true;
  }
};

}  // namespace weft::emulator::checks
