// Memory of the label microcode besides its table: maps and prepend areas, and the constants that tell where all that
// is.
#include <fmt/format.h>

#include <bit>

#include "ipv4.h"
#include "mpls/layout.h"
#include "mpls/table.h"
#include "weft/control/mpls/mpls.h"

namespace weft::control::mpls {

namespace {

image::MemoryWrite maps(const Config& config) {
  image::MemoryWrite out{image::Region::scratch, kMapsBase, std::vector<uint32_t>(kMapsLongwords, 0)};
  for (unsigned d = 0; d < 64; ++d) out.values[d >> 3] |= uint32_t{config.tc_of_dscp[d]} << 4 * (d & 7);
  for (unsigned tc = 0; tc < 8; ++tc) out.values[kMapOfTc + tc] = uint32_t{config.dscp_of_tc[tc]} << 2;
  return out;
}

}  // namespace

Result<Extra> make_extra(const RouterConfig& config, const ControlOptions& options, uint32_t buffers) {
  Extra out{{maps(config.mpls)}, {}, {}, options};
  const uint64_t prepends = uint64_t{buffers} * kPrependBytes,
                 table = table_bytes(config.mpls.labels, config.mpls.split);
  uint64_t& room = out.options.sram_bytes[1];
  if (room < prepends || options.sram_bytes[0] < table) {
    return fail(
        "control-labels", whole_file(config.path),
        fmt::format("a table of {} labels ({} KB) and the headers of {} buffers do not fit into the board's SRAM",
                    config.mpls.labels, table / 1024, buffers),
        "write a smaller table: mpls labels 65536");
  }
  room = (room - prepends) & ~uint64_t{kPrependBytes - 1};
  const auto first = static_cast<uint32_t>(room) | 1u << 30;
  const auto base = static_cast<uint32_t>((options.sram_bytes[0] - table) & ~uint64_t{63});
  const LabelTable where(config.mpls.labels, config.mpls.split, base);
  const auto shift = static_cast<uint32_t>(std::countr_zero(config.buffer_bytes) - std::countr_zero(kPrependBytes));
  out.constants = {{config.mpls.split ? "mpls_split_table" : "mpls_table", where.base()},
                   {"mpls_labels", where.labels()},
                   {"mpls_spare", where.spare()},
                   {"mpls_maps", kMapsBase},
                   {"mpls_prepend", first - (kBufferBase >> shift)},
                   {"mpls_prepend_shift", shift}};
  out.withheld[config.mpls.split ? "mpls_table" : "mpls_split_table"] =
      config.mpls.split
          ? image::Withheld{fmt::format("{}:{} says mpls table split", config.path, config.mpls.table_line),
                            "build the forwarding programs with \"define\": {\"MPLS_TABLE_SPLIT\": 1}, or write mpls "
                            "table combined"}
          : image::Withheld{
                config.mpls.table_line != 0
                    ? fmt::format("{}:{} says mpls table combined", config.path, config.mpls.table_line)
                    : fmt::format("{} has no line mpls table split", config.path),
                "build the forwarding programs with \"define\": {\"MPLS_TABLE_SPLIT\": 0}, or write mpls table split"};
  return out;
}

Result<ControlSetup> load_mpls_control(const std::string& path, const ControlOptions& options) {
  auto config = read_router_config(path, std::min(options.ports, kPorts), options.switches);
  if (!config) return tl::unexpected(std::move(config.error()));
  config->mpls.used = true;
  return make_ipv4_control(*config, options);
}

}  // namespace weft::control::mpls
