# Checks through ReFrame, whose schedulers `slurm` and `squeue` ask sacct and squeue for states.
set -eu
here=$(dirname "$0")
reframe="reframe -C $here/reframe_site.py -c $here/reframe_checks.py"
$reframe -r -T fails
if $reframe -r -t fails > failed.txt; then cat failed.txt; echo "a failing check passed"; exit 1; fi
grep -q "Exited with exit code 1" failed.txt
grep -q "Ran 2/2 test case(s) from 1 check(s) (2 failure(s)" failed.txt
echo ok
