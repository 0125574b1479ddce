# Microcode as part of a CMake build.
#
#   include(WeftMicrocode)
#   weft_microcode(TARGET
#     SOURCES receive.uc transmit.uc
#     [CHIP ixp2400]                 # chip description, by name or file
#     [INCLUDES folder ...]          # -I; relative ones start at the current source folder
#     [DEFINES NAME[=VALUE] ...]     # -D
#     [OPTIONS -Werror ...]          # anything else for `weft asm`
#     [EMIT image|words|hex|c]       # what to write; image is the default
#     [OUTPUT_DIRECTORY folder])     # the current binary folder is the default
#
# TARGET is built with everything else. It makes one file per source: NAME.json, NAME.words, NAME.hex or NAME.c, and a
# listing NAME.lst beside it; their full names are in the target property WEFT_OUTPUTS. A source is assembled again when
# it, a file that it includes, the options or the assembler have changed, and only then.
#
# WEFT_PROGRAM names the assembler: a path, or the target that builds it. When it is not set, it is looked for in PATH.
include_guard()

if(NOT WEFT_PROGRAM AND TARGET weft)
  set(WEFT_PROGRAM weft)
endif()
if(NOT WEFT_PROGRAM)
  find_program(WEFT_PROGRAM NAMES weft DOC "the weft command")
endif()

function(weft_microcode target)
  cmake_parse_arguments(UC "" "CHIP;EMIT;OUTPUT_DIRECTORY" "SOURCES;INCLUDES;DEFINES;OPTIONS" ${ARGN})
  if(UC_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_microcode(${target}): ${UC_UNPARSED_ARGUMENTS} is not understood")
  endif()
  if(NOT UC_SOURCES)
    message(FATAL_ERROR "weft_microcode(${target}) has no SOURCES")
  endif()
  if(NOT WEFT_PROGRAM)
    message(FATAL_ERROR "weft_microcode(${target}): no weft command was found; set WEFT_PROGRAM")
  endif()
  set(program ${WEFT_PROGRAM})
  if(TARGET ${WEFT_PROGRAM})
    set(program $<TARGET_FILE:${WEFT_PROGRAM}>)
  endif()

  set(emit image)
  if(UC_EMIT)
    set(emit ${UC_EMIT})
  endif()
  set(suffix_image json)
  set(suffix_words words)
  set(suffix_hex hex)
  set(suffix_c c)
  if(NOT DEFINED suffix_${emit})
    message(FATAL_ERROR "weft_microcode(${target}): EMIT is image, words, hex or c, not ${emit}")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(UC_OUTPUT_DIRECTORY)
    get_filename_component(folder ${UC_OUTPUT_DIRECTORY} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  endif()

  set(flags --emit ${emit})
  if(UC_CHIP)
    list(APPEND flags --chip ${UC_CHIP})
  endif()
  foreach(include IN LISTS UC_INCLUDES)
    get_filename_component(include ${include} ABSOLUTE)
    list(APPEND flags -I ${include})
  endforeach()
  foreach(define IN LISTS UC_DEFINES)
    list(APPEND flags -D ${define})
  endforeach()
  list(APPEND flags ${UC_OPTIONS})

  set(outputs)
  foreach(source IN LISTS UC_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(name ${source} NAME_WE)
    set(output ${folder}/${name}.${suffix_${emit}})
    if(output IN_LIST outputs)
      message(FATAL_ERROR "weft_microcode(${target}): two sources are called ${name}")
    endif()
    add_custom_command(
      OUTPUT ${output}
      BYPRODUCTS ${folder}/${name}.lst
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${program} asm ${source} -o ${output} --list ${folder}/${name}.lst -MD ${output}.d ${flags}
      DEPENDS ${source} ${WEFT_PROGRAM}
      DEPFILE ${output}.d
      COMMENT "Assembling ${name}.uc"
      VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${outputs})
  set_target_properties(${target} PROPERTIES WEFT_OUTPUTS "${outputs}")
endfunction()
