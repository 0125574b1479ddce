#include "recorded_run.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "weft/base/render.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/packets.h"
#include "weft/workbench/inspect.h"
#include "weft/workbench/recording.h"

namespace weft::workbench::test {
namespace {

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  std::fputs(render_text(result.error()).c_str(), stderr);
  std::abort();
}

Observation watched() {
  Observation also;
  also.profile = true;
  return recorded_observation(kRecordingBytes, also);
}

/// Everything that is shown of a run.
size_t look_at(const Session& session, unsigned chip) {
  size_t bytes = 0;
  const auto count = [&](std::string_view text) { bytes += text.size(); };
  if (const auto* history = session.history(chip)) {
    for (unsigned e = 0; e < history->engines(); ++e)
      for (unsigned c = 0; c < emulator::kContexts; ++c)
        history->segments({static_cast<uint8_t>(e), static_cast<uint8_t>(c)},
                          [&](const emulator::Segment& segment) { bytes += segment.end - segment.begin != 0 ? 1 : 0; });
    for (size_t i = 0; i < history->reference_count(); ++i) bytes += history->reference(i).pc;
  }
  if (const auto* packets = session.packets(chip)) {
    write_json(*packets, count);
    for (const emulator::PacketRecord& record : packets->records()) {
      bytes += sent_frame(record.data, record.bytes_of).size();
      bytes += buffer_state(record.data, record.bytes_of, record.bytes_of.writes.size()).bytes.size();
    }
    for (const emulator::QueueChange& change : packets->queue_changes()) count(packets->queues()[change.queue].name());
  }
  if (const auto* statistics = session.statistics(chip)) count(to_json(statistics->figures(), {}));
  if (const auto* profile = session.profile(chip)) count(to_json(profile->figures(), {}));
  return bytes;
}

}  // namespace

RecordedRun::RecordedRun(const std::string& project, uint64_t cycles) : project_(must(load_project(project))) {
  const auto session = fresh();
  session->record(std::max<uint64_t>(cycles / 6, 1), 16);
  RunControl control;
  control.limits.cycles = cycles;
  session->run(control);
  parts_ = SessionContents::put(*session, kRecordingBytes);
}

std::unique_ptr<Session> RecordedRun::fresh() const {
  auto session = must(Session::create(project_, watched()));
  if (project_.control && !project_.control->commands.empty())
    must(session->add_commands(make_source("commands", project_.control->commands)));
  return session;
}

SessionParts RecordedRun::changed(const std::vector<Change>& changes) const {
  SessionParts out = parts_;
  for (const Change& change : changes) {
    std::string& part = change.part == Change::Part::states   ? out.states
                        : change.part == Change::Part::events ? out.events
                                                              : out.observers;
    if (part.empty()) continue;
    const size_t at = change.at % part.size();
    std::memcpy(part.data() + at, &change.value, std::min<size_t>({change.bytes, 8, part.size() - at}));
  }
  return out;
}

bool RecordedRun::use(Session& fresh, const SessionParts& parts, uint64_t cycles) {
  if (!SessionContents::get(fresh, parts)) return false;
  size_t seen = fresh.state_hash() != 0 ? 1 : 0;
  const uint64_t period = fresh.machine().timing().period, now = fresh.board().now() / period;
  const auto look = [&] {
    for (unsigned c = 0; c < fresh.chips().size(); ++c) seen += look_at(fresh, c);
    seen += to_json(fresh.report()).size();
  };
  look();
  RunControl control;
  control.limits.cycles = now + cycles;
  fresh.run(control);
  look();
  for (const uint64_t cycle : {now / 2, now / 6, uint64_t{0}}) {
    static_cast<void>(fresh.go_to({cycle * period, 0}));
    seen += fresh.state_hash() != 0 ? 1 : 0;
    // A recording that says that it is long is not waited for.
    if (now > 1'000'000) break;
  }
  return seen != 0;
}

}  // namespace weft::workbench::test
