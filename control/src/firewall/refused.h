// Lines of a router's configuration that say what a firewall's microcode cannot do.
#pragma once

#include "weft/control/config.h"

namespace weft::control::firewall {

/// For ConfigExtension::refuse: labels and IPv6, each refused at its line in the name of the control program.
decltype(ConfigExtension::refuse) lines_refused_by(std::string program);

}  // namespace weft::control::firewall
