# Cylc: dependencies, steps, a retry, a failure and a refused submission with their branches, a kill.
set -e
export CYLC_CONF_PATH=$PWD/conf HOME=$PWD/home
# The workflow is written where `cylc install` would copy it with rsync, which a bare machine does not have.
flow=home/cylc-run/flow
mkdir -p conf $flow
# Cylc's job scripts start a login shell, which resets PATH.
echo "export PATH='$PATH'" > home/.profile
cat > conf/global.cylc <<END
[platforms]
    [[lab]]
        hosts = localhost
        cylc path = $(dirname $(command -v cylc))
        job runner = slurm
        install target = localhost
        submission polling intervals = PT2S
        execution polling intervals = PT2S
        execution time limit polling intervals = PT2S
END
cat > $flow/flow.cylc <<'END'
[scheduler]
    allow implicit tasks = False
    [[events]]
        workflow timeout = PT3M
        abort on workflow timeout = True
        abort on stall timeout = True
        stall timeout = PT0S
[scheduling]
    [[graph]]
        R1 = """
            prepare => part_m1 & part_m2 & flaky
            part_m1 & part_m2 & flaky => sum
            broken:fail? => mend
            victim:start => kill_it
            victim:fail? => after
            refused:submit-fail? => elsewhere
        """
[runtime]
    [[root]]
        platform = lab
        execution time limit = PT2M
        [[[directives]]]
            --partition = cpu
            --mem = 100M
    [[prepare]]
        script = echo 20 > $CYLC_WORKFLOW_SHARE_DIR/number
    [[part_m1, part_m2]]
        script = """
            n=$(cat $CYLC_WORKFLOW_SHARE_DIR/number)
            srun -n2 bash -c 'echo '$n > $CYLC_WORKFLOW_SHARE_DIR/$CYLC_TASK_NAME
        """
        [[[directives]]]
            --ntasks = 2
    [[flaky]]
        script = test $CYLC_TASK_TRY_NUMBER = 2
        execution retry delays = PT1S
    [[sum]]
        script = test $(cat $CYLC_WORKFLOW_SHARE_DIR/part_* | tr '\n' ' ' | tr -d ' ') = 20202020
    [[broken]]
        script = exit 7
    [[mend]]
        # Cylc's message may arrive before the failed job has ended.
        script = until sacct -n -X -o state --name broken.1.flow | grep FAILED; do sleep 1; done
    [[victim]]
        script = sleep 300
    [[kill_it]]
        platform = localhost
        script = cylc kill $CYLC_WORKFLOW_ID//1/victim
        [[[directives]]]
    [[after]]
        script = true
    [[refused]]
        script = true
        [[[directives]]]
            --partition = nowhere
    [[elsewhere]]
        script = true
        [[[directives]]]
            --partition = debug
END
cylc play --no-detach flow > log 2>&1 || { tail -60 log; exit 1; }
grep -q 'invalid partition specified: nowhere' $flow/log/job/1/refused/01/job-activity.log
cat > wanted <<'END'
after.1.flow|COMPLETED
broken.1.flow|FAILED
elsewhere.1.flow|COMPLETED
flaky.1.flow|COMPLETED
flaky.1.flow|FAILED
mend.1.flow|COMPLETED
part_m1.1.flow|COMPLETED
part_m2.1.flow|COMPLETED
prepare.1.flow|COMPLETED
sum.1.flow|COMPLETED
victim.1.flow|CANCELLED
END
sacct -X -n -P -o jobname,state | sed 's/ by .*//' | LC_ALL=C sort | diff wanted -
echo ok
