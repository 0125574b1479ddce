// What Units and HostPort ask of the units of one chip, whatever its generation.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "media/link.h"
#include "media/port.h"
#include "schedule/sorted_queue.h"
#include "schedule/unit_queue.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

class Fbi;
class Msf;
class Scratch;
class Sram1200;
class SramChannel;

class ChipUnits {
 public:
  virtual ~ChipUnits() = default;

  virtual UnitQueue& route(const Command& command) = 0;
  virtual bool input_state(unsigned number) const = 0;
  virtual Units::Lookahead lookahead() const = 0;
  virtual std::vector<Port>& ports() = 0;
  virtual std::span<LinkEnd> links() { return {}; }
  virtual bool media_idle() const = 0;
  virtual MediaView media() const = 0;
  virtual uint32_t mpacket_bytes() const = 0;

  virtual std::shared_ptr<const UnitsState> save() const = 0;
  virtual void restore(const UnitsState& state) = 0;

  // --- for the host; null where the chip has no such part
  /// The memory behind an address, which becomes the address inside it; null where there is none.
  virtual PagedMemory* memory(MemorySpace space, uint32_t& address) = 0;
  virtual Scratch* rings() { return nullptr; }
  virtual SramChannel* channel(unsigned) { return nullptr; }
  virtual Msf* msf() { return nullptr; }
  virtual Sram1200* sram1200() { return nullptr; }
  virtual Fbi* fbi() { return nullptr; }
  /// The unit that serves the control processor's accesses to a memory.
  virtual UnitQueue* core_unit(MemorySpace, uint32_t) { return nullptr; }
  virtual uint32_t read_csr(uint32_t csr) = 0;
  virtual void write_csr(uint32_t csr, uint32_t value) = 0;
  virtual uint64_t& interrupts(unsigned line, unsigned group) = 0;

  std::span<Unit* const> actors() const { return actors_; }
  std::span<UnitQueue* const> queues() const { return queues_; }

 protected:
  /// In rank order.
  void set_queues(std::vector<UnitQueue*> queues) {
    queues_ = std::move(queues);
    actors_.assign(queues_.begin(), queues_.end());
  }

 private:
  std::vector<Unit*> actors_;
  std::vector<UnitQueue*> queues_;
};

}  // namespace weft::emulator
