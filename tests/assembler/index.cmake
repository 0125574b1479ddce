# The index of names.
set(ASSEMBLER_INDEX_TESTS)
if(TARGET weft::isa)
  list(APPEND ASSEMBLER_INDEX_TESTS index_names_test.cpp index_position_test.cpp index_incomplete_test.cpp index_programs_test.cpp
       cancellation_test.cpp)
endif()
