// What observers keep. Caches that are made again from the machine and the programs are left out, and so is what their
// makers set: machine, units, programs, limits.
#include "stored/unit_fields.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/packets.h"
#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"
#include "weft/emulator/stored.h"

namespace weft {

using namespace emulator;  // their records are private: only a specialisation may name them

WEFT_FIELDS(Coverage::Word, v.executed, v.taken, v.branch, v.conditional)
WEFT_FIELDS(Coverage, v.engines_)

WEFT_FIELDS(History::Track, v.activity, v.since, v.begin, v.past, v.places, v.dropped_words, v.dropped_places, v.place,
            v.first_try)
WEFT_FIELDS(History::Packed, v.accepted, v.stalled, v.queued, v.served, v.done, v.signalled, v.address, v.pc, v.op,
            v.from, v.count, v.signal)
WEFT_FIELDS(History, v.tracks_, v.total_, v.references_, v.first_sequence_, v.queued_sequence_, v.queued_at_,
            v.from_cycle_, v.dropped_segments_, v.dropped_references_)

WEFT_FIELDS(Histogram, v.counts_, v.count_, v.sum_, v.least_, v.most_)

WEFT_FIELDS(ProfileCycles, v.executing, v.aborted, v.stalled, v.sleep, v.ready)
WEFT_FIELDS(ProfileFigures::Context, v.cycles, v.inactive)
WEFT_FIELDS(ProfileFigures::Engine, v.cycles, v.words, v.contexts)
WEFT_FIELDS(Profile::Waiting, v.state, v.since, v.pc)
WEFT_FIELDS(Profile::EngineShadow, v.cause, v.open, v.context, v.from, v.waiting)
WEFT_FIELDS(Profile, v.engines_, v.shadows_)

WEFT_FIELDS(KindFigures, v.op, v.commands, v.latency)
WEFT_FIELDS(UnitStatistics, v.name, v.commands, v.served, v.longwords_in, v.longwords_out, v.longwords_moved,
            v.stall_cycles, v.elapsed, v.busy, v.directions, v.depth, v.kinds, v.peak_bytes, v.faults, v.last_fault)
WEFT_FIELDS(WordTraffic, v.engine, v.pc, v.unit, v.op, v.commands, v.longwords, v.latency_sum, v.latencies,
            v.latency_most, v.stall_cycles)
WEFT_FIELDS(Statistics::Open, v.sequence, v.issued, v.word, v.unit, v.kind, v.signals_left, v.timed)
WEFT_FIELDS(Statistics::UnitShadow::Accepted, v.at, v.sequence)
WEFT_FIELDS(Statistics::ContextShadow, v.executing, v.stalls, v.stalled_pc, v.before, v.commands, v.swaps, v.taken)
WEFT_FIELDS(Statistics, v.from_, v.cycles_before_, v.instructions_before_, v.contexts_, v.shadows_, v.word_index_,
            v.words_, v.open_, v.not_followed_, v.first_sequence_)
// Their unit is that of the machine which is read into.
WEFT_FIELDS_WITHOUT(1, Statistics::UnitShadow, v.figures, v.before, v.depth, v.since, v.accepted, v.entered)

WEFT_FIELDS(PacketPlace, v.stage, v.block, v.label)
WEFT_FIELDS(PacketStep, v.engine, v.context, v.place, v.pc, v.busy, v.from, v.to)
WEFT_FIELDS(PacketCost, v.engine, v.executing, v.aborted, v.stalled)
WEFT_FIELDS(PacketWrite, v.kind, v.engine, v.context, v.pc, v.place, v.cycle, v.offset, v.length, v.first)
WEFT_FIELDS(PacketPiece, v.length, v.source, v.from)
WEFT_FIELDS(PacketBytes, v.writes, v.written, v.sent, v.missing, v.unexplained)
WEFT_FIELDS(ByteSources::Run, v.at, v.length, v.packet, v.source, v.from)
WEFT_FIELDS(ByteSources, v.runs_)
WEFT_FIELDS(QueueName, v.kind, v.channel, v.number)
WEFT_FIELDS(QueueChange, v.cycle, v.depth, v.queue)
WEFT_FIELDS(PacketRecord, v.number, v.port, v.out_port, v.verdict, v.damaged, v.sent, v.bytes, v.frame, v.arrived,
            v.ended, v.budget, v.reason, v.line, v.reason_by, v.reason_pc, v.reason_cycle, v.cost, v.steps,
            v.steps_missing, v.data, v.bytes_of)
WEFT_FIELDS(PacketTotals, v.by_verdict, v.reasons, v.stage_time, v.engine_busy, v.latency, v.packets, v.unnumbered_sent,
            v.not_kept, v.untagged_longwords)
WEFT_FIELDS(PacketTracker::Live::Stored, v.address, v.offset, v.length)
WEFT_FIELDS(PacketTracker::Live, v.record, v.holders, v.outgoing, v.dropping, v.buffer, v.stored)
WEFT_FIELDS_WITHOUT(1, PacketTracker::ContextShadow, v.packet, v.step, v.pc, v.handed_on, v.charged)
WEFT_FIELDS(PacketTracker::Open, v.from, v.pc, v.packet, v.taken_over, v.count, v.tags)
WEFT_FIELDS(PacketTracker::Element, v.first, v.length)
WEFT_FIELDS(PacketTracker::Pulling, v.packet, v.write, v.at, v.done, v.byte_mask)
WEFT_FIELDS(PacketTracker::PortShadow::Leaving, v.packet, v.pieces)
WEFT_FIELDS(PacketTracker::PortShadow, v.frames, v.arriving, v.gathering, v.before, v.sop, v.pieces, v.leaving)
WEFT_FIELDS(PacketTracker, v.totals_, v.places_, v.contexts_, v.live_, v.records_, v.open_, v.answering_, v.answered_,
            v.freeing_, v.freeing_by_, v.freeing_pc_, v.tags_, v.links_, v.rings_, v.rbuf_, v.tbuf_, v.held_,
            v.elements_, v.pulling_, v.queues_, v.queue_changes_, v.queue_changes_lost_, v.handed_, v.neighbor_,
            v.owners_, v.ports_, v.last_number_, v.finished_)

}  // namespace weft

