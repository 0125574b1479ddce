# The middle: parser, resolver, structured blocks.
set(ASSEMBLER_MIDDLE)
