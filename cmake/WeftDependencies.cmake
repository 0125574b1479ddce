# Everything here is a Debian 12 package but the ANTLR tool (see scripts/setup).

find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Catch2 2.13 REQUIRED)
# Host code for words of microcode (docs/engines.md). Elsewhere, and when it is off, they are interpreted.
string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
if(processor MATCHES "^(x86_64|amd64)$")
  option(WEFT_TRANSLATE "Translate microcode that runs often; needs asmjit" ON)
endif()
if(WEFT_TRANSLATE)
  find_package(asmjit CONFIG REQUIRED)
endif()
include(Catch)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

find_path(PCAP_INCLUDE_DIR pcap/pcap.h REQUIRED)
find_library(PCAP_LIBRARY pcap REQUIRED)
add_library(weft_pcap INTERFACE)
target_include_directories(weft_pcap SYSTEM INTERFACE ${PCAP_INCLUDE_DIR})
target_link_libraries(weft_pcap INTERFACE ${PCAP_LIBRARY})

# Recordings: tar under zstd.
find_path(ARCHIVE_INCLUDE_DIR archive.h REQUIRED)
find_library(ARCHIVE_LIBRARY archive REQUIRED)
add_library(weft_archive INTERFACE)
target_include_directories(weft_archive SYSTEM INTERFACE ${ARCHIVE_INCLUDE_DIR})
target_link_libraries(weft_archive INTERFACE ${ARCHIVE_LIBRARY})
