# The middle: parser, resolver, structured blocks.
include(WeftAntlr)
weft_antlr_parser(weft_microcode_grammar grammar/MicrocodeParser.g4 weft::assembler::grammar)
# weft_assembler exists only after this file was read. Its folder src/parser alone includes the generated headers.
cmake_language(DEFER CALL target_link_libraries weft_assembler PRIVATE weft_microcode_grammar fmt::fmt)

set(ASSEMBLER_MIDDLE
  src/parser/line_shapes.cpp
  src/parser/parser.cpp
  src/parser/syntax_error.cpp
  src/parser/token_source.cpp
  src/parser/tree_builder.cpp)
if(TARGET weft::isa)
  list(APPEND ASSEMBLER_MIDDLE
    src/message_limits.cpp
    src/scopes.cpp
    src/resolver.cpp
    src/resolver_directives.cpp
    src/resolver_declarations.cpp
    src/resolver_liveness.cpp
    src/resolver_memory.cpp
    src/resolver_constants.cpp
    src/resolver_operands.cpp
    src/resolver_instructions.cpp
    src/resolver_arguments.cpp
    src/resolver_tokens.cpp
    src/structured.cpp
    src/index/builder.cpp src/index/builder_text.cpp src/index/builder_classes.cpp src/index/builder_end.cpp src/index/index.cpp
    src/index/position.cpp src/index/completion.cpp src/index/hover.cpp src/index/outline.cpp src/index/rename.cpp src/index/json.cpp
    src/dump.cpp)
endif()
