// What units, media and memories consist of, for files that hold their state (stored.h).
#pragma once

#include "stored/machine_fields.h"
#include "units/ixp1200.h"
#include "units/ixp2000.h"

namespace weft {

/// A memory is told as the pages that have changed since the same memory of the state before, so that those which
/// states share stand once in the file and are shared again. Pages of a memory that was written live until all is
/// written.
struct MemoryContext {
  size_t next = 0;  ///< memory of the state that is being written or read
  std::vector<std::map<uint64_t, const uint32_t*>> written;
  std::vector<emulator::PagedMemory> read;
};
template <>
struct Stored<emulator::PagedMemory> {
  static void put(ByteWriter& out, const emulator::PagedMemory& memory);
  static void get(ByteReader& in, emulator::PagedMemory& memory);
  static constexpr uint64_t layout() { return stored::mix(8, emulator::PagedMemory::kPageLongwords); }
};

template <class T>
struct Stored<emulator::Ring<T>> {
  static void put(ByteWriter& out, const emulator::Ring<T>& ring) { stored::put_list(out, ring); }
  static void get(ByteReader& in, emulator::Ring<T>& ring) {
    ring.clear();
    for (size_t left = stored::get_size(in); left > 0 && in.good(); --left) weft::get(in, ring.extend());
  }
  static constexpr uint64_t layout() { return stored::layouts<T>(3); }
};

WEFT_FIELDS(emulator::UnitCounters, v.commands, v.core_requests, v.refused, v.longwords_read, v.longwords_written,
            v.deepest_inlet, v.faults, v.busy)
WEFT_FIELDS(emulator::PendingCommand, v.command, v.arrival)
WEFT_FIELDS(emulator::Reply, v.at, v.order, v.command, v.to, v.d, v.xfer, v.count, v.signals, v.data)
WEFT_FIELDS(emulator::CoreCommand, v.request, v.command, v.skip, v.arrival)
WEFT_FIELDS(emulator::CoreAnswer, v.at, v.id, v.count, v.data)
WEFT_FIELDS(emulator::QueueState, v.inlet, v.core, v.core_answers, v.held, v.replies, v.last_arrival, v.order,
            v.counters, v.last_fault)
WEFT_FIELDS(emulator::SortedState, WEFT_BASE(emulator::QueueState), v.queues, v.last_turn)

WEFT_FIELDS(emulator::ScratchRing, v.base, v.size, v.head, v.tail, v.count, v.status_is_empty)
WEFT_FIELDS(emulator::ScratchState, WEFT_BASE(emulator::QueueState), v.memory, v.rings, v.free)
WEFT_FIELDS(emulator::QueueEntry, v.head, v.tail, v.count, v.missing)
WEFT_FIELDS(emulator::SramState, WEFT_BASE(emulator::QueueState), v.memory, v.entries, v.csr, v.read_free, v.write_free)
WEFT_FIELDS(emulator::DramBank, v.open, v.row, v.free)
WEFT_FIELDS(emulator::DramPinsState, v.free, v.banks, v.last_writes, v.used, v.refreshed)
WEFT_FIELDS(emulator::DramState, WEFT_BASE(emulator::QueueState), WEFT_BASE(emulator::DramPinsState), v.memory)
WEFT_FIELDS(emulator::HashState, WEFT_BASE(emulator::QueueState), v.multiplier, v.free)
WEFT_FIELDS(emulator::CapState, WEFT_BASE(emulator::QueueState), v.interrupts, v.free)
WEFT_FIELDS(emulator::RefusedState, WEFT_BASE(emulator::QueueState))
WEFT_FIELDS(emulator::Sram1200State, WEFT_BASE(emulator::SortedState), v.memory, v.locks, v.heads, v.free,
            v.last_writes)
WEFT_FIELDS(emulator::Sdram1200State, WEFT_BASE(emulator::SortedState), WEFT_BASE(emulator::DramPinsState), v.memory)

WEFT_FIELDS(emulator::PortCounters, v.received_frames, v.received_bytes, v.accepted_frames, v.lost_overflow,
            v.lost_disabled, v.lost_length, v.damaged_frames, v.delivered_mpackets, v.transmitted_frames,
            v.transmitted_bytes, v.padded_frames, v.lost_transmit_order, v.lost_transmit_length,
            v.lost_transmit_disabled, v.receive_buffer_max, v.transmit_buffer_max, v.first_transmitted,
            v.last_transmitted, v.first_received, v.last_received)
WEFT_FIELDS(emulator::LinkCounters, v.mpackets, v.bytes, v.frames, v.waits, v.waited, v.buffer_max)
WEFT_FIELDS(emulator::StoredFrame, v.bytes, v.taken, v.damaged, v.complete, v.cut)
WEFT_FIELDS(emulator::FramePart, v.bytes, v.first, v.length, v.sop, v.eop, v.error)
WEFT_FIELDS(emulator::PortState, v.given, v.arriving, v.arriving_damaged, v.arrival_end, v.receive_free, v.received,
            v.received_bytes, v.first_byte, v.arrival_step, v.offered, v.open, v.dropping, v.told, v.gathering,
            v.in_frame, v.discarding, v.ready, v.transmit_bytes, v.sending, v.sending_end, v.transmit_free, v.taken,
            v.counters)
WEFT_FIELDS(emulator::LinkPart, v.at, v.bytes, v.sop, v.eop)
WEFT_FIELDS(emulator::LinkEndState, v.places, v.places_coming, v.sent, v.waits_since, v.coming, v.stored, v.taken,
            v.frame_bytes, v.places_freed, v.counters)
WEFT_FIELDS(emulator::FreelistEntry, v.context, v.xfer, v.signal, v.since)
WEFT_FIELDS(emulator::ReceiveTransfer, v.active, v.port, v.element, v.first, v.length, v.end)
WEFT_FIELDS(emulator::TransmitTransfer, v.active, v.element, v.partition, v.end)
WEFT_FIELDS(emulator::MsfState, WEFT_BASE(emulator::QueueState), v.rbuf, v.tbuf, v.tbuf_control, v.tbuf_valid,
            v.rbuf_free, v.registers, v.free_elements, v.full, v.waiting, v.last_push, v.receive, v.transmit,
            v.last_port, v.next_tbuf, v.last_partition, v.tx_sequence, v.free)
WEFT_FIELDS(emulator::ReadyLine, v.level, v.shown, v.changed)
WEFT_FIELDS(emulator::ReadyBusState, v.program, v.control, v.rest, v.begin, v.count, v.receive, v.transmit)
WEFT_FIELDS(emulator::ReceiveRequest, v.port, v.element, v.to, v.due, v.expires, v.waits)
WEFT_FIELDS(emulator::ReceiveStatus, v.to, v.word)
WEFT_FIELDS(emulator::IxBusState, v.requests, v.statuses, v.direction, v.last, v.end, v.request, v.nothing, v.mpacket,
            v.control, v.valid, v.next, v.fast_ports, v.fast_wait, v.filled, v.ready)
WEFT_FIELDS(emulator::FbiState, WEFT_BASE(emulator::QueueState), v.scratch, v.rfifo, v.tfifo, v.csr, v.interrupts,
            v.free, v.now, v.ix)

// No aggregates: they have virtual functions. A member that is missing here is found by the tests that restore every
// machine.
WEFT_FIELDS(emulator::Ixp2000State, v.msf, v.ports, v.links, v.scratch, v.sram, v.dram, v.hash, v.cap, v.pci, v.no_sram)
WEFT_FIELDS(emulator::Ixp1200State, v.fbi, v.ports, v.sram, v.sdram, v.hash, v.pci)

}  // namespace weft
