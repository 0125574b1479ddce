#include "mutators.h"

#include "weft/base/random.h"

namespace weft::fuzz {

std::string mutate(const Target& target, std::string_view input, uint64_t seed, const MutateBytes& bytes) {
  Random random(seed);
  // Refusals have paths of their own: some inputs lose their form.
  if (random.chance(1, 10) && target.form != Form::recording) return bytes(std::string(input));
  std::string out;
  switch (target.form) {
    case Form::lines: out = mutate_lines(input, random.next64(), bytes); break;
    case Form::json: out = mutate_json(input, target.schema, random.next64(), bytes); break;
    case Form::capture: out = mutate_capture(input, random.next64(), bytes); break;
    case Form::recording: out = mutate_recording(input, random.next64(), bytes); break;
  }
  return out.empty() ? bytes(std::string(input)) : out;
}

std::string cross(const Target& target, std::string_view a, std::string_view b, uint64_t seed) {
  switch (target.form) {
    case Form::lines: return cross_lines(a, b, seed);
    case Form::json: return cross_json(a, b, seed);
    case Form::capture:
    case Form::recording: return {};
  }
  return {};
}

}  // namespace weft::fuzz
