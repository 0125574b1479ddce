set(ASSEMBLER_FRONT_TESTS sources_test.cpp)