namespace weft::emulator {

/// What files cannot hold: caches and pointers into the observer itself.
struct Mending {
  static bool answers(const PacketTracker& tracker) { return tracker.answer_ != nullptr; }
  static void mend(PacketTracker& tracker, bool answers) {
    for (auto& context : tracker.contexts_) context.live = tracker.find(context.packet);
    const auto open = tracker.open_.find(tracker.answering_);
    tracker.answer_ = answers && open != tracker.open_.end() ? &open->second : nullptr;
  }
  static void rename(PacketRecord& record, const std::map<std::string, std::string>& names) {
    const size_t colon = record.line.rfind(':');  // "forward.uc:120"
    const auto name = colon == std::string::npos ? names.end() : names.find(record.line.substr(0, colon));
    if (name == names.end()) return;
    const bool same = record.reason == record.line;  // without marks the line is the reason
    record.line = name->second + record.line.substr(colon);
    if (same) record.reason = record.line;
  }
  static void rename(PacketTracker& tracker, const std::map<std::string, std::string>& names) {
    for (PacketRecord& record : tracker.records_) rename(record, names);
    for (const auto& [number, live] : tracker.live_) rename(live->record, names);
  }
  static void mend(Statistics& statistics) {
    for (auto& places : statistics.places_) places.assign(places.size(), {});
  }
};

void put_observer(ByteWriter& out, const Coverage& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const History& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const PacketTracker& observer) {
  put(out, observer);
  put(out, Mending::answers(observer));
}
void put_observer(ByteWriter& out, const Profile& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const Statistics& observer) { put(out, observer); }

bool get_observer(ByteReader& in, Coverage& observer) { return get(in, observer), in.good(); }
bool get_observer(ByteReader& in, History& observer) { return get(in, observer), in.good(); }
bool get_observer(ByteReader& in, PacketTracker& observer) {
  bool answers = false;
  get(in, observer);
  get(in, answers);
  Mending::mend(observer, answers);
  return in.good();
}
bool get_observer(ByteReader& in, Profile& observer) { return get(in, observer), in.good(); }
bool get_observer(ByteReader& in, Statistics& observer) {
  get(in, observer);
  Mending::mend(observer);
  return in.good();
}

void rename_places(PacketTracker& tracker, const std::map<std::string, std::string>& names) {
  Mending::rename(tracker, names);
}

uint64_t states_layout();
uint64_t stored_layout() {
  return stored::mix(states_layout(), stored::layouts<Coverage, History, PacketTracker, Profile, Statistics>(10));
}

}  // namespace weft::emulator
