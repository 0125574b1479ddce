// History as JSON, written piece by piece.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "weft/emulator/observers/history.h"

namespace weft::emulator {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
std::string time(Tick at) { return at == kNever ? "null" : std::to_string(at); }

}  // namespace

void write_json(const History& history, const Images& images, const HistoryClock& clock, const ByteSink& out) {
  const Machine& machine = history.machine();
  const Tick period = machine.timing().period;
  out(
      fmt::format("{{\"version\": 1, \"kind\": \"history\",\n \"ticks-per-second\": {}, \"ticks-per-cycle\": {},\n"
                  " \"from-cycle\": {}, \"to-cycle\": {},\n"
                  " \"dropped\": {{\"states\": {}, \"references\": {}}},\n \"contexts\": [",
                  clock.ticks_per_second, period, history.from_cycle(), machine.cycles_begun(),
                  history.dropped_segments(), history.dropped_references()));
  bool first = true;
  for (unsigned e = 0; e < history.engines(); ++e) {
    if (machine.words(e).empty()) continue;
    for (unsigned c = 0; c < history.contexts(); ++c) {
      std::string row = fmt::format("{}\n  {{\"engine\": {}, \"context\": {}, \"states\": [", first ? "" : ",", e, c);
      first = false;
      bool first_state = true;
      history.segments({static_cast<uint8_t>(e), static_cast<uint8_t>(c)}, [&](const Segment& s) {
        fmt::format_to(std::back_inserter(row), "{}[{},{},\"{}\"]", first_state ? "" : ",", s.begin, s.end,
                       to_text(s.activity));
        first_state = false;
        if (row.size() < 1 << 20) return;
        out(row);
        row.clear();
      });
      out(row + "]}");
    }
  }
  out("],\n \"references\": [");
  std::string rows;
  for (size_t i = 0; i < history.reference_count(); ++i) {
    const Reference r = history.reference(i);
    const std::string place = source_place(images, r.from.engine, r.pc);
    fmt::format_to(
        std::back_inserter(rows),
        "{}\n  "
        "{{\"sequence\":{},\"engine\":{},\"context\":{},\"pc\":{},\"source\":{},\"command\":\"{}\",\"address\":{},"
        "\"count\":{},\"signal\":{},\"issued\":{},\"accepted\":{},\"queued\":{},\"served\":{},\"done\":{},"
        "\"signalled\":{}}}",
        i == 0 ? "" : ",", r.sequence, r.from.engine, r.from.context, r.pc, place.empty() ? "null" : quoted(place),
        isa::info(r.op).name, r.address, r.count, r.signal, time(r.issued), time(r.accepted), time(r.queued),
        time(r.served), time(r.done), time(r.signalled));
    if (rows.size() < 1 << 20) continue;
    out(rows);
    rows.clear();
  }
  out(rows + "]}\n");
}

}  // namespace weft::emulator
