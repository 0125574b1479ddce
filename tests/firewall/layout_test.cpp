// The firewall's microcode and its control program have the same numbers.
#include "weft/control/firewall/layout.h"

#include <catch2/catch.hpp>
#include <map>

#include "microcode_defines.h"

using namespace weft;
using weft::test::microcode_defines;
using namespace weft::control::firewall;

TEST_CASE("The firewall's reasons have the same names and numbers in both files") {
  auto uc = microcode_defines("lib/microblocks/firewall/reasons.uc");
  CHECK(uc.size() == kFirewallReasonNames.size());
  for (const FirewallReasonName& r : kFirewallReasonNames) {
    std::string name = "REASON_";
    for (const char c : r.name) name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    INFO(name);
    REQUIRE(uc.count(name) == 1);
    CHECK(uc[name] == static_cast<uint32_t>(r.reason));
  }
}

TEST_CASE("The firewall's memory is the same in both files") {
  const auto uc = microcode_defines("lib/microblocks/firewall/layout.uc");
  const std::map<std::string, uint32_t> expected{
      {"PREROUTING_RING", kPreroutingRing},
      {"ROUTING_RING", kRoutingRing},
      {"FILTER_RING_0", kFilterRings[0]},
      {"FILTER_RING_1", kFilterRings[1]},
      {"FILTER_RING_2", kFilterRings[2]},
      {"FREE_ENTRY_RING", kFreeEntryRing},
      {"TCP_PORT_RING", kTcpPortRing},
      {"RELEASE_RING", kReleaseRing},
      {"UDP_PORT_RING", kUdpPortRing},
      {"ICMP_ID_RING", kIcmpIdRing},
      {"STAGE_LONGWORDS", kStageMessageLongwords},
      {"FIREWALL_CONFIG", kFirewallConfig},
      {"CONFIG_PUBLIC", kPublicAddress * 4},
      {"CONFIG_ZONES", kZones * 4},
      {"CONFIG_SWITCHES", kSwitches * 4},
      {"CONFIG_PORT_RANGE", kPortRange * 4},
      {"CONFIG_FORWARDINGS", kForwardings * 4},
      {"CONFIG_TICK", kTickUnits * 4},
      {"CONFIG_SCAN", kScanEntries * 4},
      {"CONFIG_FRAGMENT_LIFE", kFragmentLife * 4},
      {"CONFIG_TIMEOUTS", kTimeouts * 4},
      {"CONFIG_FORWARDING_LIST", kForwardingList * 4},
      {"CONFIG_BYTES", kConfigurationLongwords * 4},
      {"CONFIG_IDENTIFIER_RANGE", kIdentifierRange * 4},
      {"FORWARDING_BYTES", kForwardingLongwords * 4},
      {"MAX_FORWARDINGS", kMaxForwardings},
      {"RUNNING_NOW", kNow * 4},
      {"RUNNING_FREE_HEAD", kFreeHead * 4},
      {"RUNNING_FREE_TAIL", kFreeTail * 4},
      {"RUNNING_CREATED", kCreated * 4},
      {"RUNNING_RELEASED", kReleased * 4},
      {"RUNNING_EXPIRED", kExpired * 4},
      {"RUNNING_MAPPINGS", kMappings * 4},
      {"MAPPING_CONNECTIONS", kMappingConnections * 4},
      {"BUCKET_LOCKS", kBucketLocks},
      {"PORT_ANSWERS", kAnswers},
      {"TIMEOUT_UDP", static_cast<uint32_t>(Timeout::udp)},
      {"TIMEOUT_UDP_BOTH", static_cast<uint32_t>(Timeout::udp_both)},
      {"TIMEOUT_ICMP", static_cast<uint32_t>(Timeout::icmp)},
      {"TIMEOUT_OTHER", static_cast<uint32_t>(Timeout::other)},
      {"ENTRY_BYTES", kEntryBytes},
      {"ENTRY_REPLY_NODE", kConnectionNodeBytes},
      {"ENTRY_STATE", kEntryState * 4},
      {"ENTRY_EXPIRES", kEntryExpires * 4},
      {"ENTRY_ORIGIN", kEntryOrigin * 4},
      {"ENTRY_LIFE", kEntryLife * 4},
      {"ENTRY_PACKETS", kEntryPackets * 4},
      {"NODE_TUPLE", kNodeSource * 4},
      {"NODE_WINDOW", kNodeEnd * 4},
      {"CLASS_TCP", kClassTcp},
      {"CLASS_UDP", kClassUdp},
      {"CLASS_ICMP", kClassIcmp},
      {"CLASS_OTHER", kClassOther},
  };
  for (const auto& [name, value] : expected) {
    INFO(name);
    REQUIRE(uc.count(name) == 1);
    CHECK(uc.at(name) == static_cast<uint32_t>(value));
  }
  const std::map<std::string, uint32_t> bits{
      {"STAGE_REPLY", kMessageReply},
      {"STAGE_NEW", kMessageNew},
      {"STAGE_ERROR", kMessageIcmpError},
      {"STAGE_LATER", kMessageFragment},
      {"STAGE_FORWARDED", kMessageForwarded},
      {"SWITCH_HAIRPIN", kSwitchHairpin},
      {"SWITCH_STRICT_WINDOW", kSwitchStrictWindow},
      {"SWITCH_FORCE_MATCH", kSwitchForceMatch},
      {"ENTRY_REPLIED", kEntryReplied},
      {"ENTRY_ASSURED", kEntryAssured},
      {"ENTRY_SOURCE_NAT", kEntrySourceNat},
      {"ENTRY_DESTINATION_NAT", kEntryDestinationNat},
      {"ENTRY_OWNS_PORT", kEntryOwnsPort},
      {"ENTRY_SCALE_ORIGINAL", kEntryScaleOriginal},
      {"ENTRY_SCALE_REPLY", kEntryScaleReply},
  };
  for (const auto& [name, mask] : bits) {
    INFO(name);
    REQUIRE(uc.count(name) == 1);
    CHECK(1u << uc.at(name) == mask);
  }
  CHECK(1u << uc.at("FRAGMENT_LOG2") == kFragmentLongwords * 4);
}
