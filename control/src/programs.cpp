#include "weft/control/programs.h"

#include <algorithm>
#include <array>

#include "diffserv/program.h"
#include "firewall/filter_program.h"
#include "firewall/firewall.h"
#include "ipv4_1200.h"
#include "weft/control/mpls/mpls.h"

namespace weft::control {

namespace {

constexpr std::array kPrograms{
    ProgramKind{"ipv4", isa::Profile::me2, "routers on IXP2400",
                [](const std::string& path, const ControlOptions& o) { return load_ipv4_control(path, o); }},
    ProgramKind{"firewall", isa::Profile::me2, "firewalls on IXP2400", firewall::load_firewall_control},
    ProgramKind{"filter", isa::Profile::me2, "packet filters on IXP2400", firewall::load_filter_control},
    ProgramKind{"mpls", isa::Profile::me2, "label switching routers on IXP2400", mpls::load_mpls_control},
    ProgramKind{"ipv4-1200", isa::Profile::me1, "the forwarder on IXP1200", ixp1200::load_ipv4_control},
    ProgramKind{"diffserv-1200", isa::Profile::me1, "the DiffServ edge router on IXP1200",
                diffserv::load_diffserv_control},
};

}  // namespace

std::span<const ProgramKind> program_kinds() { return kPrograms; }

const ProgramKind* find_program(std::string_view name) {
  const auto found = std::ranges::find(kPrograms, name, &ProgramKind::name);
  return found == kPrograms.end() ? nullptr : &*found;
}

}  // namespace weft::control
