#include "forwarder.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "must.h"
#include "weft/base/files.h"
#include "weft/emulator/units.h"
#include "weft/workbench/project.h"

namespace weft::test {

namespace {

std::string project_text(const ForwarderSetup& s) {
  const std::string root = WEFT_SOURCE_DIR;
  const std::string example = root + "/examples/ipv4-forwarder/";
  const std::string defines = fmt::format("\"PORTS\": {}, \"FORWARDERS\": {}", s.ports, s.ports);
  std::string programs =
      fmt::format(R"({{"source": "{}receive.uc", "engines": [0], "define": {{{}}}}})", example, defines);
  for (unsigned i = 0; i < s.ports; ++i) {
    programs += fmt::format(R"(, {{"source": "{}forward.uc", "engines": [{}], "define": {{{}, "FORWARD_INDEX": {}}}}})",
                            example, i + 1, defines, i);
  }
  programs +=
      fmt::format(R"(, {{"source": "{}transmit.uc", "engines": [7], "define": {{"PORTS": {}}}}})", example, s.ports);
  return fmt::format(
      R"({{"version": 1, "name": "forwarder", "board": "{}", "include": ["{}/lib/microblocks"], "programs": [{}],
    "control": {{"program": "ipv4", "config": "router.conf"}}, "ports": [{}], "limits": {{"quiet": {}}}}})",
      s.board, root, programs, ports_text(s.ports, s.in, s.line_rate), s.quiet);
}

}  // namespace

std::string ports_text(unsigned number, const FramesByPort& in, bool line_rate) {
  std::string text;
  for (unsigned p = 0; p < number; ++p) {
    const std::string from = in.count(p) ? fmt::format(R"("in": {{"capture": "in{}.pcap", "timing": "{}"}}, )", p,
                                                       line_rate ? "line-rate" : "capture")
                                         : "";
    text += fmt::format(R"({}{{"port": {}, {}"out": "out{}.pcap"}})", p ? ", " : "", p, from, p);
  }
  return text;
}

std::unique_ptr<workbench::Session> session_in(const TemporaryFolder& folder, const std::string& project,
                                               const FramesByPort& in, const workbench::Observation& observation) {
  must(write_file(folder / "weft.json", project));
  for (const auto& [port, frames] : in) must(packet::write_pcap(folder / fmt::format("in{}.pcap", port), frames));
  return must(workbench::Session::create(must(workbench::load_project(folder / "weft.json")), observation));
}

void run_to_end(workbench::Session& session, const TemporaryFolder& folder, unsigned ports, ForwarderResult& result) {
  result.stop = session.run({});
  must(session.finish());
  result.report = session.report();
  result.state_hash = session.state_hash();
  result.findings = session.findings();
  for (unsigned p = 0; p < ports; ++p) result.out[p] = must(packet::read_pcap(folder / fmt::format("out{}.pcap", p)));
}

ForwarderResult run_forwarder(const ForwarderSetup& setup) {
  const TemporaryFolder folder;
  must(write_file(folder / "router.conf", setup.config));
  const auto session = session_in(folder, project_text(setup), setup.in, setup.observation);
  ForwarderResult result;
  run_to_end(*session, folder, setup.ports, result);
  result.free_buffers = session->units().host().ring(0).count;
  for (unsigned context = 0; context < 8; ++context) {
    // A context that waits for its next mpacket may have the spare still where the free list has put it.
    result.free_buffers += must(session->read(fmt::format("me0.ctx{}.spare", context))) != 0 ||
                           must(session->read(fmt::format("me0.ctx{}.$spare_in", context))) != 0;
  }
  for (unsigned port = 0; port < setup.ports; ++port) {
    result.free_buffers += must(session->read(fmt::format("me0.lm[{}]", port * 4))) != 0;
  }
  if (session->packets() != nullptr) {
    result.packets = session->packets()->records();
    result.packet_totals = session->packets()->totals();
    const bool frames = setup.observation.packet_limits.frames;
    for (const char* ending : {"txt", "json", "csv", "pcapng"}) {
      const std::string name = folder / (std::string("packets.") + ending);
      must(session->write_packets(name));
      result.packet_files[ending] = must(read_file(name));
    }
    if (frames) result.packet_capture = must(packet::read_pcap(folder / "packets.pcapng"));
  }
  INFO(result.stop.text);
  REQUIRE(result.stop.kind == workbench::Stop::Kind::quiet);
  return result;
}

uint64_t ForwarderResult::dropped(const std::string& reason) const {
  uint64_t n = 0;
  for (const auto& d : report.drops) n += d.reason == reason ? d.count : 0;
  return n;
}
uint64_t ForwarderResult::to_core(const std::string& reason) const {
  uint64_t n = 0;
  for (const auto& d : report.exceptions) n += d.reason == reason ? d.count : 0;
  return n;
}
uint64_t ForwarderResult::sent() const {
  uint64_t n = 0;
  for (const auto& [port, frames] : out) n += frames.size();
  return n;
}

std::string ForwarderResult::decision() const {
  std::string text;
  auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (uint64_t i = 0; i < sent(); ++i) add("sent");
  for (const auto& d : report.drops) {
    for (uint64_t i = 0; i < d.count; ++i) add("drop " + d.reason);
  }
  for (const auto& d : report.exceptions) {
    for (uint64_t i = 0; i < d.count; ++i) add("core " + d.reason);
  }
  return text;
}

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

Bytes padded(Bytes frame) {
  if (frame.size() < 60) frame.resize(60, 0);
  return frame;
}

size_t header_size(const Bytes& b) { return 4u * (b[14] & 15); }

void set_checksum(Bytes& b, size_t header) {
  b[24] = b[25] = 0;
  uint32_t sum = 0;
  for (size_t i = 14; i < 14 + header && i + 1 < b.size(); i += 2) sum += uint32_t{b[i]} << 8 | b[i + 1];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  b[24] = static_cast<uint8_t>(~sum >> 8);
  b[25] = static_cast<uint8_t>(~sum);
}

Bytes make_frame(const UdpFrame& f) {
  Bytes b(f.size, 0);
  auto put = [&](size_t at, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) b[at + i] = static_cast<uint8_t>(value >> (8 * (bytes - 1 - i)));
  };
  put(0, f.destination_mac, 6);
  put(6, f.source_mac, 6);
  put(12, 0x0800, 2);
  put(14, 0x4500, 2);
  put(16, f.size - 14, 2);
  put(18, f.index & 0xffff, 2);
  put(22, uint64_t{f.ttl} << 8 | 17, 2);
  put(26, f.source, 4);
  put(30, f.destination, 4);
  set_checksum(b);
  put(34, f.source_port, 2);
  put(36, 9, 2);
  put(38, f.size - 34, 2);
  put(42, f.index, 4);
  return b;
}

uint32_t frame_index(const Bytes& b) {
  return uint32_t{b[42]} << 24 | uint32_t{b[43]} << 16 | uint32_t{b[44]} << 8 | b[45];
}
uint64_t frame_mac(const Bytes& b) {
  uint64_t mac = 0;
  for (size_t i = 0; i < 6; ++i) mac = mac << 8 | b[i];
  return mac;
}

}  // namespace weft::test
