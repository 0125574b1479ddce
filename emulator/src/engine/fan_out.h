// Several observers behind one pointer.
#pragma once

#include <algorithm>
#include <vector>

#include "weft/emulator/machine.h"

namespace weft::emulator {

class FanOut final : public Observer {
 public:
  std::vector<Observer*> all;
  std::vector<Observer*> of_words;    ///< those that take single words
  std::vector<Observer*> of_values;   ///< those that take pulls and pushes
  std::vector<Observer*> of_signals;  ///< those that take signals
  std::vector<Observer*> of_commands;
  std::vector<Observer*> of_stretches;
  std::vector<Observer*> of_stops;  ///< those that may stop a run
  bool early = true;                ///< all that take commands take them early
  bool signals_early = true;        ///< all that take signals do

  bool takes_commands() const override { return !of_commands.empty(); }
  bool takes_commands_early() const override { return early; }
  /// Who is told of commands: the only one, or this.
  Observer* commands() { return of_commands.size() == 1 ? of_commands.front() : this; }
  /// Who is told of everything: the only one, or this. Null: nobody.
  Observer* told() { return all.empty() ? nullptr : all.size() == 1 ? all.front() : this; }
  CommandWatcher* command_watcher() override { return commands(); }
  void add(Observer& observer) {
    all.push_back(&observer);
    if (observer.takes_words()) of_words.push_back(&observer);
    if (observer.takes_values()) of_values.push_back(&observer);
    if (observer.takes_signals()) of_signals.push_back(&observer);
    if (observer.takes_commands()) of_commands.push_back(&observer);
    if (observer.takes_stretches()) of_stretches.push_back(&observer);
    if (observer.may_stop()) of_stops.push_back(&observer);
    find_early();
  }
  void remove(Observer& observer) {
    std::erase(all, &observer);
    std::erase(of_words, &observer);
    std::erase(of_values, &observer);
    std::erase(of_signals, &observer);
    std::erase(of_commands, &observer);
    std::erase(of_stretches, &observer);
    std::erase(of_stops, &observer);
    find_early();
  }

  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override {
    for (Observer* o : of_words) o->on_execute(who, pc, cycle);
  }
  void on_stall(ContextRef who, uint16_t pc, uint64_t cycle) override {
    for (Observer* o : all) o->on_stall(who, pc, cycle);
  }
  void on_branch(ContextRef who, uint16_t pc, uint64_t cycle) override {
    for (Observer* o : all) o->on_branch(who, pc, cycle);
  }
  void on_stalls(ContextRef who, uint16_t pc, uint64_t cycle, uint64_t times) override {
    for (Observer* o : all) o->on_stalls(who, pc, cycle, times);
  }
  void on_counts(unsigned engine, const WordCounts& counts) override {
    for (Observer* o : all)
      if (o->takes_counts()) o->on_counts(engine, counts);
  }
  void on_state(ContextRef who, ContextState state, uint64_t cycle) override {
    for (Observer* o : all) o->on_state(who, state, cycle);
  }
  void on_queued(const Command& command, Tick arrival) override {
    for (Observer* o : of_commands) o->on_queued(command, arrival);
  }
  void on_serve(const Command& command, Tick at) override {
    for (Observer* o : of_commands) o->on_serve(command, at);
  }
  void on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) override {
    for (Observer* o : of_commands) o->on_answer(sequence, count, signals, at);
  }
  void on_fault(std::string_view unit, const Command* during, std::string_view text) override {
    for (Observer* o : all) o->on_fault(unit, during, text);
  }
  void on_media(const MediaEvent& event) override {
    for (Observer* o : all) o->on_media(event);
  }
  void on_host_ring(unsigned ring, bool put, uint32_t word) override {
    for (Observer* o : all) o->on_host_ring(ring, put, word);
  }
  void on_local_signal(ContextRef to, unsigned number, uint64_t cycle) override {
    for (Observer* o : all) o->on_local_signal(to, number, cycle);
  }
  void on_signal_sent(ContextRef from, uint16_t pc, int engine, unsigned context, unsigned number,
                      uint64_t due) override {
    for (Observer* o : all) o->on_signal_sent(from, pc, engine, context, number, due);
  }
  void on_issue(const Command& command) override {
    for (Observer* o : of_commands) o->on_issue(command);
  }
  void on_taken(const Command& command, Tick arrival, Tick at) override {
    for (Observer* o : of_commands) o->on_taken(command, arrival, at);
  }
  void on_known_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) override {
    for (Observer* o : of_commands) o->on_known_answer(sequence, count, signals, at);
  }
  void on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override {
    for (Observer* o : of_values) o->on_pull(to, d, number, value, at);
  }
  void on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override {
    for (Observer* o : of_values) o->on_push(to, d, number, value, at);
  }
  void on_pushes(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, Tick at) override {
    for (Observer* o : of_values) o->on_pushes(to, d, first, data, at);
  }
  void on_signal(ContextRef to, unsigned number, Tick at) override {
    for (Observer* o : of_signals) o->on_signal(to, number, at);
  }
  void on_core(isa::Unit serves, bool write, uint32_t address, unsigned count, Tick at) override {
    for (Observer* o : all) o->on_core(serves, write, address, count, at);
  }
  bool wants_stop() const override {
    for (const Observer* o : of_stops)
      if (o->wants_stop()) return true;
    return false;
  }

 private:
  void find_early() {
    const auto is_early = [](const Observer* o) { return o->takes_commands_early(); };
    early = std::all_of(of_commands.begin(), of_commands.end(), is_early);
    signals_early = std::all_of(of_signals.begin(), of_signals.end(), is_early);
  }
};

}  // namespace weft::emulator
