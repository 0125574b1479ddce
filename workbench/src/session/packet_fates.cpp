// What has become of each packet: sums without an observer, and the places of those that have no end.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "session/impl.h"
#include "weft/emulator/lost_cycles.h"
#include "weft/isa/flow.h"

namespace weft::workbench {

using emulator::HeldFrames;

namespace {

/// "FILE:LINE" without folders: a report is the same wherever it is asked for, and from a recording.
std::string named(const std::string& place) { return place.substr(place.rfind('/') + 1); }

constexpr const char* kWithPrograms = "taken by the programs, which say nothing of them";

void add(std::vector<HeldFigures>& to, std::string place, int port, uint64_t count) {
  if (count == 0) return;
  const auto same = std::ranges::find_if(to, [&](const HeldFigures& h) { return h.place == place && h.port == port; });
  if (same != to.end())
    same->count += count;
  else
    to.push_back({std::move(place), port, count});
}

const char* standing(emulator::ContextState state) {
  switch (state) {
    case emulator::ContextState::inactive: return "has ended at";
    case emulator::ContextState::executing: return "is at";
    case emulator::ContextState::ready: return "is ready at";
    case emulator::ContextState::sleep: break;
  }
  return "sleeps at";
}

/// The words at which contexts of a chip gave up the engine: their state says only where they go on.
class WaitWords {
 public:
  explicit WaitWords(const emulator::Machine& machine) : machine_(machine) {}

  /// None: several words may have led to this sleep.
  std::optional<uint32_t> of(unsigned engine, const emulator::ContextRecord& sleeper) {
    const Program& program = program_of(engine);
    if (sleeper.pc >= program.flow.size()) return std::nullopt;
    std::vector<uint32_t> found;
    for (const uint32_t before : program.flow.previous(sleeper.pc))
      if (program.flow.leaves(before)) found.push_back(static_cast<uint32_t>(program.flow.decides_behind(before)));
    const isa::Profile profile = machine_.timing().profile;
    if (found.size() > 1)
      std::erase_if(found, [&](uint32_t word) {
        const auto& insn = program.words[word];
        return !insn || ((isa::signals_of(profile, *insn) & sleeper.missing()) == 0 &&
                         !isa::asks_for(profile, *insn, sleeper.missing()));
      });
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
  }

 private:
  struct Program {
    std::vector<std::optional<isa::Instruction>> words;
    isa::Flow flow;
  };
  const Program& program_of(unsigned engine) {
    if (const auto known = programs_.find(engine); known != programs_.end()) return known->second;
    std::vector<std::optional<isa::Instruction>> words;
    for (const uint64_t word : machine_.words(engine)) words.push_back(isa::decode(machine_.timing().profile, word));
    isa::Flow flow(words, emulator::lost_cycles(machine_.timing()));
    return programs_.emplace(engine, Program{std::move(words), std::move(flow)}).first->second;
  }

