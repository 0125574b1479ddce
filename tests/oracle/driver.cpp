#include "driver.h"

#include <stdexcept>

namespace weft::test {
namespace {

using emulator::MemorySpace;
using isa::Csr;

// Where this driver keeps its things; descriptors have four longwords.
constexpr uint32_t kReceiveDescriptors = 0x1000, kTransmitDescriptors = 0x2000, kDescriptorBytes = 16;
constexpr uint32_t kReceiveBuffers = 0x0100'0000, kTransmitBuffers = 0x0200'0000;
enum Ring : unsigned { kReceivePending, kReceiveDone, kTransmitPending, kTransmitDone };

// RX_CONTROL and TX_CONTROL: one bus of 32 bits with many PHYs (19 MPHY, 18 MPHY-32, 17 polled status), 64-byte
// elements.
constexpr uint32_t kMode = 1u << 19 | 1u << 18 | 1u << 17;
// In this mode one enable bit stands for the whole bus.
constexpr uint32_t kEnable = 1u << 28;
constexpr uint32_t kRxControl = 0x00, kTxControl = 0x04, kRbufElementDone = 0x44, kRxPollLimit = 0x48,
                   kTxPollLimit = 0x70, kRxUpControl = 0x80, kTxUpControl = 0x90;

}  // namespace

Driver::Driver(const emulator::BoardDescription& board, const PublicProgram& receive, const PublicProgram& transmit)
    : board_(board),
      machine_(emulator::MachineDescription(board_.chips.at(0).chip)),
      units_(board_.chips.at(0), machine_) {
  machine_.attach(units_);
  start_media();
  for (uint32_t i = 0; i < kDescriptors; ++i) {
    const uint32_t descriptor = kReceiveDescriptors + i * kDescriptorBytes;
    host().write(MemorySpace::sram, descriptor, kReceiveBuffers + i * kBufferBytes);
    host().write(MemorySpace::sram, descriptor + 4, kBufferBytes);
    const uint32_t sending = kTransmitDescriptors + i * kDescriptorBytes;
    host().write(MemorySpace::sram, sending, kTransmitBuffers + i * kBufferBytes);
    free_descriptors_.push_back(sending);
  }
  // 256 entries each; a set bit 26 lets the status line show "empty", otherwise "full".
  start_ring(kReceivePending, 0x44000000);
  start_ring(kReceiveDone, 0x40000400);
  for (uint32_t i = 0; i < kDescriptors; ++i) {
    const uint32_t descriptor = kReceiveDescriptors + i * kDescriptorBytes;
    if (!host().ring_put(kReceivePending, {&descriptor, 1})) throw std::runtime_error("the ring of buffers is full");
  }
  load(0, receive);
  start_contexts(0);
  start_ring(kTransmitPending, 0x44000800);
  start_ring(kTransmitDone, 0x40000c00);
  load(1, transmit);
  start_contexts(1);
}

void Driver::start_media() {
  host().write_msf(kRxPollLimit, ports() - 1, 0);
  host().write_msf(kRxControl, kMode, 0);
  for (uint32_t i = 0; i < 4; ++i) host().write_msf(kRxUpControl + 4 * i, 0, 0);
  // Elements 0, 9, 18 and 27 stay out because of an erratum of the chip.
  for (uint32_t element = 1; element < 128; ++element)
    if (element != 9 && element != 18 && element != 27) host().write_msf(kRbufElementDone, element, 0);
  host().write_msf(kRxControl, (host().read_msf(kRxControl) & 0x0fffffff) | kEnable, 0);
  host().write_msf(kTxPollLimit, ports() - 1, 0);
  host().write_msf(kTxControl, kMode, 0);
  for (uint32_t i = 0; i < 4; ++i) host().write_msf(kTxUpControl + 4 * i, 0, 0);
  host().write_msf(kTxControl, (host().read_msf(kTxControl) & 0x0fffffff) | kEnable, 0);
}

void Driver::start_ring(unsigned ring, uint32_t base) {
  host().write_cap(0x4800 + 0x10 * ring, base);
  host().write_cap(0x4804 + 0x10 * ring, 0);
  host().write_cap(0x4808 + 0x10 * ring, 0);
}

// Section 11.1 of isa.md. The four nops after the last word are immed without destination.
void Driver::load(unsigned engine, const PublicProgram& program) {
  machine_.write_csr(engine, Csr::ctx_enables, program.ctx_enables | 1u << 28);
  machine_.write_csr(engine, Csr::cc_enable, 0x2000);
  machine_.write_csr(engine, Csr::nn_put, 0);
  machine_.write_csr(engine, Csr::nn_get, 0);
  machine_.write_csr(engine, Csr::t_index_byte_index, 0);
  std::vector<uint64_t> words = program.words;
  words.insert(words.end(), 4, 0xf0000c0300ull);
  machine_.load(engine, words);
  for (const InitialRegister& r : program.registers) {
    auto& bank = r.bank_b ? machine_.state(engine).b : machine_.state(engine).a;
    const uint32_t step = (program.ctx_enables >> 31) != 0 ? 32 : 16;
    if (r.absolute)
      bank.at(r.number) = r.value;
    else
      for (uint32_t at = r.number; at < 128; at += step) bank.at(at) = r.value;
  }
}

void Driver::start_contexts(unsigned engine) {
  for (unsigned context = 0; context < 8; ++context) {
    machine_.write_csr(engine, Csr::csr_ctx_pointer, context);
    machine_.write_csr(engine, Csr::indirect_ctx_sig_events, 1);
    machine_.write_csr(engine, Csr::indirect_ctx_wakeup_events, 1);
    machine_.write_csr(engine, Csr::indirect_ctx_sts, 0);
  }
  machine_.write_csr(engine, Csr::ctx_enables, machine_.read_csr(engine, Csr::ctx_enables) | 0xff00);
}

bool Driver::run(uint64_t cycles) {
  const emulator::Tick period = machine_.timing().period, end = machine_.now() + cycles * period;
  while (machine_.now() < end) {
    stop = machine_.run_until(std::min(end, machine_.now() + poll_cycles * period));
    if (stop.kind != emulator::StopKind::limit) return false;
    if (collects) service();
    submit();
  }
  return true;
}

// Bits 7:0 are the contexts of engine 0, which receives, 15:8 those of engine 1, which sends. Read, clear, work, look
// again.
void Driver::service() {
  for (uint64_t raised = host().take_interrupts(0); raised != 0; raised = host().take_interrupts(0)) {
    if ((raised & 0xff) != 0) collect_received();
    if ((raised & 0xff00) != 0) collect_completed();
    if ((raised & ~uint64_t{0xffff}) != 0) throw std::runtime_error("an engine without a program raised an interrupt");
  }
}

void Driver::collect_received() {
  for (;;) {
    const uint32_t descriptor = host().ring_get(kReceiveDone).value_or(0);
    if (descriptor == 0) return;
    DriverFrame frame;
    frame.channel = host().read(MemorySpace::sram, descriptor + 8);
    // The MACs of the board hand over the check sequence: it is not of the packet.
    const uint32_t length = host().read(MemorySpace::sram, descriptor + 12) - 4;
    if (length > kBufferBytes) throw std::runtime_error("a descriptor says more bytes than its buffer has");
    frame.bytes.resize(length);
    host().read_bytes(MemorySpace::dram, host().read(MemorySpace::sram, descriptor), frame.bytes);
    received.push_back(std::move(frame));
    if (!host().ring_put(kReceivePending, {&descriptor, 1})) throw std::runtime_error("the ring of buffers is full");
  }
}

void Driver::collect_completed() {
  for (;;) {
    const uint32_t descriptor = host().ring_get(kTransmitDone).value_or(0);
    if (descriptor == 0) return;
    const auto at = in_flight_.find(descriptor);
    if (at == in_flight_.end()) throw std::runtime_error("a completion names a descriptor that was not in use");
    completed.push_back(std::move(at->second));
    in_flight_.erase(at);
    free_descriptors_.push_back(descriptor);
  }
}

void Driver::submit() {
  while (!to_send_.empty() && !free_descriptors_.empty()) {
    const uint32_t descriptor = free_descriptors_.front();
    DriverFrame frame = std::move(to_send_.front());
    free_descriptors_.pop_front();
    to_send_.pop_front();
    host().write_bytes(MemorySpace::dram, host().read(MemorySpace::sram, descriptor), frame.bytes);
    host().write(MemorySpace::sram, descriptor + 4, static_cast<uint32_t>(frame.bytes.size()));
    host().write(MemorySpace::sram, descriptor + 8, frame.channel);
    if (!host().ring_put(kTransmitPending, {&descriptor, 1})) throw std::runtime_error("the ring of frames is full");
    in_flight_.emplace(descriptor, std::move(frame));
  }
}

}  // namespace weft::test
