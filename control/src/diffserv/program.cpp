// The control program of the DiffServ edge router: the slow path of the IXP1200 forwarder, the clock that meters read,
// and commands.
#include "diffserv/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "ipv4_1200.h"
#include "weft/control/route_file.h"

namespace weft::control::diffserv {

namespace {

constexpr uint64_t kClockCycles = 20;  ///< of the control processor, to work out a time; chosen
// Of a long task, what is done before the clock is written again.
constexpr uint64_t kStepCycles = 200;
constexpr size_t kStepLongwords = 16;
constexpr uint64_t kGraceNanoseconds = 1'000'000;  ///< longer than any packet needs from the rule set word to its queue

Access write(image::Region region, uint32_t address, std::vector<uint32_t> values) {
  return {Access::Kind::write, region, address, 0, std::move(values)};
}

struct State {
  enum class Waits : uint8_t { nothing, slow_path, clock, task, switched } waits = Waits::nothing;
  // A command's work in steps, so that the clock goes on meanwhile.
  enum class Task : uint8_t { counters, rules } task = Task::counters;
  std::vector<Access> left;  ///< of the task, from next_left on
  size_t next_left = 0;
  uint64_t cycles_left = 0;
  std::vector<uint32_t> results;     ///< so far
  uint64_t retry_at = ~uint64_t{0};  ///< of the slow path's own timer
  unsigned bank = 0;                 ///< rules and records that count
  uint64_t replaced_at = 0;
  bool replaced = false;
  std::vector<Rule> rules;
  std::string text;
};

class DiffservProgram final : public ControlProgram {
 public:
  explicit DiffservProgram(ProgramSetup setup)
      : setup_(std::move(setup)), slow_path_(ixp1200::make_ipv4_program(setup_.options)) {
    state_.rules = setup_.rules;
  }
  DiffservProgram(const DiffservProgram& other)
      : setup_(other.setup_), slow_path_(other.slow_path_->clone()), state_(other.state_) {}

  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<DiffservProgram>(*this); }
  std::string name() const override { return "diffserv-1200"; }
  std::vector<ControlCount> counts() const override { return slow_path_->counts(); }
  uint64_t packets() const override { return slow_path_->packets(); }
  uint64_t kept() const override { return slow_path_->kept(); }
  std::vector<uint32_t> kept_buffers() const override { return slow_path_->kept_buffers(); }

  Reaction on(const Event& event) override {
    switch (event.kind) {
      case Event::Kind::interrupt: return slow_path(event);
      case Event::Kind::timer: return event.nanoseconds >= state_.retry_at ? slow_path(event) : clock(event);
      case Event::Kind::command: return command(event);
      case Event::Kind::results: break;
    }
    switch (std::exchange(state_.waits, State::Waits::nothing)) {
      case State::Waits::slow_path: return slow_path(event);
      case State::Waits::task:
        state_.results.insert(state_.results.end(), event.results.begin(), event.results.end());
        return step(event);
      case State::Waits::switched: return done(std::exchange(state_.text, {}), event);
      case State::Waits::clock:
      case State::Waits::nothing: break;
    }
    return {};
  }

  Result<bool> check_command(const std::string& line) const override {
    const std::vector<Word> words = split_words(line);
    const auto word = [&](size_t i) { return i < words.size() ? words[i].text : std::string_view{}; };
    const auto wrong = [&](std::string what, std::string remedy) {
      return fail("control-command", {}, fmt::format("'{}': {}", line, what), std::move(remedy));
    };
    if (word(0) == "show" && words.size() == 2 && (word(1) == "rules" || word(1) == "classes")) return true;
    if (word(0) == "show") return wrong("rules or classes can be shown", "write show rules, or show classes");
    if (word(0) == "rules") {
      if (words.size() != 2) return wrong("a rule file is expected", "write rules other.rules");
      const auto read = new_set(line);
      if (!read) return tl::unexpected(read.error());
      return true;
    }
    return wrong(fmt::format("the program diffserv-1200 knows no command '{}'", word(0)),
                 "the commands are show rules, show classes and rules FILE");
  }

