// A copy of all state of a chip's units: the record of its generation.
#pragma once

#include <variant>

#include "units/ixp1200.h"
#include "units/ixp2000.h"

namespace weft::emulator {

class UnitsState {
 public:
  std::variant<Ixp2000State, Ixp1200State> chip;
  WEFT_FIELDS(UnitsState, chip)
};

/// Copies of the states of `parts` (units, ports, lists of them) become the fields of `state`, in their order.
template <class Part, class State>
void keep_state(const Part& part, State& state) {
  if constexpr (requires { part.state(); })
    state = part.state();
  else if constexpr (requires { part->state(); })
    state = part->state();
  else
    for (const auto& one : part) keep_state(one, state.emplace_back());
}
template <class Part, class State>
void put_back_state(Part& part, const State& state) {
  if constexpr (requires { part.restore(state); })
    part.restore(state);
  else if constexpr (requires { part->restore(state); })
    part->restore(state);
  else
    for (size_t i = 0; i < state.size(); ++i) put_back_state(part[i], state[i]);
}
template <class State, class... Part>
std::shared_ptr<const UnitsState> state_of(const std::tuple<Part&...>& parts) {
  State state;
  [&]<size_t... i>(std::index_sequence<i...>, const auto& fields) {
    static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(fields)>> == sizeof...(Part), "a field has no unit");
    (keep_state(std::get<i>(parts), std::get<i>(fields)), ...);
  }
  (std::index_sequence_for<Part...>(), fields_of(state));
  return std::make_shared<const UnitsState>(UnitsState{std::move(state)});
}
template <class State, class... Part>
void restore_parts(const std::tuple<Part&...>& parts, const UnitsState& saved) {
  [&]<size_t... i>(std::index_sequence<i...>, const auto& fields) {
    (put_back_state(std::get<i>(parts), std::get<i>(fields)), ...);
  }
  (std::index_sequence_for<Part...>(), fields_of(std::get<State>(saved.chip)));
}

}  // namespace weft::emulator
