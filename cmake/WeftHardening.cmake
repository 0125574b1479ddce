# WEFT_HARDENING (preset "release"): programs that read files of strangers stop at a broken stack or an overrun buffer
# instead of going on, and give an attacker no fixed addresses: checked string functions, guards on the stack and for each
# of its pages, targets of indirect jumps that the processor checks, position-independent programs, and tables of the
# linker that are read-only when main() begins. A flag that the compiler does not know for this processor is left out;
# tests/build/hardening_test.py looks at what came of it.
include(CheckCXXCompilerFlag)

# Not CMake's property: that makes -fPIC of libraries, with which functions may be replaced from outside and so are not inlined.
add_compile_options(-fPIE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "WEFT_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()
add_link_options(-pie LINKER:-z,relro,-z,now,-z,noexecstack)
