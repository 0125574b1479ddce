# The ANTLR tool and runtime for the assembler's parser.
#
# The tool is a jar of exactly version 4.9.2: older ones do not give C++20, newer ones do not fit Debian's runtime.

if(DEFINED ENV{WEFT_ANTLR4_JAR})
  set(weft_antlr4_default "$ENV{WEFT_ANTLR4_JAR}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(weft_antlr4_default "$ENV{XDG_CACHE_HOME}/weft/antlr4-4.9.2-complete.jar")
else()
  set(weft_antlr4_default "$ENV{HOME}/.cache/weft/antlr4-4.9.2-complete.jar")
endif()
set(WEFT_ANTLR4_JAR "${weft_antlr4_default}" CACHE FILEPATH "antlr4-4.9.2-complete.jar, fetched by scripts/setup")
set(WEFT_ANTLR4_SHA256 bb117b1476691dc2915a318efd36f8957c0ad93447fb1dac01107eb15fe137cd)

if(NOT EXISTS "${WEFT_ANTLR4_JAR}")
  message(FATAL_ERROR "the ANTLR tool is missing at '${WEFT_ANTLR4_JAR}': run scripts/setup, "
                      "or set WEFT_ANTLR4_JAR to antlr4-4.9.2-complete.jar")
endif()
file(SHA256 "${WEFT_ANTLR4_JAR}" weft_antlr4_sum)
if(NOT weft_antlr4_sum STREQUAL WEFT_ANTLR4_SHA256)
  message(FATAL_ERROR "${WEFT_ANTLR4_JAR}: SHA-256 is ${weft_antlr4_sum}, expected ${WEFT_ANTLR4_SHA256} (ANTLR 4.9.2)")
endif()
find_package(Java 11 REQUIRED COMPONENTS Runtime)
find_package(antlr4-runtime 4.9 CONFIG REQUIRED)

# clang 14 cannot compile misc/InterpreterDataReader.h, which generated parsers do not need: a copy of the umbrella
# header without that line comes first on the include path.
file(STRINGS "${ANTLR4_INCLUDE_DIR}/antlr4-runtime.h" weft_antlr4_lines)
list(FILTER weft_antlr4_lines EXCLUDE REGEX "InterpreterDataReader")
list(JOIN weft_antlr4_lines "\n" weft_antlr4_text)
set(weft_antlr4_filtered "${PROJECT_BINARY_DIR}/antlr4")
file(CONFIGURE OUTPUT "${weft_antlr4_filtered}/antlr4-runtime.h" CONTENT "${weft_antlr4_text}\n" @ONLY)

# weft_antlr_parser(TARGET GRAMMAR NAMESPACE): a static library of the generated parser. Its headers are for the facade
# that links it, and for nobody else.
function(weft_antlr_parser target grammar namespace)
  get_filename_component(name ${grammar} NAME_WE)
  get_filename_component(path ${grammar} ABSOLUTE)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${target}.gen)
  set(outputs ${dir}/${name}.cpp ${dir}/${name}.h)
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${Java_JAVA_EXECUTABLE} -jar ${WEFT_ANTLR4_JAR} -Werror -Dlanguage=Cpp -no-visitor -no-listener
            -package ${namespace} -Xexact-output-dir -o ${dir} ${path}
    DEPENDS ${path} COMMENT "Generating ${name} from ${grammar}" VERBATIM)
  add_library(${target} STATIC ${outputs})
  target_include_directories(${target} SYSTEM PUBLIC ${weft_antlr4_filtered} ${dir} ${ANTLR4_INCLUDE_DIR})
  target_link_libraries(${target} PUBLIC antlr4_shared)
  target_compile_options(${target} PRIVATE -w ${WEFT_OUTER_OPTIMISATION})
  set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "")
endfunction()
