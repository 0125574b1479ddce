# Chip and board files, units and media.
list(APPEND WEFT_EMULATOR_UNIT_SOURCES
  src/chip/sourced.cpp src/chip/chip_reader.cpp src/chip/board_reader.cpp src/chip/find.cpp
  src/units/memory.cpp src/units/atomic.cpp src/units/scratch.cpp src/units/queue_array.cpp
  src/units/sram.cpp src/units/dram_pins.cpp src/units/dram.cpp src/units/hash_unit.cpp src/units/cap.cpp src/units/units.cpp
  src/units/sram1200.cpp src/units/sdram1200.cpp src/units/fbi.cpp src/units/ixp2000.cpp
  src/units/ixp1200.cpp src/units/host_port.cpp src/units/unit_look.cpp
  src/schedule/unit_queue.cpp src/schedule/core_inlet.cpp src/schedule/sorted_queue.cpp src/schedule/analytic_unit.cpp src/schedule/lookahead.cpp
  src/media/port.cpp src/media/link.cpp src/media/cut_through.cpp src/media/ready_bus.cpp src/media/ix_bus.cpp src/media/ix_transfers.cpp
  src/media/sources.cpp src/media/msf.cpp src/media/held.cpp src/media/receive.cpp src/media/transmit.cpp)
