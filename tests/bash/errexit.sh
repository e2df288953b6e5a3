#--- e-simple
set -e; echo a; false; echo b
#--- e-conditions
set -e; if false; then :; elif false; then :; fi; while false; do :; done; until true; do :; done; false || true; false && true; true && ! true; ! true; echo ok; true && false; echo still; { false && true; }; echo brace; (false && true); echo never
#--- e-last-of-and
set -e; true && { false; }; echo never
#--- e-last-of-or
set -e; false || false; echo never
#--- e-function-in-condition
set -e; f() { false; echo "in f"; return 3; }; if f; then echo y; else echo n $?; fi; f || echo or $?; ! f; echo not; f && echo x; echo end $?; f
echo never
#--- e-subshell
set -e; (false; echo no) || echo caught; (set +e; false; echo inner); (false; echo no); echo never
#--- e-subshell-condition
set -e; if (false; echo still); then echo then; fi; x=$(false; echo sub); echo "[$x]"; echo "$(false; echo two)"; local_f() { local v=$(false); echo local ok; }; local_f; export E=$(false); echo export ok; y=$(false); echo never
#--- e-inherit
shopt -s inherit_errexit; set -e; x=$(false; echo no) || echo or; echo "[$x]"; echo "$(false; echo no)x"; x=$(false; echo no); echo never
#--- e-pipeline
set -e; false | true; echo a; true | false | true; echo b; set -o pipefail; false | true || echo c; if false | true; then :; fi; echo d; false | true; echo never
#--- e-arith
set -e; ((1)); let 1; i=0; ((i++)) || true; echo $i; ((i++)); echo $i; x=$((0)); echo $x; [[ a == a ]]; for ((j=0;j<1;j++)); do :; done; i=0; ((i++)); echo never
#--- e-cond
set -e; [[ a == b ]] || true; [ 1 = 2 ] || true; if [[ a == b ]]; then :; fi; echo a; [[ a == b ]]; echo never
#--- e-case-loops
set -e; for i in 1 2; do false || continue; done; case x in x) false || true;; esac; while true; do break; done; for i in 1 2; do echo $i; [ $i = 1 ] && continue; done; echo never2
#--- e-last-loop
set -e; for i in 1 2 3; do echo $i; [ $i -lt 2 ]; done; echo never
#--- e-eval
set -e; eval 'false || true'; eval 'echo a'; eval 'false'; echo never
#--- e-source
set -e; echo 'echo in; false; echo no' > s; . ./s || echo caught; echo next; . ./s; echo never
#--- e-trap-exit
set -e; trap 'echo exit $?' EXIT; f() { return 4; }; f; echo never
#--- e-trap-err
set -e; trap 'echo err $? $LINENO' ERR; true; false || true
if false; then :; fi
false
echo never
#--- e-err-in-function
trap 'echo err' ERR; f() { false; echo f; }; f; set -E; f; g() { return 2; }; g; (false; echo sub); x=$(false; echo y); echo $x
#--- e-err-inheritance
trap 'echo "ERR($?)"' ERR; f() { false; true; }; f; echo 1; f || true; (exit 3); echo 2; set -o errtrace; f; echo 3; (false; true); echo 4; ! false; false | true; true | false; echo 5; while false; do :; done; let 0; ((0)); [[ a == b ]]; [ a = b ]; echo 6
#--- e-nounset+err
set -euo pipefail; x=; echo "[$x]" ${y:-d} ${y-} $# "${@}"; a=(); echo "${a[@]}" ${#a[@]}; echo $y; echo never
#--- e-nounset-forms+err
set -u; (echo ${x}); echo $?; (echo ${#x}); echo $?; (echo ${x%y}); echo $?; (echo ${x:1}); echo $?; (echo $1); echo $?; (echo $!) ; echo $?; (echo ${a[0]}); echo $?; a=(1); (echo ${a[1]}); echo $?; (echo $((x+1))); echo $?; (echo ${!x}); echo $?; echo ${x+set} ${x:-d} "$*" "$@" $#; (echo ${x@Q}); echo $?; ( ((z>1)) ; echo al); unset p; (echo "${p[@]}"); echo $?; (echo ${x^}) ; echo $?; echo end
#--- e-nounset-function+err
set -u
f() {
  echo $undefined
  echo no
}
f
echo never
#--- e-nounset-interactive-subshell+err
set -u; x=$(echo $nope; echo no); echo "st $? [$x]"; echo a | echo $nope2; echo next; { echo $nope3; } | cat; echo last
#--- e-pipefail
set -o pipefail; true | false | true; echo $?; (exit 3) | (exit 4) | true; echo $?; true | true; echo $?; false | head -1; echo $?; ! true | false; echo $?; seq 100000 | head -1; echo $?
#--- e-command-not-found
set -e; nosuchcmd 2>/dev/null || echo caught; nosuchcmd 2>/dev/null; echo never
#--- e-redirect-failure
set -e; : < /nope 2>/dev/null || echo c; { echo x; } < /nope 2>/dev/null || echo d; : > /nope/x 2>/dev/null; echo never
#--- e-assign-failure
set -e; readonly r=1; (r=2) 2>/dev/null || echo caught; x=1 y=$(exit 3) || echo or; z=$(exit 3); echo never
#--- e-in-substitution-chain
set -e; f() { echo out; return 1; }; x=$(f) || echo "rc $?"; echo "[$x]"; if x=$(f); then :; else echo else; fi; y="$(f)$(true)"; echo "[$y]"; x=$(f); echo never
#--- e-wait
set -e; (exit 3) & wait $! || echo w $?; (exit 0) & wait $!; echo ok; false & wait; echo still; (exit 2) & wait $!; echo never
#--- e-negation
set -e; ! false; ! true; echo a; if ! true; then :; fi; ! (exit 1); ! { true; }; echo b; ! true && echo no; echo c $?; (! true); echo never
#--- e-return-in-or
set -e; f() { [ "$1" = ok ] || return 1; echo fine; }; f ok; f bad || echo bad $?; g() { f bad; echo unreached; }; g; echo never
#--- e-exit-status-kept
set -e; trap 'rc=$?; echo rc=$rc; exit $((rc+1))' EXIT; (exit 41)
#--- e-set-in-function
f() { set -e; false; echo no; }; f; echo never
#--- e-set-plus
set -e; set +e; false; echo on; set -e; f() { set +e; false; echo in; set -e; }; f; false; echo never
#--- e-compound-redirect
set -e; while read x; do echo $x; false || true; done <<< "a"; { false; } 2>/dev/null || echo r; if true; then false; fi; echo never
#--- e-debug-trap
trap 'echo "D:$BASH_COMMAND"' DEBUG; x=1; echo $x; if true; then echo y; fi; for i in 1 2; do :; done; f() { echo in; }; f; trap - DEBUG; echo off
#--- e-debug-functrace
set -T; trap 'echo "D:$BASH_COMMAND"' DEBUG; f() { echo in; }; f; (echo sub); trap - DEBUG
#--- e-return-trap
f() { trap 'echo ret $?' RETURN; echo in; return 3; }; f; echo $?; g() { echo g; }; g; trap 'echo R' RETURN; g; set -T; g; echo 'echo s' > s; . ./s; trap - RETURN
#--- e-bash-command
trap 'echo "failed: $BASH_COMMAND ($?)"' ERR; false; ls /nope 2> /dev/null; x=$(exit 2); [ a = b ]
echo 'done'
#--- e-exit-trap-variants
trap 'echo a; false; echo $?' EXIT; exit 3
#--- e-exit-trap-in-subshell
trap 'echo outer' EXIT; (trap 'echo inner $?' EXIT; exit 3); echo $?; (echo none); x=$(trap 'echo sub' EXIT; echo body); echo "$x"; f() { trap 'echo ff' EXIT; }; f; echo end
#--- e-exit-in-trap
trap 'exit 9' USR1; kill -USR1 $$; echo never
#--- e-exit-trap-signal
trap 'echo bye $?' EXIT; kill -TERM $$; echo never
#--- e-exit-trap-syntax
trap 'echo bye' EXIT; eval 'echo $((1/0))' 2>/dev/null; echo $?; echo ${x?gone} 2>/dev/null; echo never
#--- e-exec-in-trap
trap 'echo bye' EXIT; exec echo replaced
#--- e-trap-listing
trap 'echo a' EXIT INT; trap "it's" TERM; trap '' HUP; trap 'x' ERR DEBUG; trap -p; trap -p INT; trap - INT EXIT DEBUG; trap; trap 2>/dev/null 'q' 2; trap -p 2
#--- e-trap-errors+err
trap 'x' NOSUCH; echo $?
trap -p NOPE; echo $?
trap x 99; echo $?
trap -; echo $?
#--- e-trap-in-subshell
trap 'echo t' USR1; (trap; trap -p | head -1); trap 'echo u' USR2; x=$(trap); echo "$x"; trap '' QUIT; (trap)
#--- e-trap-signals-order
trap 'echo one' USR1; trap 'echo two' USR2; kill -USR2 $$; kill -USR1 $$; (kill -USR1 $$; kill -USR2 $$); echo end
#--- e-trap-nested-function
h() { echo "handler $1 $?"; }; trap 'h USR1' USR1; f() { kill -USR1 $$; echo in f; }; f; for i in 1 2; do kill -USR1 $$; done; x=$(kill -USR1 $$; echo inner); echo $x
#--- e-ignored-inherited
trap '' TERM; (kill -TERM $BASHPID; echo alive); bash -c 'kill -TERM $$; echo alive2'; sleep 5 & kill $!; kill -9 $!; wait $! 2>/dev/null; echo $?
#--- e-default-in-subshell
trap 'echo caught' TERM; (kill -TERM $BASHPID; echo no) 2>/dev/null; echo $?; bash -c 'kill -TERM $$; echo no' 2>/dev/null; echo $?
#--- e-return-code-of-trap
f() { trap 'return 7' USR1; kill -USR1 $$; echo no; }; f; echo $?
#--- e-loop-break-in-trap
trap 'break' USR1; for i in 1 2 3; do echo $i; [ $i = 2 ] && kill -USR1 $$; done; echo out
#--- arithmetic-for-from-zero
set -e; for ((i=0;i<2;i++)); do echo $i; done; for ((;i<4;i++)); do echo $i; done; trap 'echo E' ERR; for ((i=0;i<1;i++)); do :; done; echo end
