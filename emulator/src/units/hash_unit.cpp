#include "units/hash_unit.h"

namespace weft::emulator {
namespace {

/// What a hash command asks for.
struct HashJob {
  unsigned width;
  unsigned count;
};
HashJob job_of(const Command& command) {
  using isa::InsnId;
  const unsigned count = std::min(3u, std::max(1u, unsigned{command.count}));
  switch (command.op) {
    case InsnId::hash_48: return {48, count};
    case InsnId::hash_64: return {64, count};
    case InsnId::hash1_48: return {48, 1};
    case InsnId::hash2_48: return {48, 2};
    case InsnId::hash3_48: return {48, 3};
    case InsnId::hash1_64: return {64, 1};
    case InsnId::hash2_64: return {64, 2};
    case InsnId::hash3_64: return {64, 3};
    default: return {128, count};
  }
}

struct Wide {  // up to 128 bits
  uint64_t low = 0, high = 0;
};

Wide from_longwords(const std::array<uint32_t, 4>& w, unsigned width) {
  Wide out{w[0] | uint64_t{w[1]} << 32, w[2] | uint64_t{w[3]} << 32};
  if (width <= 64) out.high = 0;
  if (width == 48) out.low &= 0xffff'ffff'ffff;
  return out;
}

bool bit(const Wide& value, unsigned n) { return ((n < 64 ? value.low >> n : value.high >> (n - 64)) & 1) != 0; }

Wide power(unsigned n) { return n < 64 ? Wide{uint64_t{1} << n, 0} : Wide{0, uint64_t{1} << (n - 64)}; }

void add(Wide& to, const Wide& value) {
  to.low ^= value.low;
  to.high ^= value.high;
}

// x^width in terms of lower powers: the modulus without its leading term.
Wide remainder_of_leading_term(unsigned width) {
  Wide out;
  if (width == 48)
    for (const unsigned n : {36u, 25u, 10u, 0u}) add(out, power(n));
  if (width == 64)
    for (const unsigned n : {54u, 35u, 17u, 0u}) add(out, power(n));
  if (width == 128)
    for (const unsigned n : {98u, 69u, 33u, 0u}) add(out, power(n));
  return out;
}

/// Numbers of 48 or 64 bits: in one word, four bits of `a` at a time from the top, without a branch that depends on
/// them.
uint64_t hash_word(unsigned width, uint64_t a, uint64_t m) {
  const uint64_t modulus = remainder_of_leading_term(width).low, mask = ~uint64_t{0} >> (64 - width);
  // All sums of m, m x, m x^2 and m x^3; and of what x^width to x^(width + 3), which a step pushes out, are worth.
  const auto sums = [&](uint64_t term) {
    std::array<uint64_t, 16> out{};
    for (unsigned bit = 1; bit < 16; bit <<= 1) {
      for (unsigned i = 0; i < bit; ++i) out[bit + i] = out[i] ^ term;
      term = (term << 1 & mask) ^ (modulus & (~(term >> (width - 1)) + 1));
    }
    return out;
  };
  const std::array<uint64_t, 16> product = sums(m), reduced = sums(modulus);
  uint64_t sum = 0;
  for (unsigned n = width; n != 0; n -= 4)
    sum = (sum << 4 & mask) ^ reduced[sum >> (width - 4)] ^ product[a >> (n - 4) & 15];
  return sum;
}

}  // namespace

std::array<uint32_t, 4> gf2_hash(unsigned width, std::array<uint32_t, 4> a, std::array<uint32_t, 4> m) {
  const Wide multiplicand = from_longwords(a, width);
  Wide term = from_longwords(m, width);  // m(x) * x^n mod g(x)
  Wide sum;
  if (width <= 64) {
    sum.low = hash_word(width, multiplicand.low, term.low);
  } else {
    const Wide reduction = remainder_of_leading_term(width);
    for (unsigned n = 0; n < width; ++n) {
      if (bit(multiplicand, n)) add(sum, term);
      const bool carry = bit(term, width - 1);
      term.high = term.high << 1 | term.low >> 63;
      term.low <<= 1;
      if (carry) add(term, reduction);
    }
  }
  return {static_cast<uint32_t>(sum.low), static_cast<uint32_t>(sum.low >> 32), static_cast<uint32_t>(sum.high),
          static_cast<uint32_t>(sum.high >> 32)};
}

HashUnit::HashUnit(const HashDescription& description, Tick period, Bus& bus)
    : UnitModel("hash", description.timing, period, bus), description_(description) {}

Tick HashUnit::length(const Command& command) const {
  const auto [width, count] = job_of(command);
  return cycles(count * (width == 48   ? description_.steps_48
                         : width == 64 ? description_.steps_64
                                       : description_.steps_128));
}

Times HashUnit::plan(const Command& command, Tick arrival, PlanUndo& undo) {
  undo.was[0] = state_.free;
  Times out;
  out.start = std::max(arrival, state_.free);
  out.busy = length(command);
  out.at = done(out.start, out.busy - cycles(description_.steps_48));
  state_.free = out.start + out.busy;
  return out;
}

void HashUnit::perform(Service& service) {
  const auto [width, count] = job_of(service.command);
  const unsigned first = width == 48 ? 0 : width == 64 ? 2 : 4;
  const unsigned words = width == 128 ? 4 : 2;
  std::array<uint32_t, 4> m{};
  for (unsigned i = 0; i < words; ++i) m[i] = state_.multiplier[first + i];
  for (unsigned h = 0; h < count; ++h) {
    std::array<uint32_t, 4> a{};
    for (unsigned i = 0; i < words; ++i) a[i] = service.pull(h * words + i);
    const auto result = gf2_hash(width, a, m);
    std::copy_n(result.begin(), words, service.data() + h * words);
  }
  service.answer(count * words);
}

}  // namespace weft::emulator
