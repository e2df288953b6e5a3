# Autosubmit: an experiment with a setup, two members of two chunks each, one job that fails once and is submitted again,
# a vertical wrapper, and a last job. Autosubmit reaches the cluster by ssh and SFTP, as a login node.
set -eu
here=$(dirname "$0")
export HOME=$PWD/home
mkdir -p "$HOME/scratch/project/$USER"
python3 "$here/autosubmit_sshd.py" "$HOME" &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do test -s "$HOME/.ssh/config" && break; sleep 0.1; done

autosubmit configure > log 2>&1
autosubmit install >> log 2>&1
autosubmit expid -min -H cluster -d test >> log 2>&1
conf=$HOME/autosubmit/a000/conf
rm "$conf"/*.yml
cat > "$conf/experiment.yml" <<END
DEFAULT:
  EXPID: a000
  HPCARCH: cluster
CONFIG:
  AUTOSUBMIT_VERSION: $(autosubmit -v | tail -1)
  MAXWAITINGJOBS: 20
  TOTALJOBS: 20
  SAFETYSLEEPTIME: 1
  RETRIALS: 0
MAIL:
  NOTIFICATIONS: false
STORAGE:
  TYPE: pkl
PROJECT:
  PROJECT_TYPE: none
EXPERIMENT:
  DATELIST: '20260101'
  MEMBERS: fc0 fc1
  CHUNKSIZEUNIT: month
  CHUNKSIZE: 1
  NUMCHUNKS: 2
  CALENDAR: standard
PLATFORMS:
  CLUSTER:
    TYPE: slurm
    HOST: login
    USER: $USER
    PROJECT: project
    SCRATCH_DIR: $HOME/scratch
    ADD_PROJECT_TO_HOST: false
    MAX_WALLCLOCK: 48:00
WRAPPERS:
  WRAPPER_SIM:
    TYPE: vertical
    JOBS_IN_WRAPPER: SIM
JOBS:
  SETUP:
    SCRIPT: |
      echo setup on %HPCARCH% >> $HOME/order
    RUNNING: once
    WALLCLOCK: 00:05
  FLAKY:
    SCRIPT: |
      echo flaky >> $HOME/order
      mkdir $HOME/tried && exit 3
      true
    DEPENDENCIES: SETUP
    RUNNING: member
    WALLCLOCK: 00:05
    RETRIALS: 2
  SIM:
    SCRIPT: |
      srun -n2 bash -c 'echo %MEMBER% %CHUNK% task \$SLURM_PROCID >> $HOME/order'
    DEPENDENCIES: FLAKY SIM-1
    PROCESSORS: 2
    RUNNING: chunk
    WALLCLOCK: 00:05
  POST:
    SCRIPT: |
      echo post >> $HOME/order
    DEPENDENCIES: SIM
    RUNNING: once
    WALLCLOCK: 00:05
END
autosubmit create a000 -np >> log 2>&1 || { cat log; exit 1; }
autosubmit run a000 >> log 2>&1 || { tail -50 log; exit 1; }

order=$HOME/order
test "$(head -1 "$order")" = "setup on CLUSTER"
test "$(tail -1 "$order")" = post
test "$(grep -c flaky "$order")" = 3
test "$(grep -E '^fc[01] [12] task [01]$' "$order" | sort -u | wc -l)" = 8
# The chunks of a member are one job: seven jobs, and the one that failed.
test "$(sacct -X -n -P -o state | sort | uniq -c | xargs)" = "6 COMPLETED 1 FAILED"
echo ok
