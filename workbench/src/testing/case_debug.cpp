#include "weft/workbench/case_debug.h"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/history_walk.h"
#include "testing/compare.h"
#include "testing/generate.h"
#include "testing/recorded.h"
#include "testing/run_case.h"
#include "testing/run_steps.h"

namespace weft::workbench {

using namespace testing;
using emulator::PacketPiece;
using emulator::PacketRecord;
using emulator::Tick;

struct CaseDebug::Impl {
  Case test;
};

CaseDebug::CaseDebug() : impl_(std::make_unique<Impl>()) {}
CaseDebug::~CaseDebug() = default;

Result<std::unique_ptr<CaseDebug>> CaseDebug::open(const TestPlan::Item& item, const Observation& observation) {
  const auto suite = Suite::load(item.file);  // as it stands now
  if (!suite) return tl::unexpected(suite.error());
  const auto& entries = (*suite)->entries();
  const auto entry = std::ranges::find(entries, item.name, &Suite::Entry::name);
  if (entry == entries.end())
    return fail("test-none", whole_file(item.file), fmt::format("there is no test '{}' any more", item.name),
                "read the test files again");
  auto test = (*suite)->read(*entry);
  if (!test) return tl::unexpected(std::move(test.error()));
  std::unique_ptr<CaseDebug> out(new CaseDebug);
  if (test->generator) put_frames(test->project, test->generator->expand(test->project.seed));
  Observation watched = observation;
  watched.checks = test->checks;
  auto session = Session::create(test->project, watched);
  if (!session) return tl::unexpected(std::move(session.error()));
  if (const auto ready = prepare_case(**session, *test); !ready) return tl::unexpected(ready.error());
  out->session_ = std::move(*session);
  out->impl_->test = std::move(*test);
  return out;
}

namespace {

/// Where code of the test itself ends.
bool is_end(const Session& session, const Stop& stop) {
  const image::Image* image = stop.engine == 0 ? session.program(0) : nullptr;
  return image != nullptr && std::ranges::any_of(image->labels, [&](const image::Label& label) {
           return label.address == stop.address && written_label(label.name) == kEndLabel;
         });
}

/// What is said of it in a line.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  while (!line.empty() && (line.back() == ':' || line.back() == ' ')) line.pop_back();
  return line;
}

/// The frame that left first of those that are wrong; else the first longword; else the first of all.
const Difference& first_of(const std::vector<Difference>& all) {
  const Difference* best = nullptr;
  for (const Difference& d : all)
    if (d.frame && d.frame->octet && (best == nullptr || d.frame->at < best->frame->at)) best = &d;
  for (const Difference& d : all)
    if (best == nullptr && !d.place.empty()) best = &d;
  for (const Difference& d : all)
    if (best == nullptr && d.frame) best = &d;
  return best != nullptr ? *best : all.front();
}

/// The cycle in which the command of a write was issued, when a history knows it.
std::optional<uint64_t> issued_at(const emulator::History* history, const emulator::PacketWrite& write) {
  if (history == nullptr) return std::nullopt;
  const Tick period = history->machine().timing().period;
  const emulator::ContextRef who{write.engine, write.context};
  for (size_t i = first_accepted(*history, (write.cycle + 1) * period); i-- > 0;) {
    if (history->issuer(i) != who) continue;
    const emulator::Reference r = history->reference(i);
    if (r.pc == write.pc && r.served != emulator::kNever && r.served / period == write.cycle)
      return r.accepted / period;
  }
  return std::nullopt;
}

/// The instruction that wrote the octet of a frame that left, as the packet tracker saw it.
void find_octet(Session& session, const WrongFrame& frame, WrongPlace& out) {
  const std::vector<std::string> chips = session.chips();
  for (unsigned chip = 0; chip < chips.size(); ++chip) {
    const emulator::PacketTracker* tracker = session.packets(chip);
    if (tracker == nullptr) continue;
    const Tick period = session.machine(chip).timing().period;
    for (const PacketRecord& r : tracker->records()) {
      if (r.out_port != static_cast<int>(frame.port) || r.ended != frame.at / period) continue;
      out.packet = r.number;
      if (!frame.octet) return;
      const emulator::ByteOrigin origin = origin_of(r.bytes_of, static_cast<uint32_t>(*frame.octet));
      if (origin.source < 0 || static_cast<size_t>(origin.source) >= r.bytes_of.writes.size()) return;
      const emulator::PacketWrite& write = r.bytes_of.writes[static_cast<size_t>(origin.source)];
      Writer& by = out.writer.emplace();
      by.by = Writer::By::engine;
      by.who = {chip, write.engine, write.context};
      by.pc = write.pc;
      by.cycle = write.cycle;
      by.issued = issued_at(session.history(chip), write).value_or(write.cycle);
      const image::Image* image = session.program(write.engine, chip);
      if (image != nullptr && write.pc < image->lines.size() && image->lines[write.pc].place.line != 0) {
        by.file = image->files.at(image->lines[write.pc].place.file);
        by.line = image->lines[write.pc].place.line;
      }
      return;
    }
  }
}

}  // namespace