 private:
  // ---- the clock
  uint64_t units_at(const Event& event) const {
    constexpr uint64_t kBillion = 1'000'000'000;
    const uint64_t hz = setup_.options.engine_kilohertz * 1000;
    return (event.nanoseconds / kBillion * hz + event.nanoseconds % kBillion * hz / kBillion) * kUnitsPerCycle;
  }
  /// Written from its last longword to its first one: a reader that finds the same in both has a whole one between
  /// them.
  void add_clock(Reaction& reaction, const Event& event) const {
    const uint64_t units = units_at(event);
    const auto high = static_cast<uint32_t>(units >> 32), low = static_cast<uint32_t>(units);
    const std::array<Access, 3> writes{write(image::Region::scratch, kClock + 8, {high}),
                                       write(image::Region::scratch, kClock + 4, {low}),
                                       write(image::Region::scratch, kClock, {high})};
    reaction.accesses.insert(reaction.accesses.begin(), writes.begin(), writes.end());
    reaction.timer_cycles = std::max<uint64_t>(1, setup_.tick_cycles);
  }
  Reaction clock(const Event& event) {
    Reaction out{kClockCycles, {}, false};
    add_clock(out, event);
    state_.waits = State::Waits::clock;
    return out;
  }

  // ---- exceptions, as the forwarder's program does them
  Reaction slow_path(const Event& event) {
    state_.retry_at = ~uint64_t{0};
    Reaction out = slow_path_->on(event);
    if (out.timer_cycles != 0)
      state_.retry_at =
          event.nanoseconds + out.timer_cycles * setup_.settings.tick / std::max<uint64_t>(1, setup_.tick_cycles);
    state_.waits = out.accesses.empty() ? State::Waits::clock : State::Waits::slow_path;
    add_clock(out, event);
    return out;
  }

  // ---- commands
  Reaction done(std::string text, const Event& event) {
    Reaction out = clock(event);
    out.text = std::move(text);
    return out;
  }

  Reaction command(const Event& event) {
    const std::vector<Word> words = split_words(event.command);
    if (words.size() == 2 && words[0].text == "rules") return replace(event);
    if (words.size() == 2 && words[1].text == "rules") {
      std::string text = fmt::format("{} rules", state_.rules.size());
      for (size_t i = 0; i < state_.rules.size(); ++i)
        text += fmt::format("\n  {}: {} : {}", i, classify::to_text(state_.rules[i].match),
                            to_text(state_.rules[i].action));
      return done(std::move(text), event);
    }
    std::vector<Access> reads;
    for (const CounterSetup& c : setup_.figures) reads.push_back({Access::Kind::read, c.region, c.address, 1, {}});
    return begin(State::Task::counters, std::move(reads), 0, event);
  }

