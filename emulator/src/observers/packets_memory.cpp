// The packet tracker: numbers in memories, rings and buffers, and on their way with commands.
#include <algorithm>

#include "observers/access.h"
#include "weft/emulator/observers/packets.h"

namespace weft::emulator {
namespace {

constexpr size_t kMaxOpen = size_t{1} << 16;   // commands under way
constexpr size_t kMaxSpare = 256;              // places of those that are over
constexpr size_t kMaxLinks = size_t{1} << 20;  // buffers in queues
constexpr uint64_t kPage = 1024;

using Kind = CommandAccess::Kind;

}  // namespace

// ---- numbers in memories

void PacketTracker::set_tag(uint64_t cell, uint32_t packet) {
  if (cell == kNoCell || tables_.holds(cell)) return;
  auto at = tags_.find(cell / kPage);
  if (at == tags_.end()) {
    if (packet == 0) return;
    if (tags_.size() >= limits_.tag_pages) {
      ++totals_.untagged_longwords;
      return;
    }
    at = tags_.emplace(cell / kPage, std::make_unique<std::array<uint32_t, 1024>>()).first;
  }
  (*at->second)[cell % kPage] = packet;
}

uint32_t PacketTracker::tag(uint64_t cell) const {
  if (cell == kNoCell) return 0;
  const auto at = tags_.find(cell / kPage);
  return at != tags_.end() ? (*at->second)[cell % kPage] : 0;
}

void PacketTracker::buffer_filled(uint64_t byte_address, uint32_t packet) {
  for (size_t p = 0; p < pools_.size(); ++p) {
    if (pools_[p].space != MemorySpace::dram) continue;
    const auto buffer = pools_[p].buffer_at(byte_address);
    if (!buffer) continue;
    const uint32_t before = std::exchange(owners_[p][*buffer], packet);
    if (before == packet) continue;
    if (Live* live = find(packet)) live->in_pool = true;
    // A frame that was discarded leaves its buffer to the next one.
    if (Live* old = find(before); old != nullptr && old->outgoing == 0) end(*old, Verdict::dropped);
  }
}

void PacketTracker::buffer_freed(size_t pool, uint32_t handle, const ContextRef* by, uint16_t pc) {
  const auto buffer = pools_[pool].buffer_of_handle(handle);
  if (!buffer) return;
  Live* live = find(std::exchange(owners_[pool][*buffer], 0));
  if (live == nullptr || live->outgoing != 0) return;
  if (live->record.reason.empty() && by != nullptr) {
    live->record.reason = live->record.line = place_text(*by, pc);
    live->record.reason_by = *by;
    live->record.reason_pc = pc;
    live->record.reason_cycle = now_cycle();
  }
  end(*live, Verdict::dropped);
}

// ---- commands

PacketTracker::Open& PacketTracker::add_open(uint64_t sequence) {
  if (spare_.empty()) return open_[sequence] = {};
  auto place = std::move(spare_.back());
  spare_.pop_back();
  place.key() = sequence;
  Open& out = open_.insert(std::move(place)).position->second;
  return out = {};
}

void PacketTracker::erase_open(uint64_t sequence) {
  auto place = open_.extract(sequence);
  if (place && spare_.size() < kMaxSpare) spare_.push_back(std::move(place));
}

void PacketTracker::on_issue(const Command& command) {
  if (command.from.engine >= states_.size() || open_.size() >= kMaxOpen) return;
  Open& open = add_open(command.sequence);
  open.from = command.from;
  open.packet = context(command.from).packet;
  open.pc = command.pc;
}

void PacketTracker::on_serve(const Command& command, Tick) {
  freeing_.reset();
  pulling_.packet = 0;
  const auto at = open_.find(command.sequence);
  if (at == open_.end()) return;
  Open& open = at->second;
  const CommandAccess access = access_of(command, units_);
  const Live* working = find(open.packet);
  const uint32_t packet = working != nullptr ? open.packet : 0;
  // After a .drop mark a context hands on nothing but the buffer.
  const uint32_t handed_on = working != nullptr && !working->dropping ? packet : 0;
  bool answers = false;
  if ((access.kind == Kind::ring_get || access.kind == Kind::ring_put) && access.space == MemorySpace::scratch) {
    // A ring that was set up anew, or whose positions were written.
    const size_t present = units_.host().ring(access.list).count;
    if (rings_[access.list & 15].size() != present) rings_[access.list & 15].assign(present, 0);
  }
  queue_served(access);
  switch (access.kind) {
    case Kind::none:
    case Kind::atomic: break;
    case Kind::read:
    case Kind::ring_get:
      open.count = static_cast<uint8_t>(access.count);
      open.taken_over = access.kind == Kind::ring_get;
      answers = true;
      for (unsigned i = 0; i < access.count; ++i) {
        if (open.taken_over && access.space == MemorySpace::scratch) {
          open.tags[i] = take_from_ring(access.list);
        } else {
          open.tags[i] = tag(access.cells[i]);
          if (open.taken_over)
            set_tag(access.cells[i], 0);
          else if (open.tags[i] != 0 && needs_handle(access.cells[i], open.tags[i]))
            open.by_handle |= 1u << i;
        }
      }
      break;
    case Kind::write:
      for (unsigned i = 0; i < access.count; ++i) set_tag(access.cells[i], packet);
      break;
    case Kind::ring_put: {
      freeing_ = find_pool(
          pools_, access.space == MemorySpace::scratch ? BufferPool::List::scratch_ring : BufferPool::List::sram_ring,
          access.channel, access.list);
      freeing_by_ = command.from;
      freeing_pc_ = open.pc;
      for (unsigned i = 0; i < access.count; ++i) {
        if (access.cells[i] == kNoCell) continue;  // no room
        if (access.space == MemorySpace::scratch)
          rings_[access.list & 15].push_back(freeing_ ? 0 : handed_on);
        else
          set_tag(access.cells[i], freeing_ ? 0 : handed_on);
      }
      if (!freeing_ && handed_on != 0 && context(command.from).packet == packet) hand_on(command.from);
      break;
    }
    case Kind::enqueue:
      if (const auto pool = find_pool(pools_, BufferPool::List::sram_queue, access.channel, access.list)) {
        buffer_freed(*pool, access.link, &command.from, open.pc);
      } else if (handed_on != 0 && links_.size() < kMaxLinks) {
        links_[uint64_t{access.channel} << 32 | access.link] = handed_on;
        if (context(command.from).packet == packet) hand_on(command.from);
      }
      break;
    case Kind::dequeue:
      if (const auto link = links_.find(uint64_t{access.channel} << 32 | access.link); link != links_.end()) {
        open.tags[0] = link->second;
        links_.erase(link);
      }
      open.count = 1;
      open.taken_over = answers = true;
      break;
    case Kind::media_in: {
      const unsigned element_longwords = std::max(64u, units_.mpacket_bytes()) / 4;
      for (unsigned i = 0; i < access.count; ++i) {
        const uint32_t number = rbuf_[(access.buffer / 4 + i) / element_longwords % rbuf_.size()];
        set_tag(access.cells[i], number);
        if (number != 0 && i % 2 == 0) buffer_filled((access.cells[i] & 0xffffffffff) * 4, number);
      }
      break;
    }
    case Kind::media_out:
      for (unsigned i = 0; i < access.count; ++i) {
        uint32_t& slot = tbuf_[(access.buffer / 4 + i) % tbuf_.size()];
        const uint32_t before = slot, in_memory = tag(access.cells[i]);
        slot = find(in_memory) != nullptr ? in_memory : packet;
        if (slot == before) continue;
        if (Live* live = find(slot)) ++live->outgoing;
        release_outgoing(before);
      }
      break;
    case Kind::media_read: {
      const unsigned element_longwords = std::max(64u, units_.mpacket_bytes()) / 4;
      for (unsigned i = 0; i < access.count; ++i)
        open.tags[i] = rbuf_[(access.buffer / 4 + i) / element_longwords % rbuf_.size()];
      open.count = static_cast<uint8_t>(access.count);
      answers = true;
      break;
    }
    case Kind::media_write:
      for (unsigned i = 0; i < access.count; ++i) {
        uint32_t& slot = tbuf_[(access.buffer / 4 + i) % tbuf_.size()];
        if (slot == packet) continue;
        if (Live* live = find(packet)) ++live->outgoing;
        release_outgoing(std::exchange(slot, packet));
      }
      break;
  }
  if (limits_.frames) bytes_served(command, access, packet);
  if (!answers) erase_open(command.sequence);
}

void PacketTracker::on_pull(ContextRef, bool, unsigned, uint32_t value, Tick) {
  if (pulling_.packet != 0) bytes_pulled(value);
  if (freeing_) buffer_freed(*freeing_, value, &freeing_by_, freeing_pc_);
}

void PacketTracker::on_answer(uint64_t sequence, unsigned count, uint16_t, Tick) {
  if (answer_ != nullptr) erase_open(answering_);
  answer_ = nullptr;
  answering_ = sequence;
  answered_ = 0;
  if (sequence == kUnasked || count == 0) return;
  if (const auto at = open_.find(sequence); at != open_.end()) answer_ = &at->second;
}

void PacketTracker::on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick) {
  if (answer_ != nullptr) {
    if (answered_ >= answer_->count) return;
    const unsigned i = answered_++;
    if (hands_over(*answer_, i, value)) receive(answer_->from, answer_->tags[i], answer_->taken_over);
    return;
  }
  // The status of an mpacket comes unasked, on an IXP1200 with the CSR that a thread reads.
  if (d || (answering_ != kUnasked && machine_.timing().profile != isa::Profile::me1)) return;
  const auto status = handed_.find({to.engine, static_cast<uint8_t>(number & 127)});
  if (status == handed_.end() || status->second.empty()) return;
  const uint32_t packet = status->second.front();
  status->second.pop_front();
  receive(to, packet, false);
}

