// From Operation to Op: where operands are, and which function.
#include <algorithm>
#include <cstddef>

#include "fast/fast_engine.h"
#include "fast/handlers.h"
#include "schedule/known_answers.h"
#include "semantics/command.h"
#include "translate/translation.h"
#include "weft/isa/at_once.h"
#include "weft/isa/effects.h"

namespace weft::emulator::fast {
namespace {

// InFlight::Registers and EngineState have the four files in the same order, without gaps.
static_assert(offsetof(EngineState, s_out) - offsetof(EngineState, s_in) == 512 &&
              offsetof(EngineState, d_in) - offsetof(EngineState, s_in) == 1024 &&
              offsetof(EngineState, d_out) - offsetof(EngineState, s_in) == 1536);

/// What an operand allows.
enum class Reach : uint8_t {
  place,    ///< it is the longword at a Place
  local,    ///< a longword of local memory, at a Place when its pointer is known
  indexed,  ///< a transfer register, at a Place when T_INDEX is known
  own,      ///< somewhere in the engine's own state
  shared    ///< something that others see or change
};

struct Decoder {
  const std::vector<Operation>& operations;
  const isa::CommandWitnesses* witnesses;  ///< null: of none
  unsigned transfers;                      ///< of each kind, per context
  bool four, recorded;
  const PlainWays& ways;
  Tick period;   ///< of the engine
  Tick unasked;  ///< how long nobody raises a signal for which no command has asked
  Program& out;

  uint16_t constant(uint32_t value) {
    for (size_t i = 0; i < out.constants.size(); ++i)
      if (out.constants[i] == value) return static_cast<uint16_t>(4 * i);
    out.constants.push_back(value);
    return static_cast<uint16_t>(4 * (out.constants.size() - 1));
  }

  static Place file(size_t offset, unsigned number, Base base, uint8_t transfer = 0) {
    return {static_cast<uint16_t>(offset + 4 * number), base, transfer};
  }
  /// Registers of one context; after them those of the next one follow, around the end of the file.
  unsigned own_registers() const { return four ? 32 : 16; }

  /// `local`: where a longword of local memory will be found.
  Reach source(SourceRef ref, Place& place, Base local) {
    const unsigned n = ref.value;
    const bool mine = n < own_registers();
    switch (ref.kind) {
      case Source::absent: place = {constant(0), Base::constants, 0}; return Reach::place;
      case Source::constant: place = {constant(n), Base::constants, 0}; return Reach::place;
      case Source::gpr_a:
        place = file(offsetof(EngineState, a), n, Base::gprs);
        return mine ? Reach::place : Reach::own;
      case Source::gpr_b:
        place = file(offsetof(EngineState, b), n, Base::gprs);
        return mine ? Reach::place : Reach::own;
      case Source::gpr_a_absolute: place = file(offsetof(EngineState, a), n & 127, Base::state); return Reach::place;
      case Source::gpr_b_absolute: place = file(offsetof(EngineState, b), n & 127, Base::state); return Reach::place;
      case Source::xfer_s:
        place = file(offsetof(EngineState, s_in), n, Base::transfers, 1);
        return mine ? Reach::place : Reach::shared;
      case Source::xfer_d:
        place = file(offsetof(EngineState, d_in), n, Base::transfers, 1);
        return mine ? Reach::place : Reach::shared;
      case Source::local_mem0:
      case Source::local_mem1: place = {0, local, 0}; return Reach::local;
      case Source::xfer_s_index:
      case Source::xfer_d_index: place = {0, local, 0}; return Reach::indexed;
      case Source::neighbor:
      case Source::neighbor_index: return Reach::shared;
    }
    return Reach::shared;
  }

