# One way to declare a library, a program and a test, so that all get the same flags.

add_library(weft_flags INTERFACE)
target_compile_options(weft_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough)
# GCC 12 at -O3 warns of overlaps inside std::string's own operator+ (GCC bug 105651).
target_compile_options(weft_flags INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict>)
# Instrumented code misleads GCC's flow analysis: with a sanitizer this warning has false alarms (GCC manual).
target_compile_options(weft_flags INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Asan,Tsan>>:-Wno-maybe-uninitialized>)
if(WEFT_WARNINGS_AS_ERRORS)
  target_compile_options(weft_flags INTERFACE -Werror)
endif()

# g++ looks for memory that it can use again once it holds 128 MB: a tenth of its time. Below 1 GB it need not.
target_compile_options(weft_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)

# For code that is compiled often and runs briefly (tests, the IDE's windows): a quarter of the compiler's time.
set(WEFT_LIGHT_OPTIMISATION $<$<CONFIG:Dev>:-O1>)
# For what runs nothing itself: in a release build, too, only the emulator is worth -O3. The assembler, which allocates and
# compares names, takes 4 % fewer host instructions with it, and twice as long to compile.
set(WEFT_OUTER_OPTIMISATION $<$<CONFIG:Release>:-O1>)

# weft_outer(TARGET): these flags, and the precompiled headers that belong to them.
function(weft_outer target)
  target_compile_options(${target} PRIVATE ${WEFT_OUTER_OPTIMISATION})
  weft_use_precompiled(${target} outer)
endfunction()

# weft_library(NAME [OUTER] SOURCES a.cpp ... [USES weft::base ...] [PRIVATE_USES ...])
# A static library weft_NAME (alias weft::NAME) with public headers in include/ and private ones in src/. OUTER: weft_outer().
function(weft_library name)
  cmake_parse_arguments(LIBRARY "OUTER" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  add_library(weft_${name} STATIC ${LIBRARY_SOURCES})
  add_library(weft::${name} ALIAS weft_${name})
  target_include_directories(weft_${name} PUBLIC include PRIVATE src)
  target_link_libraries(weft_${name} PUBLIC ${LIBRARY_USES} PRIVATE weft_flags ${LIBRARY_PRIVATE_USES})
  if(LIBRARY_OUTER)
    weft_outer(weft_${name})
  else()
    weft_use_precompiled(weft_${name} common)
  endif()
endfunction()

# weft_test(NAME SOURCES a.cpp ... USES weft::isa ...)
# A Catch2 program whose cases ctest lists one by one under the prefix "NAME: ".
function(weft_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;USES;PROPERTIES" ${ARGN})
  add_executable(weft_test_${name} ${TEST_SOURCES})
  target_compile_options(weft_test_${name} PRIVATE ${WEFT_LIGHT_OPTIMISATION})
  target_link_libraries(weft_test_${name} PRIVATE weft_flags weft_test_main ${TEST_USES})
  weft_use_precompiled(weft_test_${name} tests)
  target_compile_definitions(weft_test_${name} PRIVATE WEFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                       WEFT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  catch_discover_tests(weft_test_${name} TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST
                       PROPERTIES SKIP_RETURN_CODE 77 ${TEST_PROPERTIES})
endfunction()
