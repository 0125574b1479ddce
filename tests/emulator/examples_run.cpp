// Every worked example of the ISA, run on an engine with the units of a real board. The notation is described in
// lib/isa/README.md; an unknown place is a failure, not a skip.
#include <catch2/catch.hpp>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"

using namespace weft;
using emulator::MemorySpace;

namespace {

const emulator::ChipOnBoard& chip(isa::Profile profile) {
  static const auto me1 = emulator::load_board("generic-1200", {WEFT_SOURCE_DIR "/emulator"});
  static const auto me2 = emulator::load_board("generic-2400", {WEFT_SOURCE_DIR "/emulator"});
  const auto& board = profile == isa::Profile::me1 ? me1 : me2;
  if (!board) throw std::runtime_error(render_text(board.error()));
  return board->chips[0];
}

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

uint32_t number(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::runtime_error("no number: " + std::string(text));
  return value;
}

std::vector<uint32_t> numbers(const std::string& text) {
  std::vector<uint32_t> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) out.push_back(number(word));
  return out;
}

/// The index of "name[3]", when `place` begins with "name[".
std::optional<uint32_t> index_of(const std::string& place, const std::string& name) {
  if (!place.starts_with(name + "[") || !place.ends_with("]")) return std::nullopt;
  return number(std::string_view(place).substr(name.size() + 1, place.size() - name.size() - 2));
}
/// The rest of "name 3" or "$in3".
std::optional<std::string> rest_of(const std::string& place, const std::string& prefix) {
  if (!place.starts_with(prefix)) return std::nullopt;
  return trim(std::string_view(place).substr(prefix.size()));
}
bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

class Run {
 public:
  explicit Run(isa::Profile profile)
      : profile_(profile), machine_(emulator::MachineDescription(chip(profile).chip)), units_(chip(profile), machine_) {
    machine_.attach(units_);
    machine_.start(0, 1);
  }

  void execute(std::string_view code) {
    const std::string text = ".registers physical\n" + std::string(code) + "\nhalt\n";
    assembler::Options options;
    options.profile = profile_;
    options.chip = chip(profile_).chip.name;
    const auto assembly = assembler::assemble(make_source("example.uc", text), options);
    if (!assembly.image) throw std::runtime_error("does not assemble: " + render_text(assembly.diagnostics));
    machine_.load(0, assembly.image->words);
    stop_ = machine_.run_until(20000 * machine_.timing().period);
    if (stop_.kind == emulator::StopKind::halted) machine_.run_until(20000 * machine_.timing().period);  // units finish
  }

  void set(const std::string& place, const std::string& value) {
    if (uint32_t* at = longword(place)) {
      *at = number(value);
    } else if (bool* flag = code(place)) {
      *flag = number(value) != 0;
    } else if (const auto csr = rest_of(place, "csr ")) {
      machine_.write_csr(0, local_csr(*csr), number(value));
    } else if (const auto entry = index_of(place, "cam")) {
      const auto slash = value.find('/');
      state().cam.tag.at(*entry) = number(value.substr(0, slash));
      state().cam.state.at(*entry) = static_cast<uint8_t>(number(value.substr(slash + 1)));
    } else if (const auto signal = rest_of(place, "signal ")) {
      const auto bit = static_cast<uint16_t>(1u << number(*signal));
      uint16_t& signals = state().contexts[0].signals;
      signals = static_cast<uint16_t>(number(value) ? signals | bit : signals & ~bit);
    } else if (const auto memory = memory_at(place)) {
      host().write(memory->first, memory->second, number(value));
    } else if (const auto ring = rest_of(place, "ring ")) {
      set_ring(number(*ring), value);
    } else if (const auto queue = rest_of(place, "queue ")) {
      const auto v = numbers(value);
      host().set_queue(0, number(*queue), {v.at(0), v.at(1), v.at(2), 0});
    } else if (const auto cap = rest_of(place, "cap ")) {
      host().write_cap(number(*cap), number(value));
    } else if (const auto msf = index_of(place, "msf")) {
      host().write_msf(*msf, number(value), machine_.now());
    } else if (const auto fbi = rest_of(place, "fbi ")) {
      host().write_cap(fbi_csr(*fbi), number(value));
    } else if (const auto rfifo = index_of(place, "rfifo")) {
      host().write_rfifo(*rfifo, number(value));
    } else if (const auto lock = rest_of(place, "lock ")) {
      if (number(value) == 0 || !host().lock(number(*lock))) throw std::runtime_error("no lock free for " + place);
    } else if (const auto list = rest_of(place, "list ")) {
      host().set_list(number(*list), value == "empty" ? std::vector<uint32_t>{} : numbers(value));
    } else {
      throw std::runtime_error("unknown place " + place);
    }
  }

