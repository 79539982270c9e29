#!/usr/bin/env bash
# Attacks carat for MINUTES with random input, kills, signals, full disks, low limits and damaged files, and
# prints each failure:
#   scripts/soak.sh MINUTES [SEED [CATEGORY[:CASE]]]
# Exits non-zero when something failed; each failing case is in a folder that is named. The line
# `FAILED lines:123` is tried again by: scripts/soak.sh 1 0 lines:123. What this system does not allow,
# such as small disks, is counted as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARAT_SOAK_MINUTES="${1:?how many minutes?}" CARAT_SOAK_SEED="${2:-}" CARAT_SOAK_CASE="${3:-}"
exec cargo test --release --locked --quiet --test soak