  Reach destination(DestRef ref, Place& place) {
    const unsigned n = ref.value;
    const bool mine = n < own_registers();
    switch (ref.kind) {
      case Dest::absent: place = {0, Base::nowhere, 0}; return Reach::place;
      case Dest::gpr_a: place = file(offsetof(EngineState, a), n, Base::gprs); return mine ? Reach::place : Reach::own;
      case Dest::gpr_b: place = file(offsetof(EngineState, b), n, Base::gprs); return mine ? Reach::place : Reach::own;
      case Dest::gpr_a_absolute: place = file(offsetof(EngineState, a), n & 127, Base::state); return Reach::place;
      case Dest::gpr_b_absolute: place = file(offsetof(EngineState, b), n & 127, Base::state); return Reach::place;
      case Dest::xfer_s:
        place = file(offsetof(EngineState, s_out), n, Base::transfers, 2);
        return mine ? Reach::place : Reach::shared;
      case Dest::xfer_d:
        place = file(offsetof(EngineState, d_out), n, Base::transfers, 2);
        return mine ? Reach::place : Reach::shared;
      case Dest::local_mem0:
      case Dest::local_mem1: place = {0, Base::local_dest, 0}; return Reach::local;
      case Dest::xfer_s_index:
      case Dest::xfer_d_index: place = {0, Base::local_dest, 0}; return Reach::indexed;
      case Dest::neighbor:
      case Dest::neighbor_put: return Reach::shared;
    }
    return Reach::shared;
  }

  /// The destination's name as a source counts only here.
  static bool reads_destination(const Operation& o) {
    const uint8_t bytes = isa::effects(o.id).bytes;
    return bytes != 0 && bytes != isa::kAllBytes;
  }

  /// Instructions that change nothing but registers, local memory, and what belongs to the arithmetic of this engine.
  static bool is_private(const Operation& o) {
    if (isa::effects(o.id).csr == isa::CsrUse::write) return o.csr_is_private;
    return isa::info(o.id).group == isa::Group::compute;
  }

  void decode(const Operation& o, Op& op) {
    op.source = &o;
    op.run = &synchronised;
    if (!o.decodable || o.breakpoint) return;
    op.value = o.value;
    op.mask = o.mask;
    op.target = o.target;
    if (const bool command = isa::info(o.id).group == isa::Group::command; command || o.id == isa::InsnId::ctx_arb) {
      op.mask = o.wakeup;
      op.keeps_awaited = o.current_mask;
      if (!o.has_target) op.target = static_cast<uint16_t>(&o - operations.data() + 1);
    }
    op.amount = o.amount;
    op.defer = o.defer;
    op.aborts = o.aborts;
    op.number = o.number;
    op.op = o.op;
    op.load_cc = o.load_cc;
    const Reach reach[] = {
        source(o.left, op.left, Base::local_left), source(o.right, op.right, Base::local_right),
        destination(o.dest, op.dest),
        source(reads_destination(o) ? o.dest_old : SourceRef{}, op.old, Base::local_dest)};  // the same longword
    bool all_places = true, own = true, indexed = false;
    for (const Reach r : reach) {
      all_places = all_places && (r == Reach::place || r == Reach::local || r == Reach::indexed);
      own = own && r != Reach::shared && r != Reach::indexed;
      indexed = indexed || r == Reach::indexed;
    }
    const auto is_lm = [](auto ref, auto first, auto second) { return ref.kind == first || ref.kind == second; };
    const unsigned local = (is_lm(o.left, Source::local_mem0, Source::local_mem1) ? kLocalLeft : 0u) |
                           (is_lm(o.right, Source::local_mem0, Source::local_mem1) ? kLocalRight : 0u) |
                           (is_lm(o.dest, Dest::local_mem0, Dest::local_mem1) ? kLocalDest : 0u);
    op.lm = local != 0;
    const auto index = [](const Place& place) {
      return static_cast<uint16_t>((place.offset - offsetof(EngineState, s_in)) / 4);
    };
    unsigned reads = 0;
    for (const Place* place : {&op.left, &op.right, &op.old}) {
      if (place->transfer == 0) continue;
      // Two different ones in an instruction have no encoding; a raw word that names them is left to the reference.
      if (reads > 0 && op.in != index(*place)) own = all_places = false;
      op.in = index(*place);
      ++reads;
    }
    if (op.dest.transfer != 0) op.out = index(op.dest);
    const bool moves_local = o.post.t_index == 0 && !o.post.nn_get;
    if (is_private(o) && own && moves_local) op.run = &call;
    if (indexed) {
      // The old value of a destination would be that of the read register with its number.
      if (all_places && !op.lm && o.post.lm0 == 0 && o.post.lm1 == 0 && !o.post.nn_get && !reads_destination(o) &&
          is_private(o) && !recorded)
        op.bare = handler_for(o, op);
      if (op.bare != nullptr) op.run = &by_index;
      return;
    }
    if (op.lm || o.post.any) {
      const bool may_be_bare = moves_local && (is_private(o) || isa::info(o.id).group == isa::Group::branch);
      if (may_be_bare && all_places && !recorded) op.bare = handler_for(o, op);
      if (op.bare != nullptr) {
        op.run = in_local_memory(local);
        op.plain = true;
      }
      return;
    }
    if (!all_places) return;
    if (isa::info(o.id).group == isa::Group::command) decode_command(o, op);
    if (const Handler handler = handler_for(o, op)) {
      op.run = handler;
      op.plain = true;
    }
    if (isa::info(o.id).group != isa::Group::command || out.plain[op.value].serve == nullptr) return;
    const uint16_t signals = out.commands[op.value].signals;
    op.sleeps = op.swaps && op.defer == 0 && signals != 0 && op.mask == signals;
    op.run = at_once(op.sleeps, out.plain[op.value]);
  }

