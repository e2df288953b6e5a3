# Scripts whose results must equal those of bash. A line `#--- name` begins a case; for names that end in `+err`,
# standard error is compared, too.
#--- echo
echo hello   world
echo -n a; echo -e 'x\ty\n'; echo -E 'a\tb'; echo "a  b" 'c  d' e\ f
#--- variables
x=1 y="a b"; echo $x $y "$y" ${x}2 '$x' "\$x" $undefined-
x+=2; echo $x; z=$y; echo $z
#--- defaults
echo ${u:-def} ${u-def} ${u:+alt} ${x:=set} $x; e=; echo "[${e:-empty}]" "[${e-x}]" "[${e:+y}]" "[${e+y}]"
#--- default-split
set -- ${u:-a b "c d"}; echo $#; for i; do echo "<$i>"; done
#--- error-if-unset+err
echo ${nothing:?is missing}; echo not here
#--- strip
p=/a/b/c.tar.gz; echo ${p##*/} ${p%/*} ${p%%.*} ${p#*/} ${p%.gz}
#--- replace
s=banana; echo ${s/a/o} ${s//a/o} ${s/#b/c} ${s/%a/x} ${s//an} ${s/n*/N}
#--- slices
s=abcdefgh; echo ${s:2} ${s:2:3} ${s: -3} ${s:1:-2} ${s:(-4):2} ${#s}
#--- case-change
s=hello; t=WORLD; echo ${s^} ${s^^} ${t,} ${t,,} ${s^^[el]}
#--- indirect
a=b; b=deep; echo ${!a}; arr=(x y); n=arr[1]; echo ${!n}
#--- prefix-names
foo_a=1 foo_b=2; echo ${!foo_*} "${!foo_@}"
#--- positional
set -- one "two words" three; echo $# $1 "$2" ${3} "$@" "$*"; for a in "$@"; do echo "<$a>"; done; shift; echo $1 $#
#--- at-joins
set -- a b c; IFS=,; echo "$*" "x$@y"; IFS=; echo "$*"; echo $*
#--- ten-args
set -- 1 2 3 4 5 6 7 8 9 ten eleven; echo ${10} $10 ${11} ${@:2:3} ${@: -2}
#--- specials
true; echo $?; false; echo $?; echo $#; echo "$-" | wc -l; echo $0
#--- arith
echo $((1+2*3)) $((7/2)) $((7%3)) $((2**10)) $((1<<4)) $((5&3|8)) $((5^1)) $((!0)) $((~5)) $((1?2:3)) $((3>2&&1<0))
#--- arith-vars
i=5; echo $((i++)) $((++i)) $((i-=2)) $i $((x=3,y=4,x*y)) $((0x1f)) $((017)) $((2#101)) $(( (1+2)*3 ))
#--- arith-recursive
a=b; b=7; echo $((a+1)); c='1+1'; echo $((c*2))
#--- arith-errors+err
echo $((1/0)); echo no
echo $((1+)); echo no
echo $((08))
echo after
#--- arith-command
((3>2)) && echo yes; ((0)) || echo no; let a=5+3 b=a*2; echo $a $b; ((a++)); echo $a
#--- substitution
echo $(echo a; echo b) "$(echo a; echo b)" `echo x` $(echo $(echo nested)) "$(printf 'a\n\n')"-
x=$(false); echo $?; x=$(echo hi; exit 3); echo $x $?
#--- backquote-nesting
echo `echo \`echo deep\`` "`echo "quoted"`"
#--- ansi-quotes
echo $'a\tb\n\x41\u00e9\'q' $'\101'
#--- quotes
echo "a'b" 'a"b' "a\"b" a\'b "a\\b" 'a\b' "a\b" "$(echo "in 'side'")"
#--- splitting
x='a  b   c'; set -- $x; echo $#; IFS=:; y='1::2:3:'; set -- $y; echo $#; for i in $y; do echo "<$i>"; done
#--- splitting-mixed
IFS=' :'; x=' a : b :: c '; set -- $x; echo $#; printf '<%s>' "$@"; echo
#--- empty-args
e=; set -- $e; echo $#; set -- "$e"; echo $#; set -- "" ''; echo $#; set -- a$e b"$e"; echo $#
#--- brace
echo {a,b,c} x{1,2}y {1..5} {5..1..2} {a..e} {01..03} a{,b} {x,y{1,2}} {a} "{a,b}" {1..3}{a,b}
#--- brace-not
x=3; echo {1..$x} {a,b}$x \{a,b} {a,b
#--- tilde
cd /; echo ~ ~/x "~" a~ x=~ ; y=~/bin:~; echo $y; echo ~root
#--- glob
touch a.txt b.txt c.log .hidden; mkdir d; touch d/x.txt; echo *.txt; echo *; echo ?.log; echo [ab].txt [!a].txt */*.txt nomatch*; echo "*.txt" \*.txt; echo .h*
#--- glob-options
shopt -s nullglob; echo x*none; shopt -u nullglob; set -f; echo *; set +f; touch f1 f2; shopt -s dotglob; touch .z; echo *; x='*'; echo $x "$x"
#--- extglob
shopt -s extglob
touch a1 a2 b1 abab
echo @(a|b)1 !(a*) +(ab) ?(x)b1
case foobar in foo@(bar|baz)) echo yes;; esac
x=aaab; echo ${x##+(a)}
#--- if
if true; then echo a; elif true; then echo b; else echo c; fi; if false; then :; elif false; then :; else echo c; fi; if ! false; then echo neg; fi; if false; then :; fi; echo $?
#--- while
i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done; until [ $i -eq 0 ]; do i=$((i-1)); done; echo $i
#--- loop-status
for i in 1 2; do false; done; echo $?; while false; do :; done; echo $?; for i in; do :; done; echo $?; i=0; while ((i++<2)); do false; done; echo $?
#--- for
for i in a "b c" d; do echo "[$i]"; done; for i in $(seq 3); do echo -n $i; done; echo; for ((i=0;i<3;i++)); do echo $i; done; for ((;;)); do break; done; echo end
#--- break-continue
for i in 1 2 3 4 5; do [ $i = 2 ] && continue; [ $i = 4 ] && break; echo $i; done; for i in 1 2; do for j in a b; do [ $j = b ] && continue 2; echo $i$j; done; done; for i in 1 2; do while true; do break 2; done; done; echo $i
#--- for-arith-continue
for ((i=0;i<5;i++)); do ((i%2)) && continue; echo $i; done; for ((i=0, j=10; i<j; i+=3, j-=2)); do echo $i $j; done
#--- case
for x in apple banana cherry 'a b' ''; do case $x in a*e) echo starts;; banana|kiwi) echo fruit;; 'a b') echo space;; '') echo empty;; *) echo other;; esac; done
#--- case-fallthrough
case a in a) echo 1;& b) echo 2;; c) echo 3;; esac; case ab in a*) echo A;;& *b) echo B;;& c) echo C;; esac; case x in y) ;; esac; echo $?; case x in x) ;; esac; echo $?
#--- case-quoted
p='*'; case abc in "$p") echo lit;; $p) echo glob;; esac; case '[x]' in \[x\]) echo br;; esac; case "a" in [[:alpha:]]) echo al;; esac
#--- functions
f() { echo "f $1 $#"; return 3; }; f a b; echo $?; function g { local x=1; echo $x; h; }; h() { echo "h sees $x"; }; g; echo "[$x]"; f2() ( exit 4 ); f2; echo $?
#--- recursion
fact() { if [ $1 -le 1 ]; then echo 1; else echo $(( $1 * $(fact $(($1-1))) )); fi; }; fact 6
#--- function-args
f() { set -- x y; echo $1; }; set -- a b; f; echo $1; f() { shift; echo $*; }; f 1 2 3; echo $*; echo ${FUNCNAME[0]:-none}; g() { echo ${FUNCNAME[0]} ${FUNCNAME[1]}; }; g
#--- local
x=global; f() { local x; echo "[$x]"; x=inner; g; echo $x; }; g() { x=changed; }; f; echo $x; f() { local a=1 b=$x; echo $a $b; unset x; echo "[$x]"; }; f
#--- pipelines
echo a b c | cat; seq 3 | while read n; do echo "n=$n"; done; echo x | cat | cat | wc -l; ! true; echo $?; false | true; echo $?; true | false; echo $? ${PIPESTATUS[0]} ${PIPESTATUS[1]}
#--- pipefail
set -o pipefail; false | true; echo $?; (exit 3) | (exit 0); echo $?; true | true; echo $?
#--- pipe-both
{ echo out; echo err >&2; } |& sort
#--- lists
true && echo a || echo b; false && echo a || echo b; false || false && echo no; echo $?; true && false; echo $?; { echo grp; false; }; echo $?; (echo sub; exit 5); echo $?
#--- subshell
x=1; (x=2; echo $x); echo $x; (cd /; pwd); pwd | wc -l; y=$(x=5; echo $x); echo $y $x
#--- redirect
echo hi > f; cat f; echo more >> f; cat < f; wc -l < f; echo err >&2 2>/dev/null; { echo a; echo b; } > g; cat g; cat nofile 2>/dev/null; echo $?; echo x 2>&1 >/dev/null; echo to-err 1>&2
#--- redirect-fds
exec 3> out3; echo three >&3; exec 3>&-; cat out3; exec 4< out3; read line <&4; echo $line; { echo o; echo e >&2; } > both 2>&1; cat both; echo a &> amp; cat amp; echo b &>> amp; cat amp
#--- redirect-errors+err
cat < missing; echo $?
echo x > /nodir/file; echo $?
echo y > /; echo $?
#--- redirect-compound
for i in 1 2 3; do echo $i; done > loop.txt; wc -l < loop.txt; while read a b; do echo "$b $a"; done <<< "one two"; if true; then echo in; fi > iff; cat iff; f() { echo func; } > ff; f; cat ff
#--- noclobber+err
set -C; echo a > nc; echo b > nc; echo $?; echo c >| nc; cat nc
#--- heredoc
x=val
cat <<EOF
plain $x ${x}s $(echo cmd) `echo bq` \$x "quotes" 'single'
  indented
EOF
cat <<'EOF'
raw $x $(no)
EOF
cat <<-EOF
	tab
	  stays
	EOF
cat <<A; cat <<B
first
A
second
B
#--- heredoc-pipe
cat <<EOF | sort
b
a
EOF
f() { cat; }; f <<< "here $((1+1))"
while read x; do echo "[$x]"; done <<EOF
1
 2 
EOF
#--- heredoc-in-substitution
x=$(cat <<EOF
inside
EOF
)
echo "$x"
if true; then cat <<EOF
nested
EOF
fi
#--- arrays
a=(x y "z w"); echo ${a[0]} ${a[1]} "${a[2]}" ${#a[@]} ${!a[@]} "${a[@]}"; a+=(v); a[10]=ten; echo ${#a[@]} ${!a[@]}; for i in "${a[@]}"; do echo "<$i>"; done; echo $a; unset a[1]; echo ${a[*]}; echo ${a[-1]}
#--- array-slices
a=(0 1 2 3 4 5); echo ${a[@]:1:2} ${a[@]:4} ${a[@]: -2} ${#a[3]} ${a[@]/3/x} ${a[@]#1}; b=("${a[@]}"); echo ${#b[@]}; i=2; echo ${a[i]} ${a[i+1]} ${a[$i]}; a[i]=two; echo ${a[2]}; ((a[3]+=10)); echo ${a[3]}
#--- array-empty
a=(); echo ${#a[@]} "[${a[@]}]" "${a[@]:-none}"; for x in "${a[@]}"; do echo never; done; a=([3]=c [1]=a); echo ${!a[@]} ${a[@]}
#--- assoc
declare -A m; m[one]=1; m[two]=2; m["a b"]=3; echo ${m[one]} ${m["a b"]} ${#m[@]}; k=two; echo ${m[$k]}; for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done; unset m[one]; echo ${#m[@]}; declare -A n=([x]=1 [y]=2); echo ${n[x]}${n[y]}; echo ${!n[@]}
#--- assoc-count
declare -A c; for w in a b a c b a; do ((c[$w]++)); done; for k in a b c; do echo $k ${c[$k]}; done; [[ -v c[a] ]] && echo has; [[ -v c[zz] ]] || echo hasnt
#--- declare
declare -i n=5; n+=3; echo $n; n=2*4; echo $n; declare -u U=low; echo $U; declare -l L=UP; echo $L; declare -r R=1; (R=2) 2>/dev/null; echo $?; declare -p n U R; declare -a arr=(1 2); declare -p arr; x=1; declare -p x; export y=2; declare -p y
#--- readonly+err
readonly r=1
r=2; echo same line
echo next line $r
unset r
#--- export
export A=1; B=2; env | sort | while read l; do case $l in A=*|B=*|C=*) echo $l;; esac; done; C=3 env | sort | head -3 | wc -l; C=3 true; echo "[$C]"; export -n A; bash -c 'echo [$A]'
#--- temp-env
x=1; f() { echo $x; x=9; }; x=2 f; echo $x; IFS=: read a b <<< "1:2"; echo $a $b; y=5 eval 'echo $y'; echo "[$y]"
#--- read
echo "a b  c d" | { read x y; echo "$x|$y"; }; printf 'l1\nl2' | { read a; read b; echo $? "$a$b"; }; read -r r <<< 'a\tb'; echo "$r"; read n <<< 'a\tb'; echo "$n"; read -a arr <<< "1 2 3"; echo ${#arr[@]} ${arr[2]}; IFS=, read p q <<< "x,y,z"; echo "$p|$q"; read -d : w <<< "k:v"; echo $w; read -n 2 c <<< hello; echo $c; read <<< "  lead "; echo "[$REPLY]"
#--- mapfile
mapfile -t m < <(seq 3); echo ${#m[@]} ${m[1]}; printf 'a\nb\n' > mf; readarray -t r < mf; echo "${r[@]}"; mapfile v < mf; echo "${#v[0]}"
#--- process-substitution
cat <(echo one) <(echo two); while read l; do echo "got $l"; done < <(seq 2); echo x | cat - 2>/dev/null | wc -l
#--- printf
printf '%s-%d\n' a 1 b 2; printf '%5s|%-5s|%05d|%x|%o|%c|%%\n' ab cd 42 255 8 xyz; printf '%.2f %e %g\n' 3.14159 12345.678 0.0001; printf 'no newline'; printf '\n%s\n' "$(printf '%q' 'a b$c')"; printf -v v '%03d' 7; echo $v; printf '%b\n' 'a\tb'; printf '%s\n'; printf '%d\n' "'A"; printf '%*d|%.3s\n' 5 42 abcdef; printf '%+d % d %i\n' 5 6 -7
#--- printf-errors+err
printf '%d\n' abc; echo $?
printf '%d\n' 12x; echo $?
#--- test
[ -z "" ] && echo z; [ -n a ] && echo n; [ a = a ] && echo eq; [ a != b ] && echo ne; [ 3 -gt 2 ] && echo gt; [ -e /nope ] || echo noent; [ -d / ] && echo dir; touch f; [ -f f ] && echo file; [ -s f ] || echo empty; [ ! -x f ] && echo nox; [ a -a "" ] || echo and; [ "" -o b ] && echo or; [ ] || echo none; test x; echo $?; [ 1 -eq 1 -a 2 -eq 2 ] && echo both; [ \( a = b \) -o c = c ] && echo par; [ a \< b ] && echo lt
#--- test-errors+err
[ 1 -eq a ]; echo $?
[ a b ]; echo $?
[ 1 = 1; echo $?
[ a = b c ]; echo $?
#--- double-bracket
x="a b"; [[ $x == "a b" ]] && echo eq; [[ $x == a* ]] && echo glob; [[ $x == "a*" ]] || echo lit; [[ -n $x && ! -z $x ]] && echo and; [[ a < b || 1 -eq 2 ]] && echo or; [[ ( 1 -lt 2 ) ]] && echo paren; [[ $undefined ]] || echo empty; [[ 3 -lt 10 ]] && echo num; [[ abc =~ ^a(b)c$ ]] && echo ${BASH_REMATCH[0]} ${BASH_REMATCH[1]}; re='[0-9]+'; [[ x42y =~ $re ]] && echo ${BASH_REMATCH[0]}; [[ a.c =~ a\.c ]] && echo esc; [[ abc =~ "a.c" ]] || echo quoted
#--- double-bracket-more
[[ -f /etc/passwd ]] && echo f; [[ x != y ]] && echo ne; ! [[ a == b ]] && echo not; i=3; [[ i -eq 3 ]] && echo arith; [[ "$i" =~ ^[0-9]+$ ]] && echo isnum; [[ foo == f[a-o]o ]] && echo set; if [[ $i -gt 1 &&
 $i -lt 5 ]]; then echo multi; fi
#--- errexit
set -e; false || true; if false; then :; fi; ! false; echo still; (exit 3); echo never
#--- errexit-function
set -e; f() { false; echo in; }; if f; then echo cond; fi; f && echo and; f; echo never
#--- errexit-substitution
set -e; x=$(false; echo a); echo "[$x]"; x=$(false); echo never
#--- errexit-and
set -e; true && false; echo a; false && true; echo b; { false; } && true; echo c; for i in 1; do false && true; done; echo d; false | true; echo e; false
#--- nounset+err
set -u; echo ${x:-ok}; echo $#; echo "${@}"; echo $x; echo never
#--- xtrace+err
set -x; a=1; echo $a "b c"; for i in 1 2; do :; done; [ a = a ]; x=$(echo sub); set +x; echo done
#--- exit-trap
trap 'echo bye $?' EXIT; echo hi; exit 7
#--- exit-trap-2
trap 'echo one' EXIT; (trap 'echo inner' EXIT; echo sub); trap - EXIT; trap 'echo last; exit 9' EXIT; false
#--- err-trap
trap 'echo err $?' ERR; false; true; (exit 4); false || true; if false; then :; fi; echo end
#--- signal-trap
trap 'echo got term' TERM; kill -TERM $$; echo after; trap 'echo usr' USR1; kill -USR1 $$; trap '' INT; kill -INT $$; echo alive; trap - TERM; trap
#--- wait-interrupted
trap 'echo trapped' USR1; (sleep 0.2; kill -USR1 $$) & sleep 1 & wait $!; echo $?
#--- trap-after-child
trap 'echo trapped' TERM; (sleep 0.1; kill -TERM $$) & sleep 0.4; echo slept; wait
#--- killed-by-term
kill -TERM $$; echo never
#--- background
sleep 0.1 & p=$!; wait $p; echo $?; (exit 3) & wait $!; echo $?; { sleep 0.1; echo bg; } & wait; echo done; false & wait %1 2>/dev/null; echo x; wait -n; echo $?
#--- background-jobs
sleep 0.05 & sleep 0.1 & wait; echo all; for i in 1 2 3; do (sleep 0.$i; echo $i) & done; wait; echo end
#--- kill-child
sleep 10 & p=$!; kill $p; wait $p 2>/dev/null; echo $?; sleep 10 & kill -9 $!; wait $! 2>/dev/null; echo $?; kill -0 $$ && echo alive; kill -l 15; kill -l 137
#--- kill-errors
kill -0 999999 2>/dev/null; echo $?; kill -FOO 1 2>/dev/null; echo $?
#--- command-not-found+err
nosuchcmd; echo $?
./nofile; echo $?
/; echo $?
touch noexec; ./noexec; echo $?
nosuch 2>/dev/null; echo $?
#--- eval-source
eval 'x=1; echo $x'; eval "echo a" "b"; echo 'y=2; echo in $1; return 3; echo no' > s.sh; . ./s.sh arg; echo $? $y; source ./s.sh 2>&1; eval 'echo a; false'; echo $?; eval; echo $?
#--- source-missing+err
. ./nope; echo $?
source /; echo $?
#--- eval-errors
eval 'if' 2>/dev/null; echo $?; eval 'echo "unterminated' 2>/dev/null; echo $?; eval 'for' 2>/dev/null || echo failed
#--- exec
(exec seq 1); exec > outf; echo to file; exec >&2; cat outf
#--- exec-program
(exec seq 2; echo never); exec bash -c 'echo new $0 $1' name arg; echo never
#--- command-builtin
command echo a; command -v echo; command -v nosuch; echo $?; f() { echo f; }; command -v f; builtin echo b; echo() { printf 'mine\n'; }; echo x; command echo y; unset -f echo; echo z; type -t echo if f cat nosuch; type f | head -1
#--- cd
mkdir -p a; cd a; echo ${PWD##*/}; cd ..; cd - > /dev/null; echo ${PWD##*/}; cd; [ "$PWD" = "$HOME" ] && echo home; cd /nope 2>/dev/null; echo $?; cd a/../a/.; echo ${PWD##*/}; pushd / ; popd > /dev/null; echo ${PWD##*/}; cd /usr/bin; pwd
#--- cd-errors+err
cd /nope; echo $?
cd a b; echo $?
touch f; cd f; echo $?
#--- getopts
f() { OPTIND=1; while getopts ":ab:c" o; do case $o in a) echo A;; b) echo "B=$OPTARG";; c) echo C;; :) echo "need $OPTARG";; \?) echo "bad $OPTARG";; esac; done; shift $((OPTIND-1)); echo "rest: $*"; }; f -a -b val -c x y; f -acb v; f -z; f -b; f -- -a; f -bval -a
#--- shift-set
set -- a b c; shift 2; echo $*; shift 5; echo $? $*; set --; echo $#; set -- -a; echo $1; set a b; echo $2
#--- alias
shopt -s expand_aliases
alias hi='echo hello'
alias ll='echo -n long; echo'
hi there
ll list
alias hi
unalias hi
type hi 2>/dev/null || echo gone
#--- let-ops
let "a = 3" "b = a ** 2"; echo $a $b; let 0; echo $?; let 1; echo $?; let a++ ; echo $a
#--- comma-ternary
echo $((1,2)) $((0||1)) $((1&&0)) $((x=5)) $((x>3?x:0)) $((-3%2)) $((-7/2)) $((1==1)) $((1!=1)) $((5>=5))
#--- umask
umask 077; umask; umask 022; umask -S; umask
#--- time-and-null
: ; true; echo $?; : > empty; [ -e empty ] && echo made; > also; [ -e also ] && echo also; x=1 > third; [ -e third ] && echo third $x
#--- line-continuation
echo a \
b; x=one\
two; echo $x; echo "a\
b"
true &&
echo next
echo pipe |
cat
#--- comments
echo a # comment
# whole line
echo b#not
echo c; # end
#--- nested-quotes
x="a \"b\" $(echo "c \"d\"")"; echo "$x"; echo "${x//\"/\'}"; echo "${y:-"q w"}" ${y:-'s  t'}; echo "${y:-'single'}"
#--- param-in-param
a=file.txt; ext=.txt; echo ${a%$ext} ${a%"$ext"} ${a/${ext}/.md}; n=2; echo ${a:$n:3} ${a:$((n+1))}; p='*'; echo ${a%$p} ; echo "${a%"$p"}"
#--- at-transform
x="a b'c"; echo ${x@Q}; y=abc; echo ${y@U} ${y@u}; a=(1 2); echo "${a[@]@Q}"; declare -i i=1; echo ${i@a}
#--- nameref
f() { local -n ref=$1; ref=changed; echo ${ref}; }; v=old; f v; echo $v; declare -n r=v; echo $r; r=again; echo $v
#--- nested-functions
outer() { inner() { echo inner; }; inner; }; outer; inner; unset -f inner; inner 2>/dev/null || echo gone
#--- return-status
f() { return; }; false; f; echo $?; f() { false; return; }; f; echo $?; f() { return 300; }; f; echo $?; f() { for i in 1 2; do return $i; done; }; f; echo $?
#--- subshell-exit
(exit 2) || echo $?; x=$(exit 4) || echo $?; f() { exit 6; }; (f); echo $?; f; echo never
#--- compound-in-pipe
seq 5 | { read a; read b; echo $a $b; cat; }; for i in 1 2; do echo $i; done | while read x; do echo "r$x"; done; if true; then echo y; fi | cat; (echo s) | cat; seq 3 | (cat; echo end)
#--- pipe-vars
x=0; seq 3 | while read n; do x=$n; done; echo $x; while read n; do x=$n; done < <(seq 3); echo $x
#--- sigpipe
seq 100000 | head -1; echo ${PIPESTATUS[0]}; while :; do echo y; done | head -2
#--- large-pipe
seq 20000 | cat | wc -l; x=$(seq 20000); echo ${#x}; echo "$x" | wc -l
#--- bash-script
cat > s.sh <<'EOF'
#!/bin/bash
echo "args: $# $1 ${0##*/}"
exit 3
EOF
chmod +x s.sh; ./s.sh one two; echo $?; bash s.sh x; bash -c 'echo $0 $1' a b; echo 'echo stdin; read x; echo "got $x"
input line' | bash
#--- script-errors+err
cat > s.sh <<'EOF'
nosuch
echo ${x?gone}
EOF
bash ./s.sh; echo $?
cat > t.sh <<'EOF'
echo one
if true; then
fi
echo never
EOF
bash ./t.sh; echo $?
cat > u.sh <<'EOF'
echo first
while true; do
echo x
EOF
bash ./u.sh; echo $?
#--- syntax-error+err
echo ok
echo )
#--- syntax-error-2+err
for
#--- syntax-error-3+err
echo a; if true; fi
#--- syntax-error-4+err
echo 'abc
#--- syntax-error-6+err
case x in
#--- syntax-error-7+err
echo a && && echo b
#--- syntax-error-8+err
echo $(echo a
#--- syntax-error-9+err
{ echo a; 
#--- syntax-error-10+err
f( ) { echo hi; }; f; ;;
#--- bad-substitution+err
echo ${a b}; echo no
echo yes
#--- division-line+err
x=1
y=$((x/0))
echo $y next
#--- unset
x=1; unset x; echo "[$x]"; f() { :; }; unset f; type -t f; a=(1 2 3); unset 'a[1]'; echo ${!a[@]}; unset a; echo ${#a[@]}
#--- ifs-read-loop
while IFS=: read -r u p rest; do echo "$u-$p"; done <<'EOF'
root:x:0
alice:y:1:z
EOF
while IFS= read -r line; do echo "[$line]"; done <<'EOF'
  spaces  
back\slash
EOF
#--- read-eof
printf 'no newline' | while read x || [ -n "$x" ]; do echo "<$x>"; done; read x < /dev/null; echo $?
#--- select
echo 2 | select x in a b c; do echo "chose $x"; break; done 2>/dev/null
#--- local-array
f() { local a=(1 2 3); local -A m=([k]=v); echo ${#a[@]} ${m[k]}; local i; for i in "${a[@]}"; do :; done; echo $i; }; f; echo "[$a][$i]"
#--- dynamic
[ $RANDOM -lt 32768 ] && echo r; [ $SECONDS -ge 0 ] && echo s; echo $LINENO; echo ${BASH_VERSION%%.*}; [ -n "$PPID" ] && echo p; [ "$$" = "$BASHPID" ] && echo same; ( [ "$$" != "$BASHPID" ] && echo differ )
#--- lineno
echo $LINENO
f() {
  echo $LINENO
}
f

echo $LINENO
#--- last-argument
echo a b c; echo $_; true x y; echo $_
#--- comma-in-words
echo a,b {a,b},c a{b}c {} {a,} ,
#--- hash-in-words
echo a#b ${#x} $#; x=abc; echo ${#x} "${#x}"
#--- glob-in-assignment
touch q1 q2; x=q*; echo "$x" $x; y=(q*); echo ${#y[@]}
#--- case-insensitive
shopt -s nocasematch; [[ ABC == abc ]] && echo yes; case FOO in foo) echo foo;; esac; shopt -u nocasematch; [[ ABC == abc ]] || echo no
#--- pattern-classes
for c in a 5 ' ' _ Z; do case $c in [[:digit:]]) echo d;; [[:space:]]) echo s;; [a-z]) echo l;; [^a-z_]) echo u;; *) echo o;; esac; done
#--- escaped-patterns
x='a*b'; echo "${x/\*/+}" "${x#a\*}" ${x%%"*"*}; y='a/b/c'; echo ${y//\//_} ${y////-}; z='a.b'; echo ${z//./\\}
#--- replace-ampersand
x=abc; echo "${x/b/[&]}" "${x/b/\&}"
#--- multi-line-string
x="line1
line2"; echo "$x"; echo $x; echo "${x%%
*}"
#--- async-and-list
sleep 0.01 && echo one & wait; { echo a & } ; wait; echo b
#--- not-pipeline
! false | true; echo $?; ! true | false; echo $?; ! ! true; echo $?
#--- arithmetic-base
echo $((16#ff)) $((36#z)) $((64#_)) $((0xFF)) $((010))
#--- integer-overflow
echo $((9223372036854775807+1)) $((-9223372036854775808)) $((2**63)) $((1<<63))
#--- string-compare
[ "abc" \> "abb" ] && echo gt; [[ abc > abb ]] && echo gt2; [ 10 -gt 9 ] && echo num; [[ 10 > 9 ]] || echo str
#--- printf-reuse
printf '%s=%s\n' a 1 b; printf '%s\n' one two three; printf 'x%.0s' 1 2 3; echo
#--- set-o
set -o noglob; echo *; set +o noglob; set -o | head -3; shopt nullglob; shopt -q nullglob; echo $?
#--- true-false-pipe
true | false | true; echo ${PIPESTATUS[@]}; false; echo ${PIPESTATUS[@]}
#--- exit-codes
bash -c 'exit 256'; echo $?; bash -c 'exit -1'; echo $?; bash -c 'kill -9 $$' 2>/dev/null; echo $?; bash -c 'exit abc' 2>/dev/null; echo $?
#--- signal-messages
sleep 10 & kill -9 $! ; wait 2>/dev/null; echo ok
#--- slurm-style
#SBATCH --job-name=x
#SBATCH --array=1-3
SLURM_ARRAY_TASK_ID=${SLURM_ARRAY_TASK_ID:-2}
INPUTS=(a.txt b.txt c.txt)
FILE=${INPUTS[$SLURM_ARRAY_TASK_ID]}
echo "Task $SLURM_ARRAY_TASK_ID processes $FILE"
start=$SECONDS
for i in $(seq 1 3); do echo "step $i"; done
echo "took $((SECONDS-start))"
if [[ -z "${SLURM_JOB_ID:-}" ]]; then echo "no job"; fi
job=$(echo "Submitted batch job 42" | { read a b c d; echo $d; })
echo "job $job"
#--- function-redirect
log() { echo "[log] $*" >&2; }; log hi 2>&1; out=$(log x 2>&1); echo "$out"; f() { cat; } ; echo in | f; f < /dev/null
#--- deep-expr
echo $(( ((((1+2)*3)+4)*5) )); echo ${a:-${b:-${c:-deep}}}; echo "$(echo "$(echo "$(echo 3)")")"
#--- while-read-fd
seq 3 > nums; while read -u 7 x; do echo $x; done 7< nums; exec 5<> nums; read y <&5; echo $y; exec 5>&-
#--- var-fd
exec {fd}> vf; echo via >&$fd; exec {fd}>&-; cat vf; [ $fd -ge 10 ] && echo high
#--- unary-tests
[ -v HOME ] && echo v; x=; [ -v x ] && echo set; [ -v nope ] || echo unset; [ -t 0 ] || echo notty; [ -r /etc/passwd ] && echo r; [[ -o errexit ]] || echo off
#--- command-redirects
command echo hi > c1; cat c1; echo visible; command cat c1 > c2; echo visible2; command eval 'echo a; echo b' > c3; cat c3; builtin echo x > c4; echo vis3; for i in 1 2; do command break; done > c5; echo vis4 $i; command nosuch 2> c6; echo $?; command cat nofile 2> c7; echo vis5
#--- async-signal-in-case
trap 'echo got' USR1; case x in x) for i in 1 2 3; do kill -USR1 $$; echo $i; done;; esac
#--- quoted-empty-fields
set -- "" a ""; for i in "$@"; do echo "<$i>"; done; x=""; set -- $x"" "$x"; echo $#; set -- "a"$x; echo $#; y=("" b); echo ${#y[@]}
#--- redirect-order
{ echo out; echo err >&2; } 2>&1 >/dev/null | cat; { echo out; echo err >&2; } >all 2>&1; cat all; echo x >&2 2>/dev/null | cat
#--- subshell-traps
trap 'echo outer' EXIT; (echo in); x=$(echo sub); echo $x; { echo grp; }
#--- job-text
f() { sleep 0.01; }; f & wait; echo $?; ( sleep 0.01 ) & wait $!; echo $?; sleep 0.01 | cat & wait; echo $?
