#include "packet_export.h"

#include <QStandardPaths>
#include <algorithm>

#include "weft/packet/pcap.h"

namespace weft::ide {

namespace {

std::vector<uint8_t> frame_of(const emulator::PacketRecord& r, WhichFrame which) {
  return which == WhichFrame::received ? r.data : emulator::sent_frame(r.data, r.bytes_of);
}

}  // namespace

Result<uint64_t> save_pcap(const std::vector<PacketFrame>& packets, WhichFrame which, const QString& path) {
  std::vector<packet::CapturedPacket> frames;
  for (const PacketFrame& p : packets) {
    const emulator::PacketRecord& r = p.record;
    std::vector<uint8_t> bytes = frame_of(r, which);
    // What left did so at the end of its latency; cycles scale as the arrival does.
    uint64_t at = p.nanoseconds;
    if (which == WhichFrame::sent && r.arrived > 0)
      at = static_cast<uint64_t>(static_cast<double>(p.nanoseconds) * static_cast<double>(r.ended) /
                                 static_cast<double>(r.arrived));
    if (!bytes.empty()) frames.push_back({at, std::move(bytes)});
  }
  std::ranges::stable_sort(frames, {}, &packet::CapturedPacket::nanoseconds);
  const uint64_t count = frames.size();
  auto written = packet::write_pcap(path.toStdString(), frames);
  if (!written) return tl::unexpected(std::move(written.error()));
  return count;
}

QString hex_text(const std::vector<PacketFrame>& packets) {
  QString out;
  for (const PacketFrame& p : packets) {
    const auto sent = emulator::sent_frame(p.record.data, p.record.bytes_of);
    out += QObject::tr("packet %1, port %2, as received: %3\n")
               .arg(number_of_packet(p.id))
               .arg(p.record.port)
               .arg(QString::fromStdString(workbench::packet_summary(p.record.data)));
    out += QString::fromStdString(workbench::hex_rows(p.record.data));
    if (sent.empty()) continue;
    out += QObject::tr("packet %1, port %2, as transmitted: %3\n")
               .arg(number_of_packet(p.id))
               .arg(p.record.out_port)
               .arg(QString::fromStdString(workbench::packet_summary(sent)));
    out += QString::fromStdString(workbench::hex_rows(sent));
  }
  return out;
}

workbench::PacketOfCase case_of(const PacketFrame& packet) {
  const emulator::PacketRecord& r = packet.record;
  return {r.port,    packet.nanoseconds, r.damaged,  r.data,
          r.verdict, r.reason,           r.out_port, emulator::sent_frame(r.data, r.bytes_of)};
}

QString find_wireshark() {
  const QString found = QStandardPaths::findExecutable(QStringLiteral("wireshark"));
  if (!found.isEmpty()) return found;
  return QStandardPaths::findExecutable(QStringLiteral("wireshark"),
                                        {QStringLiteral("/Applications/Wireshark.app/Contents/MacOS"),
                                         QStringLiteral("/usr/local/bin"), QStringLiteral("/opt/wireshark/bin")});
}

}  // namespace weft::ide
