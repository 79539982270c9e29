#!/usr/bin/env bash
# Kills shards with `kill -9` at random moments, later and later until each is complete, and merges them:
#   scripts/test-shards.sh [SHARDS]
# Until the last is complete every merge must be refused; then the bytes must be those of one
# machine. The program is $CARAT, or that of cargo's target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
carat=$(realpath "${CARAT:-${CARGO_TARGET_DIR:-target}/release/carat}")
shards=${1:-100}

here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
# Two parts in each shard, so that most of them go on from the first.
study=(sweep diamant --seat threshold --seat traps --seat depth --seat risk --seat veteran
  --vary seats.1.target=8..17 --games $((shards * 200000)) --quiet)
"$carat" "${study[@]}" --out "$here/whole" --no-charts
kills=0
complete=0
for shard in $(shuf -i "1-$shards"); do
  most=500
  while true; do
    after=$((RANDOM % most))
    after="$((after / 1000)).$(printf '%03d' $((after % 1000)))"
    code=0
    timeout -s KILL "$after" "$carat" "${study[@]}" --shard "$shard/$shards" --out "$here/shards" \
      --threads 1 || code=$?
    if [ $code = 0 ]; then break; fi
    [ $code = 137 ] || { echo "shard $shard ended with exit code $code"; exit 1; }
    kills=$((kills + 1))
    # Whoever is killed before the end of a part keeps nothing of it: slow machines need more time.
    most=$((most * 3 / 2))
    status=0
    "$carat" merge "$here/shards" --status > "$here/said" || status=$?
    # The last shard may be killed after its last write: then all is there, and is merged below.
    if [ $status = 0 ] && [ $complete = $((shards - 1)) ]; then break; fi
    code=0
    "$carat" merge "$here/shards" --out "$here/merged" --quiet 2> "$here/said" || code=$?
    [ $code = 4 ] && [ ! -e "$here/merged" ] || { echo "a merge ended with $code"; exit 1; }
    [ $status = 4 ] || { echo "merge and its status differ"; exit 1; }
  done
  complete=$((complete + 1))
done
"$carat" merge "$here/shards" --out "$here/merged" --no-charts --quiet
diff -r "$here/whole" "$here/merged"
echo "$shards shards, killed $kills times: the same bytes as on one machine"
