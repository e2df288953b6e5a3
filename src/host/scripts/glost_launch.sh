#!/bin/bash
# GLOST: each rank takes the next line of the list and runs it.
list=
for word; do case $word in -*) ;; *) list=$word ;; esac; done
[ -f "$list" ] || { echo "glost_launch: cannot open '$list'" >&2; exit 1; }
rank=${OMPI_COMM_WORLD_RANK:-${SLURM_PROCID:-0}}
taken=${TMPDIR:-/tmp}/glost.$USER.${SLURM_JOB_ID:-$PPID}.${SLURM_STEP_ID:-0}
mkdir -p "$taken"
n=0
while IFS= read -r line; do
    n=$((n + 1))
    [[ $line == '' || $line == \#* ]] && continue
    mkdir "$taken/$n" 2> /dev/null || continue
    began=$SECONDS
    bash -c "$line" < /dev/null
    code=$?
    echo "#executed by process $rank in $((SECONDS - began)).00000s with status $code : $line"
done < "$list"
