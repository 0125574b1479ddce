// Runs many small programs on a bare microengine and prints what they leave behind, so that an independent model can be
// compared with the engine. Input (stdin), one item per line:
//
//   profile me1|me2    of the cases that follow; me2 without it
//   case NAME          begins a case: fresh engine, all contexts, context 0 enabled, CC_ENABLE = 0x2000, all else 0
//   set PLACE HEX      state before
//   word HEX           a control-store word; the first one at address 0. ctx_arb[bpt] is appended after the last
//   get PLACE          to be printed
//   end                runs until the engine stops (at most 10,000 cycles) and prints one line:
//                        NAME HEX HEX ...     the gets in order, eight digits each
//                        NAME error TEXT      when it stopped for another reason than the appended word
//   unseen PROFILE     prints one line: the profile's instructions, but for commands, that no word was of
//
// PLACE: a0-a127 b0-b127 GPRs; n0-n127 next neighbor; s0-s127 d0-d127 read transfer registers $ and $$; sw0-sw127
// dw0-dw127 write transfer registers; lm0-lm639; csr:HEX local CSR by byte offset, as context 0 sees it; cc = bits 3..0
// N Z V C; tag0-tag15 and state0-state15 of the CAM; prev_left prev_right prev_result what the instruction before left.
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "weft/emulator/machine.h"

using namespace weft;
using emulator::EngineState;