  /// What stands in a place, written like `expected`.
  std::string get(const std::string& place, const std::string& expected) {
    if (uint32_t* at = longword(place)) return like(expected, *at);
    if (bool* flag = code(place)) return *flag ? "1" : "0";
    if (const auto csr = rest_of(place, "csr ")) return like(expected, machine_.read_csr(0, local_csr(*csr)));
    if (const auto entry = index_of(place, "cam")) {
      const auto slash = expected.find('/');
      return like(expected.substr(0, slash), state().cam.tag.at(*entry)) + "/" +
             like(expected.substr(slash + 1), state().cam.state.at(*entry));
    }
    if (const auto signal = rest_of(place, "signal "))
      return (state().contexts[0].signals >> number(*signal) & 1) != 0 ? "1" : "0";
    if (const auto memory = memory_at(place)) return like(expected, host().read(memory->first, memory->second));
    if (const auto ring = rest_of(place, "ring ")) return ring_text(number(*ring), expected);
    if (const auto queue = rest_of(place, "queue ")) {
      const auto v = host().queue(0, number(*queue));
      return list_like(expected, {v.head, v.tail, v.count});
    }
    if (const auto cap = rest_of(place, "cap ")) return like(expected, host().read_cap(number(*cap)));
    if (const auto msf = index_of(place, "msf")) return like(expected, host().read_msf(*msf));
    if (const auto tbuf = index_of(place, "tbuf")) return like(expected, host().read_tbuf(*tbuf));
    if (const auto fbi = rest_of(place, "fbi ")) return like(expected, host().read_cap(fbi_csr(*fbi)));
    if (const auto rfifo = index_of(place, "rfifo")) return like(expected, host().read_rfifo(*rfifo));
    if (const auto tfifo = index_of(place, "tfifo")) return like(expected, host().read_tfifo(*tfifo));
    if (const auto lock = rest_of(place, "lock ")) return host().locked(number(*lock)) ? "1" : "0";
    if (const auto list = rest_of(place, "list ")) return list_like(expected, host().list(number(*list)));
    if (place == "pc") return like(expected, state().contexts[0].pc);
    if (place == "halted") return stop_.kind == emulator::StopKind::halted ? "1" : "0";
    if (place == "context") {
      constexpr const char* names[] = {"inactive", "executing", "ready", "sleep"};
      return names[static_cast<size_t>(state().contexts[0].state)];
    }
    throw std::runtime_error("unknown place " + place);
  }
  std::string stop_text() const { return to_text(stop_); }
  emulator::StopKind stop() const { return stop_.kind; }

 private:
  emulator::EngineState& state() { return machine_.state(0); }
  emulator::HostPort& host() { return units_.host(); }

  /// The number as text, spelled as in `expected` when it is the same number.
  static std::string like(const std::string& expected, uint32_t value) {
    if (number(expected) == value) return expected;
    char text[16];
    std::snprintf(text, sizeof text, "0x%x", value);
    return text;
  }
  static std::string list_like(const std::string& expected, const std::vector<uint32_t>& values) {
    if (expected != "empty" && numbers(expected) == values) return expected;
    std::string text;
    for (const uint32_t v : values) text += (text.empty() ? "" : " ") + std::to_string(v);
    return text.empty() ? "empty" : text;
  }
  static uint32_t fbi_csr(const std::string& name) {
    for (const isa::NamedValue& csr : isa::cap_csrs(isa::Profile::me1))
      if (csr.name == name) return csr.value;
    throw std::runtime_error("unknown CSR " + name);
  }
  isa::Csr local_csr(const std::string& name) const {
    const isa::CsrInfo* info = isa::find_csr(profile_, name);
    if (info == nullptr) throw std::runtime_error("unknown CSR " + name);
    return static_cast<isa::Csr>(info->offset);
  }
  bool* code(const std::string& place) {
    auto& c = state().codes;
    if (place == "N") return &c.n;
    if (place == "Z") return &c.z;
    if (place == "V") return &c.v;
    return place == "C" ? &c.c : nullptr;
  }
  static std::optional<std::pair<MemorySpace, uint32_t>> memory_at(const std::string& place) {
    if (const auto at = index_of(place, "sram")) return std::pair{MemorySpace::sram, *at};
    if (const auto at = index_of(place, "scratch")) return std::pair{MemorySpace::scratch, *at};
    if (const auto at = index_of(place, "dram")) return std::pair{MemorySpace::dram, *at};
    if (const auto at = index_of(place, "sdram")) return std::pair{MemorySpace::dram, *at};
    return std::nullopt;
  }
  uint32_t* longword(const std::string& place) {
    auto& s = state();
    if (const auto at = index_of(place, "lm")) return &s.local_memory.at(*at);
    const std::pair<const char*, std::array<uint32_t, 128>*> files[] = {
        {"$$in", &s.d_in}, {"$$out", &s.d_out}, {"$in", &s.s_in}, {"$out", &s.s_out}, {"n$", &s.nn},
        {"@a", &s.a},      {"@b", &s.b},        {"a", &s.a},      {"b", &s.b}};
    for (const auto& [prefix, file] : files)
      if (const auto rest = rest_of(place, prefix); rest && all_digits(*rest)) return &file->at(number(*rest));
    return nullptr;
  }
  void set_ring(uint32_t ring, const std::string& value) {
    if (!host().set_ring(ring, 0x1000 + 0x200 * ring, 128)) throw std::runtime_error("ring not set up");
    if (value != "empty" && !host().ring_put(ring, numbers(value))) throw std::runtime_error("ring is too small");
  }
  std::string ring_text(uint32_t ring, const std::string& expected) {
    std::vector<uint32_t> words;
    while (host().ring(ring).count > 0) words.push_back(*host().ring_get(ring));
    return list_like(expected, words);
  }

