// The bodies of instructions (semantics/bodies.h) in the form that runs fast: operands are places, codes stay as
// arithmetic leaves them, and a function ends by calling the next one; compilers make jumps of these calls, and where
// they do not, the horizon bounds their depth.
#include "fast/handlers.h"

#include <array>
#include <utility>

#include "fast/fast_engine.h"
#include "fast/turn.h"
#include "semantics/bodies.h"

namespace weft::emulator::fast {
namespace {

using semantics::Fixed;
namespace body = semantics::body;

/// Transfer registers of an operation: bit 0 = it reads one, bit 1 = it writes one.
using Transfers = unsigned;

Transfers transfers_of(const Op& op) {
  return ((op.left.transfer | op.right.transfer | op.old.transfer) != 0 ? 1u : 0u) | (op.dest.transfer != 0 ? 2u : 0u);
}

/// None of them is in flight.
inline bool none_in_flight(FastEngine& f, const Op* op, uint64_t cycle, Transfers transfers) {
  return ((transfers & 1) == 0 || f.may_read_transfer(op, cycle)) &&
         ((transfers & 2) == 0 || f.may_write_transfer(op, cycle));
}
/// False when one of them may be in flight, and the core has to wait for its turn.
inline bool may_run(FastEngine& f, const Op* op, uint64_t cycle, Transfers transfers) {
  return none_in_flight(f, op, cycle, transfers) || f.is_next_for_registers(cycle);
}

template <class Body, class... Others>
inline constexpr bool kIsOneOf = (std::is_same_v<Body, Others> || ...);

/// They see what others do, or others see them.
template <class Body>
inline constexpr bool kNeedsTurn =
    kIsOneOf<Body, body::br_signal, body::br_not_signal, body::br_inp_state, body::br_not_inp_state, body::command>;

/// They ask for signals.
template <class Body>
inline constexpr bool kAsksForSignals = kIsOneOf<Body, body::br_signal, body::br_not_signal>;

/// The stepper's: what is read depends on much.
template <class Body>
inline constexpr bool kHasNone = kIsOneOf<Body, body::local_csr_rd>;

template <class Body, Fixed kFixed>
struct View {
  FastEngine& f;
  const Op* o;
  uint64_t now;

  uint32_t left() const { return f.read(o->left); }
  uint32_t right() const { return f.read(o->right); }
  uint32_t old() const { return f.read(o->old); }
  void put(uint32_t value) const { *f.at(o->dest) = value; }
  EngineState& state() const { return *f.s; }
  ContextRecord& record() const { return *f.record; }
  unsigned context() const { return f.s->last_running; }
  uint8_t engine() const { return static_cast<uint8_t>(f.index); }
  uint64_t cycle() const { return now; }

  bool code_n() const { return f.codes.n(); }
  bool code_z() const { return f.codes.z(); }
  bool code_v() const { return f.codes.v(); }
  bool code_c() const { return f.codes.c(); }
  void set_codes(LazyCodes codes) const { f.codes.sum = codes.sum, f.codes.overflow = codes.overflow; }

  isa::AluOp op() const { return semantics::kByOp<Body> ? kFixed.op : o->op; }
  isa::ShiftKind shift() const { return semantics::kByShift<Body> ? kFixed.shift : word().shift; }
  unsigned amount() const { return o->amount; }
  uint32_t value() const { return o->value; }
  uint32_t mask() const { return o->mask; }
  bool load_cc() const { return o->load_cc; }
  unsigned number() const { return o->number; }
  unsigned target() const { return o->target; }
  static constexpr Shadow::Kind leaves() { return Shadow::Kind::sleep; }  // the stepper has the others
  unsigned address_shift() const { return o->address_shift; }
  bool data_is_register() const { return o->data_is_register; }
  const Operation& word() const { return *o->source; }
  bool keeps_awaited() const { return o->keeps_awaited; }
  uint32_t awaited() const { return o->mask; }

