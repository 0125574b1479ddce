# Headers that most files include, compiled once for each set of flags: reading them was half of the compiler's time.
#
# With g++ only. The other compiler's build (preset clang) sees each file as it is, and finds those that do not include
# what they use. WEFT_PRECOMPILE=OFF does the same here.
option(WEFT_PRECOMPILE "Compile common headers once (g++)" ON)
set(WEFT_COMMON_HEADERS <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span>
                        <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h>
                        <tl/expected.hpp>)

# weft_precompiled(NAME HEADERS <a.h> ... USES weft::base ... [OPTIONS -O1 ...])
# What weft_use_precompiled(TARGET NAME) lets a target use; both need the same flags.
function(weft_precompiled name)
  cmake_parse_arguments(PCH "" "" "HEADERS;USES;OPTIONS" ${ARGN})
  if(NOT WEFT_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "")
  endif()
  add_library(weft_precompiled_${name} OBJECT ${source})
  set_target_properties(weft_precompiled_${name} PROPERTIES AUTOMOC OFF)
  target_compile_options(weft_precompiled_${name} PRIVATE ${PCH_OPTIONS})
  target_link_libraries(weft_precompiled_${name} PRIVATE weft_flags ${PCH_USES})
  target_precompile_headers(weft_precompiled_${name} PRIVATE ${PCH_HEADERS})
endfunction()

function(weft_use_precompiled target name)
  if(TARGET weft_precompiled_${name})
    target_precompile_headers(${target} REUSE_FROM weft_precompiled_${name})
    # g++ 12 forgets then that the standard library's headers are not our code, and has false alarms inside them. The
    # release build of `scripts/test --full`, which looks deepest, does without (scripts/common.sh).
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()
