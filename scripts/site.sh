#!/usr/bin/env bash
# Makes the page as a folder of files (site/, or the one that is named), in which carat runs in the browser:
# compiles `carat-web` for wasm32-unknown-unknown, and lets `carat site` write the folder. Gets the target
# from rustup or compiles the standard library from its source; skips with a line where neither is to be
# had. With --check it only looks for errors. With SMALL=1 `wasm-opt` makes the code smaller, in minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
built="${CARGO_TARGET_DIR:-target}"
# Vectors of 128 bits, beside the flag of .cargo/config.toml.
export RUSTFLAGS="--cfg disable_dispatch_sse4_2 -Ctarget-feature=+simd128"
build() { cargo "${how[@]}" "$@" -p carat-web --target "$target" --locked; }
how=(build --profile web)
[ "${1:-}" != --check ] || how=(check)
root=$(rustc --print sysroot)
if [ -d "$root/lib/rustlib/$target" ] || rustup target add "$target" > /dev/null 2>&1; then
  build
elif [ -d "$root/lib/rustlib/src/rust/library" ]; then
  RUSTC_BOOTSTRAP=1 build -Z build-std=std,panic_abort
else
  echo "site: skipped: no target $target"
  exit 0
fi
[ "${1:-}" != --check ] || exit 0
code="$built/$target/web/carat_web.wasm"
if [ "${SMALL:-}" = 1 ]; then
  wasm-opt -Os --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
    --enable-mutable-globals --enable-reference-types --enable-multivalue "$code" -o "$code.small"
  code="$code.small"
fi
unset RUSTFLAGS
[ -n "${CARAT:-}" ] || cargo build --release --locked
"${CARAT:-$built/release/carat}" site "${1:-site}" --code "$code"
