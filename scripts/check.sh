#!/usr/bin/env bash
# Everything that must hold before a change lands: format, lints, tests. CI runs exactly this.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fmt --check
cargo clippy --release --workspace --all-targets --locked -- -D warnings
cargo test --release --locked
