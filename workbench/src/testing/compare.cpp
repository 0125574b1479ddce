#include "testing/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "inspect/names.h"
#include "recording/contents.h"
#include "testing/fields.h"
#include "weft/base/paths.h"
#include "weft/packet/decode.h"
#include "weft/packet/difference.h"

namespace weft::workbench::testing {
namespace {

using packet::Bytes;

std::string hex(const Bytes& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % 16 == 0) text += fmt::format("{}      {:04x} ", i == 0 ? "" : "\n", i);
    text += fmt::format(" {:02x}", bytes[i]);
  }
  return text;
}

/// Rows of 16 octets of both frames where they differ, with a mark below each octet that does.
std::string octet_rows(const Bytes& wanted, const Bytes& got) {
  std::string text;
  const size_t rows = (std::max(wanted.size(), got.size()) + 15) / 16;
  const auto row_of = [](const Bytes& bytes, size_t row) {
    std::string line;
    for (size_t i = 16 * row; i < 16 * row + 16; ++i)
      line += i < bytes.size() ? fmt::format(" {:02x}", bytes[i]) : "   ";
    return line;
  };
  for (size_t row = 0; row < rows; ++row) {
    const std::string left = row_of(wanted, row), right = row_of(got, row);
    if (left == right) continue;
    std::string marks;
    for (size_t i = 0; i < left.size(); ++i) marks += left[i] == right[i] ? ' ' : '^';
    while (!marks.empty() && marks.back() == ' ') marks.pop_back();
    text += fmt::format("      {:04x} expected{}\n           got     {}\n                   {}\n", 16 * row, left,
                        right, marks);
  }
  return text;
}

class Comparison {
 public:
  Comparison(Session& session, const Case& test, const Expectations& expect, const SourceRange& range,
             const Counted& before, std::vector<Difference>& out)
      : session_(session),
        expect_(expect),
        range_(range),
        before_(before),
        out_(out),
        where_(test.project_file.empty() ? 0 : -1) {}

  void values() {
    for (const Longwords& words : expect_.values) {
      for (size_t i = 0; i < words.values.size(); ++i) {
        const auto place = nth_place(words.place, i);
        if (!place) {
          add(words.range, fmt::format("'{}' is not a memory at a number: one value is expected of it", words.place));
          break;
        }
        const auto got = evaluate(*place, words.range);
        const auto wanted = evaluate(words.values[i], words.range);
        if (!got || !wanted || ((*got ^ *wanted) & words.mask) == 0) continue;
        const auto value = static_cast<uint32_t>(*got), expected = static_cast<uint32_t>(*wanted);
        const std::string name = words.values.size() == 1
                                     ? printable(words.place)
                                     : fmt::format("{} and {} longwords", printable(words.place), i);
        add(words.range, fmt::format("{} is {:#x} ({}), expected {:#x} ({}){}", name, value, value, expected, expected,
                                     words.mask == 0xffffffff ? "" : fmt::format(" in the bits {:#x}", words.mask)));
        out_.back().place = *place;
      }
    }
  }

  void frames() {
    if (!expect_.out) return;
    std::vector<size_t> taken(session_.ports());
    std::vector<std::vector<Session::SentFrame>> sent;
    for (unsigned port = 0; port < session_.ports(); ++port) {
      sent.push_back(session_.sent(port));
      const size_t gone = port < before_.frames.size() ? before_.frames[port] : 0;
      sent.back().erase(sent.back().begin(), sent.back().begin() + static_cast<std::ptrdiff_t>(gone));
    }
    for (const ExpectedFrame& wanted : *expect_.out) {
      if (wanted.port >= sent.size()) {
        add(wanted.range, fmt::format("the board has no port {}", wanted.port));
        continue;
      }
      const size_t number = taken[wanted.port]++;
      if (number >= sent[wanted.port].size()) {
        add(wanted.range,
            fmt::format("frame {} did not leave by port {}{}", number + 1, wanted.port,
                        wanted.fields.empty() ? "; expected " + packet::one_line(packet::decode(wanted.bytes)) : ""));
        continue;
      }
      const size_t before = out_.size();
      const Session::SentFrame& got = sent[wanted.port][number];
      const std::optional<size_t> octet =
          wanted.fields.empty() ? frame(wanted, got.bytes, number) : fields(wanted, got.bytes, number);
      if (out_.size() > before) out_.back().frame = wrong(wanted.port, number, octet, got.at);
      time(wanted, sent[wanted.port][number].at, number);
    }
    for (unsigned port = 0; port < sent.size(); ++port) {
      for (size_t i = taken[port]; i < sent[port].size() && i < taken[port] + 4; ++i)
        add(range_,
            fmt::format("port {} sent frame {}, which nobody expects: {}\n{}", port, i + 1,
                        packet::one_line(packet::decode(sent[port][i].bytes)), hex(sent[port][i].bytes)),
            wrong(port, i, std::nullopt, sent[port][i].at));
      if (sent[port].size() > taken[port] + 4)
        add(range_, fmt::format("and {} more from port {}", sent[port].size() - taken[port] - 4, port));
    }
  }

