#include "names.h"

#include "weft/image/region.h"

namespace weft::image {

NameTable<isa::Profile> profile_names() {
  static constexpr std::pair<std::string_view, isa::Profile> table[] = {{"me1", isa::Profile::me1},
                                                                        {"me2", isa::Profile::me2}};
  return table;
}

NameTable<RegisterKind> register_kind_names() {
  static constexpr std::pair<std::string_view, RegisterKind> table[] = {{"gpr", RegisterKind::gpr},
                                                                        {"gpr_absolute", RegisterKind::gpr_absolute},
                                                                        {"xfer_s_read", RegisterKind::xfer_s_read},
                                                                        {"xfer_s_write", RegisterKind::xfer_s_write},
                                                                        {"xfer_d_read", RegisterKind::xfer_d_read},
                                                                        {"xfer_d_write", RegisterKind::xfer_d_write},
                                                                        {"neighbor", RegisterKind::neighbor}};
  return table;
}

NameTable<isa::Bank> bank_names() {
  static constexpr std::pair<std::string_view, isa::Bank> table[] = {
      {"", isa::Bank::none}, {"a", isa::Bank::a}, {"b", isa::Bank::b}};
  return table;
}

NameTable<Mark::Kind> mark_names() {
  static constexpr std::pair<std::string_view, Mark::Kind> table[] = {{"block", Mark::Kind::block},
                                                                      {"stage", Mark::Kind::stage},
                                                                      {"drop", Mark::Kind::drop},
                                                                      {"exception", Mark::Kind::exception}};
  return table;
}

NameTable<Region> region_names() {
  static constexpr std::pair<std::string_view, Region> table[] = {
      {"scratch", Region::scratch}, {"sram0", Region::sram0}, {"sram1", Region::sram1}, {"sram2", Region::sram2},
      {"sram3", Region::sram3},     {"dram", Region::dram},   {"local", Region::local}};
  return table;
}

std::string_view region_name(Region region) { return name_of(region_names(), region); }

NameTable<ImportUse::Part> part_names() {
  static constexpr std::pair<std::string_view, ImportUse::Part> table[] = {
      {"low16", ImportUse::Part::low16}, {"high16", ImportUse::Part::high16}, {"whole16", ImportUse::Part::whole16}};
  return table;
}

}  // namespace weft::image
