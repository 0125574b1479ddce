# The middle: parser, resolver, structured blocks.
set(ASSEMBLER_MIDDLE_TESTS)
if(TARGET weft::isa)
  list(APPEND ASSEMBLER_MIDDLE_TESTS parser_test.cpp line_shapes_test.cpp resolver_test.cpp resolver_errors_test.cpp structured_test.cpp)
endif()
