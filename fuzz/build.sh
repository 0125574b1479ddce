#!/usr/bin/env bash
# Builds the fuzz targets into a folder that runs anywhere, in the form that OSS-Fuzz takes: for each target the program,
# NAME.dict, NAME_seed_corpus.zip and NAME.options; the libraries that the system may not have in lib/, and what targets
# read of the repository in source/.
#
#   OUT=FOLDER fuzz/build.sh [TARGET...]
#
# OSS-Fuzz sets SRC, WORK, OUT, CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE. Without them: clang 14, libFuzzer,
# address and undefined-behaviour sanitizers, and build/oss-fuzz as WORK. Debian 12 or what scripts/setup --full gives.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

: "${OUT:?OUT names the folder that takes the targets}"
: "${WORK:=$root/build/oss-fuzz}" "${CC:=clang-14}" "${CXX:=clang++-14}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
: "${CFLAGS:=-O1 -g1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer}"
: "${CXXFLAGS:=$CFLAGS}"
# The system's libraries of C++ (fmt, ANTLR) are built with its own standard library.
CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
mkdir -p "$OUT/lib" "$WORK"

mapfile -t targets < <(if (($#)); then printf '%s\n' "$@"; else scripts/fuzz --list; fi)
python=()
if [[ -x /usr/bin/python3 ]]; then python=(-DPython3_EXECUTABLE=/usr/bin/python3); fi
cmake -S . -B "$WORK" -G Ninja --log-level=WARNING -Wno-dev "${python[@]}" -DCMAKE_BUILD_TYPE=OssFuzz -DWEFT_FUZZ=ON \
  -DWEFT_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DWEFT_WARNINGS_AS_ERRORS=OFF -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="$CXXFLAGS" -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH="\$ORIGIN/lib"
cmake --build "$WORK" --parallel "$(nproc)" --target weft "${targets[@]/#/weft_fuzz_}"

# Libraries beside the programs, but for those that every system has in its own version.
cp -t "$OUT" "${targets[@]/#/$WORK/bin/weft_fuzz_}"
ldd "${targets[@]/#/$WORK/bin/weft_fuzz_}" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
  grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|ld-linux[^/]*)\.so' | xargs -r cp -L -t "$OUT/lib"

mkdir -p "$OUT/source/fuzz"
for folder in docs lib/microblocks examples emulator/chips emulator/boards; do
  mkdir -p "$OUT/source/$folder"
  cp -RL "$folder/." "$OUT/source/$folder"
done
for target in "${targets[@]}"; do
  seeds=$(mktemp -d)
  python3 fuzz/seeds.py "$target" --weft "$WORK/bin/weft" --into "$seeds"
  python3 -m zipfile -c "$OUT/weft_fuzz_${target}_seed_corpus.zip" "$seeds"/*
  rm -rf "$seeds"
  cp "$(scripts/fuzz --dictionary "$target")" "$OUT/weft_fuzz_$target.dict"
  # No cap of 4 KB, which is libFuzzer's own; a hang is what takes ten times longer than anything near a limit.
  printf '[libfuzzer]\nmax_len = 1000000\nlen_control = 200\ntimeout = 50\nrss_limit_mb = 4000\n' >"$OUT/weft_fuzz_$target.options"
done
echo "${#targets[@]} targets in $OUT"
