#include "project/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "weft/base/limits.h"
#include "weft/control/control.h"

namespace weft::workbench {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The first word; `text` keeps the rest.
std::string_view take_word(std::string_view& text) {
  const size_t end = text.find_first_of(" \t");
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : trimmed(text.substr(end));
  return word;
}

std::optional<uint64_t> read_number(std::string_view text, std::string_view& unit) {
  uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  unit = trimmed(text.substr(static_cast<size_t>(stop - text.data())));
  return value;
}

class Parser {
 public:
  Parser(const SourceFilePtr& source, const EvalContext& scene, const CommandContext& context)
      : source_(source), scene_(scene), context_(context) {}

  Result<std::vector<ControlCommand>> all() {
    for (uint32_t n = 1; n <= source_->line_count(); ++n) {
      const std::string_view text = trimmed(source_->line(n));
      if (text.empty() || text.front() == '#') continue;
      line_ = n;
      part_ = {};
      if (is_enough(out_, here())) break;
      if (auto command = one(text)) commands_.push_back(std::move(*command));
    }
    if (out_.has_errors()) return tl::unexpected(std::move(out_));
    return std::move(commands_);
  }

 private:
  /// The part of the line that is looked at, or all of it.
  SourceRange here() const {
    const std::string_view line = source_->line(line_);
    const size_t begin = part_.empty() ? 0 : static_cast<size_t>(part_.data() - line.data());
    const size_t end = part_.empty() ? line.size() : begin + part_.size();
    SourceRange range;
    range.file = source_;
    range.begin = {line_, static_cast<uint32_t>(begin) + 1};
    range.end = {line_, static_cast<uint32_t>(end) + 1};
    return range;
  }
  std::nullopt_t wrong(const std::string& what, const std::string& remedy) {
    out_.error("command-line", here(), what, remedy);
    return std::nullopt;
  }
  std::nullopt_t wrong(const Diagnostics& why) {
    out_.append(why.changed([this](Diagnostic& d) {
      if (!d.range.file)
        d.range = here();
      else
        d.notes.push_back({here(), "the command is here"});
    }));
    return std::nullopt;
  }

  std::optional<ControlCommand> one(std::string_view text) {
    ControlCommand command;
    const size_t colon = text.find(':');
    std::string_view head = text.substr(0, colon);
    if (colon == std::string_view::npos || take_word(head) != "at")
      return wrong("a line begins with 'at', a time and a colon", "for example: at 10000: write scratch[0x100] = 5");
    unsigned chip = context_.default_chip;
    if (const size_t on = head.find(" on "); on != std::string_view::npos) {
      const std::string name(trimmed(head.substr(on + 4)));
      head = trimmed(head.substr(0, on));
      const auto known = std::find(context_.chips.begin(), context_.chips.end(), name);
      if (name.empty() || known == context_.chips.end()) {
        if (context_.chip != 0) return std::nullopt;  // said once
        return wrong(fmt::format("there is no chip '{}'", name),
                     context_.chips.size() < 2 ? "the board has one chip: leave 'on' out"
                                               : fmt::format("the chips are {}", fmt::join(context_.chips, ", ")));
      }
      chip = static_cast<unsigned>(known - context_.chips.begin());
    }
    if (chip != context_.chip) return std::nullopt;
    std::string_view unit;
    if (const auto value = read_number(head, unit); value && unit == "packets") {
      command.by_packets = true;
      command.at = *value;
    } else if (const auto ticks = parse_time(head, scene_)) {
      command.at = *ticks;
    } else if (const auto largest = largest_of(head, scene_)) {
      part_ = head;
      return wrong(fmt::format("'{}' is more than a run can hold", head), "the largest is " + *largest);
    } else {
      part_ = head;
      return wrong(fmt::format("'{}' is not a time", head),
                   "write 10000 (engine cycles), 20us, 5ms, 1s or 100 packets");
    }
    std::string_view rest = trimmed(text.substr(colon + 1));
    command.line = std::string(rest);
    const std::string_view verb = take_word(rest);
    if (verb == "write") return write(std::move(command), rest);
    if (verb == "print") {
      part_ = rest;
      auto parsed = Template::parse(rest, scene_, {});
      if (!parsed) return wrong(parsed.error());
      command.what = ControlCommand::What::print;
      command.text = std::move(*parsed);
      return command;
    }
    if (verb == "load") return load(std::move(command), rest);
    if (!context_.program) {
      part_ = verb;
      return wrong(fmt::format("there is no command '{}'", verb),
                   "the commands are write, print and load; the project has no control program that could know others");
    }
    if (auto known = context_.program->check_command(command.line); !known) return wrong(known.error());
    auto rules = context_.program->compiled_rules(command.line);
    if (!rules) return wrong(rules.error());
    if (!rules->empty()) {
      auto stores = context_.compile(*rules);
      if (!stores) return wrong(stores.error());
      command.stores = std::move(*stores);
    }
    return command;
  }

