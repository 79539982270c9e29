#!/usr/bin/env bash
# Lets the program of a seat fail at random moments, in every way, and checks what carat does then:
#   scripts/test-programs.sh [FAILURES [SEED]]
# Each failure must end the run within seconds: exit code 2, an error of one paragraph that names a decision
# of a game, no process left over and nothing written. The program is $CARAT, or that of cargo's target
# folder.
set -euo pipefail
cd "$(dirname "$0")/.."
carat=$(realpath "${CARAT:-${CARGO_TARGET_DIR:-target}/release/carat}")

here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cat > "$here/bot.py" << 'BOT'
import json, os, random, signal, sys, threading, time

way, at, mark = sys.argv[1], int(sys.argv[2]), sys.argv[3]
out = sys.stdout.buffer


def write(line):
    out.write(line)
    out.flush()


def fail(good):
    """A bad answer, if the program still gives one."""
    if way.startswith("exit"):
        os._exit(int(way[4:]))
    if way in ("KILL", "SEGV", "STOP", "TERM"):
        os.kill(os.getpid(), signal.Signals["SIG" + way])
    if way == "hang":
        time.sleep(999)
    if way == "stubborn":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        sys.stdin.close()
        time.sleep(999)
    if way == "fork":
        os.fork() and os._exit(0)
        time.sleep(999)
    if way == "close":
        os.close(1)
        time.sleep(999)
    if way == "half":
        write(good[: len(good) // 2])
        os._exit(1)
    if way == "drip":
        for byte in good:
            write(bytes([byte]))
            time.sleep(0.2)
    while way == "flood":
        write(b"x" * 65536)
    lines = {
        "long": b'{"id":7,"answers":[' + b"1," * (1 << 20) + b"1]}",
        "deep": b"[" * 100000,
        "noise": bytes(random.randrange(256) for _ in range(200)),
        "null": b"\0",
        "empty": b"",
        "text": b"I leave.",
        "CR": b"\r",
        "number": b"1e999",
        "hidden": b'{"features":["secret"]}',
    }
    if way in lines:
        return lines[way] + b"\n"
    if at == 0:
        return b'{"features":"held"}\n'
    answer = json.loads(good)
    answers = answer["answers"]
    bad = {"-1": -1, "large": 10**6, "huge": 1 << 64, "half a choice": 0.5, "word": "stay", "list": [0], "nothing": None}
    if way in bad:
        answers[random.randrange(len(answers))] = bad[way]
    elif way == "few":
        answers.pop()
    elif way == "many":
        answers.append(0)
    elif way == "none":
        answers.clear()
    elif way == "other id":
        answer["id"] += random.choice([-1, 1])
    elif way == "object":
        answer["answers"] = {}
    elif way == "no answers":
        del answer["answers"]
    return json.dumps(answer).encode() + b"\n"


if way == "killed":
    threading.Timer(random.random() / 5, os.kill, (os.getpid(), signal.SIGKILL)).start()
sys.stdin.readline()
good = b'{"features":["random"]}\n'
write(fail(good) if at == 0 and way != "killed" else good)
for number, line in enumerate(sys.stdin, 1):
    asked = json.loads(line)
    answers = [int(of["features"]["random"] < 0.2) if "features" in of else 0 for of in asked["decisions"]]
    good = json.dumps({"id": asked["id"], "answers": answers}).encode() + b"\n"
    write(fail(good) if number == at and way != "killed" else good)
BOT

python3 - "$carat" "$here" "${1:-1000}" "${2:-1}" << 'DRIVER'
import collections, concurrent.futures, glob, os, random, re, shutil, subprocess, sys, time

carat, here, failures, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
WAYS = """exit0 exit1 exit3 KILL SEGV STOP TERM hang stubborn fork close half drip flood long deep noise null empty
text CR number hidden -1 large huge half_a_choice word list nothing few many none other_id object no_answers killed"""
WAYS = [way.replace("_", " ") for way in WAYS.split()]
SLOW = ["STOP", "hang", "stubborn", "close", "drip", "fork"]
STUDIES = [
    "simulate diamant --others depth --games 20k",
    "simulate diamant --others depth --games 20k --raw",
    "simulate diamant --others depth --games 20k --raw decisions",
    "compare diamant --others depth --games 20k --b rounds=4",
    "simulate diamond_cave --others gambler --games 5k",
    "simulate diamond_miner --others random --games 5k",
]


def left(mark):
    """Processes that belong to a run."""
    found = []
    for file in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(file, "rb") as line:
                if mark.encode() in line.read().split(b"\0"):
                    found.append(file)
        except OSError:
            pass
    return found


def attack(number):
    luck = random.Random(seed * 10**9 + number)
    way = luck.choice(WAYS)
    if way in SLOW and luck.random() < 0.7:
        way = luck.choice([way for way in WAYS if way not in SLOW])
    mark = f"mark-{os.getpid()}-{number}"
    at = luck.choice([0, 1, 1, 2, 3, luck.randrange(20)])
    seconds = 0.5 if way in SLOW else 20
    with open(f"{here}/{number}.toml", "w") as bot:
        bot.write(f"exec = \"{sys.executable} -S -E {here}/bot.py '{way}' {at} {mark}\"\nseconds = {seconds}\n")
    study = luck.choice(STUDIES)
    out = f"{here}/{number}"
    line = f"{carat} {study} --seat {here}/{number}.toml --threads {luck.choice([1, 2])} --no-charts --out {out}"
    began = time.time()
    ran = subprocess.run(line.split(), capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    took = time.time() - began
    said = [text for text in ran.stderr.split("\n") if text.startswith("error")]
    faults = []
    if ran.returncode != 2:
        faults.append(f"exit code {ran.returncode}")
    if len(said) != 1 or not re.search(r"decision \d+ of game \d+ at seat 1", said[0]) or len(said[0]) > 700:
        faults.append("its error")
    if took > 15:
        faults.append(f"{took:.0f} s")
    if left(mark):
        faults.append("processes are left over")
    if os.path.exists(out) and os.listdir(out):
        faults.append(f"files: {os.listdir(out)}")
    if faults:
        print(f"{'; '.join(faults)}: {way} at line {at}\n  {line}\n{ran.stderr[-1500:]}", flush=True)
    shutil.rmtree(out, ignore_errors=True)
    os.remove(f"{here}/{number}.toml")
    return way, took, bool(faults), re.sub(r"\d+", "N", said[0])[:60] if said else ""


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    done = list(pool.map(attack, range(failures)))
ways = collections.Counter(way for way, *_ in done)
wrong = sum(faulty for _, _, faulty, _ in done)
print(f"{len(done)} failures: {dict(sorted(ways.items()))}")
print(f"{wrong} of them handled in a wrong way; the slowest took {max(took for _, took, *_ in done):.1f} s")
sys.exit(wrong > 0)
DRIVER
