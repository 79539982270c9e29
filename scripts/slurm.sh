#!/usr/bin/env bash
# Plays a study (simulate, compare or sweep) in shards on a Slurm cluster, and merges them:
#   scripts/slurm.sh STUDY SHARDS [options of sbatch]
# The options, such as --cpus-per-task=4 --time=30, are those of each shard. Results go to
# reports/out/ and the name of the study, or to $OUT; shards to the same and -shards. $CARAT is the
# program, `carat` by default. Shards that are complete are not played again: after a failure start
# the same once more.
set -euo pipefail
study=${1:?which study?} shards=${2:?how many shards?}
carat=${CARAT:-carat}
name=$(basename "${study%.*}")
out=${OUT:-reports/out/$name}
mkdir -p "$out-shards"

play="exec $(printf '%q ' "$carat" run "$study" --out "$out-shards" --quiet)"
play+='--shard $SLURM_ARRAY_TASK_ID/'"$shards"' --threads ${SLURM_CPUS_PER_TASK:-1}'
array=$(sbatch --parsable --requeue --array="1-$shards" --job-name="carat-$name" \
  --output="$out-shards/%a.log" --open-mode=append "${@:3}" --wrap="$play")

# However the shards ended, merge names those that are missing.
merge="exec $(printf '%q ' "$carat" merge "$out-shards" --out "$out")"
merged=$(sbatch --parsable --dependency="afterany:${array%%;*}" --job-name="carat-$name-merge" \
  --output="$out-shards/merge.log" --open-mode=append --wrap="$merge")
echo "shards ${array%%;*}, merge ${merged%%;*}"