  isa::Profile profile_;
  emulator::Machine machine_;
  emulator::Units units_;
  emulator::StopReason stop_;
};

std::pair<std::string, std::string> split(std::string_view line) {
  const auto equals = line.find('=');
  return {trim(line.substr(0, equals)), trim(line.substr(equals + 1))};
}

}  // namespace

namespace {

void run_example(const isa::Example& example, isa::Profile profile) {
  std::string before;
  for (const std::string_view line : example.before) before += std::string(line) + "; ";
  INFO(isa::info(example.id).name << "\n" << example.code << "\nbefore: " << before);
  Run run(profile);
  try {
    for (const std::string_view line : example.before) {
      const auto [place, value] = split(line);
      run.set(place, value);
    }
    run.execute(example.code);
    INFO(run.stop_text());
    const bool settled = run.stop() == emulator::StopKind::halted || run.stop() == emulator::StopKind::idle ||
                         run.stop() == emulator::StopKind::limit;
    CHECK(settled);
    for (const std::string_view line : example.after) {
      const auto [place, value] = split(line);
      CHECK(place + " = " + run.get(place, value) == place + " = " + value);
    }
  } catch (const std::exception& error) {
    FAIL_CHECK(error.what());
  }
}

/// Runs all examples of a profile; says how many instructions have one.
size_t run_examples(isa::Profile profile) {
  std::map<isa::InsnId, unsigned> seen;
  for (const isa::Example& example : isa::examples()) {
    if (example.profile != profile) continue;
    ++seen[example.id];
    run_example(example, profile);
  }
  return seen.size();
}

/// The code has words in this profile.
bool assembles(const isa::Example& example, isa::Profile profile) {
  assembler::Options options;
  options.profile = profile;
  options.chip = chip(profile).chip.name;
  const std::string text = ".registers physical\n" + std::string(example.code) + "\nhalt\n";
  return assembler::assemble(make_source("example.uc", text), options).image.has_value();
}

}  // namespace

TEST_CASE("worked examples of the instruction set") {
  size_t expected = 0;
  for (const isa::InsnInfo& info : isa::all_instructions()) expected += isa::enabled(isa::Profile::me2, info.id);
  CHECK(run_examples(isa::Profile::me2) == expected);
}

TEST_CASE("worked examples of what only me1 has") {
  size_t expected = 0;
  for (const isa::InsnInfo& info : isa::all_instructions())
    expected += isa::enabled(isa::Profile::me1, info.id) && !isa::enabled(isa::Profile::me2, info.id);
  CHECK(run_examples(isa::Profile::me1) >= expected);
}

// What computes and branches does the same in both, so that the examples of me2 hold wherever me1 has the words.
// Commands count addresses in other units.
TEST_CASE("me1 does what me2 does") {
  std::map<isa::InsnId, unsigned> run, not_run;
  std::set<isa::InsnId> own;  // have examples of me1
  for (const isa::Example& example : isa::examples()) {
    const isa::InsnInfo& info = isa::info(example.id);
    if (example.profile == isa::Profile::me1) own.insert(example.id);
    if (example.profile != isa::Profile::me2 || !isa::enabled(isa::Profile::me1, example.id)) continue;
    if (info.group == isa::Group::command) continue;
    if (!assembles(example, isa::Profile::me1)) {
      ++not_run[example.id];
      continue;
    }
    ++run[example.id];
    run_example(example, isa::Profile::me1);
  }
  std::string missing;
  for (const auto& [id, count] : not_run)
    if (!run.contains(id) && !own.contains(id)) missing += std::string(isa::info(id).name) + " ";
  CHECK(missing == "");
  CHECK(run.size() > 30);
}
