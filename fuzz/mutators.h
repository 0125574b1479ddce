// Mutators that know the form of an input, for targets that refuse most changed bytes at their first check.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "targets.h"

namespace weft::fuzz {

/// Changes bytes that have no form: libFuzzer's own mutator, or one of the caller's.
using MutateBytes = std::function<std::string(std::string bytes)>;

/// One changed input. It still has the form of the target's language nearly always, so that what lies after the first
/// check is reached; sometimes it is bytes changed anywhere. The same arguments give the same result.
std::string mutate(const Target& target, std::string_view input, uint64_t seed, const MutateBytes& bytes);
/// Parts of both.
std::string cross(const Target& target, std::string_view a, std::string_view b, uint64_t seed);

// Of one form each; empty: the input has not that form.
std::string mutate_json(std::string_view input, std::string_view schema, uint64_t seed, const MutateBytes& bytes);
std::string cross_json(std::string_view a, std::string_view b, uint64_t seed);
std::string mutate_lines(std::string_view input, uint64_t seed, const MutateBytes& bytes);
std::string cross_lines(std::string_view a, std::string_view b, uint64_t seed);
std::string mutate_capture(std::string_view input, uint64_t seed, const MutateBytes& bytes);
/// A recording with one of its files changed, and the sizes and checksums in its manifest right again.
std::string mutate_recording(std::string_view input, uint64_t seed, const MutateBytes& bytes);

}  // namespace weft::fuzz
