// Constants and local CSRs (isa.md 3.9, 3.10, 5.2).
#include "engine/execute.h"
#include "engine/microengine.h"

namespace weft::emulator::execute {

// E12: directly behind a local_csr_rd the value read takes the place of the result.
Outcome immed(Engine& e, const Operation& o) {
  e.write(o.dest, e.s.csr_read_valid ? e.s.csr_read : o.value);
  return Outcome::done;
}

Outcome immed_part(Engine& e, const Operation& o) {
  if (e.s.csr_read_valid) return immed(e, o);
  e.write(o.dest, (e.read(o.dest_old) & ~o.mask) | o.value);
  return Outcome::done;
}

Outcome local_csr_rd(Engine& e, const Operation& o) {
  e.s.csr_read = e.read_csr_now(o.csr);
  e.s.csr_read_valid = true;
  return Outcome::done;
}

Outcome local_csr_wr(Engine& e, const Operation& o) {
  const uint32_t value = e.read(o.left);
  if (o.csr_writable && !e.s.stopped) e.write_csr_later(o.csr, value, o.csr_latency);
  return Outcome::done;
}

}  // namespace weft::emulator::execute
