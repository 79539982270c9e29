#!/usr/bin/env bash
# Compiles what answers questions for a browser (wasm32-unknown-unknown): core, charts, studies and web,
# without the command line. Gets the target from rustup or compiles the standard library from its source; skips
# with a line where neither is to be had.
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
build() { cargo "$@" -p carat-web --target "$target" --locked; }
root=$(rustc --print sysroot)
if [ -d "$root/lib/rustlib/$target" ] || rustup target add "$target" > /dev/null 2>&1; then
  build check
elif [ -d "$root/lib/rustlib/src/rust/library" ]; then
  RUSTC_BOOTSTRAP=1 build check -Z build-std=std,panic_abort
else
  echo "test-browser: skipped: no target $target"
fi
