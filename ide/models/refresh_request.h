// One question to the machine at a time: what is wanted while it is under way is asked again when its answer is there.
#pragma once

#include <utility>

namespace weft::ide {

class RefreshRequest {
 public:
  /// True when the question may be sent; it is under way then. False: one is, and end() will ask for another one.
  bool begin() {
    if (asked_) again_ = true;
    return !std::exchange(asked_, true);
  }
  /// The answer is there. True when another question was wanted meanwhile.
  bool end() {
    asked_ = false;
    return std::exchange(again_, false);
  }
  /// The question, if there was one, is lost with the machine that it was for.
  void reset() { asked_ = again_ = false; }

 private:
  bool asked_ = false, again_ = false;
};

}  // namespace weft::ide