  static constexpr bool csr_is_read() { return false; }  // such a word is the stepper's (FastEngine::single)
  void write_csr(uint32_t value) const {
    if (f.tells()) [[unlikely]]
      f.tell_sent(o, value, now);
    f.write_csr(word().csr, word().csr_latency, value, now);
  }
  void write_lm(unsigned pointer, uint32_t value) const { f.write_lm(pointer, value, now); }
  bool input_state(unsigned number) const { return f.engine.input_state(number); }
};

template <bool kGuess>
void go_on(FastEngine& f, const Op* op, uint64_t cycle, bool taken) {
  if (taken) return f.branch(op, op + 1, op->target, cycle + 1);
  if constexpr (kGuess) return f.fall_through(op, op + 1, cycle + 1);
  f.go(op + 1, cycle + 1);
}

template <bool>
void go_on(FastEngine& f, const Op* op, uint64_t cycle, semantics::Jump jump) {
  f.branch(op, op + 1, jump.target, cycle + 1);
}

template <bool>
void go_on(FastEngine& f, const Op* op, uint64_t cycle, Shadow::Kind) {
  f.swap(op, cycle + 1);
}

inline void go_on_behind(FastEngine& f, const Op* op, uint64_t cycle) {
  if (!op->swaps) return f.go(op + 1, cycle + 1);
  f.record->wakeup = op->mask;
  f.swap(op, cycle + 1);
}

// E8, when more is to be asked than whether there is room.
void send(FastEngine& f, const Op* op, uint64_t cycle, Command& c) {
  const CommandWord& word = f.commands[op->value];
  const CommandShape shape = c.indirect ? shape_of(c) : word.shape;
  if (f.runner.watched()) f.record->pc = static_cast<uint16_t>(f.pc_of(op) + 1);  // as in the reference at this moment
  KnownAnswer* const answer = word.at_once ? f.place_for_answer(word.signals, c.signal, word.lasting) : nullptr;
  bool done = false;
  if (word.shared) f.suspect(f.s->last_running, word.signals);
  switch (f.runner.issue(c, shape, cycle, word.slack, answer, &done)) {
    case Issue::accepted: break;
    case Issue::refused: return f.stall(op, cycle);
    case Issue::unserved: return f.step(op, cycle);
  }
  if (done) f.expect_known(word.signals);
  go_on_behind(f, op, cycle);
}

template <class Body, Fixed kFixed, Transfers kTransfers, bool kGuess>
void run(FastEngine& f, const Op* op, uint64_t cycle);

/// Apart from run(), which then needs no room for a command.
template <class Body, Fixed kFixed>
[[gnu::noinline]] void send_in_turn(FastEngine& f, const Op* op, uint64_t cycle) {
  Command c = f.commands[op->value].command;
  Body::run(View<Body, kFixed>{f, op, cycle}, c);
  send(f, op, cycle, c);
}

/// A function of its own, so that run() needs no frame.
template <class Body, Fixed kFixed, bool kGuess>
[[gnu::noinline, gnu::cold]] void run_in_turn(FastEngine& f, const Op* op, uint64_t cycle) {
  if (!f.is_next_for_registers(cycle)) return f.park(op, cycle);
  run<Body, kFixed, 0, kGuess>(f, op, cycle);
}

/// Nothing else comes first.
template <class Body, Fixed kFixed, bool kGuess>
[[gnu::always_inline]] inline void execute(FastEngine& f, const Op* op, uint64_t cycle) {
  const View<Body, kFixed> v{f, op, cycle};
  if constexpr (std::is_same_v<Body, body::command>) {
    const CommandWord& word = f.commands[op->value];
    AnalyticUnit* const unit =
        f.runner.analytic_unit_of(word.command.unit, (v.left() + v.right()) << v.address_shift());
    if (Command* const place = unit != nullptr ? unit->place_for(f.runner.now()) : nullptr) {
      *place = word.command;
      Body::run(v, *place);
      if (f.runner.watched()) f.record->pc = static_cast<uint16_t>(f.pc_of(op) + 1);  // as in the reference
      KnownAnswer* const answer =
          word.at_once ? f.place_for_answer(word.signals, place->signal, word.lasting) : nullptr;
      if (word.shared) f.suspect(f.s->last_running, word.signals);
      if (f.runner.take(*unit, *place, place->indirect ? shape_of(*place) : word.shape, word.slack, answer))
        f.expect_known(word.signals);
      return go_on_behind(f, op, cycle);
    }
    send_in_turn<Body, kFixed>(f, op, cycle);
  } else if constexpr (std::is_void_v<decltype(Body::run(v))>) {
    Body::run(v);
    f.go(op + 1, cycle + 1);
  } else {
    go_on<kGuess>(f, op, cycle, Body::run(v));
  }
}

template <class Body, Fixed kFixed, bool kGuess>
[[gnu::noinline, gnu::flatten]] void execute_in_turn(FastEngine& f, const Op* op, uint64_t cycle) {
  f.take_turn(cycle);
  if constexpr (kAsksForSignals<Body>) f.take_own_signals(cycle);
  execute<Body, kFixed, kGuess>(f, op, cycle);
}

template <class Body, Fixed kFixed, Transfers kTransfers, bool kGuess>
[[gnu::flatten]] void run(FastEngine& f, const Op* op, uint64_t cycle) {
  if constexpr (kNeedsTurn<Body>) {  // half of all calls end here, before there is need for a frame
    if (!f.is_first(cycle)) return f.park(op, cycle);
    return execute_in_turn<Body, kFixed, kGuess>(f, op, cycle);
  } else {
    if constexpr (kTransfers != 0)
      if (!none_in_flight(f, op, cycle, kTransfers)) [[unlikely]]
        return run_in_turn<Body, kFixed, kGuess>(f, op, cycle);
    execute<Body, kFixed, kGuess>(f, op, cycle);
  }
}

template <class Body, Fixed kFixed>
constexpr bool branches() {
  if constexpr (std::is_same_v<Body, body::command>)
    return false;
  else
    return std::is_same_v<decltype(Body::run(std::declval<View<Body, kFixed>>())), bool>;
}

template <class Body, Fixed kFixed, bool kGuess = false>
Handler choose(Transfers transfers) {
  switch (transfers) {
    case 0: return &run<Body, kFixed, 0, kGuess>;
    case 1: return &run<Body, kFixed, 1, kGuess>;
    case 2: return &run<Body, kFixed, 2, kGuess>;
    default: return &run<Body, kFixed, 3, kGuess>;
  }
}

}  // namespace

Handler handler_for(const Operation& source, const Op& op) {
  if (source.leaves != Shadow::Kind::sleep) return nullptr;
  return semantics::dispatch(source, [&]<class Body, Fixed kFixed>() -> Handler {
    if constexpr (kHasNone<Body>)
      return nullptr;
    else if constexpr (std::is_same_v<Body, body::local_csr_wr>)
      return source.csr_is_private ? choose<Body, kFixed>(transfers_of(op)) : nullptr;
    else if constexpr (branches<Body, kFixed>())
      return source.guess ? choose<Body, kFixed, true>(transfers_of(op)) : choose<Body, kFixed>(transfers_of(op));
    else
      return choose<Body, kFixed>(transfers_of(op));
  });
}

/// The way of commands that need a record. A function of its own, so that run_at_once() needs little of a frame.
[[gnu::noinline]] static void run_with_record(FastEngine& f, const Op* op, uint64_t cycle) {
  run<body::command, Fixed{}, 0, false>(f, op, cycle);
}

/// What becomes of it at `unit`, null: there is none that might take it so; and of its `answer`, if that has a place.
template <bool kForeign>
[[gnu::always_inline]] static inline AtOnce take_at_once(FastEngine& f, const AnalyticUnit::PlainCommand& word,
                                                         AnalyticUnit* unit, KnownAnswer* answer, uint32_t address,
                                                         uint64_t cycle) {
  if (unit == nullptr || answer == nullptr) return AtOnce::needs_record;
  const AtOnce done = f.runner.take_at_once<kForeign>(*unit, word, f.sender, address, cycle, *answer);
  if (done == AtOnce::taken) [[likely]]
    f.expect_known(word.answer.signals);
  return done;
}

/// It has to wait in the queue of a sorted unit.
[[gnu::noinline, gnu::flatten]] static void run_in_queue(FastEngine& f, const Op* op, uint64_t cycle,
                                                         AnalyticUnit& unit, KnownAnswer& answer) {
  const AnalyticUnit::PlainCommand& word = f.plain[op->value];
  Command command = f.commands[op->value].command;
  body::command::run(View<body::command, Fixed{}>{f, op, cycle}, command);
  if (f.runner.watched()) f.record->pc = static_cast<uint16_t>(f.pc_of(op) + 1);  // as in the reference
  if (f.runner.join_queue(unit, word, f.sender, command, cycle, answer) != Issue::accepted) return f.stall(op, cycle);
  f.expect_known(word.answer.signals);
  go_on_behind(f, op, cycle);
}
/// What was not taken at once. A command that waits in a queue takes its registers when it is served, so that its wait
/// need not last.
[[gnu::always_inline]] static inline void run_otherwise(FastEngine& f, const Op* op, uint64_t cycle, AtOnce done,
                                                        AnalyticUnit* unit) {
  if (done != AtOnce::needs_record) return f.stall(op, cycle);
  const AnalyticUnit::PlainCommand& word = f.plain[op->value];
  if (unit != nullptr && unit->may_join_queue(word))
    if (KnownAnswer* const answer = f.place_for_answer(word.answer.signals, word.signal, 0))
      return run_in_queue(f, op, cycle, *unit, *answer);
  run_with_record(f, op, cycle);
}

/// The same beside somebody who is told of it.
[[gnu::noinline, gnu::flatten]] static void run_at_once_observed(FastEngine& f, const Op* op, uint64_t cycle) {
  const AnalyticUnit::PlainCommand& word = f.plain[op->value];
  Command command = f.commands[op->value].command;
  body::command::run(View<body::command, Fixed{}>{f, op, cycle}, command);  // an answer may write over its operands
  const uint32_t address = (command.left + command.right) << word.address_shift;
  AnalyticUnit* const unit = word.units[address >> 30];
  KnownAnswer* const answer = f.place_for_answer(word.answer.signals, word.signal, word.lasting);
  const AtOnce done = word.is_foreign ? take_at_once<true>(f, word, unit, answer, address, cycle)
                                      : take_at_once<false>(f, word, unit, answer, address, cycle);
  if (done != AtOnce::taken) return run_otherwise(f, op, cycle, done, unit);
  if (f.runner.commands_watched()) f.runner.tell_at_once(command, *unit);
  if (op->sleeps) return f.sleep_until<true>(op, cycle + 1, answer->cycle);
  go_on_behind(f, op, cycle);
}

/// No other core comes first. kSleeps: as Op::sleeps; kForeign: as PlainCommand::is_foreign.
template <bool kSleeps, bool kForeign>
[[gnu::noinline, gnu::flatten]] static void run_at_once_in_turn(FastEngine& f, const Op* op, uint64_t cycle) {
  f.take_turn(cycle);
  if (f.observed()) [[unlikely]]
    return run_at_once_observed(f, op, cycle);
  const AnalyticUnit::PlainCommand& word = f.plain[op->value];
  const uint32_t address = (f.read(op->left) + f.read(op->right)) << word.address_shift;
  AnalyticUnit* const unit = word.units[address >> 30];
  KnownAnswer* const answer = f.place_for_answer(word.answer.signals, word.signal, word.lasting);
  if (const AtOnce done = take_at_once<kForeign>(f, word, unit, answer, address, cycle); done != AtOnce::taken)
      [[unlikely]]
    return run_otherwise(f, op, cycle, done, unit);
  if constexpr (kSleeps)
    f.sleep_until(op, cycle + 1, answer->cycle);
  else
    go_on_behind(f, op, cycle);
}

/// What it will read comes nearer while others have their turn.
[[gnu::always_inline]] static inline void fetch(FastEngine& f, const Op* op) {
  const uint32_t address = (f.read(op->left) + f.read(op->right)) << op->address_shift;
  const AnalyticUnit* const unit = f.plain[op->value].units[address >> 30];
  if (unit == nullptr) return;
  if (const PagedMemory* const memory = unit->model().large_memory()) memory->prefetch(address & 0x3fffffff);
}

// As run(). kFetches: as PlainCommand::fetches.
template <bool kSleeps, bool kForeign, bool kFetches>
static void run_at_once(FastEngine& f, const Op* op, uint64_t cycle) {
  if (!f.is_first(cycle)) {
    if constexpr (kFetches) fetch(f, op);
    return f.park(op, cycle);
  }
  run_at_once_in_turn<kSleeps, kForeign>(f, op, cycle);
}

Handler at_once(bool sleeps, const AnalyticUnit::PlainCommand& command) {
  if (command.is_foreign) return &run_at_once<false, true, false>;
  if (command.fetches) return sleeps ? &run_at_once<true, false, true> : &run_at_once<false, false, true>;
  return sleeps ? &run_at_once<true, false, false> : &run_at_once<false, false, false>;
}

void record(FastEngine& f, const Op* op, uint64_t cycle) {
  f.log.push_back({cycle, f.pc_of(op), f.s->last_running});
  op->bare(f, op, cycle);
}

template <unsigned kWhich>
static void run_in_local_memory(FastEngine& f, const Op* op, uint64_t cycle) {
  if (!may_run(f, op, cycle, transfers_of(*op))) return f.park(op, cycle);
  if (!f.find_local_memory<kWhich>(*op->source)) return synchronised(f, op, cycle);
  op->bare(f, op, cycle);
}

Handler in_local_memory(unsigned which) {
  static constexpr auto kHandlers = []<size_t... kWhich>(std::index_sequence<kWhich...>) {
    return std::array{&run_in_local_memory<kWhich>...};
  }
  (std::make_index_sequence<8>());
  return kHandlers[which & 7];
}

void by_index(FastEngine& f, const Op* op, uint64_t cycle) {
  const Operation& o = *op->source;
  if (!(none_in_flight(f, op, cycle, transfers_of(*op)) && f.may_use_indexed(o, cycle)) &&
      !f.is_next_for_registers(cycle))
    return f.park(op, cycle);
  f.find_indexed(o);
  op->bare(f, op, cycle);
}

void call(FastEngine& f, const Op* op, uint64_t cycle) {
  if (!may_run(f, op, cycle, transfers_of(*op))) return f.park(op, cycle);
  if (op->lm && !f.local_memory_exists(*op->source)) return synchronised(f, op, cycle);
  f.call(op, cycle);
}

bool takes_csr(const Operation& source) {
  return semantics::dispatch(source, []<class Body, Fixed>() { return kIsOneOf<Body, body::immed, body::immed_part>; });
}

// E12. Where the engine is looked at between the two words, they are the stepper's.
void read_csr(FastEngine& f, const Op* op, uint64_t cycle) {
  if (cycle + 1 >= f.check_at) return synchronised(f, op, cycle);
  *f.at(op[1].dest) = f.read_csr(op, cycle);
  f.go(op + 2, cycle + 2);
}

void synchronised(FastEngine& f, const Op* op, uint64_t cycle) {
  if (!f.is_globally_next(cycle)) return f.park(op, cycle);
  f.step(op, cycle);
}

}  // namespace weft::emulator::fast
