# The front: sources, lexer, expressions, preprocessor.
set(ASSEMBLER_FRONT src/sources.cpp)
