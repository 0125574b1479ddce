#include "meter_model.h"

#include <algorithm>

namespace weft::test {

using control::diffserv::Meter;

namespace {

Wide common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace

Fraction::Fraction(Wide numerator, Wide denominator) : n_(numerator), d_(denominator) {
  const Wide divisor = common_divisor(n_, d_);
  if (divisor > 1) {
    n_ /= divisor;
    d_ /= divisor;
  }
}

Fraction operator*(const Fraction& a, const Fraction& b) { return {a.n_ * b.n_, a.d_ * b.d_}; }

MeterModel::MeterModel(const Meter& meter, uint64_t engine_hz, Wide start)
    : meter_(meter),
      committed_rate_(1, control::diffserv::cost_of_byte(meter.committed_rate, engine_hz)),
      committed_burst_(meter.committed_burst),
      excess_burst_(meter.excess_burst),
      committed_(meter.committed_burst),
      excess_(meter.excess_burst),
      last_(start) {
  if (meter.kind == Meter::Kind::trtcm)
    peak_rate_ = Fraction(1, control::diffserv::cost_of_byte(meter.peak_rate, engine_hz));
}

Colour MeterModel::meter(Wide at, uint32_t bytes, Colour comes) {
  const Fraction elapsed(at - last_);
  last_ = at;
  const Fraction came = elapsed * committed_rate_;
  committed_ = committed_ + came;
  if (meter_.kind == Meter::Kind::srtcm && committed_burst_ < committed_)
    excess_ = std::min(excess_burst_, excess_ + (committed_ - committed_burst_));
  committed_ = std::min(committed_, committed_burst_);
  if (meter_.kind == Meter::Kind::trtcm) excess_ = std::min(excess_burst_, excess_ + elapsed * peak_rate_);
  if (!meter_.aware) comes = green;
  switch (meter_.kind) {
    case Meter::Kind::police: return police(bytes);
    case Meter::Kind::srtcm: return single_rate(bytes, comes);
    case Meter::Kind::trtcm: return two_rates(bytes, comes);
    case Meter::Kind::none: break;
  }
  return green;
}

Colour MeterModel::police(const Fraction& bytes) {
  if (!(committed_ >= bytes)) return red;
  committed_ = committed_ - bytes;
  return green;
}

Colour MeterModel::single_rate(const Fraction& bytes, Colour comes) {
  if (comes == green && committed_ >= bytes) {
    committed_ = committed_ - bytes;
    return green;
  }
  if (comes != red && excess_ >= bytes) {
    excess_ = excess_ - bytes;
    return yellow;
  }
  return red;
}

Colour MeterModel::two_rates(const Fraction& bytes, Colour comes) {
  if (comes == red || excess_ < bytes) return red;
  if (comes == yellow || committed_ < bytes) {
    excess_ = excess_ - bytes;
    return yellow;
  }
  excess_ = excess_ - bytes;
  committed_ = committed_ - bytes;
  return green;
}

}  // namespace weft::test
