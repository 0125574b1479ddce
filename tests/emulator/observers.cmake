weft_test(observers
  SOURCES observers_statistics.cpp observers_profile.cpp observers_coverage.cpp observers_history.cpp observers_checks.cpp observers_checks_shared.cpp observers_checks_modes.cpp
    observers_me1.cpp observers_packets.cpp observers_agree.cpp
  USES weft::emulator weft::image weft::assembler)
