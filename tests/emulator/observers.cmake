weft_test(observers
  SOURCES observers_coverage.cpp observers_history.cpp observers_checks.cpp
  USES weft::emulator weft::image)
