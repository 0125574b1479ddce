// Whether two word programs do the same but for their choice of registers and signals.
//
// Both are followed together over all paths. At each word a relation says which register of one side surely holds the
// same value as which register of the other: at the start all do (nothing is defined), a definition relates its two
// destinations and nothing else to them, and where paths meet only what holds on each is kept. Every source must be
// related. That is a map from live ranges to registers which is consistent and injective among ranges live together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::assembler::test {

/// A constant that holds a signal number in bits 15:12 and a transfer register number in its low bits, from which a
/// unit fills `registers` registers before it gives the signal.
struct PushOrder {
  uint32_t word = 0;
  uint32_t registers = 0;
  uint32_t order = 0;  ///< the command that hands the constant over, so that the signal will be given
};

/// "" or the first difference. At the words `excluded` a source is read that only a path which the program's own
/// conditions rule out leaves unset: there the two sources count as the same value.
std::string differ_beyond_registers(const std::vector<uint64_t>& ours, const std::vector<uint64_t>& theirs,
                                    std::optional<PushOrder> push = std::nullopt,
                                    const std::vector<uint32_t>& excluded = {});

}  // namespace weft::assembler::test
