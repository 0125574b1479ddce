list(APPEND WEFT_EMULATOR_ENGINE_TESTS
  engine_cycles.cpp
  engine_latency.cpp
  engine_machine.cpp
  engine_results.cpp
  engine_signals.cpp
  rules.cpp)

if(TARGET weft_emulator)
  # Reads small programs from stdin and prints what they leave behind; tests/model compares it with a Python model.
  add_executable(weft_model_runner model_runner.cpp)
  target_link_libraries(weft_model_runner PRIVATE weft_flags weft::emulator)

  weft_test(isa_examples SOURCES examples_run.cpp engine_me1.cpp media1200_program.cpp USES weft::emulator weft::assembler)
endif()
