# The front: sources, lexer, expressions, preprocessor.
set(ASSEMBLER_FRONT
  src/sources.cpp src/names.cpp src/lexer.cpp
  src/expression.cpp src/expression_functions.cpp
  src/macro.cpp src/expander.cpp src/macro_labels.cpp src/predefined.cpp src/pragmas.cpp
  src/preprocessor.cpp src/directives.cpp src/macros_and_loops.cpp src/preprocessed_text.cpp)