Result<Stop> CaseDebug::run_to_wrong(Session& session, const RunControl& control, std::optional<WrongPlace>& wrong,
                                     const std::function<void(const Stop&)>& ended) const {
  const Case& test = impl_->test;
  const bool own = test.project_file.empty();
  if (const emulator::Position begin{}; session.board().position() > begin)
    if (const auto back = session.go_to(begin, control); !back || back->kind == Stop::Kind::interrupted) return back;
  std::vector<Difference> differences;
  Stop stop = test.steps_end == 0 ? session.run(control) : run_steps(session, test, differences, control);
  const bool at_end = own && stop.kind == Stop::Kind::breakpoint && is_end(session, stop);
  if (stop.kind == Stop::Kind::interrupted || (stop.kind == Stop::Kind::breakpoint && !at_end)) return stop;
  if (stop.kind == Stop::Kind::fault || stop.kind == Stop::Kind::check) {
    wrong =
        WrongPlace{first_line(stop.text), test.range.file ? test.range.file->name() : std::string(), test.range.begin};
    return stop;
  }
  if (differences.empty()) {
    Expectations expect = test.expect;
    if (expect.recorded) expect.out = recorded_frames(test, differences);
    compare(session, test, expect, test.range, {}, differences);
  }
  for (const Diagnostic& finding : session.findings())
    differences.push_back({test.range, fmt::format("{} [{}]", finding.text, finding.code), finding.code});
  if (differences.empty()) {
    stop.text = fmt::format("all is as the test '{}' expects", test.name);
    return stop;
  }
  const Difference& first = first_of(differences);
  WrongPlace& out = wrong.emplace();
  out.text = first_line(first.text);
  if (first.range.file) out.file = first.range.file->name();
  out.at = first.range.begin;
  std::optional<uint64_t> cycle;
  const Tick period = session.machine().timing().period;
  if (first.frame) {
    out.port = first.frame->port;
    out.frame = first.frame->number;
    out.octet = first.frame->octet;
    if (out.octet) out.text += fmt::format(", octet {} is wrong", *out.octet);
    cycle = first.frame->at / period;
    find_octet(session, *first.frame, out);
  } else if (!first.place.empty()) {
    const int where = own ? 0 : -1;
    if (auto found = session.last_write(first.place, where, where, control.interrupt); found && *found)
      out.writer = std::move(**found);
  }
  if (out.writer) {
    // Before the instruction: a step over it shows what it does.
    cycle = out.writer->by == Writer::By::engine ? out.writer->issued : out.writer->cycle;
    out.text += fmt::format("; written by {}", who_text(*out.writer));
  }
  if (!cycle) return stop;
  if (ended) ended(stop);
  auto there = session.go_to({*cycle * period, 0}, control);
  if (!there) return there;
  there->kind = Stop::Kind::interrupted;  // it can go on from there
  there->text = out.text;
  if (out.writer && out.writer->by == Writer::By::engine) {
    there->chip = out.writer->who.chip;
    there->engine = static_cast<int>(out.writer->who.engine);
    there->context = static_cast<int>(out.writer->who.context);
    there->address = out.writer->pc;
  }
  return there;
}

}  // namespace weft::workbench
