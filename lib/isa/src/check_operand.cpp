// Whether an operand can stand in a position of a written form.
#include "codecs.h"
#include "operand_codes.h"

namespace weft::isa {
namespace {

struct Place {
  Width width;
  Side side;
  bool constants;
  uint32_t max;
};

std::optional<Place> place_of(ArgClass cls) {
  switch (cls) {
    case ArgClass::ur_dest: return Place{Width::ur, Side::dest, false, 0};
    case ArgClass::ur_source: return Place{Width::ur, Side::source, true, 255};
    case ArgClass::ur_register: return Place{Width::ur, Side::source, false, 0};
    case ArgClass::re_dest: return Place{Width::re, Side::dest, false, 0};
    case ArgClass::re_source: return Place{Width::re, Side::source, true, 255};
    case ArgClass::re_register: return Place{Width::re, Side::source, false, 0};
    case ArgClass::address: return Place{Width::re, Side::source, true, 127};
    default: return std::nullopt;
  }
}

bool is_xfer_class(ArgClass cls) {
  return cls == ArgClass::xfer_read || cls == ArgClass::xfer_write || cls == ArgClass::xfer_both;
}

}  // namespace

tl::expected<void, EncodeError> check_operand(Profile profile, const Arg& arg, const Operand& o) {
  using codec::refuse;
  if (!o.present() && arg.optional) return {};
  if (arg.cls == ArgClass::none_only) {
    if (!o.present()) return {};
    return refuse(arg.role, print_operand(o) + " cannot stand here", "this position must be `--`");
  }
  if (is_xfer_class(arg.cls)) {
    if ((o.kind == OperandKind::xfer_s || o.kind == OperandKind::xfer_d) && o.value < sizes(profile).transfers)
      return {};
    return refuse(arg.role,
                  o.present() ? print_operand(o) + " is not a transfer register by number"
                              : std::string("the transfer register is missing"),
                  "name a transfer register, e.g. $0");
  }
  const auto place = place_of(arg.cls);
  if (!place) return {};  // not an operand position
  if (place->side == Side::source && !o.present())
    return refuse(arg.role, "the operand is missing",
                  "name a register" + std::string(place->constants ? " or a constant" : ""));
  if (place->side == Side::source && o.kind == OperandKind::constant) {
    if (!place->constants)
      return refuse(arg.role, "a constant cannot stand here", "load it into a register with immed");
    if (o.value <= place->max) return {};
    return refuse(
        arg.role,
        "the constant " + print_operand(o) + " does not fit; here it may be 0 to " + std::to_string(place->max),
        "load it into a register with immed");
  }
  if (!operand_code(profile, place->width, place->side, o) || (o.is_gpr() && o.bank == Bank::none))
    return tl::unexpected(not_expressible(profile, arg.role, place->width, place->side, o));
  return {};
}

}  // namespace weft::isa
