#include "translate/translation.h"

#include "fast/fast_engine.h"

namespace weft::emulator::translate {
namespace {

/// In the place of the function of a head that has not run often.
void run_counted(fast::FastEngine& f, const Op* op, uint64_t cycle) { f.translation()->count(op)(f, op, cycle); }

}  // namespace

std::unique_ptr<Translation> Translation::arm(Program& program, uint32_t after, Traced traced) {
  if (after == 0) return nullptr;
  std::unique_ptr<HostCode> code = make_host_code(traced);
  if (code == nullptr) return nullptr;
  std::unique_ptr<Translation> out(new Translation(program, after, std::move(code)));
  const std::vector<bool> first = heads(program);
  for (size_t i = 0; i < program.words; ++i)
    if (first[i]) out->heads_[i].interpreted = std::exchange(program.ops[i].run, &run_counted);
  return out;
}

fast::Handler Translation::count(const Op* op) {
  const auto at = static_cast<size_t>(op - program_.ops.data());
  Head& head = heads_[at];
  if (++head.runs < after_) return head.interpreted;
  const fast::Handler code = code_->translate(program_, stretch_at(program_, at), head.interpreted);
  if (code == nullptr) return program_.ops[at].run = head.interpreted;
  ++translated_;
  return program_.ops[at].run = code;
}

}  // namespace weft::emulator::translate
