#--- case-terminators
for x in a b c; do case $x in a) echo 1;& b) echo 2;;& [bc]) echo 3;; *) echo 4;; esac; echo -; done; case x in (x) echo paren;; esac; case x in x|y) echo alt;; esac; case '' in '') echo empty;; esac; case a in [[:upper:]]) echo up;; [[:lower:]]) echo low;; esac; case x in y) ;; esac; echo $?; case $(echo sub) in s*) false;; esac; echo $?; case a in a) ;& b) ;& esac; echo $?
#--- case-patterns
shopt -s extglob nocasematch; case HELLO in hello) echo ci;; esac; [[ FOO == foo ]] && echo ci2; [[ FOO =~ ^fo+$ ]] && echo ci3; x=AbC; echo ${x/b/-}; shopt -u nocasematch; case foobar in foo@(bar|baz)) echo ext;; esac; case ab in !(ab)) echo neg;; *) echo notneg;; esac; case aaa in +(a)) echo plus;; esac; case '' in ?(x)) echo opt;; esac; case xyx in *(x|y)) echo star;; esac; v='a*'; case 'a*' in "$v") echo q;; esac; case abc in $v) echo g;; esac; case \\ in \\) echo bs;; esac; case '[' in \[) echo br;; esac
#--- for-forms
for x; do echo no; done; set -- a b; for x; do echo $x; done; for x in; do echo never; done; echo $?; for ((i=0, j=5; i<j; i++, j--)); do echo $i$j; done; for ((;;)); do break; done; for x in a b; { echo brace $x; }; for ((i=0;i<2;i++)) { echo c$i; }; for i in {1..3}; do for j in x y; do [[ $j == y ]] && continue 2; [[ $i == 3 ]] && break 2; echo $i$j; done; done; echo $i; for f in *.none; do echo $f; done; for x in "$@" "a b"; do echo "[$x]"; done
#--- while-until
i=0; while ((i<3)); do ((i++)); [ $i = 2 ] && continue; echo $i; done; until ((i==0)); do ((i--)); done; echo $i; while false; do :; done; echo $?; until true; do :; done; echo $?; while read l; do echo "$l"; done <<< $'a\nb'; while :; do break; done; echo $?; i=0; while [ $i -lt 2 ]; do i=$((i+1)); false; done; echo $?; while ((i-->0)); do echo d$i; done; while true; do while true; do break 2; done; done; echo out
#--- select-menu
echo 2 | { select x in a b c; do echo "got $x $REPLY"; break; done; } 2>/dev/null; printf '9\n\n1\n' | { PS3='? '; select x in p q; do echo "[$x] $REPLY"; [ -n "$x" ] && break; done; } 2>&1; select x in a; do echo never; done </dev/null 2>/dev/null; echo $?
#--- if-elif
if false; then echo a; elif true; then echo b; else echo c; fi; if ! false; then echo n; fi; if false; then :; fi; echo $?; if [[ 1 -eq 1 && 2 -gt 1 ]] && (exit 0); then echo and; fi; if x=$(false); then echo t; else echo "f $?"; fi; if true
then echo nl
fi; if (( 0 )); then :; elif (( 1 )); then echo arith; fi; if { false; true; }; then echo grp; fi
#--- functions-forms
f() { echo f $# "$@"; }; function g { echo g; }; function h() { echo h; }; i() (cd /; x=sub; echo i); j() if true; then echo j; fi; k() for a in 1 2; do echo k$a; done; l() { echo l; } > out; f a 'b c'; g; h; i; echo ${x-none}; j; k; l; cat out; f() { echo redefined; }; f; m() { m2() { echo inner; }; }; m; m2; n() [[ $1 == x ]]; n x && echo nx; unset -f f; f 2>/dev/null; echo $?; a-b() { echo dash; }; a-b; o.p() { echo dot; }; o.p; é() { echo utf; }; é
#--- function-recursion
fact() { if (($1<=1)); then echo 1; else echo $(($1*$(fact $(($1-1))))); fi; }; fact 6; fib() { local n=$1; ((n<2)) && { echo $n; return; }; echo $(( $(fib $((n-1))) + $(fib $((n-2))) )); }; fib 8; d() { local depth=$1; ((depth==0)) || d $((depth-1)); echo -n "$depth "; }; d 5; echo; FUNCNEST=3; r() { echo r$1; r $(($1+1)); }; r 1 2>/dev/null; echo $?
#--- function-variables
f() { echo ${FUNCNAME[0]} ${#FUNCNAME[@]} $LINENO; g; }; g() { echo "${FUNCNAME[*]}" "${BASH_LINENO[*]}"; echo ${BASH_SOURCE[0]}; }; f
echo "${FUNCNAME-none}" ${#BASH_SOURCE[@]} $LINENO
h() {
 echo $LINENO
 echo $((LINENO))
 (echo $LINENO)
}
h
echo "$LINENO $(echo $LINENO)"
#--- bash-source
cat > lib.sh <<'X'
lf() { echo "${FUNCNAME[0]} ${BASH_SOURCE[0]##*/} ${BASH_SOURCE[1]##*/} ${BASH_LINENO[0]} $LINENO"; caller; }
echo "top ${BASH_SOURCE[0]##*/} ${FUNCNAME[0]} $LINENO"
[[ ${BASH_SOURCE[0]} == "$0" ]] && echo main || echo sourced
X
cat > main.sh <<'X'
#!/bin/bash
source ./lib.sh

lf
f() { lf; }
f
DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); [ "$DIR" = "$PWD" ] && echo same
echo $0 $BASH_SUBSHELL
X
bash main.sh; chmod +x main.sh; ./main.sh x
#--- trap-debug
trap 'echo "D:$BASH_COMMAND"' DEBUG; x=1; echo a; ((1)); for i in 1 2; do :; done; if true; then echo t; fi; f() { echo in; }; f; (echo sub); trap - DEBUG; echo end
#--- trap-debug-functrace
trap 'echo "D:$BASH_COMMAND"' DEBUG; set -T; f() { echo in; return 2; }; f; (echo sub); x=$(echo cs); set +T; f; trap - DEBUG
#--- trap-return
trap 'echo R:${FUNCNAME-none}' RETURN; f() { echo f; }; f; set -T; f; g() { trap 'echo RG' RETURN; echo g; }; set +T; g; f; echo 'echo s' > s; . ./s; trap - RETURN; h() { trap 'echo RH $?' RETURN; return 3; }; h; echo $?; h2() { :; }; h2
#--- trap-err
trap 'echo E:$?:$LINENO' ERR; false; true; (exit 4); false || true; if false; then :; fi; ! true; f() { false; echo after; }; f; set -E; f; false | true; true | false; x=$(false); x=$(exit 7); [[ a == b ]]; ((0)); while false; do :; done; (false); { false; }; trap - ERR; false; echo end
#--- trap-err-set-e
set -e; trap 'echo "err $?"' ERR; trap 'echo "exit $?"' EXIT; f() { false; }; f || echo caught; (false) || echo sub; f; echo never
#--- trap-exit
trap 'echo bye $?' EXIT; (echo sub); (trap 'echo sub bye' EXIT; echo s2); x=$(trap 'echo inner' EXIT; echo v); echo "$x"; f() { trap 'echo again $?' EXIT; }; f; exit 3
#--- trap-signals
trap 'echo T' TERM; trap 'echo U1' USR1; kill -TERM $$; kill -USR1 $$; echo mid; trap '' INT; kill -INT $$; echo still; trap - TERM; trap; (trap); trap 'echo U2; trap - USR2' USR2; kill -USR2 $$; trap -p USR1; (kill -USR1 $BASHPID; echo sub); bash -c 'trap "echo child" HUP; kill -HUP $$; echo done'; (trap 'echo st; exit 5' TERM; kill $BASHPID; echo no); echo $?; bash -c 'kill -9 $$'; echo $?; bash -c 'kill $$' ; echo $?; trap -l | head -2
#--- trap-errors+err
trap 'x' NOSUCH; echo $?; trap; trap -p NOSIG; echo $?; trap 'a' 99; echo $?; trap -z; echo $?; trap 'echo )' EXIT; trap - EXIT; trap KILL; echo $?; trap 'echo q' sigusr1 2; trap
#--- trap-nested
f() { trap 'echo inf' USR1; kill -USR1 $$; }; f; kill -USR1 $$; trap 'false; echo q$?' USR1; (exit 9); kill -USR1 $$; echo $?; trap 'return 7' USR1 2>/dev/null; g() { kill -USR1 $$; echo notreached; }; g; echo $?; trap 'break' USR2; for i in 1 2 3; do echo $i; [ $i = 2 ] && kill -USR2 $$; done; echo $i
#--- set-e-corners
set -e; f() { false; echo "f continues"; }; if f; then :; fi; f && echo and; ! f; f || :; x=$(f; echo z); echo "$x"; while f && false; do :; done; (set +e; false; echo subok); { false || true; }; false && true; echo still; local_test() { local y=$(false); echo masked; }; local_test; z=$(false) || echo zf; true && false; echo no
#--- set-e-pipes
set -e; false | true; echo 1; set -o pipefail; (false | true) || echo 2; if false | true; then :; else echo 3; fi; x=$(false | echo q) || echo "4 $x"; false | true; echo never
#--- set-u-corners
set -u; echo ${x-d} ${x:-e} "${x+f}" ${#}; a=(); echo "${a[@]}" ${#a[@]} "${a[@]:-n}"; set --; echo "$@" "$*" $#; ( echo $1 ) 2>&1; ( echo ${a[0]} ) 2>&1; ( echo $x ) 2>&1; ( echo $((y+1)) ) 2>&1; ( [[ -v z ]] || echo nv ); ( echo ${#x} ) 2>&1; ( declare -A m; echo ${m[k]} ) 2>&1; ( echo ${!x} ) 2>&1; ( f() { echo $2; }; f 1 ) 2>&1; (for i in $nope; do :; done) 2>&1; ( : ${v?msg} ) 2>&1; echo end
#--- set-x-trace+err
PS4='+ '; set -x; echo a 'b c' "$HOME" > /dev/null; x=1 y='p q'; a=(1 'x y'); [[ $x == 1 && -n $y ]]; ((x++)); for i in 1 2; do :; done; f() { local l=1; return 0; }; f arg; z=$(echo sub); echo "$z" > /dev/null; if [ "$x" -gt 1 ]; then :; fi; export E=1; echo {1..3} *nomatch* > /dev/null; echo '' "it's" $'a\nb' > /dev/null; set +x; echo end
#--- set-x-ps4+err
x=5; PS4='[$x:$LINENO] '; set -x; echo a
x=6
echo b; { set +x; } 2>/dev/null; PS4='>'; set -x; (echo sub); : $(echo in); set +x
#--- set-v+err
set -v
echo a
x=$(echo b)
set +v
echo c
#--- set-n
bash -n -c 'echo never; if'; echo $?; bash -n -c 'echo never'; echo $?; set -n; echo never
#--- exec-forms
exec 3> f; echo to3 >&3; exec 3>&-; cat f; exec 4< f; read x <&4; echo $x; exec 4<&-; { echo x >&3; } 2>/dev/null; echo $?; (exec echo replaced; echo never); (exec -a myname bash -c 'echo $0'); exec {fd}> g; echo $((fd>=10)); echo hi >&$fd; exec {fd}>&-; cat g; (exec nosuch 2>/dev/null; echo never); echo $?; exec 5<> rw; echo abc >&5; exec 5>&-; cat rw; (exec > h; echo inh); cat h; exec 2>&1; nosuch_cmd; (exec -c env) | sort | head -3
#--- subshell-state
x=1; (x=2; echo $x); echo $x; (cd /); [ "$PWD" != / ] && echo stay; (exit 3); echo $?; { x=3; }; echo $x; echo a | x=4; echo $x; echo b | { read y; echo $y; }; echo ${y-unset}; shopt -s lastpipe; echo c | read z; echo $z; shopt -u lastpipe; (set -f); case $- in *f*) echo f;; *) echo nof;; esac; (trap 'echo t' EXIT); (f() { echo f; }; f); type -t f; echo $$ > p; (echo $$ >> p; echo $BASHPID >> p); [ $(sort -u p | wc -l) = 2 ] && echo ids; (( x=9 )); echo $x; ( (echo nested) ); ((echo tricky) )
#--- lastpipe
shopt -s lastpipe; printf '1\n2\n3\n' | while read n; do s=$((s+n)); done; echo $s; echo x | mapfile -t a; echo ${a[0]}; true | false; echo $?; echo q | { v=1; exit 4; }; echo never
#--- pipestatus
true | false | (exit 3); echo "${PIPESTATUS[@]}" $?; false; echo ${PIPESTATUS[@]}; ! true | false; echo "${PIPESTATUS[*]} $?"; if true | false; then :; fi; echo ${PIPESTATUS[@]}; x=$(exit 2); echo ${PIPESTATUS[@]}; false | true | true; st=("${PIPESTATUS[@]}"); echo ${st[@]} ${#st[@]}; (exit 5) & wait $!; echo ${PIPESTATUS[@]}; { false; (exit 6); } | true; echo ${PIPESTATUS[0]}; exit 1 | exit 2 | exit 3; echo ${PIPESTATUS[@]}; set -o pipefail; true | false | true; echo $? ${PIPESTATUS[@]}; false |& true; echo ${PIPESTATUS[@]}
#--- pipe-stderr
f() { echo o; echo e >&2; }; f |& sort; f 2>&1 | sort; f 2>&1 >/dev/null | cat; f 3>&1 1>&2 2>&3 3>&- 2>/dev/null; { f; } 2>&1 | wc -l; f &> both; sort both; f >& both2; sort both2; f &>> both; wc -l < both; f > a 2> b; cat a b; f 2>/dev/null; f >&2 2>/dev/null; (f >/dev/null) 2>&1
#--- wait-forms
sleep 0.3 & p=$!; (exit 3) & q=$!; wait $q; echo $?; wait $p; echo $?; wait; echo $?; (exit 4) & wait -n; echo $?; wait -n; echo $?; wait 99999 2>/dev/null; echo $?; (sleep 0.1; exit 5) & a=$!; (sleep 0.5; exit 6) & b=$!; wait -n -p who $a $b; echo $? $([ "$who" = $a ] && echo first); wait $a $b; echo $?; wait %1 2>/dev/null; echo $?; sleep 0.2 & kill $!; wait $!; echo $?; wait -p v -n; echo $? ${v-unset}
#--- wait-errors+err
wait abc; echo $?; wait %9; echo $?; wait -z; echo $?; wait 1; echo $?; wait -n 99999; echo $?; wait -p; echo $?
#--- jobs-output
sleep 1 & sleep 2 & jobs; jobs -p | wc -l; jobs -r | wc -l; jobs %1; jobs %sleep 2>&1; kill %1; wait %1 2>/dev/null; jobs -l | tr -s ' ' | sed 's/[0-9]\{3,\}/PID/'; disown %2; jobs; echo $?; jobs %5; echo $?; (sleep 0.1 &) ; jobs; { sleep 0.1; } & f() { sleep 0.1; }; f & jobs; wait; echo "$(jobs)"
#--- background-stdin
cat & wait; echo data | { cat & wait; }; { read x <&3 & wait; } 3<<< in; (sleep 0.1; echo bg) & wait; echo fg; { sleep 0.2; echo b; } & echo first; wait; x=1; x=2 & wait; echo $x; false & wait $!; echo $?; true && sleep 0.1 & wait; echo $!x | grep -c '^[0-9]*x$'; for i in 1 2 3; do (sleep 0.$i; echo $i) & done; wait; echo done
#--- coproc-basics
coproc { read l; echo "got $l"; read m; echo "and $m"; }; echo hello >&${COPROC[1]}; read r <&${COPROC[0]}; echo $r; echo more >&"${COPROC[1]}"; read -u ${COPROC[0]} r; echo $r; wait $COPROC_PID; echo $?
#--- coproc-named
coproc CALC { while read e; do echo $((e)); done; exit 4; }; for e in 1+2 3*4; do echo "$e" >&${CALC[1]}; read -u ${CALC[0]} v; echo "$e=$v"; done; p=$CALC_PID; eval "exec ${CALC[1]}>&-"; wait $p; echo $?; coproc cat; echo x >&${COPROC[1]}; exec {w}>&${COPROC[1]}-; exec {w}>&-; cat <&${COPROC[0]}; coproc MINE { echo sub; read x; }; read l <&${MINE[0]}; echo $l; echo >&${MINE[1]}; wait
#--- time-keyword
time true 2>/dev/null; { time sleep 0.1; } 2>&1 | grep -c '^real'; TIMEFORMAT='%0lR'; { time : ; } 2>&1; TIMEFORMAT='a%%b'; { time :; } 2>&1; ! time false; echo $?; { time -p :; } 2>&1 | cut -d' ' -f1; { time; } 2>&1 | head -0; time { echo grp; } 2>/dev/null; TIMEFORMAT=; time echo x | cat
#--- logical-lists
true && echo a || echo b; false && echo a || echo b; false || false || echo c; true && false || echo d; true || echo no && echo e; ! false && echo f; { false; } || { true; echo g; }; (false) && echo no; false; true && echo h; true &&
echo nl; false ||

echo nl2; ! ! true; echo $?; ! { true; }; echo $?; ! (exit 3); echo $?; true & wait && echo amp; :; echo $?; : x y; [[ a ]] && [[ ! '' ]] && echo both
#--- comments-continuation
echo a # comment
echo b#c '#d' "#e" \#f # real
echo one \
two \
  three
x=a\
b; echo $x; echo "a\
b" 'c\
d'; # only comment
if true; then # c
echo in; # d
fi # e
echo end;# f
: # '"` unbalanced
echo ${x#a} ${#x} $((16#ff)) x#y
#--- heredocs
x=v; cat <<E; cat <<'E'; cat <<-E; cat <<"E F"; cat <<\E
$x $(echo s) `echo b` $((1+1)) \$x \\ \` "q" 'r' \z
line \
cont
E
$x \$x
E
	tab $x
	  mixed
	E
$x
E F
bs $x
E
cat <<A <<B
first
A
second
B
cat <<E | tr a-z A-Z
piped ${x:-"d q"} ${x/v/'w'}
E
while read l; do echo "[$l]"; done <<E
a
 b
E
f() { cat <<E
in f $1
E
}; f arg; cat <<E && echo after
and
E
echo "$(cat <<E
in sub
E
)"; cat <<''
empty delim

cat <<E
E
wc -c <<< ''; cat <<< "$x  y" ; cat <<< $x' z'; cat <<<'a
b'
#--- redirections
echo a > f; echo b >> f; cat < f; cat 0< f | wc -l; echo c 1> f; cat f; echo d >| f; ls nosuch 2> e; [ -s e ] && echo err; : > f; wc -c < f; > g; [ -e g ] && echo g; echo x > "a b"; cat "a b"; n=f; echo y > $n; cat f; { echo 1; echo 2; } > f; wc -l < f; for i in 1 2; do echo $i; done > f; cat f; while read l; do echo "r$l"; done < f; if true; then echo z; fi > f; cat f; (echo s) > f; cat f; > f echo pre; cat f; echo mid > f dle; cat f; cat < f > h; cat h; echo 2>&1 q; echo w >&2 2>/dev/null; read a b < <(echo p q); echo $a $b; diff <(echo 1) <(echo 1) && echo same; echo tee > >(cat); sleep 0.1; cat <(echo ps1) <(echo ps2)
#--- redirection-errors+err
cat < nosuch; echo $?; echo x > /nosuch/f; echo $?; echo x >&9; echo $?; : < a b; echo $?; x=; echo a > $x; echo $?; y='a b'; echo a > $y; echo $?; set -C; : > c; echo b > c; echo $?; set +C; exec 9<&-; echo $?; read < nosuch; echo $?; echo x > .; echo $?; { :; } < nosuch; echo $?; f() { :; }; f < nosuch; echo $?; > /nosuch/q; echo $?; (: < nosuch); echo $?; [ a ] < nosuch; echo $?; : <&x; echo $?; exec < nosuch; echo never
#--- fd-juggling
exec 3>&1; echo via3 >&3; { echo out; echo err >&2; } 3>&2 2>&1 1>&3 3>&- 2>/dev/null; exec 3>&-; f() { echo f1; echo f2 >&2; }; x=$(f 2>&1); echo "$x"; x=$( { f 2>&1 1>&3; } 3>/dev/null ); echo "$x"; exec 6<<< 'here six'; read -u 6 l; echo "$l"; exec 6<&-; exec 7< <(printf 'p1\np2\n'); while read -u 7 l; do echo $l; done; exec 7<&-; { echo dup >&8; } 8>&1; exec 10> ten; echo t >&10; exec 10>&-; cat ten; : 11>&1 12>&11; echo mv 13>&1 1>&13-
