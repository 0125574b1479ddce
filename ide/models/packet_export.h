// Packets for other programs: captures, text, and where Wireshark is.
#pragma once

#include <QString>
#include <QStringList>

#include "packet_detail.h"
#include "weft/workbench/packet_case.h"

namespace weft::ide {

enum class WhichFrame { received, sent };

/// A pcap in the order of time; packets without such a frame are left out. Gives how many it has. Diagnostics: those of
/// files.
Result<uint64_t> save_pcap(const std::vector<PacketFrame>& packets, WhichFrame which, const QString& path);
/// Rows of hexadecimal, with a line above each packet.
QString hex_text(const std::vector<PacketFrame>& packets);
workbench::PacketOfCase case_of(const PacketFrame& packet);
/// Full path; empty: not installed.
QString find_wireshark();

}  // namespace weft::ide