  const emulator::Machine& machine_;
  std::map<unsigned, Program> programs_;  ///< by engine
};

}  // namespace

/// Frames that the control program has sent: answers, and packets that it has sent on.
uint64_t Session::Impl::frames_of_control() const {
  uint64_t sent = 0;
  for (const auto& chip : chips) {
    if (!chip->control || !chip->control->program()) continue;
    for (const control::ControlCount& count : chip->control->program()->counts())
      if (count.reason == "frame" && count.outcome == "sent") sent += count.packets;
  }
  return sent;
}

/// Frames that the programs have made, by their own counters.
uint64_t Session::Impl::frames_of_programs() const {
  uint64_t made = 0;
  for (const auto& [on, counter] : built.counters) {
    if (counter.kind != control::CounterSetup::Kind::made) continue;
    const HostAddress at = host_address(counter.region, counter.address);
    made += chips[on]->units->host().read(at.space, at.address);
  }
  return made;
}

Session::Impl::Ends Session::Impl::ends(const FrameTotals& m) const {
  Ends out;
  uint64_t in_media = 0;
  for (unsigned c = 0; c < chips.size(); ++c) {
    const Chip& one = *chips[c];
    WaitWords waits(*one.machine);
    for (const HeldFrames& h : one.units->held()) {
      const bool link = h.port >= one.units->port_count();
      const std::string where =
          !link ? ""
                : fmt::format(" of link {}",
                              one.units->link(h.port - static_cast<unsigned>(one.units->port_count())).link);
      const int port = link ? -1 : static_cast<int>(one.units->port(h.port).board_number);
      std::string text;
      switch (h.where) {
        case HeldFrames::Where::mac:
          text = link ? "on the way" + where : "in the receive buffer of the MAC, never taken";
          break;
        case HeldFrames::Where::waiting: text = "in RBUF, and no context has asked for them" + where; break;
        case HeldFrames::Where::handed: {
          const emulator::ContextRecord& record = std::as_const(*one.machine).state(h.to.engine).contexts[h.to.context];
          const bool sleeps = record.state == emulator::ContextState::sleep;
          const std::optional<uint32_t> wait = sleeps ? waits.of(h.to.engine, record) : std::nullopt;
          const uint32_t word = wait.value_or(record.pc);
          const std::string line = named(this->place(c, h.to.engine, word));
          text = fmt::format("in RBUF, handed to me{}.ctx{}, which {} {}{}", h.to.engine, h.to.context,
                             sleeps && !wait ? "sleeps before" : standing(record.state),
                             line.empty() ? fmt::format("word {}", word) : line, where);
          break;
        }
        case HeldFrames::Where::leaving: text = "on the way out" + where; break;
      }
      in_media += h.frames;
      add(out.places, prefix(c) + text, port, h.frames);
    }
  }
  out.made = std::min(frames_of_control(), m.out) + frames_of_programs();
  const uint64_t all = m.in + out.made, ended = m.done();
  out.held = all - std::min(all, ended);
  // Frames beyond those are made by programs. How many is not known: as many more as packets have no end.
  uint64_t beyond = ended > all ? ended - all : 0;
  if (in_media > out.held) {
    beyond += in_media - out.held;
    out.held = in_media;
  }
  out.made += beyond;
  out.known = beyond == 0 || m.in == 0;  // where nothing came, nothing is lost
  uint64_t left = out.held - in_media;
  for (unsigned c = 0; c < chips.size(); ++c) {
    const Chip& one = *chips[c];
    if (!one.control || !one.control->program()) continue;
    const uint64_t kept = std::min(one.control->program()->kept(), left);
    add(out.places, prefix(c) + "kept by the control processor", -1, kept);
    left -= kept;
  }
  out.places_known = left == 0;
  add(out.places, kWithPrograms, -1, left);
  return out;
}

namespace {

/// Where packets without an end were seen last, by what a tracker knows; `left` are to be found.
void places_by_tracker(const Session& session, const Report& report, uint64_t left, std::vector<HeldFigures>& to) {
  std::vector<HeldFigures> found;
  const std::vector<std::string> chips = session.chips();
  for (unsigned chip = 0; chip < chips.size(); ++chip) {
    const emulator::PacketTracker* tracker = session.packets(chip);
    if (tracker == nullptr) continue;
    const std::string on = chips.size() > 1 ? chips[chip] + ", " : std::string();
    const auto note = [&](const emulator::PacketRecord& packet) {
      if (packet.steps.empty()) return;  // it is in the media interface
      const emulator::PacketStep& last = packet.steps.back();
      const std::string line = named(session.place(last.engine, last.last_pc, chip));
      const std::string name = tracker->places()[last.place].name();
      add(found,
          fmt::format("{}last at {} (me{} {})", on, line.empty() ? fmt::format("word {}", last.last_pc) : line,
                      last.engine, name),
          packet.port, 1);
    };
    for (const emulator::PacketRecord& packet : tracker->records())
      if (packet.verdict == emulator::Verdict::in_flight) note(packet);
    for (const emulator::PacketRecord* packet : tracker->under_way()) note(*packet);
    // Buffers that were given back: dropped, but nothing counts it.
    std::map<std::string, uint64_t> counted;
    for (const ReasonFigures& f : report.drops) counted[f.reason] += f.count;
    for (const auto& [key, number] : tracker->totals().reasons) {
      const auto& [verdict, reason, port] = key;
      if (verdict != emulator::Verdict::dropped) continue;
      uint64_t& known = counted[reason];
      const uint64_t here = std::min(known, number);
      known -= here;
      add(found, fmt::format("{}dropped, and nothing counts it: {}", on, reason), port, number - here);
    }
  }
  std::ranges::stable_sort(found, std::greater{}, &HeldFigures::count);
  for (HeldFigures& f : found) {
    f.count = std::min(f.count, left);
    left -= f.count;
    if (f.count != 0) to.push_back(std::move(f));
  }
  add(to, kWithPrograms, -1, left);
}

}  // namespace

Result<Report> Session::report_with_places(const std::atomic<bool>* interrupt) const {
  Report out = report();
  const Impl& self = *impl_;
  if (self.ends().places_known) return out;
  const auto with = [&](const Session& followed) {
    const auto rest = std::ranges::find(out.held_at, kWithPrograms, &HeldFigures::place);
    const uint64_t left = rest->count;
    out.held_at.erase(rest);
    places_by_tracker(followed, out, left, out.held_at);
  };
  if (packets(0) != nullptr) {
    with(*this);
    return out;
  }
  Observation observation;
  observation.packets = true;
  auto again = create(self.project, observation);
  if (!again) return out;  // a file is not there any more
  for (const SourceFilePtr& commands : self.commands)
    if (!(*again)->add_commands(commands)) return out;
  RunControl control;
  control.interrupt = interrupt;
  control.limits.cycles = self.cycles();
  if (control.limits.cycles != 0) (*again)->run(control);
  if (interrupt != nullptr && *interrupt)
    return fail("search-interrupted", {}, "the search for packets without an end was interrupted", "");
  if ((*again)->report().held != out.held) return out;  // not the same run
  with(**again);
  return out;
}

}  // namespace weft::workbench
