#!/usr/bin/env bash
# Compiles carat for a browser, and opens the page as a folder of files (scripts/site.sh) in a headless
# Chromium, from a plain web host: drags, use without a connection, and answers that are those of `carat
# engine` to the byte. Skips where there is no target for browsers.
set -euo pipefail
cd "$(dirname "$0")/.."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
cargo build --release --locked --quiet
bash scripts/site.sh "$work/site"
if [ -d "$work/site" ]; then
    SITE="$work/site" ONLY="${ONLY:-dragging|byte for byte|no connection}" bash scripts/test-page.sh
fi
