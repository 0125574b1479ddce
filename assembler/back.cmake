# The back: allocator, checker, encoder, listing, disassembler, driver.
set(ASSEMBLER_BACK)
if(TARGET weft::isa)
  list(APPEND ASSEMBLER_BACK
    src/flow.cpp src/calls.cpp src/accesses.cpp src/waits.cpp src/liveness.cpp src/pins.cpp
    src/banks.cpp src/bank_repair.cpp src/clusters.cpp src/allocator.cpp src/pressure.cpp src/spill.cpp src/spill_rewrite.cpp src/places.cpp
    src/checker.cpp src/check_names.cpp src/check_remote.cpp src/check_sequences.cpp src/check_signals.cpp src/warnings.cpp
    src/optimizer.cpp src/optimizer_rules.cpp
    src/late.cpp src/encoder.cpp src/listing.cpp src/disassembler.cpp src/assemble.cpp)
endif()