  AnalyticUnit::PlainCommand plain(const CommandWord& of) const {
    const Command& command = of.command;
    const CommandShape shape = of.shape;
    AnalyticUnit::PlainCommand made;
    const PlainWay way = ways(command);
    made.serve = way.serve;
    made.units = way.units;
    made.word = {static_cast<uint8_t>(UnitModel::longwords(command)), command.list, command.csr};
    made.slack = of.slack;
    made.lasting = of.lasting;
    made.queue = command.queue;
    made.doubled = shape.doubled;
    const size_t read = command.xfer_d ? offsetof(EngineState, d_in) : offsetof(EngineState, s_in);
    const size_t written = command.xfer_d ? offsetof(EngineState, d_out) : offsetof(EngineState, s_out);
    made.registers = static_cast<uint16_t>((shape.answers ? read : written) + sizeof(uint32_t) * command.xfer);
    made.answer.signals = of.signals;
    made.answer.first = command.xfer;
    made.answer.count = !shape.answers ? 0 : traits_of(command.op).is_atomic ? 1 : made.word.longwords;
    made.answer.expected = shape.expected;
    made.answer.d = command.xfer_d;
    made.signal = command.signal;
    made.is_foreign = way.is_foreign;
    made.fetches = way.is_large && made.answer.count != 0;
    made.pc = command.pc;
    return made;
  }

