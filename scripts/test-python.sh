#!/usr/bin/env bash
# Builds the wheel (scripts/wheel) of the module in scripts/python, and tests it in a fresh environment: the module, its types and the notebooks. Then installs the module alone beside a program on the path. Skips with a line where Python, its environments or the packages are not to be had.
#   scripts/test-python.sh [PROFILE]     the profile of the program, `release` by default
# $WHEEL is a wheel that was built before.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skip() { echo "test-python: skipped: $1"; exit 0; }
python3 -m venv "$work/build" > /dev/null 2>&1 || skip "no python3 with venv"
"$work/build/bin/pip" install -q maturin > "$work/pip" 2>&1 || skip "maturin is not to be had"
python3 -m venv "$work/fresh"
"$work/fresh/bin/pip" install -q polars pytest mypy numpy nbclient ipykernel > "$work/pip" 2>&1 ||
    skip "polars, pytest, mypy, numpy and nbclient are not to be had"
# Other readers of tables, in an environment of their own: they need a newer pyarrow.
python3 -m venv "$work/readers"
"$work/readers/bin/pip" install -q polars pytest numpy pandas pyarrow duckdb > "$work/pip" 2>&1 ||
    echo "test-python: no pandas, pyarrow and duckdb, so their test is skipped"
# The oldest release for Python 3.11: files of carat must be plain enough for it.
"$work/fresh/bin/pip" install -q --only-binary :all: pyarrow==10.0.1 "numpy<2" > "$work/pip" 2>&1 ||
    echo "test-python: no pyarrow 10.0.1, so its test is skipped"

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
wheel=${WHEEL:-}
if [ -z "$wheel" ]; then
    (# maturin takes modules of its own folder only.
    cd scripts/wheel && rm -rf src && cp -r ../python/src src && "$work/build/bin/maturin" build --quiet --profile "${1:-release}" \
        --compatibility linux --locked --out "$work/wheel")
    wheel=$(echo "$work"/wheel/*.whl)
fi
"$work/fresh/bin/pip" install -q "$wheel"
cd scripts
"$work/fresh/bin/pytest" -q -W error -p no:cacheprovider python/tests
(cd "$work" && "$work/fresh/bin/mypy" --strict -p carat)
# A key that no study has is found where it is written.
misspelt='import carat
carat.simulate("diamant", saets=["depth"])
study: carat.keys.Sweep = {"study": "sweep", "game": "diamant", "varry": {}}
carat.Engine().ask("advise", {}, playout=5)'
(cd "$work" && ! "$work/fresh/bin/mypy" -c "$misspelt" > found)
for key in saets varry playout; do grep -q "\"$key\"" "$work/found" || { cat "$work/found"; exit 1; }; done
if "$work/readers/bin/pip" install -q "$wheel" > "$work/pip" 2>&1; then
    "$work/readers/bin/pytest" -q -p no:cacheprovider python/tests -k one_schema
fi
# The module alone needs no build, and finds the program by CARAT or on the path.
cp -r python "$work/alone"
"$work/fresh/bin/pip" install -q --no-deps --target "$work/only" "$work/alone"
mkdir "$work/program"
mv "$work/fresh/bin/carat" "$work/program/"
listed='import carat; assert "only" in carat.__file__; print("module", carat.__version__, carat.list()[0]["name"])'
for how in "CARAT=$work/program/carat" "PATH=$work/program:$PATH"; do
    (cd "$work" && env "$how" PYTHONPATH="$work/only" "$work/fresh/bin/python" -c "$listed")
done
mv "$work/program/carat" "$work/fresh/bin/"
for notebook in notebooks/*.ipynb; do
    (cd "$work" && "$work/fresh/bin/jupyter" execute --kernel_name=python3 "$OLDPWD/$notebook" \
        --output "$work/$(basename "$notebook")")
done
echo "test-python: all is well"