  std::optional<ControlCommand> write(ControlCommand command, std::string_view rest) {
    size_t equals = rest.find('=');
    while (equals != std::string_view::npos &&
           (rest.substr(equals).starts_with("==") ||
            (equals > 0 && std::string_view("=!<>").find(rest[equals - 1]) != std::string_view::npos)))
      equals = rest.find('=', equals + 1);
    if (equals == std::string_view::npos)
      return wrong("'=' is missing", "write PLACE = VALUE, for example write scratch[0x100] = 5");
    const std::string_view left = trimmed(rest.substr(0, equals)), right = trimmed(rest.substr(equals + 1));
    auto place = Expression::parse(left, scene_, {});
    auto value = Expression::parse(right, scene_, {});
    part_ = left;
    if (!place) return wrong(place.error());
    part_ = right;
    if (!value) return wrong(value.error());
    part_ = left;
    if (!place->place())
      return wrong(fmt::format("'{}' is not a place", place->text()),
                   "name a register, a local CSR or a longword of a memory");
    if (auto possible = check_write(*place->place(), {}); !possible) return wrong(possible.error());
    part_ = right;
    command.what = ControlCommand::What::write;
    command.place = std::move(*place);
    command.value = std::move(*value);
    if (const auto& on = command.value->depends(); on.engines || on.units || on.time) return command;
    if (auto fixed = command.word(scene_); !fixed) return wrong(fixed.error());
    return command;
  }

  std::optional<ControlCommand> load(ControlCommand command, std::string_view rest) {
    std::string_view none;
    const auto engine = read_number(take_word(rest), none);
    if (!engine || !none.empty() || *engine >= scene_.machine->engine_count() || rest.empty())
      return wrong("a microengine and a file are expected",
                   fmt::format("write load 0 file.uc; microengines are 0 to {}", scene_.machine->engine_count() - 1));
    auto loaded = context_.load(std::string(rest), static_cast<unsigned>(*engine));
    if (!loaded) return wrong(loaded.error());
    command.what = ControlCommand::What::load;
    command.stores.push_back({static_cast<unsigned>(*engine), std::move(loaded->second), std::move(loaded->first)});
    return command;
  }

  SourceFilePtr source_;
  const EvalContext& scene_;
  const CommandContext& context_;
  uint32_t line_ = 0;
  std::string_view part_;  ///< of this line
  std::vector<ControlCommand> commands_;
  Diagnostics out_;
};

}  // namespace

bool ControlCommand::is_due(const EvalContext& scene) const {
  return by_packets ? scene.figure(Figure::packets) >= at : scene.machine->now() >= at;
}

Result<uint32_t> ControlCommand::word(const EvalContext& scene) const {
  const auto number = value->evaluate(scene, {});
  if (!number) return tl::unexpected(number.error());
  if (*number >= INT32_MIN && *number <= int64_t{UINT32_MAX}) return static_cast<uint32_t>(*number);
  return fail("command-line", {}, fmt::format("{} does not fit into the 32 bits of '{}'", *number, place->text()),
              "write a value from -2147483648 to 4294967295; bits(VALUE, 31, 0) are the low bits of one");
}

namespace {

/// Ticks of a unit of time; nothing when it is none.
std::optional<uint64_t> ticks_of(std::string_view unit, const EvalContext& scene) {
  if (unit.empty() || unit == "cycles") return scene.machine->timing().period;
  if (unit == "ns") return scene.ticks_per_second / 1'000'000'000;
  if (unit == "us") return scene.ticks_per_second / 1'000'000;
  if (unit == "ms") return scene.ticks_per_second / 1'000;
  if (unit == "s") return scene.ticks_per_second;
  return std::nullopt;
}

}  // namespace

std::optional<uint64_t> parse_time(std::string_view text, const EvalContext& scene) {
  std::string_view unit;
  const auto value = read_number(trimmed(text), unit);
  const auto each = value ? ticks_of(unit, scene) : std::nullopt;
  if (!each || (*each != 0 && *value > UINT64_MAX / *each)) return std::nullopt;
  return *value * *each;
}

std::optional<std::string> largest_of(std::string_view text, const EvalContext& scene) {
  const std::string_view limit = trimmed(text);
  const size_t digits = std::min(limit.find_first_not_of("0123456789"), limit.size());
  const std::string_view unit = trimmed(limit.substr(digits));
  const auto each = unit == "packets" ? std::optional<uint64_t>(1) : ticks_of(unit, scene);
  if (digits == 0 || !each || *each == 0) return std::nullopt;
  const uint64_t largest = UINT64_MAX / *each;
  std::string_view same;
  if (const auto value = read_number(limit, same); value && *value <= largest) return std::nullopt;
  if (unit.empty()) return fmt::format("{} cycles", largest);
  return fmt::format("{}{}{}", largest, unit.size() > 2 ? " " : "", unit);
}

std::optional<Limits> parse_limits(std::string_view text, const EvalContext& scene, emulator::Tick period) {
  Limits out;
  std::string_view unit;
  if (const auto value = read_number(trimmed(text), unit); value && unit == "packets") {
    out.packets = *value;
    return out;
  }
  const auto ticks = parse_time(text, scene);
  if (!ticks) return std::nullopt;
  out.cycles = *ticks / period + (*ticks % period != 0 ? 1 : 0);
  return out;
}

Result<std::vector<ControlCommand>> parse_commands(const SourceFilePtr& source, const EvalContext& scene,
                                                   const CommandContext& context) {
  return Parser(source, scene, context).all();
}

}  // namespace weft::workbench
