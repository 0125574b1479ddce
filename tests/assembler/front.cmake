set(ASSEMBLER_FRONT_TESTS sources_test.cpp preprocess_corpus.cpp preprocess_test.cpp)
