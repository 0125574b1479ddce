// The router's program does what it does for routers; the firewall's own commands are answered here. One command is
// worked on at a time, and while it waits for results they are its own.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "firewall/connections.h"
#include "firewall/firewall.h"
#include "firewall/routed_program.h"
#include "table_memory.h"
#include "weft/control/route_file.h"

namespace weft::control::firewall {

namespace {

constexpr uint32_t kEntriesAtOnce = 32;
constexpr uint32_t kUsualShown = 20;

class FirewallProgram : public RoutedProgram {
 public:
  FirewallProgram(std::unique_ptr<ControlProgram> router, RuleCommands rules, const FirewallMemory& memory)
      : RoutedProgram(std::move(router), std::move(rules)), memory_(memory) {}

  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<FirewallProgram>(*this); }
  std::string name() const override { return "firewall"; }

  Reaction on(const Event& event) override {
    if (event.kind == Event::Kind::results) {
      if (rules_.busy()) return rules_.results(event);
      switch (std::exchange(waits_, Waits::nothing)) {
        case Waits::nothing: return router_->on(event);
        case Waits::now: return begin_show(event.results);
        case Waits::entries: return entries(event.results);
        case Waits::counters: return counters(event.results);
      }
    }
    if (event.kind != Event::Kind::command) return router_->on(event);
    const auto own = parse(event.command);
    if (!own) return RuleCommands::is_command(event.command) ? rules_.command(event) : router_->on(event);
    Reaction out;
    if (own->counters) {
      out.accesses.push_back({Access::Kind::read, image::Region::scratch, kCountersBase, kPorts * kReasons, {}});
      out.accesses.push_back({Access::Kind::read, image::Region::scratch, kRunning, kRunningLongwords, {}});
      waits_ = Waits::counters;
      return out;
    }
    wanted_ = own->show;
    out.accesses.push_back({Access::Kind::read, image::Region::scratch, kRunning + kNow * 4, 1, {}});
    waits_ = Waits::now;
    return out;
  }

  Result<bool> check_command(const std::string& command) const override {
    const auto words = split_words(command);
    const auto word = [&](size_t i) { return i < words.size() ? words[i].text : std::string_view{}; };
    if (word(0) == "show" && word(1) == "connections" && !parse(command)) {
      return fail("control-command", {},
                  fmt::format("'{}': after connections stands nothing or how many are shown", command),
                  "write show connections 20");
    }
    if (word(0) == "show" && word(1) != "route" && !parse(command)) {
      return fail("control-command", {}, fmt::format("'{}': connections or a route can be shown", command),
                  "write show connections 20, show route 192.0.2.0/24, or show route 192.0.2.9");
    }
    if (RuleCommands::is_command(command)) return rules_.check(command);
    return parse(command) ? Result<bool>(true) : router_->check_command(command);
  }

 private:
  enum class Waits : uint8_t { nothing, now, entries, counters };
  struct Command {
    bool counters = false;
    uint32_t show = 0;
  };

  static std::optional<Command> parse(const std::string& line) {
    const auto words = split_words(line);
    if (words.size() == 1 && words[0].text == "counters") return Command{true, 0};
    if (words.size() < 2 || words.size() > 3 || words[0].text != "show" || words[1].text != "connections")
      return std::nullopt;
    if (words.size() == 2) return Command{false, kUsualShown};
    uint32_t count = 0;
    const std::string_view text = words[2].text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return Command{false, count};
  }

  // ---- show connections: all entries are read, so that their number is right, a burst at a time
  Reaction begin_show(const std::vector<uint32_t>& values) {
    now_ = values.empty() ? 0 : values[0];
    next_entry_ = used_ = 0;
    text_.clear();
    return more_entries();
  }

  Reaction more_entries() {
    Reaction out;
    asked_ = std::min(kEntriesAtOnce, memory_.entry_count - next_entry_);
    const uint32_t at = memory_.entry(next_entry_);
    out.accesses.push_back({Access::Kind::read, region_of(at), byte_of(at), asked_ * kEntryLongwords, {}});
    waits_ = Waits::entries;
    return out;
  }

  Reaction entries(const std::vector<uint32_t>& values) {
    for (uint32_t i = 0; i < asked_ && size_t{i + 1} * kEntryLongwords <= values.size(); ++i) {
      const Connection c = connection_of(
          std::span<const uint32_t, kEntryLongwords>(&values[size_t{i} * kEntryLongwords], kEntryLongwords));
      if (!c.used()) continue;
      if (used_++ < wanted_) text_ += to_text(c, &now_) + "\n";
    }
    next_entry_ += asked_;
    if (next_entry_ < memory_.entry_count) return more_entries();
    Reaction out;
    out.text = fmt::format("{}{} of {} connections in use", text_, used_, memory_.entry_count);
    text_.clear();
    return out;
  }

  Reaction counters(const std::vector<uint32_t>& values) {
    Reaction out;
    if (values.size() < kPorts * kReasons + kRunningLongwords) return out;
    const auto add = [&](uint32_t number, std::string_view name, bool drop) {
      for (unsigned port = 0; port < kPorts; ++port) {
        if (const uint32_t count = values[port * kReasons + number]; count != 0) {
          out.text +=
              fmt::format("{} port {} {}: {}\n", drop ? "dropped" : "to the control processor", port, name, count);
        }
      }
    };
    for (uint32_t number = 1; number < kReasons; ++number) {
      const auto own =
          std::ranges::find(kFirewallReasonNames, static_cast<FirewallReason>(number), &FirewallReasonName::reason);
      const std::string_view name = own != kFirewallReasonNames.end() ? own->name : reason_name(number);
      if (!name.empty()) add(number, name, is_drop(static_cast<Reason>(number)));
    }
    const uint32_t* running = &values[size_t{kPorts} * kReasons];
    out.text += fmt::format("connections: {} accepted, {} entries given back, {} of them by time-out, tick {}",
                            running[kCreated], running[kReleased], running[kExpired], running[kNow]);
    return out;
  }

  FirewallMemory memory_;
  Waits waits_ = Waits::nothing;
  uint32_t next_entry_ = 0, asked_ = 0, wanted_ = 0, used_ = 0, now_ = 0;
  std::string text_;
};

}  // namespace

std::unique_ptr<ControlProgram> make_firewall_program(std::unique_ptr<ControlProgram> router, RuleCommands rules,
                                                      const FirewallMemory& memory) {
  return std::make_unique<FirewallProgram>(std::move(router), std::move(rules), memory);
}

}  // namespace weft::control::firewall
