// Real captures at line rate into every port of both routers of the IXP2400, whose control processor answers.
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <span>

#include "../control/route_tables.h"
#include "data.h"
#include "mixed_traffic.h"
#include "skip.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Of the repository, and those that may not be passed on.
const char* const kLarge[] = {"captures/tcp_udp_1kxun.pcap", "captures/ip_in_mpls.pcap.gz"};
const char* const kSmall[] = {
    "tcpdump_pcaps/ipv4_tcp_http_xml.pcap",   "tcpdump_pcaps/ipv6-bad-version.pcap",
    "tcpdump_pcaps/ipv6-routing-header.pcap", "tcpdump_pcaps/ipv6-too-long-jumbo.pcap",
    "tcpdump_pcaps/mpls-over-udp.pcap",       "tcpdump_pcaps/tcp_eight_lowest_weight_flags_set.pcap",
    "tcpdump_pcaps/tcp_rst_data.pcap"};

/// Back to back; the senders have padded what is short. Of frames that the capture holds in part, only that part.
std::vector<workbench::ListedFrame> frames_of(const std::string& path) {
  std::string plain = path;
  const bool packed = path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0;
  if (packed) {
    plain = (std::filesystem::temp_directory_path() / "weft-capture-XXXXXX").string();
    const int file = mkstemp(plain.data());
    REQUIRE(file >= 0);
    close(file);
    REQUIRE(std::system(fmt::format("gzip -dc '{}' > '{}'", path, plain).c_str()) == 0);
  }
  packet::PcapReadOptions options;
  options.allow_snapped = true;
  const auto packets = packet::read_pcap(plain, options);
  if (packed) std::filesystem::remove(plain);
  if (!packets) FAIL(render_text(packets.error()));
  std::vector<workbench::ListedFrame> frames;
  for (const auto& p : *packets) frames.push_back({0, padded(p.bytes), false});
  return frames;
}

void run_captures(const RouterCase& router, std::span<const char* const> names) {
  for (const char* name : names) {
    const auto path = data_file(name);
    if (!path) return weft::skip_test(no_data(name));
    INFO(router.run.example << ", " << name);
    const auto frames = frames_of(*path);
    REQUIRE(!frames.empty());
    // Into one port after the other: order is that of the capture. A long one with WEFT_FULL=1 alone.
    for (unsigned port = 0; port < router.ports && (frames.size() < 2'000 || full_run()); ++port) {
      INFO("into port " << port);
      RouterRun run = router.run;
      run.in[port] = frames;
      compare(run, run_router(run), router.reference);
    }
    // Into all at once, more than the way out takes. A frame does not tell its port then.
    RouterRun run = router.run;
    for (unsigned port = 0; port < router.ports; ++port) run.in[port] = frames;
    const RouterOutcome outcome = run_router(run);
    const Comparison c = compare(run, outcome, router.reference, false);
    fmt::print("{}, {}: {} frames into each port: {} forwarded, {} dropped ({} at the way out), {} to the core\n",
               router.run.example, name, frames.size(), c.forwarded, outcome.report.dropped,
               outcome.dropped("transmit_ring_full"), outcome.report.handed_to_core);
  }
}

}  // namespace

TEST_CASE("Large captures into every port of the IPv4 forwarder") { run_captures(forwarder_case(true), kLarge); }

TEST_CASE("Large captures into every port of the dual-stack router") { run_captures(dual_stack_case(true), kLarge); }

TEST_CASE("Small captures into every port of the IPv4 forwarder") { run_captures(forwarder_case(true), kSmall); }

TEST_CASE("Small captures into every port of the dual-stack router") { run_captures(dual_stack_case(true), kSmall); }
