#!/usr/bin/env bash
# Tries scripts/slurm.sh for real, on this machine alone: installs Debian's Slurm where it is not
# there, starts it on ports of its own, plays studies in shards (one of them requeued in the middle,
# and once with a full disk), merges them, compares the bytes with those of one machine, and stops
# what it started. Needs root on Debian; the program is $CARAT, or that of cargo's target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
carat=$(realpath "${CARAT:-${CARGO_TARGET_DIR:-target}/release/carat}")

if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
  echo "skipped: it needs root on Debian"
  exit
fi
if ! { command -v slurmctld && command -v slurmd && command -v munged; } > /dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge > /dev/null
fi

here=$(mktemp -d)
started=()
stop() {
  code=$?
  if [ "${SLURM_CONF:-}" = "$here/slurm.conf" ]; then scancel -u root 2> /dev/null || true; fi
  for pid in "${started[@]}"; do kill "$pid" 2> /dev/null || true; done
  wait
  if mountpoint -q "$here/full-shards"; then umount "$here/full-shards"; fi
  if [ $code = 0 ]; then rm -rf "$here"; else echo "failed; see $here"; fi
}
trap stop EXIT

# Repeats a command until it succeeds; gives up after ten minutes.
wait_for() {
  for ((tries = 0; tries < 6000; tries++)); do
    if "$@" &> /dev/null; then return; fi
    sleep 0.1
  done
  echo "no success in ten minutes: $*" >&2
  exit 1
}

# Everything in a folder of its own: no Slurm that runs here is touched.
chmod 755 "$here"
mkdir "$here/state" "$here/spool"
head -c 1024 /dev/urandom > "$here/munge.key"
chmod 600 "$here/munge.key"
host=$(hostname -s)
cat > "$here/slurm.conf" <<CONF
ClusterName=carat
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=27817
SlurmdPort=27818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$here/munge.socket
CredType=cred/munge
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MinJobAge=86400
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$here/slurm.conf"
munged --foreground --force --key-file="$here/munge.key" --socket="$here/munge.socket" \
  --pid-file="$here/munge.pid" --seed-file="$here/munge.seed" &> "$here/munged.log" &
started+=($!)
wait_for [ -S "$here/munge.socket" ]
slurmctld -D -c &> "$here/slurmctld.out" & started+=($!)
slurmd -D -c &> "$here/slurmd.out" & started+=($!)
idle() { sinfo -h -o %T | grep -q idle; }
wait_for idle

cat > "$here/sweep.toml" <<'STUDY'
study = "sweep"
game = "diamant"
players = 4
games = "2M"
[vary]
"seats.1.enough" = "8..17"
STUDY
cat > "$here/compare.toml" <<'STUDY'
study = "compare"
game = "diamant"
games = "1M"
[sides]
a = []
b = ["rounds=4"]
STUDY
cat > "$here/precision.toml" <<'STUDY'
study = "simulate"
game = "diamant"
precision = 0.01
STUDY

no_jobs() { local jobs; jobs=$(squeue -h) && [ -z "$jobs" ]; }
same() {
  diff -r "$here/whole-$1" "$here/$1"
  echo "$1: the same bytes as on one machine"
}

for study in sweep compare; do
  "$carat" run "$here/$study.toml" --out "$here/whole-$study" --quiet
done
export CARAT="$carat"

OUT="$here/sweep" scripts/slurm.sh "$here/sweep.toml" 6 | tee "$here/jobs"
array=$(sed 's/shards \([0-9]*\),.*/\1/' "$here/jobs")
# A job may only be requeued once it runs.
runs() { squeue -h -t R -o %i | grep -q "${array}_"; }
wait_for runs
running=$(squeue -h -t R -o %i | grep -m 1 "${array}_")
sleep 0.5
scontrol requeue "$running"
sleep 3
scontrol update JobId="$running" StartTime=now
echo "requeued $running"
wait_for no_jobs
same sweep

OUT="$here/compare" scripts/slurm.sh "$here/compare.toml" 3
wait_for no_jobs
same compare

# A study without shards is refused, and the log of its merge says that nothing is there.
OUT="$here/precision" scripts/slurm.sh "$here/precision.toml" 2
wait_for no_jobs
grep -q "number of games is not known in advance" "$here/precision-shards/1.log"
[ ! -e "$here/precision" ]

# A disk that is full: nothing is merged, what is missing is named, and later all goes on.
mkdir "$here/full-shards"
mount -t tmpfs -o size=256k tmpfs "$here/full-shards"
OUT="$here/full" scripts/slurm.sh "$here/sweep.toml" 2
wait_for no_jobs
said=$("$carat" merge "$here/full-shards" --out "$here/full" 2>&1 || true)
[[ $said =~ "no shard of a study"|"not all shards are complete" ]] && [ ! -e "$here/full" ]
echo "full disk: $said"
mount -o remount,size=1g "$here/full-shards"
OUT="$here/full" scripts/slurm.sh "$here/sweep.toml" 2
wait_for no_jobs
mv "$here/whole-sweep" "$here/whole-full"
same full
