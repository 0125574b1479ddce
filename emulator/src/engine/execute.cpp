#include "engine/execute.h"

#include "engine/microengine.h"
#include "semantics/bodies.h"

namespace weft::emulator {
namespace {

using semantics::Fixed;

/// Most words have only general-purpose registers and constants as operands. They have functions of their own, which
/// call nobody.
bool is_plain(const Operation& o) {
  const auto plain = [](SourceRef ref) { return ref.kind <= Source::gpr_b; };
  return plain(o.left) && plain(o.right) && plain(o.dest_old) && o.dest.kind <= Dest::gpr_b && !o.post.any;
}
template <class Body>
inline constexpr bool kHasPlain = semantics::kByOp<Body> || semantics::kByShift<Body>;

/// The machine as a body sees it: operands may be anywhere, condition codes are in the state.
template <class Body, Fixed kFixed, bool kPlain>
struct View {
  Engine& e;
  const Operation& o;

  uint32_t read(SourceRef ref) const { return kPlain ? e.read_plain(ref) : e.read(ref); }
  uint32_t left() const { return read(o.left); }
  uint32_t right() const { return read(o.right); }
  uint32_t old() const { return read(o.dest_old); }
  void put(uint32_t value) const { kPlain ? e.write_plain(o.dest, value) : e.write(o.dest, value); }
  EngineState& state() const { return e.s; }
  ContextRecord& record() const { return e.current(); }
  unsigned context() const { return e.context(); }
  uint8_t engine() const { return static_cast<uint8_t>(e.index()); }
  uint64_t cycle() const { return e.s.next_cycle; }

  bool code_n() const { return e.s.codes.n; }
  bool code_z() const { return e.s.codes.z; }
  bool code_v() const { return e.s.codes.v; }
  bool code_c() const { return e.s.codes.c; }
  void set_codes(LazyCodes codes) const { e.s.codes = codes.now(); }

  isa::AluOp op() const { return semantics::kByOp<Body> ? kFixed.op : o.op; }
  isa::ShiftKind shift() const { return semantics::kByShift<Body> ? kFixed.shift : o.shift; }
  unsigned amount() const { return o.amount; }
  uint32_t value() const { return o.value; }
  uint32_t mask() const { return o.mask; }
  bool load_cc() const { return o.load_cc; }
  unsigned number() const { return o.number; }
  unsigned target() const { return o.target; }
  Shadow::Kind leaves() const { return o.leaves; }
  unsigned address_shift() const { return o.address_shift; }
  bool data_is_register() const { return o.data_is_register; }
  const Operation& word() const { return o; }
  bool keeps_awaited() const { return o.current_mask; }
  uint32_t awaited() const { return o.wakeup; }

  bool csr_is_read() const { return e.s.csr_read_valid; }
  uint32_t read_csr() const { return e.read_csr_now(o.csr); }
  void write_csr(uint32_t value) const {
    if (!e.s.stopped) e.write_csr_later(o.csr, value, o.csr_latency);  // its source was there
  }
  void write_lm(unsigned pointer, uint32_t value) const { e.write_lm_later(pointer, value); }
  bool input_state(unsigned number) const { return e.input_state(number); }
};

/// The word is done: what it names with `++` or `--` moves, unless it has stopped the engine.
Outcome done(Engine& e, const Operation& o) {
  if (o.post.any && !e.s.stopped) e.post_modify(o.post);
  return Outcome::done;
}

Outcome go_on(Engine& e, const Operation& o, bool taken) {
  if (taken)
    e.take_branch(o, o.target);
  else if (o.guess)
    e.fall_through(o);
  return done(e, o);
}

Outcome go_on(Engine& e, const Operation& o, semantics::Jump jump) {
  e.take_branch(o, jump.target);
  return done(e, o);
}

Outcome go_on(Engine& e, const Operation& o, Shadow::Kind kind) {
  e.leave_context(o, kind);
  return done(e, o);
}

// E8.
Outcome send(Engine& e, const Operation& o, Command& command) {
  if (e.s.stopped) return Outcome::fault;
  switch (e.host().try_issue(command)) {
    case Issue::accepted: break;
    case Issue::refused: return Outcome::stall;
    case Issue::unserved: return e.fault(StopKind::unserved);
  }
  if (o.signal_mode == isa::SignalMode::ctx_swap) {
    e.current().wakeup = o.wakeup;
    e.leave_context(o, Shadow::Kind::sleep);
  }
  return done(e, o);
}

template <class Body, Fixed kFixed, bool kPlain>
[[gnu::flatten]] Outcome run(Engine& e, const Operation& o) {
  const View<Body, kFixed, kPlain> v{e, o};
  if constexpr (std::is_same_v<Body, semantics::body::command>) {
    Command c = semantics::command_of(o, e.s.four_contexts());
    Body::run(v, c);
    return send(e, o, c);
  } else if constexpr (std::is_void_v<decltype(Body::run(v))>) {
    Body::run(v);
    return kPlain ? Outcome::done : done(e, o);
  } else {
    return go_on(e, o, Body::run(v));
  }
}

Outcome execute_undecodable(Engine& e, const Operation&) { return e.fault(StopKind::undecodable); }

}  // namespace

Outcome execute_at_breakpoint(Engine& e, const Operation& o) {
  return e.passes_breakpoint() ? execute_function(o)(e, o) : Outcome::breakpoint;
}

Execute execute_function(const Operation& o) {
  if (!o.decodable) return &execute_undecodable;
  return semantics::dispatch(o, [&]<class Body, Fixed kFixed>() -> Execute {
    if constexpr (kHasPlain<Body>)
      if (is_plain(o)) return &run<Body, kFixed, true>;
    return &run<Body, kFixed, false>;
  });
}

}  // namespace weft::emulator
