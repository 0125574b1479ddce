# Sources of one target compiled together ("unity"): common headers are read once for many files, and a build from nothing
# takes half of the time. A changed file then compiles its neighbours too: whoever edits one file for an hour sets
# WEFT_UNITY=OFF. `scripts/test --full` sets it for clang, and finds the file that does not include what it uses. The release
# build leaves out the components whose host instructions are counted: a figure must not depend on what stands beside what.
option(WEFT_UNITY "Compile several sources of a target as one" OFF)
set(WEFT_UNITY_APART "" CACHE STRING "Targets whose sources are compiled one by one all the same")

# weft_unity(): for every target of the folders so far; called once, after the last of them.
function(weft_unity)
  if(NOT WEFT_UNITY)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(lines "")
  weft_unity_folder(${PROJECT_SOURCE_DIR})
  set(list ${PROJECT_BINARY_DIR}/unity-targets.txt)
  file(WRITE ${list} "${lines}")
  set(groups ${PROJECT_BINARY_DIR}/unity-groups.cmake)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/unity_groups.py ${list} ${groups}
                  COMMAND_ERROR_IS_FATAL ANY)
  include(${groups})
endfunction()

# Adds a line for each target of a folder, and of the folders below, to `lines` of the caller.
function(weft_unity_folder folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(target IN_LIST WEFT_UNITY_APART OR NOT type MATCHES "^(EXECUTABLE|STATIC_LIBRARY|OBJECT_LIBRARY)$")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    set(own "")
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
      if(source MATCHES "\\.cpp$" AND EXISTS ${source} AND NOT source MATCHES "^${PROJECT_BINARY_DIR}/")
        string(APPEND own "\t${source}")
      endif()
    endforeach()
    if(own MATCHES "\t.*\t")
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # a class of a source is not one of a header, although a file includes it
        # At -O3 g++ 12 finds false alarms of this kind in what it sees at once. Rooms apart and other builds keep it.
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
      endif()
      string(APPEND lines "${target}\t${folder}${own}\n")
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    weft_unity_folder(${below})
  endforeach()
  set(lines "${lines}" PARENT_SCOPE)
endfunction()
