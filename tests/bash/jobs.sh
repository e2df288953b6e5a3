#--- wait-forms
(exit 3) & p=$!; (exit 4) & q=$!; wait $p; echo $?; wait $q; echo $?; wait; echo $?; wait $p; echo $?; (exit 5) & wait $! ; echo $?; sleep 0.05 & wait -n; echo $?; wait; wait 999999 2>/dev/null; echo $?
#--- wait-n
(sleep 0.05; exit 3) & (sleep 0.2; exit 4) & wait -n; echo $?; wait -n; echo $?; wait -n; echo $?
#--- wait-p
(sleep 0.05; exit 3) & a=$!; (sleep 0.2; exit 4) & b=$!; wait -n -p who; echo $?; [ $who = $a ] && echo first; wait -p who $b; echo $?; [ "$who" = $b ] && echo second; wait -n -p who; echo "$? [${who-unset}]"
#--- wait-n-of
(sleep 0.2; exit 3) & a=$!; (sleep 0.05; exit 4) & b=$!; (sleep 0.1; exit 5) & wait -n $a $b; echo $?; wait
#--- pool
run() { sleep 0.0$1; echo "job $1" >> out; return $1; }; for i in 1 3 5 7; do run $i & while [ $(jobs -rp | wc -l) -ge 2 ]; do wait -n; done; done; wait; cat out | wc -l; rc=0; pids=(); for i in 1 0 2; do (exit $i) & pids+=($!); done; for p in "${pids[@]}"; do wait $p || rc=$((rc+$?)); done; echo rc $rc
#--- background-output
{ sleep 0.05; echo bg; } & echo fg; wait; (sleep 0.02; echo a) & (sleep 0.06; echo b) & wait; echo c; f() { sleep 0.01; echo f$1; }; f 1 & wait $!; x=$(echo cap &); echo $x; true & echo $?; y=$(sleep 0.05 & echo quick); echo $y
#--- background-pipe
seq 3 | while read x; do echo b$x; done & wait; echo a | cat & wait $!; echo $?; true | false & wait $!; echo $?; { exit 3; } & wait $!; echo $?; (exit 1) && echo no & wait $!; echo $?
#--- background-stdin
echo data | { cat & wait; }; { read x & wait $!; echo $?; } <<< in; cat <<< here & wait; { (cat) & wait; } < /dev/null; echo end
#--- jobs-listing
sleep 0.3 & sleep 0.3 & jobs; jobs -r; jobs %1; jobs -p | wc -l; jobs -s; kill %1 %2; wait 2>/dev/null; echo end
#--- jobs-specs
sleep 1 & sleep 2 & kill %sleep 2>/dev/null; echo $?; kill %?2; kill %+ 2>/dev/null; kill %1; wait %1 2>/dev/null; echo $?
#--- jobs-states
(exit 0) & (exit 3) & sleep 0.05; jobs; jobs; true & wait; jobs; echo end
#--- disown-forms
sleep 0.1 & disown; jobs; wait; echo $?; sleep 0.1 & disown %1; jobs; disown 2>/dev/null; echo $?; sleep 0.1 & p=$!; disown $p; wait $p 2>/dev/null; echo $?; sleep 0.1 & disown -h; jobs | wc -l; sleep 0.1 & disown -a; jobs
#--- job-errors+err
wait %9; echo $?; wait abc; echo $?; fg; echo $?; bg; echo $?; jobs %3; echo $?; disown %3; echo $?; kill %1; echo $?; wait -x; echo $?; wait 1; echo $?
#--- signal-status
sleep 5 & kill -HUP $!; wait $! 2>/dev/null; echo $?; sleep 5 & kill -INT $!; kill -KILL $!; wait $! 2>/dev/null; echo $?; sleep 5 & kill -USR1 $!; wait $! 2>/dev/null; echo $?; (kill -TERM $BASHPID) 2>/dev/null; echo $?; bash -c 'kill -ABRT $$' 2>/dev/null; echo $?; bash -c 'kill -SEGV $$' 2>/dev/null; echo $?; sh -c 'kill -PIPE $$'; echo $?
#--- stop-and-continue
sleep 0.2 & kill -STOP $!; kill -CONT $!; wait $!; echo $?
#--- async-traps
trap 'echo chld' USR1; (sleep 0.05; kill -USR1 $$) & while :; do wait && break; done; echo done; trap 'echo alarm; done=1' USR2; (sleep 0.05; kill -USR2 $$) & until [ "$done" ]; do sleep 0.02; done; echo end
#--- wait-trap-status
trap 'echo got' USR1; (sleep 0.05; kill -USR1 $$; sleep 0.05; exit 3) & p=$!; wait $p; echo $?; wait $p; echo $?
#--- term-forwarding
f() { trap 'echo child term; exit 5' TERM; while :; do sleep 0.05; done; }; f & p=$!; sleep 0.12; kill -TERM $p; wait $p; echo $?
#--- cleanup-pattern
tmp=tmpdir; mkdir $tmp; cleanup() { echo "cleanup $?"; rm -rf $tmp; }; trap cleanup EXIT; trap 'echo interrupted; exit 130' INT TERM; (sleep 0.05; kill -TERM $$) & sleep 0.2; echo never
#--- checkpoint-pattern
checkpoint() { echo "checkpoint at step $step"; touch ckpt; exit 0; }; trap checkpoint USR1; for step in 1 2 3 4 5 6 7 8 9; do [ $step = 3 ] && (sleep 0.1; kill -USR1 $$) & [ $step = 3 ] && { sleep 30 & wait $!; }; done; echo never
#--- process-substitution-more
cat <(echo a) <(echo b; echo c); while read x y; do echo $y-$x; done < <(printf '1 2\n3 4\n'); n=0; while read l; do n=$((n+1)); done < <(seq 5); echo $n; f() { cat "$1"; }; f <(echo via); echo x > >(cat); sleep 0.05; seq 3 | cat - <(echo more); wc -l < <(seq 4); read a < <(echo one two); echo $a; cat <(cat <(echo nested)); [ -e <(:) ] && echo exists; { cat; } < <(echo grp); for i in 1 2; do cat <(echo $i); done; exec 3< <(echo fd); read q <&3; echo $q; mapfile -t m < <(echo l1; echo l2); echo ${m[1]}
#--- subshell-isolation
x=1; (x=2; cd /; set -f; f() { :; }; trap 'echo t' EXIT; umask 077; shopt -s nullglob; alias a=b) ; echo $x; type -t f; [ "$PWD" = "$HOME" ] && echo home; echo $-| grep -c f 2>/dev/null | head -c 0; umask; shopt -q nullglob; echo $?; export y=1; (export y=2; bash -c 'echo $y'); echo $y; (exit 3); echo $?; ( (exit 4) ); echo $?; (exec true; echo no); (return 2 2>/dev/null; echo ret)
#--- many-children
for i in $(seq 30); do (exit $((i%3))) & done; wait; for i in $(seq 20); do true & done; wait; echo ok
#--- kill-group
(sleep 5 & sleep 5 & wait) & p=$!; sleep 0.05; kill $p; wait $p 2>/dev/null; echo $?
#--- exit-with-background
sleep 0.05 & echo started; exit 3
#--- killed-messages+err
bash -c 'kill -KILL $$'; echo $?
bash -c 'kill -SEGV $$' ; echo $?
sleep 5 & kill $!; wait $!; echo $?
(kill -TERM $BASHPID); echo $?
bash -c 'kill -INT $$'; echo $?
bash -c 'kill -PIPE $$'; echo $?
x=$(bash -c 'kill -KILL $$'); echo $?
bash -c 'kill -KILL $$' | cat; echo ${PIPESTATUS[0]}
#--- lastpid
echo "[$!]"; true & [ -n "$!" ] && echo set; p=$!; (true & [ $! != $p ] && echo differs); [ $! = $p ] && echo same; wait