  void reasons(const std::map<std::string, Amount>& wanted, const std::map<std::string, uint64_t>& counted,
               const std::map<std::string, uint64_t>& earlier, bool to_core) {
    const char* what = to_core ? "packets handed to the control processor" : "packets dropped";
    const auto in = [](const std::map<std::string, uint64_t>& counts, const std::string& reason) {
      const auto found = counts.find(reason);
      return found == counts.end() ? 0 : found->second;
    };
    const std::set<std::string> declared = SessionContents::reasons(session_, to_core);
    for (const auto& [reason, expected] : wanted) {
      // Nothing can count it, so that 0 would always be right.
      if (declared.contains(reason))
        amount(expected, in(counted, reason) - in(earlier, reason),
               fmt::format("{} for '{}'", what, printable(reason)));
      else
        add(expected.range, fmt::format("{} for '{}': {}", what, printable(reason), undeclared(declared, to_core)));
    }
    for (const auto& [reason, all] : counted) {
      const uint64_t number = all - in(earlier, reason);
      if (number > 0 && !wanted.contains(reason))
        add(range_, fmt::format("{} for '{}': {}, expected none", what, printable(reason), number));
    }
  }

  void amount(const Amount& wanted, uint64_t got, const std::string& what) {
    if (got >= wanted.min && got <= wanted.max) return;
    const std::string bounds = wanted.min == wanted.max   ? fmt::format("{}", wanted.min)
                               : wanted.max == UINT64_MAX ? fmt::format("at least {}", wanted.min)
                               : wanted.min == 0          ? fmt::format("at most {}", wanted.max)
                                                          : fmt::format("{} to {}", wanted.min, wanted.max);
    add(wanted.range, fmt::format("{}: {}, expected {}", what, got, bounds));
  }

 private:
  /// Why no reason of such a name is in `declared`, and which ones are.
  static std::string undeclared(const std::set<std::string>& declared, bool to_core) {
    if (declared.empty())
      return fmt::format("no reason is declared for which packets are {}", to_core ? "handed to it" : "dropped");
    std::string names;
    for (const std::string& name : declared) names += fmt::format("{}{}", names.empty() ? "" : ", ", printable(name));
    return "no such reason is declared; declared are " + names;
  }

  void add(const SourceRange& range, std::string text, std::optional<WrongFrame> frame = {}) {
    out_.push_back({range, std::move(text)});
    out_.back().frame = frame;
  }
  /// `number` counts from the earlier part of the run on.
  WrongFrame wrong(unsigned port, size_t number, std::optional<size_t> octet, emulator::Tick at) const {
    return {port, number + (port < before_.frames.size() ? before_.frames[port] : 0), octet, at};
  }

  std::optional<int64_t> evaluate(const std::string& expression, const SourceRange& range) {
    const auto value = session_.evaluate(expression, where_, where_);
    if (value) return *value;
    const Diagnostic& d = value.error().list().front();
    add(range, fmt::format("'{}': {}{}", expression, d.text, d.remedy.empty() ? "" : "; " + d.remedy));
    return std::nullopt;
  }

  /// Gives the first octet that is wrong.
  std::optional<size_t> frame(const ExpectedFrame& wanted, const Bytes& got, size_t number) {
    auto fields = packet::differences(wanted.bytes, got);
    std::erase_if(fields, [this](const packet::FieldDifference& d) {
      return std::find(expect_.ignored.begin(), expect_.ignored.end(), d.layer + "." + d.field) !=
             expect_.ignored.end();
    });
    if (fields.empty()) return std::nullopt;
    std::string text =
        fmt::format("frame {} from port {} is not as expected (expected -> got):\n", number + 1, wanted.port);
    for (const packet::FieldDifference& d : fields)
      text += fmt::format("      {}{}{} (octet {}): {} -> {}\n", d.layer, d.field.empty() ? "" : ".", d.field, d.octet,
                          d.left.empty() ? "(missing)" : d.left, d.right.empty() ? "(missing)" : d.right);
    text += octet_rows(wanted.bytes, got);
    text.pop_back();
    add(wanted.range, text);
    size_t octet = SIZE_MAX;
    for (const packet::FieldDifference& d : fields) octet = std::min(octet, d.octet);
    while (octet < std::min(got.size(), wanted.bytes.size()) && got[octet] == wanted.bytes[octet]) ++octet;
    return octet;
  }

