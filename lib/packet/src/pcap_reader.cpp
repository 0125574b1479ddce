// Reads captures through libpcap, which knows both formats, both byte orders and all time resolutions. Its messages are
// kept, but ours say which file, which packet, where and what to do.
#include <fmt/format.h>
#include <pcap/pcap.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "weft/packet/pcap.h"

namespace weft::packet {
namespace {

std::string shown(const std::string& path) { return path == "-" ? "standard input" : fmt::format("'{}'", path); }

std::string link_name(int type) {
  const char* name = pcap_datalink_val_to_name(type == static_cast<int>(LinkType::raw_ip) ? DLT_RAW : type);
  return name ? fmt::format("{} ({})", name, type) : fmt::format("number {}", type);
}

/// The number as it stands in files; libpcap gives the host's own number for raw IP.
int link_number(pcap_t* handle) {
  const int type = pcap_datalink(handle);
  return type == DLT_RAW ? static_cast<int>(LinkType::raw_ip) : type;
}

/// What a file that libpcap does not know may be, by its first bytes.
std::string format_remedy(std::string_view head) {
  if (head.substr(0, 2) == "\x1f\x8b") return "this is a gzip file: unpack it first (gunzip)";
  if (head.substr(0, 4) == "\x28\xb5\x2f\xfd") return "this is a zstd file: unpack it first (unzstd)";
  if (head.substr(0, 6) == std::string_view("\xfd"
                                            "7zXZ\0",
                                            6))
    return "this is an xz file: unpack it first (unxz)";
  if (head.substr(0, 5) == "snoop") return "convert it first: editcap -F pcap IN OUT";
  return "give a pcap or pcapng file; other capture formats are converted with: editcap -F pcap IN OUT";
}

}  // namespace

struct PcapReader::State {
  std::string path;
  PcapReadOptions options;
  std::FILE* stream = nullptr;
  pcap_t* handle = nullptr;  // owns `stream` once it is open
  uint64_t count = 0;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (handle) {
      pcap_close(handle);  // leaves standard input open
    } else if (stream && stream != stdin) {
      std::fclose(stream);
    }
  }

  tl::unexpected<Diagnostics> fail_at(std::string code, int64_t byte, const std::string& what,
                                      std::string remedy) const {
    std::string place = fmt::format("packet {} of {}", count + 1, shown(path));
    if (byte >= 0) place += fmt::format(" (its record starts at byte {})", byte);
    return fail(std::move(code), whole_file(path), fmt::format("{} {}", place, what), std::move(remedy));
  }
};

PcapReader::PcapReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
PcapReader::PcapReader(PcapReader&&) noexcept = default;
PcapReader& PcapReader::operator=(PcapReader&&) noexcept = default;
PcapReader::~PcapReader() = default;

LinkType PcapReader::link_type() const { return static_cast<LinkType>(link_number(state_->handle)); }
uint64_t PcapReader::count() const { return state_->count; }

