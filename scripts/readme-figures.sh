#!/usr/bin/env bash
# Measures the figures of README again and prints them: its tables, what adapted players change, how often
# intervals hold the truth, and speed. Takes about ten minutes; speeds need an idle machine.
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

echo "== A fourth snake: players who never adapt, and players who do"
"$carat" adapt diamant --no-charts --quiet --out "$work/adapted" > /dev/null 2>&1
for players in "$work/adapted/adapted.toml" adapted; do
    study compare diamant --seat "5*$players" --b traps.snake=4 --games 200k --metric cards_per_game |
        grep "cards revealed per game  "
done

echo "== How many of 4,000 intervals contain the true value"
cargo test --release --locked --quiet -p carat-core --test core -- \
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

echo "== Games per CPU second under TAG's rules: five that leave at random"
began=$(date +%s.%N)
study simulate diamant --games 40M --threads 1 --quiet --seat "5*random:leave=0.5" \
    --rules incan-gold-2020 --set 'treasures=[1,2,3,4,5,7,9,10,11,12,13,14,15,16,17]' --set tiebreak=shared > /dev/null
# TAG of May 2026 on the same kind of machine, in games per CPU second: its own loop 620, its model alone 6,550.
awk -v began="$began" -v now="$(date +%s.%N)" 'BEGIN {
    speed = 40e6 / (now - began)
    printf "%.0f, %.0f times the loop of TAG, %.0f times its model alone\n", speed, speed / 620, speed / 6550 }'
