# The back: allocator, checker, encoder, listing, disassembler, driver.
set(ASSEMBLER_BACK)