Result<PcapReader> PcapReader::open(const std::string& path, const PcapReadOptions& options) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->options = options;
  std::string head;
  if (path == "-") {
    state->stream = stdin;
  } else {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
      return fail("file-unreadable", whole_file(path), fmt::format("'{}' is a folder, not a file", path),
                  "name a file");
    state->stream = std::fopen(path.c_str(), "rb");
    if (!state->stream) {
      const bool missing = errno == ENOENT;
      return fail(missing ? "file-missing" : "file-unreadable", whole_file(path),
                  fmt::format("cannot open '{}': {}", path, std::strerror(errno)),
                  missing ? "check the name of the capture" : "check that it may be read");
    }
    // A pipe cannot be rewound, so only ordinary files are looked at beforehand.
    if (std::filesystem::is_regular_file(path, ignored)) {
      std::array<char, 8> bytes{};
      head.assign(bytes.data(), std::fread(bytes.data(), 1, bytes.size(), state->stream));
      std::rewind(state->stream);
      if (head.empty())
        return fail("pcap-format", whole_file(path), fmt::format("'{}' is empty", path),
                    "a capture without packets still has a header of 24 bytes; write the file again");
    }
  }

  std::array<char, PCAP_ERRBUF_SIZE> reason{};
  state->handle = pcap_fopen_offline_with_tstamp_precision(state->stream, PCAP_TSTAMP_PRECISION_NANO, reason.data());
  if (!state->handle)
    return fail("pcap-format", whole_file(path),
                fmt::format("{} is not a capture that can be read: {}", shown(path), reason.data()),
                format_remedy(head));

  const int type = link_number(state->handle);
  if (options.required && type != static_cast<int>(*options.required))
    return fail("pcap-link-type", whole_file(path),
                fmt::format("{} holds frames of link type {}, but {} is needed here", shown(path), link_name(type),
                            link_name(static_cast<int>(*options.required))),
                "capture on an Ethernet interface, or rewrite the link headers");
  return PcapReader(std::move(state));
}

Result<std::optional<CapturedPacket>> PcapReader::next() {
  State& s = *state_;
  // libpcap reads the stream front to back without a buffer of its own, so the position is that of the next record.
  const int64_t start = ftello(pcap_file(s.handle));
  pcap_pkthdr* header = nullptr;
  const uint8_t* data = nullptr;
  const int status = pcap_next_ex(s.handle, &header, &data);
  if (status == PCAP_ERROR_BREAK) return std::optional<CapturedPacket>{};
  if (status != 1) {
    const std::string reason = pcap_geterr(s.handle);
    if (reason.find("truncated") != std::string::npos)
      return s.fail_at("pcap-truncated", start, fmt::format("is cut off: {}", reason),
                       s.count > 0
                           ? fmt::format("copy the file again, or keep its {} whole packets: editcap -r IN OUT 1-{}",
                                         s.count, s.count)
                           : "copy the file again: it holds no whole packet");
    return s.fail_at("pcap-damaged", start, fmt::format("cannot be read: {}", reason),
                     "the file is damaged there; copy or capture it again");
  }
  if (header->caplen < header->len && !s.options.allow_snapped)
    return s.fail_at("pcap-snapped", start,
                     fmt::format("has {} bytes, but the capture holds only the first {}", header->len, header->caplen),
                     "capture whole frames (tcpdump -s 0)");
  // A port that gets it would count it as lost for its length, and nobody would know why.
  if (header->caplen == 0 && !s.options.allow_snapped)
    return s.fail_at("pcap-damaged", start, "is empty: a frame has at least one byte",
                     fmt::format("capture it again, or take the packet out: editcap IN OUT {}", s.count + 1));
  ++s.count;
  CapturedPacket packet;
  // A pcap file has 32 unsigned bits of seconds, which libpcap reads as signed. With nanosecond precision it puts
  // nanoseconds into tv_usec.
  const int64_t seconds = header->ts.tv_sec < 0 ? header->ts.tv_sec + (int64_t{1} << 32) : header->ts.tv_sec;
  packet.nanoseconds = static_cast<uint64_t>(seconds) * 1'000'000'000U + static_cast<uint64_t>(header->ts.tv_usec);
  packet.bytes.assign(data, data + header->caplen);
  return std::optional<CapturedPacket>(std::move(packet));
}

Result<std::vector<CapturedPacket>> read_pcap(const std::string& path, const PcapReadOptions& options) {
  auto reader = PcapReader::open(path, options);
  if (!reader) return tl::unexpected(std::move(reader.error()));
  std::vector<CapturedPacket> packets;
  while (true) {
    auto packet = reader->next();
    if (!packet) return tl::unexpected(std::move(packet.error()));
    if (!*packet) return packets;
    packets.push_back(std::move(**packet));
  }
}

}  // namespace weft::packet
