#!/usr/bin/env bash
# Compiles carat for a browser, and opens the page as a folder of files (scripts/site.sh) in a headless
# Chromium, from a plain web host: drags, use without a connection, answers that are those of `carat
# engine` to the byte, and refusals. With FULL=1, all checks of the page, and memory in two minutes of
# dragging (DRAG=600: in ten). Skips where there is no target for browsers.
set -euo pipefail
cd "$(dirname "$0")/.."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
only='dragging a slider|byte for byte|no connection|refused as|hostile'
[ "${FULL:-}" != 1 ] || only=
bash scripts/site.sh "$work/site"
if [ -d "$work/site" ]; then
    SITE="$work/site" ONLY="${ONLY:-$only}" bash scripts/test-page.sh
fi
