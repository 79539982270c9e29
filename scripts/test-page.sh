#!/usr/bin/env bash
# Opens the live page of `carat serve` in a headless Chromium: all three views by keyboard alone and at 390
# pixels, axe-core without serious findings, links that give the same numbers after a reload, on another
# server and by their command line, what other pages cannot do, and how long a drag takes until the charts are
# drawn (reported, not demanded). Installs Chromium and Node where it is root on Debian; elsewhere it needs
# them, or is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v chromium > /dev/null || ! command -v npm > /dev/null; then
    if [ "$(id -u)" != 0 ] || [ ! -e /etc/debian_version ]; then
        echo "skipped: the live page is not opened in a browser, as there is no chromium or npm"
        exit 0
    fi
    apt-get update -qq
    missing=()
    command -v chromium > /dev/null || missing+=(chromium)
    command -v npm > /dev/null || missing+=(nodejs npm)
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "${missing[@]}" > /dev/null
fi

cargo build --release --locked --quiet
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp scripts/page/package.json scripts/page/package-lock.json scripts/page/test.mjs "$work"
npm --prefix "$work" ci --no-audit --no-fund --silent
target="${CARGO_TARGET_DIR:-$PWD/target}"
(cd "$work" && CARAT="${CARAT:-$target/release/carat}" node test.mjs)
