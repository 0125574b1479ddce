# Chip and board files, units and media.
list(APPEND WEFT_EMULATOR_UNIT_TESTS
  chip_files.cpp chip_ixp2800.cpp units_scratch.cpp units_sram.cpp units_dram.cpp units_dram_banks.cpp units_hash.cpp units_timing.cpp units_core.cpp
  units_1200_sram.cpp units_1200_sdram.cpp units_1200_fbi.cpp units_1200_core.cpp
  media_receive.cpp media_transmit.cpp media_ports.cpp media_links.cpp
  media1200_units.cpp state_fields.cpp)
