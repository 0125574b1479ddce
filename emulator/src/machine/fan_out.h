// Several observers behind one pointer.
#pragma once

#include <vector>

#include "weft/emulator/machine.h"

namespace weft::emulator {

class FanOut final : public Observer {
 public:
  std::vector<Observer*> all;

  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override {
    for (Observer* o : all) o->on_execute(who, pc, cycle);
  }
  void on_issue(const Command& command) override {
    for (Observer* o : all) o->on_issue(command);
  }
  void on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override {
    for (Observer* o : all) o->on_pull(to, d, number, value, at);
  }
  void on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override {
    for (Observer* o : all) o->on_push(to, d, number, value, at);
  }
  void on_signal(ContextRef to, unsigned number, Tick at) override {
    for (Observer* o : all) o->on_signal(to, number, at);
  }
  bool wants_stop() const override {
    for (const Observer* o : all)
      if (o->wants_stop()) return true;
    return false;
  }
};

}  // namespace weft::emulator
