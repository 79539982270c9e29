#!/usr/bin/env bash
# Opens reports of studies with bots of one's own in a headless Chromium: no errors on the console, tables
# sort, nothing is wider than the window at 390, 800 and 1600 pixels, charts are drawn for the width and
# say what is under the pointer, and a hostile bot name stays text. Installs Chromium where it is root on Debian; elsewhere it needs one, or is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v chromium > /dev/null; then
    if [ "$(id -u)" != 0 ] || [ ! -e /etc/debian_version ]; then
        echo "skipped: reports are not opened in a browser, as there is no chromium"
        exit 0
    fi
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends chromium > /dev/null
fi

cargo build --release --locked --quiet
carat=$(realpath "${CARAT:-${CARGO_TARGET_DIR:-target}/release/carat}")
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
bot="$work/<b>bot<script>alert(1)<"
mkdir -p "$bot"
bot="$bot/script>.toml"
echo 'leave = "held >= target # </pre><img src=x onerror=alert(2)>
"
[params]
target = 8' | sed 's/"held/"""held/; s/^"$/"""/' > "$bot"
title='title = "<img src=x onerror=alert(3)> & co"'
table="game = \"diamant\"
games = 2000"
seats="seats = ['$bot', 'depth', 'threshold', 'a-very-long-name-of-a-bot-that-never-seems-to-end.toml']"
cp strategies/diamant/depth.toml "$work/a-very-long-name-of-a-bot-that-never-seems-to-end.toml"
printf 'study = "simulate"\n%s\ngame = "diamant"\ngames = 20000\n%s\n' "$title" "$seats" > "$work/simulate.toml"
printf 'study = "compare"\n%s\n%s\n%s\n[sides]\na = []\n"<b>b" = ["traps.snake=4"]\n' \
    "$title" "$table" "$seats" > "$work/compare.toml"
printf 'study = "sweep"\n%s\n%s\n%s\n[vary]\n"seats.2.cards" = "3..6"\nplayers = "4,5"\n' \
    "$title" "$table" "$seats" > "$work/sweep.toml"
printf 'study = "tournament"\n%s\n%s\n%s\nplayers = 3\n' \
    "$title" "bots${seats#seats}" "$table" > "$work/tournament.toml"
printf 'study = "tune"\nmaximize = "win_share@1"\n%s\n%s\n%s\n[vary]\n"seats.1.target" = "4..14"\n"rules.rounds" = "4,5"\n' \
    "$title" "${table/games = 2000/max_games = 300000}" "$seats" > "$work/tune.toml"
printf 'study = "solve"\n%s\n%s\n%s\nplayers = 5\n' \
    "$title" "${table/2000/1000000}" "$seats" > "$work/solve.toml"
printf 'study = "analyse"\n%s\nplayouts = 64\n%s\n%s\n' \
    "$title" "${table/2000/2}" "$seats" > "$work/analyse.toml"

kinds="simulate,compare,sweep,tournament,tune,solve,analyse"
for kind in ${kinds//,/ }; do
    (cd "$work" && "$carat" run "$kind.toml" --out "$kind" --quiet)
done
cp scripts/test-report.html "$work/test.html"

# Everything that Chromium logs of a page comes with CONSOLE in its line.
browser=(chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage
    --user-data-dir="$work/profile" --allow-file-access-from-files --enable-logging=stderr
    --virtual-time-budget=60000)
"${browser[@]}" --dump-dom "file://$work/test.html#$kinds" > "$work/dom" 2> "$work/log"
if grep CONSOLE "$work/log"; then
    echo "failed: a report writes to the console" >&2
    exit 1
fi
# In the text of the script the words stand, too.
if ! grep -q "<pre>ALL IS WELL" "$work/dom"; then
    sed -n '/<pre>FAULTS/,$p' "$work/dom" >&2
    echo "failed: a report does not open as it should" >&2
    exit 1
fi
echo "reports of ${kinds//,/, } open well in a browser"
