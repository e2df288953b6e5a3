#--- printf-q
printf '%q\n' plain 'a b' "it's" '' $'a\nb' 'a$b' '*' '~' 'x~' 'a=b' '#c' 'a#' 'é' $'\t' '!' '{a,b}' 'a;b' '[x]' '^' 'a\b' 'a%b' 'a:b' '-x' '@' ',' $'\x01'; printf '%10q|%-10q|\n' 'a b' c; printf '%q %q\n' x
#--- printf-Q
printf '%Q %.2Q|%.1q\n' 'a b' 'a bcd' 'x y'
#--- printf-time
TZ=UTC0 printf '%(%Y-%m-%d %H:%M:%S)T\n' 0 86399 1700000000; TZ=UTC printf '%(%s %j %a %b %e)T|%(%F)T\n' 1000000000 0; printf '%()T\n' 0 | wc -l; TZ=UTC0 printf '%-12(%F)T|%15(%T)T|\n' 0 0; printf -v x '%(%s)T' -1; [ "$x" -gt 0 ] && echo ok
#--- printf-numbers
printf '%d %i %u %o %x %X %#x %#o %e %.2f %g %G %5d|%-5d|%05d|%+d|% d\n' 1 -2 3 8 255 255 255 8 12345.678 3.14159 0.0001 1e10 42 42 42 42 42; printf '%d %d %d %d\n' 0x1f 010 "'A" '"a'; printf '%.3d|%8.3f|%-8.2e|%*d|%-*d|%.*f\n' 5 3.14159 1234.5 6 42 6 42 2 2.71828; printf '%s %c %c%c\n' abc abc '' x; printf '%5s|%-5s|%.2s|%5.1s|\n' ab ab abc abc
#--- printf-b
printf '%b|' 'a\tb' 'x\ny' '\0101' '\101' 'stop\chere' more; echo; printf '%5b|%-6b|\n' 'a' 'b\t'; printf 'a\cb\n'; echo; printf '\x41\u00e9\U1F600\101\0101\e[0m\n' | od -An -tx1
#--- printf-reuse
printf '%s-%s\n' a b c; printf '%d,' 1 2 3; echo; printf 'none\n' extra args; printf '%s\n'; printf '%d\n'; printf '%%%s%%\n' x; printf -- '-%s\n' y; printf '%s %s %s\n' "${@}"; printf '[%s]' "" ""; echo
#--- printf-v
printf -v x '%03d' 7; echo $x; printf -v a[2] '%s' elem; declare -p a; declare -A m; printf -v 'm[k v]' '%s' val; declare -p m; printf -v y ''; echo "[$y]"; printf -v z '%s\n' 1 2; echo "$z"
#--- printf-errors+err
printf '%d\n' abc; echo "st $?"; printf '%d\n' 12x; echo "st $?"; printf '%z\n' 1; echo "st $?"; printf; echo "st $?"; printf -v 1x y; echo "st $?"; printf '%d\n' 99999999999999999999; echo "st $?"; printf '%f\n' x; echo "st $?"; printf -z; echo "st $?"; printf '%' ; echo "st $?"; printf '%5' x; echo "st $?"; printf '%d' ''; echo "st $?"
#--- echo-options
echo -n a; echo; echo -e 'a\tb\c' x; echo; echo -E 'a\tb'; echo -ne 'x\n'; echo -nE 'y\n'; echo; echo -z; echo -- x; echo -e '\x41\0101\u00e9\e' | od -An -tx1; echo -en; echo - ; echo -nee 'q\n'; shopt -s xpg_echo; echo 'a\tb'; echo -n 'c\n'; shopt -u xpg_echo
#--- read-options
printf 'a b c\n' | { read -a x; declare -p x; }; printf 'abcdef' | { read -n 3 x; echo $x; read -n 9 y; echo "$? $y"; }; printf 'ab\ncd' | { read -N 4 x; echo "${x@Q}"; }; printf 'a:b\n' | { IFS=: read x y z; echo "$x,$y,$z"; }; printf 'x;y;z' | { read -d ';' p; read -d ';' q; read -d ';' r; echo "$p $q $r $?"; }; printf 'a\\b\\\nc\n' | { read x; echo "$x"; }; printf 'a\\b\\\n' | { read -r x; echo "$x"; }; read -p prompt x </dev/null; echo $?; read x y <<< '  lead  trail  '; echo "[$x][$y]"
#--- read-splitting
while IFS=, read -r a b c; do echo "$a|$b|$c"; done <<< $'1,2,3\n4,,6\n7,8,9,10\n,\n'; read a b <<< one; echo "[$a][$b]"; IFS= read -r l <<< '  keep  '; echo "[$l]"; read l <<< '  strip  '; echo "[$l]"; IFS=: read a b <<< 'x::y:'; echo "[$a][$b]"; IFS=' :' read a b c <<< ' p : q :: r '; echo "[$a][$b][$c]"; read <<< '  reply  '; echo "[$REPLY]"; read -r a b <<< 'x\ y z'; echo "[$a][$b]"; read a b <<< 'x\ y z'; echo "[$a][$b]"; IFS=x read -a arr <<< axbxxc; declare -p arr
#--- read-timeout
read -t 0.1 x < <(sleep 1); echo $(($? > 128)); read -t 0 x < /dev/null; echo $?; read -t 1 x <<< hi; echo $? $x; echo data | { sleep 0.1; read -t 0; echo $?; }; { echo part; sleep 2; } | { read -t 1 a; echo "$? $a"; read -t 0.2 b; echo "$(($?>128)) [$b]"; }
#--- read-errors+err
read 1x <<< a; echo $?; read -u 7 x; echo $?; read -t abc x <<< a; echo $?; read -n x y <<< a; echo $?; readonly r=1; read r <<< 2; echo $?; read -z; echo $?; read x < /nonexistent; echo $?; read -u x y; echo $?; read -d; echo $?
#--- read-end
printf 'no newline' | { read x; echo "$? $x"; }; read x y z < /dev/null; echo "$? [$x]"; printf 'a\nb' | while read l; do echo $l; done; printf 'a\nb' | while read l || [ -n "$l" ]; do echo $l; done; printf '\n\n' | { read x; echo "$?[$x]"; }; x=old; read x </dev/null; echo "[$x]"; printf 'a\0b\n' | { read x; echo $x; }
#--- declare-integer
declare -i n=5+3; echo $n; n=n*2; echo $n; n+=4; echo $n; n=abc; echo $n; x=3; n=x+1; echo $n; n="2 * 3"; echo $n; declare +i n; n=1+1; echo $n; declare -i a; a=(1+1 2*3); echo ${a[@]}; f() { local -i l=7/2; echo $l; }; f; typeset -i t=0x10; echo $t; declare -i o=010; echo $o; integer=1; declare -i integer+=5; echo $integer
#--- declare-integer-errors+err
declare -i n=1/0; echo "st $?"; n=3+
echo "st $?"; n=08; echo "st $?"; declare -i m=2x; echo "st $? $m"
#--- declare-case
declare -l lo=ABC; declare -u up=abc; echo $lo $up; lo=XyZ up=XyZ; echo $lo $up; lo+=DEF; echo $lo; declare -u a=(x y); echo ${a[@]}; read up <<< readme; echo $up; for up in q w; do echo $up; done; declare +u up; up=low; echo $up; printf -v lo '%s' ABC; echo $lo; declare -lu both=aB; echo $both; declare -p lo up
#--- declare-export
declare -x e=1; bash -c 'echo ${e-no}'; declare +x e; bash -c 'echo ${e-no}'; export f=2; export -n f; bash -c 'echo ${f-no}'; export g; g=3; bash -c 'echo ${g-no}'; h=4 bash -c 'echo $h'; echo ${h-unset}; export -p | grep -c ' g='; x() { export inner=1; local -x loc=2; bash -c 'echo $inner $loc'; }; x; bash -c 'echo ${inner-no} ${loc-no}'; export i=1 j=2; env | grep -c '^[ij]='
#--- declare-readonly+err
readonly r=1; r=2
echo "st $?"; declare -r s=1; s+=x
echo "st $?"; unset r; echo "st $?"; declare r=3; echo "st $?"; export r=4; echo "st $?"; (r=5; echo never); echo "st $?"; f() { local r=6; echo "in $?"; }; f; echo "st $?"; r=7 true; echo "st $?"; for r in a; do :; done; echo "st $?"; declare +r s; echo "st $?"; readonly a=(1 2); a[0]=x
echo "st $?"; ((r=9))
echo "st $?"; read r <<< x; echo "st $?"; readonly -p | grep -c 'r='
#--- declare-nameref
declare -n ref=target; target=1; echo $ref; ref=2; echo $target; echo ${!ref}; declare -n; f() { local -n out=$1; out=result; out+=(more); }; f res; declare -p res; declare -n e=arr[1]; arr=(a b c); echo $e; e=B; echo ${arr[@]}; unset ref; echo ${target-gone}; declare -p ref; unset -n ref; declare -p ref 2>&1 | tail -c 12; declare -n loopref; for loopref in x1 x2; do loopref=v; done; echo $x1 $x2
#--- declare-nameref-errors+err
declare -n r=1bad; echo "st $?"; declare -n self=self; echo "st $?"; declare -n arr=(1); echo "st $?"
#--- declare-p
x=1; declare -p x; declare -p nosuch; echo $?; f() { echo hi; }; declare -F f; declare -F nosuch; echo $?; declare -f nosuch; echo $?; declare -F | head -2; declare -ix n=3; declare -p n; declare -p x n
#--- declare-global
f() { declare -g G=1; declare L=2; local M=3; declare -ga GA=(x); typeset T=4; }; f; echo ${G-no} ${L-no} ${M-no} ${T-no} ${GA[0]}; g() { local v=in; h; echo $v; }; h() { v=changed; declare -g v=global; }; v=out; g; echo $v; k() { local v; echo "[${v-unset}]"; v=1; unset v; echo "[${v-unset}]"; }; k
#--- local-options
f() { local -; set -f; echo $-; }; set +f; f; case $- in *f*) echo leaked;; *) echo restored;; esac; g() { local a=1 b=$a; echo "[$b]"; }; g; h() { local x; x=in; i; }; i() { echo $x; }; h; x=glob; j() { local x=$x; x+=!; echo $x; }; j; echo $x; l() { local -a arr=("$@"); echo ${#arr[@]}; }; l 1 2 3; m() { local -r c=1; local v=2; unset v; echo ${v-none}; }; v=G; m
#--- local-errors+err
local x=1; echo "st $?"; f() { local 1x=2; echo "st $?"; local -z; echo "st $?"; local -r c=1; c=2; echo "never"; }; f; echo "st $?"
#--- let
let a=1+2 b=a*2; echo $a $b $?; let c=0; echo $?; let 'd = 5' 'e = d << 2'; echo $e; let f=1?2:3 g=!0; echo $f $g; let h++; let h+=5; echo $h; let "x = 3, y = x + 1"; echo $y; let a==3 && echo eq; let 'z=(1+2)*3'; echo $z; let a-- b/=2 c^=7; echo $a $b $c
#--- let-errors+err
let; echo "st $?"; let 1+; echo "st $?"; let 1/0; echo "st $?"; let 'a b'; echo "st $?"; let 5=3; echo "st $?"
#--- kill-l
kill -l 9 15 1; kill -l HUP SIGKILL term; kill -l 137 143; kill -l | head -3; kill -l 0 2>&1; echo $?
#--- kill-errors+err
kill; echo $?; kill -9; echo $?; kill abc; echo $?; kill -XYZ $$; echo $?; kill -l 99; echo $?; kill -l XYZ; echo $?; kill -s; echo $?; kill -s NOPE 1; echo $?; kill %3; echo $?; kill -n 99 $$; echo $?; kill 99999999; echo $?
#--- umask
umask 022; umask; umask -S; umask -p; umask -pS; umask u=rwx,g=rx,o=; umask; umask g+w; umask; umask a-x; umask; umask 0; umask -S; umask 777; umask; umask u=rw,go=r; umask -S; umask 022; touch f; mkdir d; stat -c %a f d
#--- umask-errors+err
umask 999; echo $?; umask xyz; echo $?; umask u=z; echo $?; umask -q; echo $?; umask 08; echo $?
#--- ulimit
ulimit -c 0; ulimit -c; ulimit -Sn 64; ulimit -Sn; ulimit -n; ulimit -S -s 1024; ulimit -s; (ulimit -n 32; ulimit -n); ulimit -n; ulimit -Ht > /dev/null; echo $?
#--- ulimit-errors+err
ulimit -n abc; echo $?; ulimit -Q; echo $?; ulimit -c 1 2; echo $?
#--- getopts-all
f() { local OPTIND=1 o; while getopts ':ab:c' o "$@"; do case $o in a|c) echo "opt $o";; b) echo "b=$OPTARG";; :) echo "need $OPTARG";; \?) echo "bad $OPTARG";; esac; done; shift $((OPTIND-1)); echo "rest: $*"; }; f -a -b val x y; f -ab val; f -bval -c; f -x -b; f -- -a; f -a - b; f -ac -b '' z; f
#--- getopts-errors+err
while getopts 'ab:' o -a -x -b; do echo "$o [${OPTARG-unset}] $OPTIND"; done; echo "end $? $OPTIND"; OPTIND=1; OPTERR=0; while getopts 'a' o -q -a; do echo "$o"; done; getopts; echo $?; getopts a; echo $?; OPTIND=1; getopts a 1x -a; echo $?
#--- type-forms
f() { :; }; alias al='echo x'; type -t f al if echo ls nosuch; echo $?; type echo f if | head -2; type -a echo | head -1; type -P ls >/dev/null && echo P; type -p echo; echo "[$?]"; command -v f echo if nosuch; echo $?; command -V if echo; shopt -s expand_aliases; type -t al; command -v al; unset -f f; type f 2>&1
#--- command-builtin
echo() { builtin echo "fn: $*"; }; echo a; command echo b; builtin echo c; unset -f echo; command -p ls / >/dev/null; echo $?; builtin nosuch; echo $?; command nosuch 2>/dev/null; echo $?; command; echo $?; builtin; echo $?; x=1 command eval 'echo $x'; echo ${x-unset}
#--- enable-builtin
enable -n echo; type -t echo; enable echo; type -t echo; enable -n nosuch; echo $?; enable -a | grep -c '^enable cd'; enable -n test; enable -n; enable test
#--- shopt-output
shopt -s nullglob; shopt nullglob; echo $?; shopt -u nullglob; shopt nullglob; echo $?; shopt -q extglob; echo $?; shopt -p nullglob extglob; shopt -s | grep -c sourcepath; shopt -so pipefail; shopt -po pipefail; shopt -qo pipefail; echo $?; shopt -uo pipefail; shopt nosuch; echo $?; shopt -s -u extglob; echo $?
#--- set-options
set -o | head -3; set -o pipefail; set +o | grep pipefail; set -e; echo $-; set +e; set -- -x y; echo $#; set - a b; echo $1; set a -- b; echo $#; set -o nosuch; echo $?; set -z; echo $?; set -o noclobber; echo a > f; echo b > f; echo $?; echo c >| f; cat f; set +C; unset v; set -o nounset; (echo $v) 2>/dev/null; echo $?; set -u +u -v +v; echo $-
#--- set-listing
x_1='a b' x_2=(1 2) x_3=; set | grep ^x_
#--- source-args
echo 'echo "$1 $# $0"; set -- changed; v=sourced; return 3; echo never' > s; . ./s one two; echo "$? $v [$1]"; set -- orig; source ./s; echo "$? $1"; . ./nosuch; echo $?; PATH=$PWD:$PATH; . s x; echo $?; echo 'exit 9' > e; (. ./e); echo $?; . /dev/stdin <<< 'echo from stdin'; source <(echo 'w=1'); echo $w; echo 'local q=1 2>/dev/null; echo $?' > l; . ./l
#--- source-errors+err
.; echo $?; . /nonexistent/x; echo $?; . .; echo $?; echo 'if' > bad; . ./bad; echo $?; echo after; printf 'echo one\necho )\necho three\n' > bad2; . ./bad2; echo $?
#--- exit-codes
(exit 256); echo $?; (exit -1); echo $?; (exit 300); echo $?; f() { return 257; }; f; echo $?; (return 3) 2>/dev/null; echo $?; false; (exit); echo $?; true | false; echo $?; ! true; echo $?; g() { false; return; }; g; echo $?; eval 'false'; echo $?; eval ''; echo $?; x=$(false); echo $?; x=$(false) true; echo $?; export y=$(false); echo $?; nosuch 2>/dev/null; echo $?; /tmp 2>/dev/null; echo $?; ./nosuch 2>/dev/null; echo $?; . nosuch 2>/dev/null; echo $?
#--- exit-errors+err
(exit abc); echo $?; (exit 1 2); echo $?; f() { return x; }; f; echo $?; g() { return 1 2; }; g; echo $?; shift 5; echo $?; shift -1; echo $?; shift x; echo $?; break; echo $?; continue; echo $?; for i in 1; do break 0; done; echo $?; for i in 1; do break x; done; echo $?
#--- cd-forms
mkdir -p a/b; cd a/b; echo ${PWD##*/}; cd ..; cd - > /dev/null; echo ${PWD##*/}; cd ../..; CDPATH=a; cd b; pwd | sed 's#.*/a/#a/#'; cd "$HOME"; ln -s a/b l; cd l; pwd | sed 's#.*/##'; pwd -P | sed 's#.*/##'; cd -P ..; pwd | sed 's#.*/##'; cd; cd -P l; pwd | sed 's#.*/##'; cd -L .. ; cd ''; echo $?; cd nosuch 2>/dev/null; echo $?
#--- cd-errors+err
cd nosuch; echo $?; cd a b; echo $?; unset OLDPWD; cd -; echo $?; touch f; cd f; echo $?; cd -z; echo $?; unset HOME; cd; echo $?; pwd -z; echo $?
#--- pushd-popd
mkdir -p x/y; pushd x > /dev/null; dirs | wc -w; pushd y >/dev/null; dirs -p | wc -l; dirs -v | cut -c1-3; popd > /dev/null; basename $PWD; dirs -c; dirs | wc -w; popd; echo $?; pushd; echo $?; pushd nosuch; echo $?; echo ${#DIRSTACK[@]}
#--- test-operators
[ a \< b ]; echo $?; [ a = a -a b = b ]; echo $?; [ a = b -o b = b ]; echo $?; [ ! a = b ]; echo $?; [ \( a = a \) ]; echo $?; [ -n '' ]; echo $?; [ -z ]; echo $?; [ ! ]; echo $?; [ ]; echo $?; test; echo $?; [ '' ]; echo $?; [ 3 -gt 2 ]; echo $?; [ a -eq 1 ] 2>/dev/null; echo $?; [ -v PATH ]; echo $?; [ -o errexit ]; echo $?; a=(1); [ -v a[0] ]; echo $?; [ -t 0 ]; echo $?; [ 1 -eq 01 ]; echo $?; [ ' 5 ' -eq 5 ]; echo $?; [ -e / -a -d / ]; echo $?; touch o; sleep 0.01; touch n; [ n -nt o ]; echo $?; [ o -ot n ]; echo $?; [ n -ef n ]; echo $?; [ -R x ]; echo $?
#--- test-errors+err
[ a; echo $?; [ a b ]; echo $?; [ a b c ]; echo $?; [ 1 -eq x ]; echo $?; [ a = ]; echo $?; [ -e ]; echo $?; test -z a b; echo $?; [ a -foo b ]; echo $?; [ 1 2 3 4 5 ]; echo $?; [ \( a ]; echo $?; [ -gt 3 ]; echo $?; test 1 -lt; echo $?
#--- times-and-caller
f() { caller; caller 0; g; }; g() { caller 0; caller 1; }
f
caller; echo $?; caller 5; echo $?; times | wc -l; time -p true 2>/dev/null; TIMEFORMAT='%0R'; time true 2>&1; echo ok
#--- dirstack-tilde
pushd / >/dev/null; echo ~0 ~+1 | sed "s#$HOME#H#"; echo ~-0 | sed "s#$HOME#H#"; cd /usr; echo $PWD ~- ~+; popd >/dev/null
#--- hash-and-unset
hash ls; hash -t ls; hash -r; hash; hash nosuch 2>/dev/null; echo $?; hash -d ls 2>/dev/null; echo $?; f() { :; }; f=1; unset f; echo ${f-gone}; type -t f; unset f; type -t f; unset -v f; echo $?; unset 1x 2>/dev/null; echo $?; unset nosuch; echo $?; unset -f nosuch; echo $?
#--- alias-forms
shopt -s expand_aliases
alias ll='echo long' e=echo sp='echo ' x=y
alias; alias ll; alias nosuch; echo $?
ll a; sp x; e b; \ll c 2>/dev/null; echo $?; unalias ll; ll 2>/dev/null; echo $?; unalias nosuch; echo $?; unalias -a; alias
alias 'if=echo no'; alias a='echo 1; echo 2'
a
alias rec='rec x'; type rec; alias b='a '
b
#--- eval-forms
x='echo a; echo b'; eval $x; eval "$x"; eval 'y=1'; echo $y; eval; echo $?; eval 'for i in 1 2; do echo $i; done'; z='$y'; eval echo $z; eval "f() { echo in f; }"; f; eval 'exit 3' | true; eval 'false || echo or'; eval echo \"a  b\"; eval -- echo dash; n=v; eval "$n=5"; echo $v; eval 'set -- a b'; echo $#
#--- eval-errors+err
eval 'echo )'; echo $?; eval 'if'; echo $?; eval -x; echo $?; eval "echo 'a"; echo $?; eval 'nosuch'; echo $?; f() {
 eval 'nosuch
echo ok; nosuch2'
}; f
