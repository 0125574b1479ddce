// Which words of a program have host code: a stretch gets it when its first word has run often.
#pragma once

#include <memory>
#include <vector>

#include "translate/host_code.h"

namespace weft::emulator::translate {

class Translation {
 public:
  /// Heads of stretches count how often they run from now on, and are translated at `after`; null where there is no
  /// host code. The program must live as long as this.
  static std::unique_ptr<Translation> arm(Program& program, uint32_t after, Traced traced);

  /// The head runs once more: how, this time.
  fast::Handler count(const Op* op);
  /// Stretches that have host code.
  uint64_t translated() const { return translated_; }

 private:
  struct Head {
    uint32_t runs = 0;
    fast::Handler interpreted = nullptr;
  };
  Translation(Program& program, uint32_t after, std::unique_ptr<HostCode> code)
      : program_(program), after_(after), code_(std::move(code)), heads_(program.words) {}

  Program& program_;
  uint32_t after_;
  std::unique_ptr<HostCode> code_;
  std::vector<Head> heads_;  ///< by word
  uint64_t translated_ = 0;
};

}  // namespace weft::emulator::translate