  Reaction begin(State::Task task, std::vector<Access> accesses, uint64_t cycles, const Event& event) {
    state_.task = task;
    state_.left = std::move(accesses);
    state_.next_left = 0;
    state_.cycles_left = cycles;
    state_.results.clear();
    return step(event);
  }
  Reaction step(const Event& event) {
    if (state_.cycles_left == 0 && state_.next_left == state_.left.size()) {
      state_.left.clear();
      return state_.task == State::Task::rules ? switch_over(event) : tell_counters(event);
    }
    Reaction out{std::min(state_.cycles_left, kStepCycles), {}, false};
    state_.cycles_left -= out.cycles;
    for (size_t longwords = 0; longwords < kStepLongwords && state_.next_left < state_.left.size();
         ++state_.next_left) {
      out.accesses.push_back(state_.left[state_.next_left]);
      longwords += std::max<size_t>(1, out.accesses.back().values.size());
    }
    add_clock(out, event);
    state_.waits = State::Waits::task;
    return out;
  }
  /// In pieces of a step.
  static void append(std::vector<Access>& list, uint32_t address, const std::vector<uint32_t>& values) {
    for (size_t i = 0; i < values.size(); i += kStepLongwords) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(i);
      const auto to = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), i + kStepLongwords));
      list.push_back(write(image::Region::sram0, address + static_cast<uint32_t>(i) * 4, {from, to}));
    }
  }

  Reaction tell_counters(const Event& event) {
    std::string text, row;
    for (size_t i = 0; i < std::min(setup_.figures.size(), state_.results.size()); ++i) {
      const CounterSetup& c = setup_.figures[i];
      if (state_.results[i] == 0) continue;
      const std::string now = c.port == CounterSetup::kAllPorts ? c.row : fmt::format("port {} {}", c.port, c.row);
      text += fmt::format("{}{} {}",
                          now == row     ? ", "
                          : text.empty() ? now + ": "
                                         : "\n" + now + ": ",
                          c.reason, state_.results[i]);
      row = now;
    }
    return done(text.empty() ? "no packets yet" : text, event);
  }

  struct NewSet {
    std::vector<Rule> rules;
    classify::TableImage table;
  };
  /// For the half of the memory that does not count now.
  Result<NewSet> new_set(const std::string& line) const {
    const std::string path = (std::filesystem::path(setup_.folder) / std::string(split_words(line)[1].text)).string();
    auto rules = read_rules(path);
    if (!rules) return tl::unexpected(std::move(rules.error()));
    if (auto problems = meter_problems(*rules, setup_.options.engine_kilohertz * 1000, setup_.needs);
        problems.has_errors())
      return tl::unexpected(std::move(problems));
    if (!setup_.first_fits_half)
      return fail("control-command", whole_file(path),
                  "the rules of the configuration take more than half of the memory for rules",
                  "replace them by a new configuration");
    auto table = rule_table(*rules, setup_.settings.classifier, kRuleHalves[1 - state_.bank],
                            kRuleHalves[1] - kRuleHalves[0], whole_file(path));
    if (!table) return tl::unexpected(std::move(table.error()));
    return NewSet{std::move(*rules), std::move(*table)};
  }

  Reaction replace(const Event& event) {
    if (state_.replaced && event.nanoseconds < state_.replaced_at + kGraceNanoseconds)
      return done("rules: packets may still be matched by the set before the last one; ask again a millisecond later",
                  event);
    auto set = new_set(event.command);
    if (!set) return done("rules: " + set.error().list().front().text, event);
    const unsigned bank = 1 - state_.bank;
    std::vector<Access> writes;
    append(writes, kBanks[bank],
           record_words(set->rules, setup_.settings, set->table.root, setup_.options.engine_kilohertz * 1000,
                        units_at(event)));
    append(writes, set->table.at, set->table.words);
    const uint64_t cycles = setup_.options.cycles_per_route * set->rules.size();
    state_.text = fmt::format("{} rules in place of {}", set->rules.size(), state_.rules.size());
    state_.rules = std::move(set->rules);
    return begin(State::Task::rules, std::move(writes), cycles, event);
  }
  /// All of the new set stands in memory.
  Reaction switch_over(const Event& event) {
    state_.bank = 1 - state_.bank;
    state_.replaced = true;
    state_.replaced_at = event.nanoseconds;
    Reaction out{0, {write(image::Region::scratch, kRuleSet, {kBanks[state_.bank] / 4})}, false};
    state_.waits = State::Waits::switched;
    return out;
  }

  ProgramSetup setup_;
  std::unique_ptr<ControlProgram> slow_path_;
  State state_;
};

}  // namespace

std::unique_ptr<ControlProgram> make_diffserv_program(ProgramSetup setup) {
  return std::make_unique<DiffservProgram>(std::move(setup));
}

}  // namespace weft::control::diffserv
