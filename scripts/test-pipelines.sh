#!/usr/bin/env bash
# Plays a grid of 200 cells in 16 shards by make, and by snakemake where it is there: once to its end, and
# once killed KILLS times, in turn by SIGTERM and SIGKILL, and started again. Both must be the bytes of one
# run, and a second run must change no file.
#   scripts/test-pipelines.sh [KILLS]
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-10}
command -v make > /dev/null || { echo "test-pipelines: skipped: no make"; exit 0; }
export CARAT=${CARAT:-${CARGO_TARGET_DIR:-$PWD/target}/release/carat}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

by_make() {
    make -s -j 2 -f scripts/pipelines/Makefile OUT="$1" SHARDS=16
}
by_snakemake() {
    snakemake -q all -s scripts/pipelines/Snakefile -d "$work" -c 2 --rerun-incomplete --config out="$1" \
        shards=16
}
export -f by_make by_snakemake
export work
"$CARAT" run scripts/pipelines/grid.toml --out "$work/one" --quiet --no-charts --format csv,parquet

for tool in make snakemake; do
    command -v "$tool" > /dev/null || { echo "test-pipelines: skipped: no $tool"; continue; }
    "by_$tool" "$work/$tool-whole"
    for ((kill = 1; kill <= kills; kill++)); do
        signal=$([ $((kill % 2)) = 0 ] && echo KILL || echo TERM)
        # Snakemake takes a while to start.
        after=$([ "$tool" = make ] && echo "0.$((kill % 10))7" || echo "$((kill % 10 + 2)).7")
        { timeout -s "$signal" "$after" bash -c "by_$tool '$work/$tool-killed'" || true; } \
            > "$work/log" 2>&1
        if [ "$tool$signal" = makeTERM ] && [ -s "$work/log" ]; then cat "$work/log"; exit 1; fi
        [ "$tool" = make ] || snakemake -q all -s scripts/pipelines/Snakefile -d "$work" --unlock \
            --config out="$work/$tool-killed" > "$work/log" 2>&1 || true
    done
    "by_$tool" "$work/$tool-killed"
    # What SIGKILL leaves of results that were prepared is hidden, and no result.
    diff -r -x '.carat-*' "$work/$tool-whole" "$work/$tool-killed"
    diff -r -x '.carat-*' "$work/one" "$work/$tool-whole"
    (cd "$work/$tool-whole" && find . -type f -printf '%p %T@\n' | sort) > "$work/before"
    "by_$tool" "$work/$tool-whole"
    (cd "$work/$tool-whole" && find . -type f -printf '%p %T@\n' | sort) > "$work/after"
    diff "$work/before" "$work/after"
    cells=$(grep -c ',cards_per_game,' "$work/one/cells_table.csv")
    echo "test-pipelines: $tool: $cells cells in 16 shards, killed $kills times: the same bytes"
done
