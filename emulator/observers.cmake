# What looks at a run: coverage, history, statistics, checks.
list(APPEND WEFT_EMULATOR_OBSERVER_SOURCES
  src/observers/programs.cpp src/observers/coverage.cpp src/observers/coverage_export.cpp src/observers/lcov.cpp
  src/observers/histogram.cpp src/observers/statistics.cpp src/observers/statistics_export.cpp
  src/observers/access.cpp src/observers/writes.cpp src/observers/packets.cpp src/observers/packets_memory.cpp src/observers/packets_media.cpp src/observers/packets_export.cpp
  src/observers/packet_bytes.cpp src/observers/packets_bytes.cpp src/observers/packets_queues.cpp
  src/observers/profile.cpp src/observers/profile_export.cpp
  src/observers/history.cpp src/observers/history_json.cpp src/observers/history_perfetto.cpp
  src/observers/checks.cpp src/observers/checks_words.cpp src/observers/checks_commands.cpp src/observers/checks_end.cpp src/observers/checks_await.cpp src/observers/checks_signals.cpp src/observers/checks_shared.cpp
  src/observers/races.cpp src/observers/buffers.cpp
  src/stored/states.cpp src/stored/observers.cpp src/stored/rules.cpp src/stored/media_rules.cpp
  src/stored/observer_rules.cpp src/stored/packet_rules.cpp)
