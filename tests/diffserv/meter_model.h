// Meters as the RFCs have them, in exact fractions: tokens and a last time, nothing rounded, nothing that wraps. The
// only thing that is shared with the microcode is the rate, which is units_per_second / cost bytes a second.
#pragma once

#include <cstdint>

#include "weft/control/diffserv/meter.h"

namespace weft::test {

__extension__ using Wide = __int128;

/// A fraction in lowest terms, the denominator positive. Sums and products of the meters stay far below 127 bits.
class Fraction {
 public:
  Fraction(Wide numerator = 0, Wide denominator = 1);
  friend Fraction operator+(const Fraction& a, const Fraction& b) { return {a.n_ * b.d_ + b.n_ * a.d_, a.d_ * b.d_}; }
  friend Fraction operator-(const Fraction& a, const Fraction& b) { return {a.n_ * b.d_ - b.n_ * a.d_, a.d_ * b.d_}; }
  friend Fraction operator*(const Fraction& a, const Fraction& b);
  friend bool operator<(const Fraction& a, const Fraction& b) { return a.n_ * b.d_ < b.n_ * a.d_; }
  friend bool operator>=(const Fraction& a, const Fraction& b) { return !(a < b); }

 private:
  Wide n_, d_;
};

enum Colour : uint32_t { green, yellow, red };

class MeterModel {
 public:
  /// Buckets full at `start`, a time in units.
  MeterModel(const control::diffserv::Meter& meter, uint64_t engine_hz, Wide start);
  /// The colour of a packet that arrives at `at`; `comes` counts when the meter is colour-aware.
  Colour meter(Wide at, uint32_t bytes, Colour comes);

 private:
  Colour police(const Fraction& bytes);
  Colour single_rate(const Fraction& bytes, Colour comes);  // RFC 2697, section 3
  Colour two_rates(const Fraction& bytes, Colour comes);    // RFC 2698, section 3

  control::diffserv::Meter meter_;
  Fraction committed_rate_, peak_rate_;      // bytes a unit of time
  Fraction committed_burst_, excess_burst_;  // bytes
  Fraction committed_, excess_;              // tokens, bytes
  Wide last_;
};

}  // namespace weft::test
