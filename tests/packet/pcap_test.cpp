// Captures: what is read is what stands in the file, what is written can be read, and every bad file is named.
#include "weft/packet/pcap.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "weft/base/temporary_folder.h"

using namespace weft;
using namespace weft::packet;

namespace {

/// A folder of its own for each test case, removed afterwards.
class Scratch {
 public:
  std::string file(const std::string& name) const { return folder_ / name; }
  std::string with(const std::string& name, std::string_view bytes) const {
    REQUIRE(write_file(file(name), bytes).has_value());
    return file(name);
  }
  bool only(const std::string& name) const {
    size_t entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().filename() != name) return false;
      ++entries;
    }
    return entries == 1;
  }

 private:
  TemporaryFolder folder_;
};

const Diagnostic& only_error(const Diagnostics& diagnostics) {
  REQUIRE(diagnostics.size() == 1);
  return diagnostics.list().front();
}

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out.push_back(static_cast<char>(value));
  return out;
}

/// One packet of four octets at 1 s + 2 units, big-endian with microseconds: the opposite of what we write.
std::string big_endian_micro() {
  return bytes({0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0,    0,    0xff, 0xff, 0, 0, 0, 1,  //
                0,    0,    0,    1,    0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 4, 0xde, 0xad, 0xbe, 0xef});
}

}  // namespace

