#include "forwarder1200.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "must.h"
#include "weft/base/files.h"
#include "weft/emulator/units.h"

namespace weft::test {

namespace {

/// Networks inside 20.p.0.0/16 that lie behind other ports: prefix, length, port.
struct Inner {
  uint32_t prefix;
  unsigned length, port;
};
std::vector<Inner> inner_networks() {
  std::vector<Inner> list;
  for (unsigned p = 0; p < kPorts1200; ++p) {
    const uint32_t base = 0x14000000 | p << 16;
    list.push_back({base | 0x0700, 24, (p + 1) % kPorts1200});
    list.push_back({base | 0x0800, 21, (p + 2) % kPorts1200});
    list.push_back({base | 0x0709, 32, (p + 3) % kPorts1200});
    list.push_back({base | 0x07f0, 28, (p + 4) % kPorts1200});
  }
  return list;
}

std::string project_text(const Setup1200& s) {
  const std::string root = WEFT_SOURCE_DIR;
  const std::string example = root + "/examples/ipv4-forwarder-1200/";
  std::string programs;
  for (unsigned e = 0; e < 6; ++e)
    programs += fmt::format(R"({}{{"source": "{}{}.uc", "engines": [{}], "define": {{"ENGINE": {}}}}})", e ? ", " : "",
                            example, e < 4 ? "receive" : "transmit", e, e);
  return fmt::format(
      R"({{"version": 1, "name": "forwarder1200", "board": "nctu-1200", "include": ["{}/lib/microblocks"], "programs": [{}],
    "control": {{"program": "ipv4-1200", "config": "router.conf"}}, "ports": [{}], "limits": {{"quiet": {}}}}})",
      root, programs, ports_text(kPorts1200, s.in, s.line_rate), s.quiet);
}

}  // namespace

unsigned free_buffers1200(workbench::Session& session) {
  auto free = static_cast<unsigned>(session.units().host().list(0).size());
  for (unsigned thread = 0; thread < 16; ++thread)
    free += must(session.read(fmt::format("me{}.ctx{}.buffer", thread / 4, thread % 4))) != 0;
  return free;
}

ForwarderResult run_forwarder1200(const Setup1200& setup) {
  const TemporaryFolder folder;
  must(write_file(folder / "router.conf", setup.config.empty() ? star1200() : setup.config));
  const auto session = session_in(folder, project_text(setup), setup.in, setup.observation);
  ForwarderResult result;
  run_to_end(*session, folder, kPorts1200, result);
  result.free_buffers = free_buffers1200(*session);
  INFO(result.stop.text);
  REQUIRE(result.stop.kind == workbench::Stop::Kind::quiet);
  return result;
}

std::string star1200() {
  std::string text;
  for (unsigned p = 0; p < kPorts1200; ++p)
    text += fmt::format(
        "interface P{0} port {0} mac 02:00:00:00:12:0{0}\naddress P{0} 10.0.{0}.1/24\n"
        "neighbour 10.0.{0}.2 mac 02:00:00:00:aa:0{0}\nroute 20.{0}.0.0/16 via 10.0.{0}.2\n",
        p);
  for (const Inner& i : inner_networks())
    text += fmt::format("route {}.{}.{}.{}/{} via 10.0.{}.2\n", i.prefix >> 24, i.prefix >> 16 & 255,
                        i.prefix >> 8 & 255, i.prefix & 255, i.length, i.port);
  return text;
}

ReferenceRouter reference1200() {
  ReferenceRouter out;
  for (unsigned p = 0; p < kPorts1200; ++p) {
    out.ports.push_back({0x020000001200u + p, 0x0a000001 | p << 8, 24, 1500, false});
    out.hops.push_back({p, 0x02000000aa00u + p});
    out.routes.add({0x0a000002 | p << 8, 32}, p);
    out.routes.add({0x14000000 | p << 16, 16}, p);
  }
  for (unsigned p = 0; p < kPorts1200; ++p) {
    out.hops.push_back({p, 0});
    out.routes.add({0x0a000000 | p << 8, 24}, kPorts1200 + p);
  }
  for (const Inner& i : inner_networks()) out.routes.add({i.prefix, static_cast<uint8_t>(i.length)}, i.port);
  return out;
}

Bytes frame_from(unsigned in, uint32_t destination, uint32_t size, uint32_t index, uint16_t source_port) {
  UdpFrame f;
  f.destination_mac = 0x020000001200 + in;
  f.source = 0x0a000005 | in << 8;
  f.destination = destination;
  f.source_port = source_port;
  f.size = size;
  f.index = index;
  return make_frame(f);
}

uint64_t wire_nanoseconds(unsigned port, size_t bytes) {
  return (8 + std::max<size_t>(bytes, 60) + 4 + 12) * (port == kGigabit ? 8 : 80);
}

}  // namespace weft::test
