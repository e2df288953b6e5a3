#--- hard-set-e-in-functions
set -e
f() { false; echo in f; }
f || echo or
g() { set -e; (false; echo sub); echo after; }
g && echo and || echo g failed
if f; then echo yes; fi
! f
echo $?
(set -e; false; echo no) ; echo never
#--- hard-err-trap-with-set-e
set -e
trap 'echo err $? $LINENO ${FUNCNAME[0]-none}' ERR
f() { return 3; }
x=$(f) || echo caught $?
(f) || echo sub $?
{ f; } | cat
f | cat
echo end
local_test() { local y=$(false); echo still; }
local_test
z=$(false)
echo never
#--- hard-errtrace
set -E
trap 'echo ERR:$LINENO:$?' ERR
trap 'echo EXIT:$?' EXIT
f() { false; true; }
f
(exit 4)
[[ a == b ]]
(( 0 ))
false | true
set -o pipefail
false | true
if false; then :; fi
false || true
exit 7
#--- hard-debug-trap
trap 'echo D:$BASH_COMMAND' DEBUG
x=1
for i in a b; do echo $i; done
case $x in 1) echo one;; esac
[[ $x == 1 ]] && echo yes
(( x++ ))
f() { echo in f; }
f
trap - DEBUG
echo done
#--- hard-return-trap
set -T
trap 'echo R:${FUNCNAME[0]}' RETURN
f() { echo f; }
g() { f; echo g; }
g
#--- hard-wait-n-p
sleep 0.1 & a=$!
sleep 0.3 & b=$!
wait -n -p who; echo $? $([ $who = $a ] && echo first)
wait -n; echo $?
wait -n; echo $?
(exit 5) & wait $!; echo $?
(exit 6) & p=$!; sleep 0.1; wait $p; echo $?
wait 99999; echo $?
#--- hard-coproc
coproc CAT { while read l; do echo got $l; done; }
echo hi >&${CAT[1]}
read -u ${CAT[0]} x; echo $x
eval "exec ${CAT[1]}>&-"
wait $CAT_PID; echo $?
#--- hard-process-substitution
while read -r a b; do echo "$b-$a"; done < <(printf '1 2\n3 4 5\n')
diff <(echo a) <(echo b)
tee >(cat >out1) < <(echo x) >/dev/null; sleep 0.1; cat out1
cat <(echo 1) <(echo 2) | paste -sd+
#--- hard-read
IFS=: read -r a b c <<< "1:2:3:4"; echo "$a|$b|$c"
IFS=, read -ra arr <<< "a,b,,c,"; declare -p arr
read -d '' x < <(printf 'a\nb\0c'); echo $? "$x"
read -n 3 y <<< "abcdef"; echo $y
read -N 4 y <<< $'ab\ncd'; echo "$y"
read -t 0.1 z < <(sleep 0.5); echo $?
read -p prompt q <<< val; echo $q
echo 'a\tb\' | { read l; echo "$l"; }
printf 'a\\\nb\n' | { read l; echo "$l"; }
read x y <<< "  lead  trail  "; echo "[$x][$y]"
IFS= read x <<< "  keep  "; echo "[$x]"
#--- hard-printf
printf '%5s|%-5s|%05d|%+d|%x|%X|%o|%#x|%e|%.2f|%g\n' a b 42 7 255 255 8 255 12345.678 3.14159 0.0001
printf '%s\n' a b c
printf '%d %s\n' 1 a 2
printf '%q %q %q\n' 'a b' $'x\ny' ''
printf '%b\n' 'a\tb\x41\u00e9\0101'
printf '%c%c\n' abc def
printf '%*d|%-*d|%.*f\n' 5 42 5 42 2 3.14159
printf '%s %s\n' only
printf -v v '%03d' 7; echo $v
printf '%d\n' 0x1f 010 "'A" abc
printf '%(%Y)T\n' 0
printf '%%|%5%|\n'
printf '%u\n' -1
printf '%i\n' 99999999999999999999
printf '\e[1m%s\n' x | od -c | head -1
printf '%s'
printf '%z\n' 1
#--- hard-sparse-arrays
a=([5]=x [2]=y z); echo "${!a[@]}" "${a[@]}" ${#a[@]}
echo ${a[-1]} ${a[-2]-unset}
a+=(new); echo "${!a[@]}"
unset 'a[3]'; echo "${a[@]}"
a[-1]=last; declare -p a
echo "${a[@]:1:2}" "${a[*]: -2}"
b=("${a[@]/y/Y}"); echo "${b[@]}"
a[-20]=x
echo ${a[-20]}
c=(); echo "${c[@]}" ${#c[@]} "${c[-1]}"
d=(1 2 3); echo "${d[@]#?}" "${d[@]/#/p}" "${d[@]/%/s}"
#--- hard-associative
declare -A m=([a]=1 [b]="two words" [c]=3)
for k in a b c; do echo "$k=${m[$k]}"; done
m[d e]=5; echo "${m[d e]}" ${#m[@]}
unset 'm[a]'; [[ -v m[a] ]] || echo gone
[[ -v m[b] ]] && echo there
m+=([z]=26); echo ${m[z]}
k='x]y'; m[$k]=q; echo "${m[$k]}"
declare -A e; e[@]=1; echo $?
declare -A one=([k]=v); declare -p one
echo "${one[@]@K}" ; echo "${one[@]@A}"
#--- hard-expansions
foo1=1 foo2=2 fooz=3
echo "${!foo@}" ${!foo*}
x='a b'; arr=('a b' "c'd" $'e\nf')
echo ${x@Q} ${arr[@]@Q}
y=hello; echo ${y@U} ${y@u} ${y@L} ${y^} ${y^^[el]} ${y~~}
p='\u@\h'; n='a\nb'; echo "${n@E}"
declare -i num=5; echo ${num@a} ${num@A} ${arr@a}
z=; echo "${z:-d}" "${z-d}" "${z:+a}" "${z+a}" "${unset?msg}"
echo never
#--- hard-extglob
shopt -s extglob
s=aaabbbccc
echo ${s//+(a)/X} ${s/#+(a|b)/_} ${s%%+(c)} ${s##*(a)} ${s/@(bbb|ccc)/-} ${s//!(a)/z}
case abc in @(abc|def)) echo m;; esac
case x in !(x)) echo no;; *) echo x;; esac
touch a.txt b.txt c.log
echo !(*.txt) ; echo *.@(txt|log)
[[ foobar == foo@(bar|baz) ]] && echo y
v='a*b'; [[ 'a*b' == "$v" ]] && echo lit; [[ axb == $v ]] && echo glob
#--- hard-here-documents
cat <<-EOF
	tabs $((1+1)) $(echo sub)
	  spaces \$x `echo bt`
	EOF
cat <<'E O'
raw $x \n
E O
cat <<"X"Y
q $HOME
XY
cat <<A; cat <<B
a
A
b
B
f() { cat <<E; }
in f $1
E
f 1
cat <<< "here $(( 3*3 ))"
cat <<EOF | tr a-z A-Z
pipe
EOF
#--- hard-arithmetic
echo $((16#ff)) $((2#101)) $((64#@_)) $((010)) $((0x1F)) $((36#z))
echo $((9223372036854775807+1)) $((-7/2)) $((-7%3)) $((7%-3)) $((2**10)) $((1<<65)) $((-1>>1))
x=5; echo $((x++ + ++x)) $((x--)) $x $((x+=3,x*2)) $((x>3?1:0)) $((!x)) $((~x)) $((x&3|8^1))
echo $((1/0))
echo after
#--- hard-let
a=3; let "b=a*2" c=b+1; echo $b $c
let "0"; echo $?
((d=5)); echo $d $?
echo $((08))
echo here $((2**-1))
#--- hard-getopts
while getopts ":ab:c" o; do case $o in a) echo a;; b) echo "b=$OPTARG";; :) echo "missing $OPTARG";; \?) echo "bad $OPTARG";; esac; done
f() { local OPTIND=1 o; while getopts "xy:" o "$@"; do echo "$o ${OPTARG-}"; done; shift $((OPTIND-1)); echo "rest $*"; }
f -x -y val file; f -z; f -y; f -xyz q -- -r
#--- hard-select
PS3='pick> '
select x in one two three; do echo "got $x $REPLY"; [ "$x" = two ] && break; done <<< $'1\n9\n2\n'
select y in a b; do echo $y; done < /dev/null
echo $?
#--- hard-case-fall-through
case b in a) echo a;; b) echo b;& c) echo c;;& c|d) echo cd;; *) echo star;; esac
case x in x) ;& y) echo fall ;; esac
case "a b" in "a b") echo q;; esac
case [x] in \[x\]) echo br;; esac
case '' in '') echo empty;; esac
#--- hard-references
f() { local -n r=$1; r+=(x); r[0]=changed; }
arr=(a b); f arr; echo "${arr[@]}"
declare -n ref=target; ref=5; echo $target ${!ref}
g() { local -n a=$1 b=$2; b=$a; }; s=src; g s dst; echo $dst
unset -n ref; echo ${target}
declare -n self=self; echo $?
#--- hard-mapfile
printf '%s\n' l1 l2 l3 l4 l5 > f
mapfile -t a < f; echo ${#a[@]} "${a[4]}"
mapfile -t -n 2 a < f; echo "${a[@]}"
mapfile -t -s 3 a < f; echo "${a[@]}"
mapfile -t -O 2 a < f; echo "${!a[@]}"
mapfile -t -d 2 a < f; declare -p a
readarray b < f; printf '%s' "${b[1]}"
mapfile -t -u 3 c 3< f; echo ${c[0]}
#--- hard-call-stack
f() { echo "$LINENO ${FUNCNAME[*]} ${BASH_LINENO[*]} ${BASH_SOURCE[0]##*/}"; }
g() {
  f
}
g
echo $LINENO
eval 'echo $LINENO
echo $LINENO'
caller; h() { caller 0; }; h
#--- hard-pipestatus
true | false | (exit 3); echo "${PIPESTATUS[@]}" $?
set -o pipefail; false | true; echo $?; (exit 2) | (exit 3) | true; echo $?
! true | false; echo $? "${PIPESTATUS[*]}"
x=$(false | true); echo $?
#--- hard-descriptors
exec {fd}> out; echo hi >&$fd; exec {fd}>&-; cat out; [ $fd -ge 10 ] && echo ok
exec 5<> out; read -u 5 l; echo $l; exec 5<&-
{ echo err >&2; echo out; } 2>&1 >/dev/null | cat
echo x > nope/dir
echo y >&9
exec 3>&1; echo to3 >&3; exec 3>&-
set -C; echo 1 > out; echo $?; echo 2 >| out; cat out
#--- hard-umask
umask -S; umask 027; umask; umask -S; umask u=rwx,g=,o=; umask
umask -p
ulimit -c 0; ulimit -c
ulimit -q
#--- hard-scopes
f() { local x=1; g; echo $x; }; g() { x=2; }; f; echo "[${x-}]"
h() { local a=1 b=$a; echo $b; }; h
k() { declare -g glob=5; local -r ro=1; ro=2; echo no; }; k; echo $glob $?
readonly c=1; c=2; echo after $?
unset c; echo $?
export -f h 2>/dev/null; bash -c h
#--- hard-words
echo {a,b}{1,2} {1..3} {a..e..2} {3..1} a{,b}c {x} {1..} "{a,b}" {01..03} {a,{b,c}} \{a,b\} {-1..1}
echo ~root ~+ "~" a=~ 
x=(~ "~"); echo ${#x[@]}
echo $'a\x41\u263a\t|' $"loc"
echo "a\$b\`c\"d\\e\f" 'a'\''b'
echo -e 'a\cb' ; echo; echo -n no; echo -E 'a\n'
#--- hard-set-u
set -u
echo ${x-default}
a=(); echo "${a[@]}" "${#a[@]}"
echo "${1-none}" "$#" "$*"
(echo $undefined); echo $?
echo ${arr[3]}
echo never
#--- hard-xtrace+err
set -x
x=1; y="a b"
echo "$y" $x 'q$'
for i in $x 2; do :; done
[[ $x == 1* ]] && (( x+=1 ))
[[ -n "" ]]; [[ $y =~ a.b ]]
case $y in a*) true;; esac
f() { local z=1; return 0; }; f arg
((  x=1  )); for (( i=0; i < 2; i++ )); do :; done
echo hi 2>/dev/null >/dev/null
ls nope 2>/dev/null
v=$(echo sub)
set +x
PS4='+$LINENO '; set -x; true; { set +x; } 2>/dev/null
exec 5>trace; BASH_XTRACEFD=5; set -x; echo traced; set +x; cat trace
#--- hard-debug-trap-of-compounds
trap 'echo D:$BASH_COMMAND' DEBUG
x=1
for i in a b; do echo $i; done
case $x in 1) echo one;; esac
[[ $x == 1 ]] && echo yes
(( x++ ))
for ((j=0; j<1; j++)); do :; done
f() { echo in f; }
f
if [[ -n $x ]]; then echo t; fi
while (( x < 4 )); do x=9; done
trap - DEBUG
echo done
#--- hard-caller-and-err
caller; h() { caller 0; caller; }; h
set -e
trap 'echo "line $LINENO: $BASH_COMMAND failed with $?"' ERR
f() { [[ a == b ]]; }
f || echo ok
[[ a == a ]]
(( 1 > 2 )) || echo no
case x in y) ;; esac
[[ a == b ]]
echo never
#--- hard-job-script
set -euo pipefail
log() { echo "[$(date +%Y)] $*" | sed 's/[0-9]*/Y/'; }
cleanup() { rc=$?; echo "cleanup rc=$rc"; trap - EXIT; exit $rc; }
trap cleanup EXIT INT TERM
tmp=$(mktemp -d); [ -d "$tmp" ] && log made
declare -A done_
for f in one two; do done_[$f]=$((${#f}*2)); done
for k in $(printf '%s\n' "${!done_[@]}" | sort); do printf '%-5s=%3d\n' "$k" "${done_[$k]}"; done
parallel_run() { local pids=() p; for i in 1 2 3; do ( sleep 0.$i; exit $((i==2)) ) & pids+=($!); done; for p in "${pids[@]}"; do wait "$p" || echo "pid failed $?"; done; }
parallel_run
readarray -t lines < <(seq 3); echo "${lines[*]/#/n}"
kill -TERM $$
echo never
#--- hard-signals
trap 'echo got USR1' USR1
( sleep 0.2; kill -USR1 $$ ) &
sleep 0.5 & wait $!; echo w=$?
wait
trap 'echo TERM; exit 3' TERM
kill $$ & sleep 1