namespace {

constexpr uint64_t kHaltMe1 = 0x20020000, kHaltMe2 = 0xe000020000;

std::optional<uint64_t> hex(const std::string& text) {
  size_t used = 0;
  try {
    const uint64_t value = std::stoull(text, &used, 16);
    if (used == text.size()) return value;
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

/// Instructions that cases have had.
using Seen = std::set<std::pair<isa::Profile, isa::InsnId>>;

void print_unseen(const Seen& seen, isa::Profile profile) {
  std::string line;
  for (const isa::InsnInfo& insn : isa::all_instructions())
    if (insn.unit == isa::Unit::none && isa::enabled(profile, insn.id) && !seen.contains({profile, insn.id}))
      line += (line.empty() ? "" : " ") + std::string(insn.name);
  std::puts(line.c_str());
}

class Case {
 public:
  Case(std::string name, isa::Profile profile)
      : name_(std::move(name)), profile_(profile), machine_(one_engine(profile)) {
    machine_.state(0).plain_csr[0x1c / 4] = 0x2000;
    machine_.start(0, 1);
  }

  bool set(const std::string& place, uint32_t value) {
    EngineState& s = machine_.state(0);
    if (place == "cc") {
      s.codes = {(value & 8) != 0, (value & 4) != 0, (value & 2) != 0, (value & 1) != 0};
      return true;
    }
    if (const auto csr = csr_offset(place)) {
      machine_.write_csr(0, static_cast<isa::Csr>(*csr), value);
      return true;
    }
    if (uint8_t* at = cam_state(place)) {
      *at = static_cast<uint8_t>(value & 15);
      return true;
    }
    uint32_t* at = longword(place);
    if (at != nullptr) *at = value;
    return at != nullptr;
  }
  std::optional<uint32_t> get(const std::string& place) {
    const EngineState& s = machine_.state(0);
    if (place == "cc")
      return uint32_t{s.codes.n} << 3 | uint32_t{s.codes.z} << 2 | uint32_t{s.codes.v} << 1 | uint32_t{s.codes.c};
    if (const auto csr = csr_offset(place)) return machine_.read_csr(0, static_cast<isa::Csr>(*csr));
    if (const uint8_t* at = cam_state(place)) return *at;
    if (const uint32_t* at = longword(place)) return *at;
    return std::nullopt;
  }
  void word(uint64_t value, Seen& seen) {
    words_.push_back(value);
    if (const auto instruction = isa::decode(profile_, value)) seen.insert({profile_, instruction->id});
  }
  void want(std::string place) { wanted_.push_back(std::move(place)); }

  void finish() {
    const size_t own = words_.size();
    words_.push_back(profile_ == isa::Profile::me1 ? kHaltMe1 : kHaltMe2);
    machine_.load(0, words_);
    const auto stop = machine_.run_until(10000 * machine_.timing().period);
    if (stop.kind != emulator::StopKind::halted || stop.pc != own) {
      std::printf("%s error %s\n", name_.c_str(), to_text(stop).c_str());
      return;
    }
    std::string line = name_;
    for (const std::string& place : wanted_) {
      char text[16];
      std::snprintf(text, sizeof text, " %08x", *get(place));
      line += text;
    }
    std::puts(line.c_str());
  }

 private:
  static emulator::MachineDescription one_engine(isa::Profile profile) {
    emulator::MachineDescription description;
    description.engine.profile = profile;
    description.engine.contexts = isa::sizes(profile).contexts;
    description.engine_numbers = {0};
    return description;
  }
  static std::optional<uint32_t> csr_offset(const std::string& place) {
    if (place.rfind("csr:", 0) != 0) return std::nullopt;
    const auto value = hex(place.substr(4));
    return value ? std::optional<uint32_t>(static_cast<uint32_t>(*value)) : std::nullopt;
  }
  /// The decimal number after `prefix`, when `place` is nothing else.
  static std::optional<size_t> number(const std::string& place, const std::string& prefix, size_t bound) {
    if (place.rfind(prefix, 0) != 0 || place.size() == prefix.size()) return std::nullopt;
    if (place.find_first_not_of("0123456789", prefix.size()) != std::string::npos) return std::nullopt;
    const size_t value = std::stoul(place.substr(prefix.size()));
    return value < bound ? std::optional<size_t>(value) : std::nullopt;
  }
  uint8_t* cam_state(const std::string& place) {
    const auto n = number(place, "state", 16);
    return n ? &machine_.state(0).cam.state[*n] : nullptr;
  }
  uint32_t* longword(const std::string& place) {
    EngineState& s = machine_.state(0);
    if (place == "prev_left") return &s.previous.left;
    if (place == "prev_right") return &s.previous.right;
    if (place == "prev_result") return &s.previous.result;
    const auto in = [&](const char* prefix, auto& array) -> uint32_t* {
      const auto n = number(place, prefix, array.size());
      return n ? &array[*n] : nullptr;
    };
    for (uint32_t* at : {in("a", s.a), in("b", s.b), in("n", s.nn), in("s", s.s_in), in("d", s.d_in), in("sw", s.s_out),
                         in("dw", s.d_out), in("lm", s.local_memory), in("tag", s.cam.tag)})
      if (at != nullptr) return at;
    return nullptr;
  }

  std::string name_;
  isa::Profile profile_;
  emulator::Machine machine_;
  std::vector<uint64_t> words_;
  std::vector<std::string> wanted_;
};

}  // namespace

int main() {
  std::unique_ptr<Case> current;
  Seen seen;
  isa::Profile profile = isa::Profile::me2;
  std::string line;
  for (size_t number = 1; std::getline(std::cin, line); ++number) {
    std::istringstream in(line);
    std::string verb, first, second;
    in >> verb >> first >> second;
    bool good = true;
    if (verb.empty()) continue;
    if (verb == "case") {
      current = std::make_unique<Case>(first, profile);
    } else if (verb == "profile") {
      good = first == "me1" || first == "me2";
      profile = first == "me1" ? isa::Profile::me1 : isa::Profile::me2;
    } else if (verb == "unseen") {
      good = first == "me1" || first == "me2";
      print_unseen(seen, first == "me1" ? isa::Profile::me1 : isa::Profile::me2);
    } else if (!current) {  // NOLINT(bugprone-branch-clone): nothing else may come before a case
      good = false;
    } else if (verb == "set") {
      const auto value = hex(second);
      good = value && current->set(first, static_cast<uint32_t>(*value));
    } else if (verb == "word") {
      const auto value = hex(first);
      good = value.has_value();
      if (good) current->word(*value, seen);
    } else if (verb == "get") {
      good = current->get(first).has_value();
      if (good) current->want(first);
    } else if (verb == "end") {
      current->finish();
      current.reset();
    } else {
      good = false;
    }
    if (!good) {
      std::fprintf(stderr, "line %zu: cannot read '%s'\n", number, line.c_str());
      return 1;
    }
  }
  return 0;
}
