#include "firewall_run.h"

#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <tuple>

#include "firewall/firewall.h"
#include "must.h"
#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"
#include "weft/emulator/units.h"

namespace weft::test {

namespace fs = std::filesystem;
namespace fw = control::firewall;
using emulator::MemorySpace;

namespace {

uint64_t sum_of(const std::vector<workbench::ReasonFigures>& rows, const std::string& reason) {
  uint64_t n = 0;
  for (const auto& row : rows) n += row.reason == reason ? row.count : 0;
  return n;
}

const fs::path& example() {
  static const fs::path folder = fs::path(WEFT_SOURCE_DIR) / "examples" / "firewall-napt";
  return folder;
}

/// Each context of the receiver keeps a spare buffer, which may stand still where the free list has put it; each port
/// keeps one of a frame that was discarded.
unsigned kept_by_receiver(const workbench::Session& session) {
  unsigned kept = 0;
  for (unsigned context = 0; context < 8; ++context) {
    kept += must(session.read(fmt::format("me0.ctx{}.spare", context))) != 0 ||
            must(session.read(fmt::format("me0.ctx{}.$spare_in", context))) != 0;
  }
  for (unsigned port = 0; port < session.ports(); ++port)
    kept += must(session.read(fmt::format("me0.lm[{}]", port * 4))) != 0;
  return kept;
}

unsigned class_of(uint8_t protocol) { return protocol == 6 ? 0 : protocol == 17 ? 1 : 2; }

/// Each record of the mappings is free or belongs to one station's port, which as many connections have as it counts;
/// they have the public port that stands there, and no other station has that.
template <class Host>
void read_mappings(Host& host, const fw::FirewallMemory& memory, FirewallOutcome& out) {
  const auto sram = [&](uint32_t at) { return host.read(MemorySpace::sram, at); };
  if (memory.mapping_count == 0) return;
  using Station = std::tuple<unsigned, uint32_t, uint16_t>;          // class, address, port
  std::map<Station, std::pair<uint16_t, uint32_t>> expected, found;  // public port and connections
  for (const auto& c : out.connections) {
    if ((c.flags & fw::kEntryOwnsPort) == 0) continue;
    auto& [port, count] = expected[{class_of(c.protocol), c.original.source, c.original.source_port}];
    if (count++ != 0 && port != c.reply.destination_port)
      out.wrong_mappings.push_back("two public ports of one station's port: " + fw::to_text(c));
    port = c.reply.destination_port;
  }
  std::set<uint32_t> records;
  const auto known = [&](uint32_t record) {
    const bool right = record >= memory.mapping(0) && (record - memory.mapping(0)) % fw::kMappingBytes == 0 &&
                       record < memory.mapping(memory.mapping_count);
    if (!right || !records.insert(record).second)
      out.wrong_mappings.push_back(fmt::format("{:#x} is not a record, or there twice", record));
    return right;
  };
  for (uint32_t b = 0; b <= memory.bucket_mask; ++b) {
    for (uint32_t link = sram(memory.mapping_buckets + b * 4); link != 0;) {
      const uint32_t record = link & ~15u, type = link & 15;
      if (!known(record)) break;
      const uint32_t ports = sram(record + fw::kMappingPorts * 4);
      found[{type, sram(record + fw::kMappingStation * 4), static_cast<uint16_t>(ports >> 16)}] = {
          static_cast<uint16_t>(ports), sram(record + fw::kMappingConnections * 4)};
      if (type < 3) ++out.mappings[type];
      link = sram(record);
    }
  }
  for (uint32_t record = out.running[fw::kMappings]; record != 0 && known(record); record = sram(record))
    ++out.free_mappings;
  if (records.size() != memory.mapping_count)
    out.wrong_mappings.push_back(fmt::format("{} records of {}", records.size(), memory.mapping_count));
  if (found != expected)
    out.wrong_mappings.push_back(fmt::format("{} mappings, {} expected, or others", found.size(), expected.size()));
  std::set<std::pair<unsigned, uint16_t>> ports;
  for (const auto& [station, what] : found) {
    if (!ports.insert({std::get<0>(station), what.first}).second)
      out.wrong_mappings.push_back(fmt::format("two stations have port {}", what.first));
  }
}

/// Where the tables are is computed as the setup does it, from the configuration and the board's memory.
void read_tables(const workbench::Session& session, const fw::FirewallMemory& memory, const fw::FirewallConfig& config,
                 FirewallOutcome& out) {
  auto& host = const_cast<workbench::Session&>(session).units().host();
  const auto sram = [&](uint32_t at) { return host.read(MemorySpace::sram, at); };
  for (uint32_t i = 0; i < fw::kRunningLongwords; ++i)
    out.running[i] = host.read(MemorySpace::scratch, fw::kRunning + i * 4);
  out.entries = memory.entry_count;
  std::map<uint32_t, unsigned> places;  // how often an entry is free or in use
  std::map<uint32_t, fw::Connection> used;
  for (uint32_t i = 0; i < memory.entry_count; ++i) {
    std::array<uint32_t, fw::kEntryLongwords> words;
    for (uint32_t w = 0; w < words.size(); ++w) words[w] = sram(memory.entry(i) + w * 4);
    const fw::Connection c = fw::connection_of(words);
    if (!c.used()) continue;
    out.connections.push_back(c);
    used[memory.entry(i)] = c;
    ++places[memory.entry(i)];
  }
  for (uint32_t n = out.running[fw::kFreeHead]; n != out.running[fw::kFreeTail]; ++n)
    ++places[sram(memory.free + (n & memory.free_mask) * 4)];
  for (const uint32_t number : {fw::kFreeEntryRing, fw::kReleaseRing}) {
    const emulator::RingView ring = host.ring(number);
    for (uint32_t i = 0; i < ring.count; ++i)
      ++places[host.read(MemorySpace::scratch, ring.base + (ring.head + i) % ring.size * 4)];
  }
  for (const auto& [entry, times] : places) {
    const bool known = entry >= memory.entries && (entry - memory.entries) % fw::kEntryBytes == 0 &&
                       (entry - memory.entries) / fw::kEntryBytes < memory.entry_count;
    out.lost_entries += times != 1 || !known;
  }
  out.free_entries = static_cast<uint32_t>(places.size() - used.size());
  for (uint32_t b = 0; b <= memory.bucket_mask; ++b) {
    uint32_t steps = 0;
    for (uint32_t link = sram(memory.buckets + b * 4); link != 0 && steps <= 2 * memory.entry_count; ++steps) {
      const uint32_t node = link & fw::kLinkNode;
      const uint32_t entry = (link & fw::kLinkReply) != 0 ? node - fw::kConnectionNodeBytes : node;
      if (!used.contains(entry)) ++out.lost_entries;
      ++out.chained;
      link = sram(node);
    }
  }
  read_mappings(host, memory, out);
  const std::array<uint8_t, 3> protocols{6, 17, 1};
  for (unsigned p = 0; p < 3; ++p) {
    const auto closed = fw::closed_ports(config, protocols[p]);
    for (uint32_t w = 0; w < closed.size(); ++w) {
      out.ports_in_use[p] +=
          static_cast<uint32_t>(std::popcount(sram(memory.ports + p * fw::kPortMapBytes + w * 4) & ~closed[w]));
    }
  }
}

}  // namespace

uint64_t FirewallOutcome::dropped(const std::string& reason) const { return sum_of(report.drops, reason); }
uint64_t FirewallOutcome::to_core(const std::string& reason) const { return sum_of(report.exceptions, reason); }

std::string golden_router(const std::string& more) {
  return "interface A port 0 mac 02:00:00:00:01:0a\ninterface B port 1 mac 02:00:00:00:01:0b\n"
         "address A 10.0.0.1/24\naddress B 192.0.2.1/24\n"
         "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\nneighbour 10.0.0.3 mac 02:00:00:00:00:0a\nneighbour 192.0.2.2 mac "
         "02:00:00:00:00:0b\n"
         "route 198.51.100.0/24 via 192.0.2.2\nroute 198.18.0.0/15 via 10.0.0.2\n"
         "nat outside B address 192.0.2.1 ports 1024-65535\nforward tcp 8080 to 10.0.0.2:80\nforward udp 5353 to "
         "10.0.0.2:53\n"
         "rules rules.txt\n" +
         more;
}

FirewallOutcome run_firewall(const FirewallRun& run) {
  const TemporaryFolder folder;
  const std::string config = folder / "router.conf";
  must(write_file(config, run.config));
  must(write_file(folder / "rules.txt", run.rules));
  workbench::Project project = must(workbench::load_project(example().string()));
  project.control->config = config;
  project.keep_frames = true;
  project.limits.quiet_cycles = run.quiet;
  project.ports.clear();
  for (const auto& [port, frames] : run.in) {
    workbench::PortEntry p;
    p.port = port;
    p.in.kind = workbench::TrafficEntry::Kind::listed;
    p.in.frames = frames;
    project.ports.push_back(std::move(p));
  }
  workbench::Observation observation;
  observation.checks = must(workbench::parse_check_modes("off,buffer-free=warn,buffer-leak=warn"));
  auto session = must(workbench::Session::create(std::move(project), observation));
  auto& host = session->units().host();
  const auto read = must(fw::read_firewall_config(config, session->ports(), {}));
  const auto memory = must(fw::FirewallMemory::plan(
      read.firewall, {host.size(MemorySpace::sram, 0), host.size(MemorySpace::sram, 1)}, config));

  FirewallOutcome outcome;
  session->on_log([&outcome](const std::string& text) { outcome.log.push_back(text); });
  if (!run.commands.empty()) must(session->add_commands(std::make_shared<const SourceFile>("commands", run.commands)));
  if (run.prepare) run.prepare(*session);
  outcome.buffers_before = host.ring(0).count;
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::quiet);
  must(session->finish());
  outcome.report = session->report();
  outcome.buffers_after = host.ring(0).count + kept_by_receiver(*session);
  outcome.findings = session->findings();
  read_tables(*session, memory, read.firewall, outcome);
  for (unsigned port = 0; port < session->ports(); ++port) {
    for (const auto& f : session->sent(port)) {
      outcome.out.push_back({port,
                             static_cast<uint64_t>(static_cast<long double>(f.at) * 1e9L /
                                                   static_cast<long double>(session->ticks_per_second())),
                             f.bytes});
    }
  }
  std::ranges::stable_sort(outcome.out, {}, &LeftFrame::at);
  return outcome;
}

void check_accounts(const FirewallOutcome& o) {
  CHECK(o.buffers_after == o.buffers_before);
  INFO(render_text(o.findings));
  CHECK(o.findings.empty());
  CHECK(o.lost_entries == 0);
  CHECK(o.chained == 2 * o.connections.size());
  const size_t accounted = o.connections.size() + o.free_entries;
  INFO("entries " << o.entries << ", in use " << o.connections.size() << ", free " << o.free_entries);
  CHECK(accounted <= o.entries);
  CHECK(accounted + 1 >= o.entries);  // the engine that hands out entries may have one in its hand
  CHECK(o.wrong_mappings == std::vector<std::string>{});
  for (unsigned p = 0; p < 3; ++p) CHECK(o.ports_in_use[p] == o.mappings[p]);
}

}  // namespace weft::test
