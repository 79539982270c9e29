#!/usr/bin/env bash
# CPU and wall seconds of the processes of each test, the costliest first, and of all together.
# Arguments go to the tests: `scripts/test-times.sh rule::`, `scripts/test-times.sh --ignored`.
set -euo pipefail
cd "$(dirname "$0")/.."
CARAT_TIMES="$(mktemp)"
export CARAT_TIMES
trap 'rm -f "$CARAT_TIMES"' EXIT
cargo test --release --locked --test it -- "$@" >&2
echo "test,cpu_s,wall_s,processes"
awk -F, '{ cpu[$1] += $2; wall[$1] += $3; count[$1]++ }
  END { for (test in cpu) printf "%s,%.2f,%.2f,%d\n", test, cpu[test], wall[test], count[test] }' \
  "$CARAT_TIMES" | sort -t, -k2 -nr
awk -F, '{ cpu += $2; wall += $3 } END { printf "all,%.2f,%.2f,%d\n", cpu, wall, NR }' "$CARAT_TIMES"
