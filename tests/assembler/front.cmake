set(ASSEMBLER_FRONT_TESTS
  sources_test.cpp lexer_test.cpp expression_test.cpp
  preprocess_corpus.cpp preprocess_test.cpp preprocess_errors_test.cpp preprocess_random_test.cpp)