TEST_CASE("a written capture has the documented bytes") {
  const Scratch scratch;
  const std::string path = scratch.file("out.pcap");
  auto writer = PcapWriter::create(path);
  REQUIRE(writer.has_value());
  const Bytes frame{1, 2, 3};
  writer->write(5'000'000'007, frame);
  CHECK_FALSE(std::filesystem::exists(path));  // nothing under the name before commit
  REQUIRE(writer->commit().has_value());
  CHECK(scratch.only("out.pcap"));
  CHECK(*read_file(path) ==
        bytes({0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0,  //
               5,    0,    0,    0,    7, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3}));
}

TEST_CASE("a capture that is not committed leaves nothing behind") {
  const Scratch scratch;
  {
    auto writer = PcapWriter::create(scratch.file("out.pcap"));
    REQUIRE(writer.has_value());
    writer->write(0, Bytes{1, 2, 3});
  }
  CHECK(std::filesystem::is_empty(std::filesystem::path(scratch.file("x")).parent_path()));
}

TEST_CASE("what is written can be read") {
  const Scratch scratch;
  std::vector<CapturedPacket> packets;
  for (size_t i = 0; i < 100; ++i)
    packets.push_back({i * 672 + 4'294'967'295'000'000'000, Bytes(60 + i * 15, uint8_t(i))});
  REQUIRE(write_pcap(scratch.file("a.pcap"), packets).has_value());
  auto back = read_pcap(scratch.file("a.pcap"));
  REQUIRE(back.has_value());
  REQUIRE(back->size() == packets.size());
  for (size_t i = 0; i < packets.size(); ++i) {
    CHECK((*back)[i].nanoseconds == packets[i].nanoseconds);
    CHECK((*back)[i].bytes == packets[i].bytes);
  }
}

TEST_CASE("a time beyond 32 bits of seconds is refused, not wrapped") {
  const Scratch scratch;
  auto writer = PcapWriter::create(scratch.file("late.pcap"));
  REQUIRE(writer.has_value());
  writer->write(1, Bytes{1});
  writer->write(4'294'967'296'000'000'000, Bytes{2});
  auto done = writer->commit();
  REQUIRE_FALSE(done.has_value());
  CHECK(only_error(done.error()).code == "pcap-time");
  CHECK(only_error(done.error()).text.find("packet 2") != std::string::npos);
}

TEST_CASE("other byte order and resolution are understood") {
  const Scratch scratch;
  auto packets = read_pcap(scratch.with("big.pcap", big_endian_micro()));
  REQUIRE(packets.has_value());
  REQUIRE(packets->size() == 1);
  CHECK(packets->front().nanoseconds == 1'000'002'000);
  CHECK(packets->front().bytes == Bytes{0xde, 0xad, 0xbe, 0xef});
}

TEST_CASE("pcapng is understood") {
  // Section header, interface (Ethernet, if_tsresol 9 = nanoseconds), one enhanced packet of 4 octets at 5 ns.
  const std::string file =
      bytes({0x0a, 0x0d, 0x0d, 0x0a, 28,   0,    0,    0,    0x4d, 0x3c, 0x2b, 0x1a, 1, 0,
             0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 28,   0,    0, 0}) +
      bytes({1, 0, 0, 0, 32, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0}) +
      bytes({6, 0, 0, 0, 36, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0, 5, 0,
             0, 0, 4, 0, 0,  0, 4, 0, 0, 0, 1, 2, 3, 4, 36, 0, 0, 0});
  const Scratch scratch;
  auto packets = read_pcap(scratch.with("a.pcapng", file));
  REQUIRE(packets.has_value());
  REQUIRE(packets->size() == 1);
  CHECK(packets->front().nanoseconds == 5);
  CHECK(packets->front().bytes == Bytes{1, 2, 3, 4});
}

TEST_CASE("a missing capture is named") {
  auto packets = read_pcap("no/such/file.pcap");
  REQUIRE_FALSE(packets.has_value());
  CHECK(only_error(packets.error()).code == "file-missing");
  CHECK(only_error(packets.error()).text.find("no/such/file.pcap") != std::string::npos);
  CHECK_FALSE(only_error(packets.error()).remedy.empty());
  auto folder = read_pcap("/");
  REQUIRE_FALSE(folder.has_value());
  CHECK(only_error(folder.error()).code == "file-unreadable");
}

TEST_CASE("a foreign file is not taken for a capture") {
  const Scratch scratch;
  for (const auto& [content, remedy] :
       std::vector<std::pair<std::string, std::string>>{{"", "24 bytes"},
                                                        {"hello, this is text and not a capture at all", "editcap"},
                                                        {bytes({0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3}), "gunzip"},
                                                        {bytes({0xa1, 0xb2, 0xc3}), "editcap"}}) {
    auto packets = read_pcap(scratch.with("foreign", content));
    REQUIRE_FALSE(packets.has_value());
    CHECK(only_error(packets.error()).code == "pcap-format");
    CHECK(only_error(packets.error()).text.find(scratch.file("foreign")) != std::string::npos);
    CHECK(only_error(packets.error()).remedy.find(remedy) != std::string::npos);
  }
}

TEST_CASE("a capture cut anywhere is an error with the packet and the byte") {
  const Scratch scratch;
  const std::string whole = big_endian_micro() + big_endian_micro().substr(24);
  for (size_t length = 1; length < whole.size(); ++length) {
    CAPTURE(length);
    auto packets = read_pcap(scratch.with("cut.pcap", whole.substr(0, length)));
    const bool at_a_boundary = length == 24 || length == 44;
    REQUIRE(packets.has_value() == at_a_boundary);
    if (at_a_boundary) continue;
    const Diagnostic& error = only_error(packets.error());
    if (length < 24) {
      CHECK(error.code == "pcap-format");
    } else {
      CHECK(error.code == "pcap-truncated");
      const std::string place = length < 44 ? "packet 1 of" : "packet 2 of";
      CHECK(error.text.find(place) != std::string::npos);
      CHECK(error.text.find(length < 44 ? "byte 24)" : "byte 44)") != std::string::npos);
      CHECK_FALSE(error.remedy.empty());
    }
  }
}

TEST_CASE("a damaged length is an error, not an allocation") {
  const Scratch scratch;
  std::string file = big_endian_micro();
  file[32] = '\x7f';  // captured length 2 GB
  auto packets = read_pcap(scratch.with("damaged.pcap", file));
  REQUIRE_FALSE(packets.has_value());
  CHECK(only_error(packets.error()).text.find("packet 1 of") != std::string::npos);
}

TEST_CASE("the link type is checked unless the caller takes any") {
  const Scratch scratch;
  std::string file = big_endian_micro();
  file[23] = 101;
  const std::string path = scratch.with("raw.pcap", file);
  auto refused = read_pcap(path);
  REQUIRE_FALSE(refused.has_value());
  CHECK(only_error(refused.error()).code == "pcap-link-type");
  CHECK(only_error(refused.error()).text.find("EN10MB") != std::string::npos);
  auto reader = PcapReader::open(path, {.required = {}, .allow_snapped = false});
  REQUIRE(reader.has_value());
  CHECK(reader->link_type() == LinkType::raw_ip);
  CHECK((*reader->next()).has_value());
  CHECK_FALSE((*reader->next()).has_value());
  CHECK_FALSE((*reader->next()).has_value());  // the end stays the end
  CHECK(reader->count() == 1);
}

TEST_CASE("a frame of which only the beginning was captured is refused unless asked for") {
  const Scratch scratch;
  std::string file = big_endian_micro();
  file[39] = 60;  // original length
  const std::string path = scratch.with("snapped.pcap", file);
  auto refused = read_pcap(path);
  REQUIRE_FALSE(refused.has_value());
  CHECK(only_error(refused.error()).code == "pcap-snapped");
  auto taken = read_pcap(path, {.required = LinkType::ethernet, .allow_snapped = true});
  REQUIRE(taken.has_value());
  CHECK(taken->front().bytes.size() == 4);
}

TEST_CASE("a packet without bytes is refused unless parts of frames are asked for") {
  const Scratch scratch;
  const std::string path = scratch.with("empty.pcap", big_endian_micro() + std::string(16, '\0'));
  auto refused = read_pcap(path);
  REQUIRE_FALSE(refused.has_value());
  CHECK(only_error(refused.error()).code == "pcap-damaged");
  CHECK(only_error(refused.error()).text.find("packet 2 of") != std::string::npos);
  CHECK(only_error(refused.error()).text.find("byte 44)") != std::string::npos);
  CHECK(only_error(refused.error()).remedy.ends_with("editcap IN OUT 2"));
  auto taken = read_pcap(path, {.required = LinkType::ethernet, .allow_snapped = true});
  REQUIRE(taken.has_value());
  CHECK(taken->size() == 2);
}

TEST_CASE("small captures of other programs have the documented number of frames") {
  const std::string folder = WEFT_SOURCE_DIR "/tests/data/tcpdump_pcaps/";
  for (const auto& [name, frames] :
       std::vector<std::pair<std::string, size_t>>{{"ipv4_tcp_http_xml", 1},
                                                   {"ipv6-bad-version", 4},
                                                   {"ipv6-routing-header", 4},
                                                   {"ipv6-too-long-jumbo", 1},
                                                   {"mpls-ldp-hello", 1},
                                                   {"mpls-over-udp", 2},
                                                   {"mpls-traceroute", 18},
                                                   {"tcp-handshake-nano", 3},
                                                   {"tcp_eight_lowest_weight_flags_set", 1},
                                                   {"tcp_rst_data", 1}}) {
    CAPTURE(name);
    auto packets = read_pcap(folder + name + ".pcap", {.required = {}, .allow_snapped = true});
    REQUIRE(packets.has_value());
    CHECK(packets->size() == frames);
  }
}