  /// Fields that were named; all others may be anything.
  std::optional<size_t> fields(const ExpectedFrame& wanted, const Bytes& got, size_t number) {
    const packet::DecodedFrame decoded = packet::decode(got);
    std::string text;
    std::optional<size_t> octet;
    for (const ExpectedField& field : wanted.fields) {
      size_t left = field.nth;
      const auto layer = std::ranges::find_if(
          decoded.layers, [&](const packet::DecodedLayer& l) { return l.name == field.layer && --left == 0; });
      const packet::DecodedField* in_frame = nullptr;
      if (layer != decoded.layers.end())
        for (const packet::DecodedField& f : layer->fields)
          if (in_frame == nullptr && f.name == field.field) in_frame = &f;
      if (matches(field, in_frame, got)) continue;
      const std::string found = in_frame == nullptr ? "" : in_frame->text;
      if (in_frame != nullptr) octet = std::min(octet.value_or(SIZE_MAX), in_frame->bit / 8);
      const uint64_t mask = field.mask.value_or(UINT64_MAX);
      text +=
          fmt::format("\n      {}: {}{} -> {}", name_of(field), field.value,
                      field.mask ? fmt::format(" in the bits {:#x}", mask) : "", found.empty() ? "(missing)" : found);
    }
    if (!text.empty())
      add(wanted.range, fmt::format("frame {} from port {} is not as expected (expected -> got):{}\n      it is {}",
                                    number + 1, wanted.port, text, packet::one_line(decoded)));
    return octet;
  }

  void time(const ExpectedFrame& wanted, emulator::Tick at, size_t number) {
    if (!wanted.after && !wanted.before) return;
    // All boards count a whole number of ticks in a microsecond.
    const auto per_us = static_cast<uint64_t>(
        std::lround(session_.report().clock_hz * static_cast<double>(session_.machine().timing().period) / 1e6));
    const uint64_t got = at / per_us * 1000 + at % per_us * 1000 / per_us;
    if (wanted.after && got < *wanted.after)
      add(wanted.range, fmt::format("frame {} left port {} at {} ns, expected at {} ns or later", number + 1,
                                    wanted.port, got, *wanted.after));
    if (wanted.before && got > *wanted.before)
      add(wanted.range, fmt::format("frame {} left port {} at {} ns, expected at {} ns or earlier", number + 1,
                                    wanted.port, got, *wanted.before));
  }

  Session& session_;
  const Expectations& expect_;
  const SourceRange& range_;
  const Counted& before_;
  std::vector<Difference>& out_;
  int where_;  ///< engine and context of names without one
};

}  // namespace

std::optional<std::string> nth_place(const std::string& place, size_t index) {
  if (index == 0) return place;
  const size_t open = place.find('[');
  if (open == std::string::npos || place.back() != ']') return std::nullopt;
  const std::string inside = place.substr(open + 1, place.size() - open - 2);
  const auto address = parse_number(inside);
  const std::string memory = place.substr(0, open);
  if (!address) {
    // A name, or what is calculated of names. "a[x] + b[y]" is not a memory.
    const size_t chip = memory.find(": ");
    const std::string bare = chip == std::string::npos ? memory : memory.substr(chip + 2);
    if (!takes_index(bare) || inside.find(']') < inside.find('[')) return std::nullopt;
    const bool counts_longwords = bare == "lm" || bare.ends_with(".lm");
    return fmt::format("{}[({}) + {}]", memory, inside, index * (counts_longwords ? size_t{1} : size_t{4}));
  }
  if (memory == "lm" || memory.ends_with(".lm"))
    return fmt::format("{}[{}]", memory, *address + index);  // counts longwords
  if (place.starts_with("me")) return std::nullopt;
  return fmt::format("{}[{:#x}]", place.substr(0, open), *address + 4 * index);
}

Diagnostics at_place(const Diagnostics& problems, const SourceRange& range, const std::string& expression) {
  return problems.changed([&](Diagnostic& d) {
    d.range = range;
    d.text = fmt::format("'{}': {}", expression, d.text);
  });
}

Counted count(Session& session) {
  Counted counted;
  for (unsigned port = 0; port < session.ports(); ++port) counted.frames.push_back(session.sent(port).size());
  const Report report = session.report();
  for (const ReasonFigures& f : report.drops) counted.drops[f.reason] += f.count;
  for (const ReasonFigures& f : report.exceptions) counted.exceptions[f.reason] += f.count;
  counted.costs = {session.board().instructions(), session.board().now() / session.machine().timing().period};
  return counted;
}

void compare(Session& session, const Case& test, const Expectations& expect, const SourceRange& range,
             const Counted& before, std::vector<Difference>& out) {
  Comparison comparison(session, test, expect, range, before, out);
  comparison.values();
  comparison.frames();
  const Counted now = count(session);
  if (expect.drops) comparison.reasons(*expect.drops, now.drops, before.drops, false);
  if (expect.exceptions) comparison.reasons(*expect.exceptions, now.exceptions, before.exceptions, true);
  if (expect.instructions)
    comparison.amount(*expect.instructions, now.costs.instructions - before.costs.instructions, "instructions");
  if (expect.cycles) comparison.amount(*expect.cycles, now.costs.cycles - before.costs.cycles, "cycles");
}

}  // namespace weft::workbench::testing
