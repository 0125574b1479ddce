list(APPEND WEFT_EMULATOR_ENGINE_SOURCES
  src/engine/cam.cpp
  src/engine/crc.cpp
  src/engine/csr.cpp
  src/engine/effects.cpp
  src/engine/execute.cpp
  src/engine/execute_alu.cpp
  src/engine/execute_branch.cpp
  src/engine/execute_command.cpp
  src/engine/execute_constant.cpp
  src/engine/execute_shift.cpp
  src/engine/execute_special.cpp
  src/engine/microengine.cpp
  src/engine/operands.cpp
  src/engine/operation.cpp
  src/machine/machine.cpp
  src/machine/observer.cpp
  src/machine/stop.cpp)
