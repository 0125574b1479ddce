# The diagnostics catalogue: a library of its own, so that tools may use it without the assembler.
set(CATALOGUE_TEXTS)
foreach(group preprocessor source program components checks)
  list(APPEND CATALOGUE_TEXTS ${CMAKE_CURRENT_SOURCE_DIR}/diagnostics/${group}.txt)
endforeach()
set(CATALOGUE_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/catalogue_texts.cpp)
add_custom_command(
  OUTPUT ${CATALOGUE_SOURCE}
  COMMAND ${CMAKE_COMMAND} "-DOUT=${CATALOGUE_SOURCE}" "-DTEXTS=${CATALOGUE_TEXTS}"
          -P ${CMAKE_CURRENT_SOURCE_DIR}/catalogue/embed.cmake
  DEPENDS ${CATALOGUE_TEXTS} ${CMAKE_CURRENT_SOURCE_DIR}/catalogue/embed.cmake
  COMMENT "Embedding the diagnostics catalogue" VERBATIM)
weft_library(assembler_catalogue
  SOURCES catalogue/catalogue.cpp ${CATALOGUE_SOURCE}
  USES fmt::fmt)
