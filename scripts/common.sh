# Shared by the scripts beside it (sourced, not run): where things are, and configuring and building without doing
# anything twice.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '\n== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Compiler output is cached across build folders and clones where ccache is there.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 # paths below a checkout count from there
  # Precompiled headers (cmake/WeftPrecompiled.cmake): ccache's manual asks for these.
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
fi

# configure PRESET: once; afterwards the build itself reconfigures when a CMakeLists.txt changed.
configure() {
  local done_file="build/$1/build.ninja"
  if [[ -f $done_file && ! CMakePresets.json -nt $done_file ]]; then return 0; fi
  say "configure $1"
  # Debian's Python has the packages that the tests need; another one that comes first in PATH may not.
  local python=()
  if [[ -x /usr/bin/python3 ]]; then python=(-DPython3_EXECUTABLE=/usr/bin/python3); fi
  # One build takes each file by itself: a file that does not include what it uses fails there.
  local apart=()
  if [[ $1 == clang && -n ${WEFT_FULL:-} ]]; then apart=(-DWEFT_UNITY=OFF); fi
  # And one has the warnings that precompiled headers make useless (cmake/WeftPrecompiled.cmake).
  if [[ $1 == release && -n ${WEFT_FULL:-} ]]; then apart=(-DWEFT_PRECOMPILE=OFF); fi
  cmake --preset "$1" "${python[@]}" "${apart[@]}" -Wno-dev --log-level=WARNING
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset"
  say "build $preset"
  cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
}
