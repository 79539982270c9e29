#!/usr/bin/env bash
# Makes one archive for a machine without Rust: the stripped program (bots, rules, font and all are
# in it), man pages, completions, the README with its pictures, and the licences. It runs where the
# C library is at least as new as here.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --profile dist --locked
built="${CARGO_TARGET_DIR:-target}/dist"
carat="$built/carat"
host=$(rustc -vV | sed -n 's/^host: //p')
name="$("$carat" --version | tr ' ' '-')-$host"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
into="$stage/$name"
mkdir -p "$into/man" "$into/completions" "$into/assets"
cp "$carat" README.md LICENSE-* "$into"
cp assets/*.png assets/*.txt "$into/assets"
# Beside the program, `carat site` finds carat compiled for browsers.
CARAT="$(realpath "$carat")" bash scripts/site.sh "$stage/site"
[ ! -d "$stage/site" ] || cp "$stage/site/carat.wasm" "$into"
"$carat" man "$into/man" > /dev/null
for shell in bash zsh fish; do
    "$carat" completions "$shell" > "$into/completions/carat.$shell"
done

# The same files give the same archive.
date=$(git log -1 --format=@%ct)
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" -C "$stage" -cf - "$name" |
    gzip -9n > "$built/$name.tar.gz"
du -h "$carat" "$built/$name.tar.gz"

# The wheel for Python holds the same program.
if command -v maturin > /dev/null; then
    built=$(realpath "$built")
    (cd scripts/wheel && rm -rf src && cp -r ../python/src src && CARGO_TARGET_DIR=$(dirname "$built") maturin build --quiet --profile dist \
        --locked --out "$built")
    ls -1 "$built"/*.whl
else
    echo "no wheel for Python: there is no maturin (pip install maturin)"
fi
