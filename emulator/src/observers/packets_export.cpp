// Packets as text, JSON, CSV and pcapng (draft-ietf-opsawg-pcapng: section, interface and enhanced packet blocks).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "observers/text.h"
#include "weft/emulator/observers/packets.h"

namespace weft::emulator {
namespace {

std::string way_of(const PacketTracker& tracker, const PacketRecord& r) {
  std::string out;
  for (const PacketStep& step : r.steps)
    out += fmt::format("{}me{}.{}", out.empty() ? "" : " > ", step.engine, tracker.places()[step.place].name());
  if (r.steps_missing != 0) out += fmt::format(" > ... {} more words", r.steps_missing);
  return out;
}

std::string verdict_text(const PacketRecord& r) {
  std::string out(to_text(r.verdict));
  if (r.verdict == Verdict::forwarded) out += fmt::format(" to port {}", r.out_port);
  if (!r.reason.empty()) out += ": " + r.reason;
  if (!r.line.empty() && r.line != r.reason) out += " at " + r.line;
  return out;
}

std::vector<const PacketRecord*> by_number(const PacketTracker& tracker) {
  std::vector<const PacketRecord*> out;
  for (const PacketRecord& r : tracker.records()) out.push_back(&r);
  std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  return out;
}

nlohmann::json to_json(const Histogram& h) {
  return {{"count", h.count()},
          {"least", h.min()},
          {"p50", h.percentile(500)},
          {"p90", h.percentile(900)},
          {"p99", h.percentile(990)},
          {"most", h.max()},
          {"sum", h.sum()}};
}

nlohmann::json to_json(const PacketTracker& tracker, const PacketRecord& r) {
  using nlohmann::json;
  json cost = json::array(), steps = json::array();
  for (const PacketCost& c : r.cost)
    cost.push_back({{"engine", c.engine}, {"executing", c.executing}, {"aborted", c.aborted}, {"stalled", c.stalled}});
  for (const PacketStep& s : r.steps) {
    const PacketPlace& place = tracker.places()[s.place];
    json step = {{"engine", s.engine}, {"context", s.context}, {"from", s.from}, {"to", s.to}, {"busy", s.busy}};
    if (!place.stage.empty()) step["stage"] = place.stage;
    if (!place.block.empty()) step["block"] = place.block;
    if (!place.label.empty()) step["label"] = place.label;
    steps.push_back(std::move(step));
  }
  json out = {{"packet", r.number},
              {"port", r.port},
              {"frame", r.frame},
              {"bytes", r.bytes},
              {"arrived", r.arrived},
              {"ended", r.ended},
              {"verdict", to_text(r.verdict)},
              {"wire-cycles", r.budget},
              {"engines", std::move(cost)},
              {"steps", std::move(steps)}};
  if (r.out_port >= 0) out["out-port"] = r.out_port;
  if (r.sent > 1) out["sent"] = r.sent;
  if (!r.reason.empty()) out["reason"] = r.reason;
  if (!r.line.empty()) out["line"] = r.line;
  if (r.damaged) out["damaged"] = true;
  if (r.steps_missing != 0) out["words-without-step"] = r.steps_missing;
  return out;
}

std::string dump(const nlohmann::json& value, int indent = -1) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Little-endian blocks of a pcapng file.
class Block {
 public:
  explicit Block(uint32_t type) {
    u32(type);
    u32(0);  // length, known at the end
  }
  Block& u16(uint32_t v) {
    bytes_ += static_cast<char>(v & 0xff);
    bytes_ += static_cast<char>(v >> 8 & 0xff);
    return *this;
  }
  Block& u32(uint32_t v) { return u16(v & 0xffff).u16(v >> 16); }
  Block& text(std::string_view v) {
    bytes_ += v;
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
    return *this;
  }
  Block& option(unsigned code, std::string_view value) {
    return u16(code).u16(static_cast<uint32_t>(value.size())).text(value);
  }
  std::string done() {
    u32(0);  // end of options
    const auto length = static_cast<uint32_t>(bytes_.size() + 4);
    u32(length);
    for (unsigned i = 0; i < 4; ++i) bytes_[4 + i] = static_cast<char>(length >> (8 * i) & 0xff);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

}  // namespace

std::string to_text(const PacketTracker& tracker) {
  const PacketTotals& t = tracker.totals();
  std::string out = fmt::format("{} packets:", t.packets);
  auto to = std::back_inserter(out);
  for (size_t v = 0; v < kVerdicts; ++v)
    if (t.by_verdict[v] != 0) fmt::format_to(to, " {} {}", t.by_verdict[v], to_text(static_cast<Verdict>(v)));
  fmt::format_to(to, "; {} frames made by the programs\n", t.unnumbered_sent);
  if (t.latency.count() != 0)
    fmt::format_to(to, "cycles from arrival to the end of transmission: least {}, p50 {}, p99 {}, most {}\n",
                   t.latency.min(), t.latency.percentile(500), t.latency.percentile(990), t.latency.max());
  if (!t.reasons.empty()) fmt::format_to(to, "\n{:<10} {:>5} {:>10}  reason\n", "verdict", "port", "packets");
  for (const auto& [key, count] : t.reasons)
    fmt::format_to(to, "{:<10} {:>5} {:>10}  {}\n", to_text(std::get<0>(key)), std::get<2>(key), count,
                   std::get<1>(key));
  fmt::format_to(to, "\n{:<24} {:>10} {:>9} {:>9} {:>9} {:>9}   cycles of a step\n", "stage", "steps", "least", "p50",
                 "p99", "most");
  for (size_t i = 0; i < t.stage_time.size(); ++i) {
    const Histogram& h = t.stage_time[i];
    if (h.count() == 0) continue;
    const PacketPlace& place = tracker.places()[i];
    const std::string name =
        place.stage.empty() || place.block.empty() ? place.name() : place.stage + " (" + place.block + ")";
    fmt::format_to(to, "{:<24} {:>10} {:>9} {:>9} {:>9} {:>9}\n", name, h.count(), h.min(), h.percentile(500),
                   h.percentile(990), h.max());
  }
  fmt::format_to(to, "\n{:<24} {:>10} {:>9} {:>9} {:>9} {:>9}   cycles in which the engine was held for a packet\n",
                 "engine", "packets", "least", "p50", "p99", "most");
  for (size_t e = 0; e < t.engine_busy.size(); ++e) {
    const Histogram& h = t.engine_busy[e];
    if (h.count() != 0)
      fmt::format_to(to, "me{:<22} {:>10} {:>9} {:>9} {:>9} {:>9}\n", e, h.count(), h.min(), h.percentile(500),
                     h.percentile(990), h.max());
  }
  if (t.not_kept != 0) fmt::format_to(to, "\n{} records were not kept; the totals have them.\n", t.not_kept);
  if (t.untagged_longwords != 0) fmt::format_to(to, "{} longwords could not be numbered.\n", t.untagged_longwords);
  return out;
}

void write_json(const PacketTracker& tracker, const ByteSink& out) {
  using nlohmann::json;
  const PacketTotals& t = tracker.totals();
  json verdicts = json::object(), reasons = json::array(), stages = json::array(), engines = json::array();
  for (size_t v = 0; v < kVerdicts; ++v) verdicts[std::string(to_text(static_cast<Verdict>(v)))] = t.by_verdict[v];
  for (const auto& [key, count] : t.reasons)
    reasons.push_back({{"verdict", to_text(std::get<0>(key))},
                       {"reason", std::get<1>(key)},
                       {"port", std::get<2>(key)},
                       {"count", count}});
  for (size_t i = 0; i < t.stage_time.size(); ++i) {
    if (t.stage_time[i].count() == 0) continue;
    const PacketPlace& place = tracker.places()[i];
    stages.push_back(
        {{"stage", place.stage}, {"block", place.block}, {"label", place.label}, {"cycles", to_json(t.stage_time[i])}});
  }
  for (size_t e = 0; e < t.engine_busy.size(); ++e)
    if (t.engine_busy[e].count() != 0) engines.push_back({{"engine", e}, {"cycles", to_json(t.engine_busy[e])}});
  std::string head = dump({{"version", 1},
                           {"kind", "packets"},
                           {"count", t.packets},
                           {"verdicts", verdicts},
                           {"reasons", reasons},
                           {"stages", stages},
                           {"engines", engines},
                           {"latency", to_json(t.latency)},
                           {"unnumbered-sent", t.unnumbered_sent},
                           {"not-kept", t.not_kept},
                           {"untagged-longwords", t.untagged_longwords}},
                          1);
  head.resize(head.rfind('\n'));
  out(head + ",\n \"packets\": [");
  const char* separator = "\n  ";
  for (const PacketRecord* r : by_number(tracker)) {
    out(separator + dump(to_json(tracker, *r)));
    separator = ",\n  ";
  }
  out("\n ]\n}\n");
}

void write_csv(const PacketTracker& tracker, const ByteSink& out) {
  out("packet,port,frame,bytes,arrived,ended,verdict,out_port,reason,line,wire_cycles,busy_cycles,way\n");
  for (const PacketRecord* r : by_number(tracker)) {
    uint64_t busy = 0;
    for (const PacketCost& c : r->cost) busy += uint64_t{c.executing} + c.aborted + c.stalled;
    out(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", r->number, r->port, r->frame, r->bytes, r->arrived,
                    r->ended, to_text(r->verdict), r->out_port >= 0 ? std::to_string(r->out_port) : "",
                    csv_text(r->reason), csv_text(r->line), r->budget, busy, csv_text(way_of(tracker, *r))));
  }
}

void write_pcapng(const PacketTracker& tracker, uint64_t ticks_per_second, const ByteSink& out) {
  const auto records = by_number(tracker);
  out(Block(0x0a0d0d0a).u32(0x1a2b3c4d).u16(1).u16(0).u32(~0u).u32(~0u).option(4, "weft").done());
  std::set<unsigned> ports;
  for (const PacketRecord* r : records) ports.insert(r->port);
  std::map<unsigned, uint32_t> interface;
  for (const unsigned port : ports) {
    const auto number = static_cast<uint32_t>(interface.size());
    interface[port] = number;
    out(Block(1)
            .u16(1)
            .u16(0)
            .u32(0)
            .option(2, fmt::format("port {}", port))
            .option(9, std::string_view("\x09", 1))
            .done());
  }
  const Tick period = tracker.machine().timing().period;
  for (const PacketRecord* r : records) {
    const Tick at = r->arrived * period;
    const uint64_t ns =
        at / ticks_per_second * 1'000'000'000 + at % ticks_per_second * 1'000'000'000 / ticks_per_second;
    const std::string comment = fmt::format("packet {}: {}, {} cycles; {}", r->number, verdict_text(*r),
                                            r->ended - r->arrived, way_of(tracker, *r));
    const auto size = static_cast<uint32_t>(r->data.size());
    Block block(6);
    block.u32(interface.at(r->port))
        .u32(static_cast<uint32_t>(ns >> 32))
        .u32(static_cast<uint32_t>(ns))
        .u32(size)
        .u32(r->bytes);
    block.text({reinterpret_cast<const char*>(r->data.data()), r->data.size()});
    out(block.option(1, std::string_view(comment).substr(0, 0xfff0)).done());
  }
}

}  // namespace weft::emulator