  void decode_command(const Operation& o, Op& op) {
    op.value = static_cast<uint32_t>(out.commands.size());
    op.address_shift = o.address_shift;
    op.swaps = o.signal_mode == isa::SignalMode::ctx_swap;
    op.data_is_register = o.data_is_register;
    const Command command = semantics::command_of(o, four);
    const CommandShape shape = shape_of(command);
    const unsigned signals = command.signal == 0 ? 0 : (shape.doubled ? 3u : 1u) << command.signal;
    const auto number = static_cast<uint32_t>(&o - operations.data());
    const unsigned slack = witnesses == nullptr ? 0 : witnesses->slack(number);
    const auto lasting = static_cast<uint16_t>(shape.taken != 0 ? signals : 0);
    const bool at_once = slack != 0 && shape.expected <= kMaxKnown && command.xfer + shape.expected <= transfers &&
                         (lasting & out.raised.own) == 0 && (command.signal != 0 || !shape.answers) &&
                         signals < 1u << 16;
    CommandWord word{command, shape, at_once, static_cast<uint16_t>(signals), lasting};
    word.shared = witnesses != nullptr && witnesses->is_shared(number);
    word.slack = slack == isa::CommandWitnesses::kAlways ? kAlwaysSlack : slack * period;
    if (lasting != 0) word.slack = std::min(word.slack, unasked);
    out.commands.push_back(word);
    out.plain.emplace_back();
    // What fast_wr of the FBI writes takes the place of an address.
    const bool writes_operand = o.id == isa::InsnId::fast_wr && o.right.kind == Source::absent;
    if (!at_once || command.indirect || recorded || command.xfer + shape.taken > transfers) return;
    if (o.data_is_register && !writes_operand) return;
    out.plain.back() = plain(word);
    out.plain.back().address_shift = writes_operand ? uint8_t{0} : o.address_shift;
  }
};

/// What reads it changes nothing, and it depends on nothing but words of the engine that are executed, and on the
/// cycle.
bool is_known_ahead(const isa::CsrEffects& csr) {
  using isa::State;
  for (const State seen :
       {State::previous, State::nn_get, State::nn_put, State::signals, State::consumed, State::contexts, State::random})
    if ((csr.holds & isa::states(seen)) != 0) return false;
  return true;
}

/// A local_csr_rd whose value the next word puts into a register.
bool pairs_with_next(const Operation& o, const Operation& next, const Op& next_op, isa::Profile profile) {
  return o.id == isa::InsnId::local_csr_rd && o.decodable && !o.breakpoint && !o.post.any && next_op.plain &&
         !next_op.lm && next_op.dest.transfer == 0 && !next.post.any && takes_csr(next) &&
         is_known_ahead(isa::csr_effects(profile, o.csr));
}

}  // namespace

DecodedProgram::DecodedProgram() = default;
DecodedProgram::~DecodedProgram() = default;

Program decode(const DecodedProgram& of, isa::Profile profile, Tick period, const PlainWays& ways) {
  std::vector<std::optional<isa::Instruction>> words;
  for (const uint64_t word : of.words) words.push_back(isa::decode(profile, word));
  // Of each kind, per context. A command that names more has the other kind (semantics/command.h), and witnesses would
  // look at the wrong one: then nothing is done at once.
  const unsigned transfers = std::min(isa::sizes(profile).transfers, of.four ? 32u : 16u);
  const bool as_named = std::all_of(of.operations.begin(), of.operations.end(), [&](const Operation& o) {
    return isa::info(o.id).group != isa::Group::command || o.command.xfer < transfers;
  });
  const isa::CommandWitnesses witnesses(profile, words, transfers);
  Program out;
  out.words = of.operations.size();
  out.ops.resize(out.words + 1);
  out.raised = isa::raised_signals(profile, words, of.four ? 32 : 16);
  // Units come before engines: what is served in the tick in which such a signal comes has been served.
  const Tick unasked = of.unasked < EngineLookahead::kAlways ? of.unasked * period + 1 : kAlwaysSlack;
  Decoder decoder{
      of.operations, as_named ? &witnesses : nullptr, transfers, of.four, of.recorded, ways, period, unasked, out};
  for (size_t i = 0; i < out.words; ++i) decoder.decode(of.operations[i], out.ops[i]);
  out.ops.back().run = &synchronised;  // no word is loaded there
  for (size_t i = 0; i + 1 < out.words && !of.recorded; ++i) {
    if (!pairs_with_next(of.operations[i], of.operations[i + 1], out.ops[i + 1], profile)) continue;
    out.ops[i].run = &read_csr;
    out.ops[i].pairs = true;
  }
  if (of.recorded)
    for (Op& op : out.ops) op.bare = std::exchange(op.run, &record);
  return out;
}

}  // namespace weft::emulator::fast
