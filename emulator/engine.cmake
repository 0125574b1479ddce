list(APPEND WEFT_EMULATOR_ENGINE_SOURCES
  src/engine/csr.cpp
  src/engine/effects.cpp
  src/engine/execute.cpp
  src/engine/microengine.cpp
  src/engine/operands.cpp
  src/engine/operation.cpp
  src/fast/fast_engine.cpp
  src/fast/decode.cpp
  src/fast/handlers.cpp
  src/fast/runner.cpp
  src/fast/word_counter.cpp
  src/machine/board.cpp
  src/machine/machine.cpp
  src/machine/observer.cpp
  src/machine/stop.cpp
  src/semantics/crc.cpp)

# Two stores are cheaper than a vector that is put together for them.
set_source_files_properties(src/fast/handlers.cpp PROPERTIES COMPILE_OPTIONS -fno-tree-slp-vectorize)
