// Constants and local CSRs (isa.md 3.9, 3.10, 5.2). What each CSR does is in engine/csr.cpp.
#pragma once

namespace weft::emulator::semantics {

// E12: directly after a local_csr_rd the value read takes the place of the result.
template <class View>
void immed(View v) {
  v.put(v.csr_is_read() ? v.state().csr_read : v.value());
}

/// immed_b0 to immed_w1: the decoder has put the value where the mask is.
template <class View>
void immed_part(View v) {
  if (v.csr_is_read()) return immed(v);
  v.put((v.old() & ~v.mask()) | v.value());
}

template <class View>
void local_csr_rd(View v) {
  v.state().csr_read = v.read_csr();
  v.state().csr_read_valid = true;
}

template <class View>
void local_csr_wr(View v) {
  const uint32_t value = v.left();
  if (v.word().csr_writable) v.write_csr(value);
}

}  // namespace weft::emulator::semantics
