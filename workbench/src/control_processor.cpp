#include "control_processor.h"

#include <array>

namespace weft::workbench {
namespace {

class BoundHost : public control::Host {
 public:
  explicit BoundHost(emulator::HostPort& port) : port_(port) {}
  uint32_t read(image::Region region, uint64_t address) override {
    const HostAddress at = host_address(region, address);
    return port_.read(at.space, at.address);
  }
  void write(image::Region region, uint64_t address, uint32_t value) override {
    const HostAddress at = host_address(region, address);
    port_.write(at.space, at.address, value);
  }
  uint32_t ring_get(unsigned ring) override { return port_.ring_get(ring).value_or(0); }
  void ring_put(unsigned ring, uint32_t value) override { port_.ring_put(ring, std::array{value}); }

 private:
  emulator::HostPort& port_;
};

}  // namespace

HostAddress host_address(image::Region region, uint64_t address) {
  const uint32_t low = static_cast<uint32_t>(address);
  switch (region) {
    case image::Region::scratch: return {emulator::MemorySpace::scratch, low};
    case image::Region::sram0: return {emulator::MemorySpace::sram, low};
    case image::Region::sram1: return {emulator::MemorySpace::sram, low | 1u << 30};
    case image::Region::sram2: return {emulator::MemorySpace::sram, low | 2u << 30};
    case image::Region::sram3: return {emulator::MemorySpace::sram, low | 3u << 30};
    case image::Region::dram:
    case image::Region::local: break;
  }
  return {emulator::MemorySpace::dram, low};
}

ControlProcessor::ControlProcessor(std::unique_ptr<control::ControlProgram> program, emulator::HostPort& host,
                                   Timing timing)
    : program_(std::move(program)), port_(host), timing_(timing) {}

void ControlProcessor::restore(const State& state) {
  program_ = state.program->clone();
  due_ = state.due;
  more_ = state.more;
}

void ControlProcessor::mix_state(Fnv& hash) const {
  hash.mix(due_);
  hash.mix(uint64_t{more_});
  hash.mix(program_->packets());
  for (const control::ControlCount& count : program_->counts()) {
    hash.mix(std::string_view(count.reason));
    for (const uint64_t part : {uint64_t{count.port}, uint64_t{count.dropped}, count.packets}) hash.mix(part);
  }
}

void ControlProcessor::run(emulator::Tick now) {
  uint64_t cycles = timing_.poll_cycles;
  if (port_.take_interrupts(0) != 0 || more_) {
    BoundHost host(port_);
    const auto handled = program_->on_interrupt(host);
    more_ = handled.more;
    cycles = std::max(cycles, handled.cycles);
  }
  due_ = now + cycles * timing_.period;
}

}  // namespace weft::workbench
