#!/bin/bash
# mpirun, mpiexec: in an allocation the ranks are tasks of a step, elsewhere processes of this host.
np= quiet=
while [ $# -gt 0 ]; do
    case $1 in
        -np | -n | --np | -c) np=$2; shift ;;
        --version | -V) echo 'mpirun (Open MPI) 4.1.4'; exit ;;
        -x | --mca | -mca) [ "$1" = -x ] || shift; shift ;;
        --map-by | --bind-to | --rank-by | -H | --host | --hostfile | -machinefile | --machinefile | -ppn | -npernode | --npernode | -N) shift ;;
        -*) ;;
        *) break ;;
    esac
    shift
done
bar=--------------------------------------------------------------------------
[ $# -gt 0 ] || { printf '%s\nmpirun could not find anything to do.\n\nIt is possible that you forgot to specify how many processes to run\nvia the "-np" argument.\n%s\n' $bar $bar >&2; exit 1; }
if [[ $1 != */* ]] && ! type -P "$1" > /dev/null; then
    printf '%s\nmpirun was unable to find the specified executable file, and therefore\ndid not launch the job.  This error was first reported for process\nrank 0; it may have occurred for other processes as well.\n\nNode:       %s\nExecutable: %s\n%s\n' $bar "$(hostname)" "$1" $bar >&2
    exit 134
fi
if [ -n "$SLURM_JOB_ID" ]; then
    slots=${SLURM_NTASKS:-}
    if [ -z "$slots" ]; then
        slots=0
        for part in ${SLURM_TASKS_PER_NODE//,/ }; do
            case $part in *'(x'*) times=${part#*\(x}; slots=$((slots + ${part%%\(*} * ${times%\)})) ;; *) slots=$((slots + part)) ;; esac
        done
    fi
else
    slots=$(nproc)
fi
: "${np:=$slots}"
if [ "$np" -gt "$slots" ]; then
    printf '%s\nThere are not enough slots available in the system to satisfy the %s\nslots that were requested by the application:\n\n  %s\n\nEither request fewer procs for your application, or make more slots\navailable for use.\n%s\n' $bar "$np" "$1" $bar >&2
    exit 1
fi
if [ -n "$SLURM_JOB_ID" ]; then
    exec srun --overlap -J orted -n "$np" /usr/share/sandbatch/orted "$@"
fi
export OMPI_COMM_WORLD_SIZE=$np
for ((rank = 0; rank < np; rank++)); do
    OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_LOCAL_RANK=$rank "$@" &
done
code=0
for job in $(jobs -p); do wait "$job" || code=$?; done
exit $code