// The same of all longwords of an answer: most carry no packet.
void PacketTracker::on_pushes(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, Tick at) {
  if (answer_ == nullptr) return Observer::on_pushes(to, d, first, data, at);
  for (const uint32_t value : data) {
    if (answered_ >= answer_->count) return;
    const unsigned i = answered_++;
    if (hands_over(*answer_, i, value)) receive(answer_->from, answer_->tags[i], answer_->taken_over);
  }
}

uint32_t PacketTracker::take_from_ring(unsigned ring) {
  std::deque<uint32_t>& entries = rings_[ring & 15];
  if (entries.empty()) return 0;
  const uint32_t packet = entries.front();
  entries.pop_front();
  return packet;
}

void PacketTracker::on_host_ring(unsigned ring, bool put, uint32_t word) {
  const auto pool = find_pool(pools_, BufferPool::List::scratch_ring, 0, ring);
  const RingView there = units_.host().ring(ring);
  if (put ? there.count < there.size : there.count > 0)
    note_depth({QueueName::Kind::scratch_ring, 0, ring}, put ? there.count + 1 : there.count - 1);
  if (put) {
    if (units_.host().ring(ring).size > rings_[ring & 15].size()) rings_[ring & 15].push_back(0);
    if (pool) buffer_freed(*pool, word, nullptr, 0);
    return;
  }
  if (Live* live = find(take_from_ring(ring)); live != nullptr && !pool) end(*live, Verdict::to_core);
}

}  // namespace weft::emulator
