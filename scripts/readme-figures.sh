#!/usr/bin/env bash
# Measures the figures of README again and prints them: its tables, how often intervals hold the truth, and
# speed. Takes some minutes; speeds need an idle machine. Those of TAG and the strength of its agents were
# measured beside carat once.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --locked --quiet
carat="${CARGO_TARGET_DIR:-$PWD/target}/release/carat"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Runs a study quietly, with its results in the folder for what is thrown away.
study() { "$carat" "$@" --no-charts --out "$work/out" 2> /dev/null; }

echo "== The commands of README with their output"
sed -n 's/^\$ carat //p' README.md | while read -r line; do
    echo "\$ carat $line"
    eval "study $line" | grep -E 'hold|inside|limit|ahead|wins|^ metric|per game  |ended by' | cut -c1-150
done

echo "== How many of 4,000 intervals contain the true value"
cargo test --release --locked --quiet --test core -- \
    intervals_cover_the_truth_as_often_as_they_say --show-output | grep "intervals"

echo "== Games a second of one thread at default tables"
for game in diamant:8M diamond_cave:100k diamond_miner:60k; do
    began=$(date +%s.%N)
    study simulate "${game%:*}" --games "${game#*:}" --threads 1 --quiet > /dev/null
    awk -v began="$began" -v now="$(date +%s.%N)" -v games="${game#*:}" -v name="${game%:*}" 'BEGIN {
        count = games + 0
        if (games ~ /k$/) count *= 1e3
        if (games ~ /M$/) count *= 1e6
        printf "%s %.0f\n", name, count / (now - began) }'
done
echo "== Kernels and referees (cargo bench --bench games)"
cargo bench --locked --quiet --bench games
