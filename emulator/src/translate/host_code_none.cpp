// For hosts without a translator: everything is interpreted.
#include "translate/host_code.h"

namespace weft::emulator::translate {

std::unique_ptr<HostCode> make_host_code(Traced) { return nullptr; }

}  // namespace weft::emulator::translate
