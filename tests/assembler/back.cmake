# The back: allocator, checker, encoder, listing, disassembler, driver.
set(ASSEMBLER_BACK_TESTS)
if(TARGET weft::isa)
  list(APPEND ASSEMBLER_BACK_TESTS
    real_programs_test.cpp allocation_sweep_test.cpp allocator_test.cpp allocator_support.cpp disassembler_test.cpp assemble_test.cpp
    encoder_test.cpp sweep_test.cpp ../isa/sweep.cpp me1_test.cpp oracle_test.cpp word_equivalence.cpp allocator_programs_test.cpp
    optimizer_test.cpp directives_test.cpp warnings_test.cpp check_table_test.cpp pins_test.cpp bank_repair_test.cpp spill_test.cpp subroutine_test.cpp allocation_rules_test.cpp)
endif()
