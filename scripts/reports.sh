#!/usr/bin/env bash
# Runs every study in reports/ and leaves its tables and charts in reports/out/.
# Stops at the first that fails, says which, and exits non-zero. Options go to every run, such as
# --resume or --format csv,parquet.
set -euo pipefail
cd "$(dirname "$0")/.."

for study in reports/*.toml; do
    echo "== $study"
    if ! cargo run --release --locked --quiet -- run "$study" "$@"; then
        echo "failed: $study" >&2
        exit 1
    fi
done
