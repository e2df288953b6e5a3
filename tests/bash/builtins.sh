#--- echo-options
echo -n a; echo; echo -e 'a\tb\nc\x41\u00e4\0101\\'; echo -E 'a\tb'; echo -ne 'x\n'; echo -nE 'y\n'; echo; echo - -- -x -nx; echo -e 'stop\chere' no; echo; echo -e '\e[0m' | cat -v 2>/dev/null | head -c 5; echo; echo "-n"; echo '' "a  b"; echo -e 'a\
b'; echo -nn x; echo
#--- printf-more
printf '%s\n' a 'b c'; printf '%5.1f|%-8s|%08.3f|%+d|% d\n' 3.14159 ab 2.5 3 4; printf '%x %X %#x %o %#o %u\n' 255 255 255 8 8 5; printf '%c%c\n' abc def; printf '%%|%5%|\n' 2>/dev/null; printf '%s %s\n' one; printf '%d %s\n' 1 a 2 b; printf '\x41\101\u00e9\n'; printf '%b|%s\n' 'a\nb' 'a\nb'; printf '%q %q %q %q\n' 'a b' "it's" '' $'t\tx'; printf '%-5d|%5d|%05d|%.5d\n' 42 42 42 42; printf -- '-x\n'; printf '%.3s|%10.2s|\n' abcdef xyz; printf '%*s|%-*s|%.*f\n' 5 a 5 b 2 3.14159; printf '%i %d\n' 0x10 010; printf '%d\n' "'a" '"b'; printf '%e %E %g %G\n' 12345.678 0.00012 1e10 1e-10; printf 'no args %s|%d|%f\n'; printf '%s' ''; printf ''; echo
#--- printf-v
printf -v x '%s-%s' a b; echo $x; printf -v 'a[1]' z; echo ${a[1]}; printf -v x ''; echo "[$x]"; printf -v y '%s\n' l1 l2; echo "$y"; f() { local v; printf -v v '%05d' 42; echo $v; }; f
#--- printf-time
TZ=UTC; printf '%(%Y-%m-%d %H:%M:%S)T\n' 0; printf '%(%F)T|%(%T)T\n' 86400 3661; printf '%(%s)T\n' 12345; printf '%(%A %B %j %y %e %I %p)T\n' 1000000; printf '%15(%F)T|\n' 0; printf -v d '%(%F)T' -1; [ ${#d} = 10 ] && echo ten; printf '%(%Y)T\n' -2 | head -c 2; echo
#--- printf-errors-more+err
printf '%d %d\n' 1a 0x; echo $?
printf '%z\n' 1; echo $?
printf; echo $?
printf '%d\n' 99999999999999999999; echo $?
printf '%d\n' ''; echo $?
printf '%d\n' 08; echo $?
printf '%f\n' x; echo $?
printf -v 1x a; echo $?
printf '%'; echo $?
printf '%s %' a; echo $?
printf '\z%y' ; echo $?
#--- printf-q-forms
printf '%q\n' 'a' 'a b' '$x' '`c`' 'a"b' "a'b" 'a\b' '~' '~a' 'a~' '#x' 'x#' 'a=b' '{a,b}' 'a;b' '(x)' '*?' '!' 'a!b' '<>' '&|' '-n' '.' '[x]' '^' '%' '@' ',' 'a:b' $'\n' $'a\001b' $'\e' 'ä'
#--- quote-Q-forms
for w in a 'a b' '$x' "it's" '' $'\n' $'a\001b' '~' 'ä' 'a\b'; do echo ${w@Q}; done
#--- read-forms
echo 'a b c' | { read x; echo "[$x]"; }; echo 'a b c' | { read x y; echo "[$x][$y]"; }; echo '  a  b  ' | { read x; echo "[$x]"; }; echo '  a  b  ' | { IFS= read x; echo "[$x]"; }; echo 'a\tb\\c' | { read x; echo "[$x]"; }; echo 'a\tb\\c' | { read -r x; echo "[$x]"; }; printf 'a\\\nb\n' | { read x; echo "[$x]"; }; printf 'a\\\nb\n' | { read -r x; echo "[$x]"; }; echo 'x:y:z' | { IFS=: read a b; echo "[$a][$b]"; }; echo 'x:y:z:' | { IFS=: read a b c; echo "[$a][$b][$c]"; }; echo ':x:' | { IFS=: read a b c; echo "[$a][$b][$c]"; }; echo 'a b' | { read x y z; echo "[$x][$y][$z]"; }; echo ' a b ' | { read; echo "[$REPLY]"; }; echo a:b:: | { IFS=: read x y; echo "[$x][$y]"; }
#--- read-ifs-mixed
echo ' a , b ,c ' | { IFS=', ' read x y z; echo "[$x][$y][$z]"; }; echo 'a,b,,d' | { IFS=, read x y z w; echo "[$x][$y][$z][$w]"; }; echo 'a b  c d  ' | { read x y; echo "[$x][$y]"; }; echo 'a::b' | { IFS=: read x y; echo "[$x][$y]"; }; echo 'one two:three' | { IFS=: read x y; echo "[$x][$y]"; }; echo 'p q,' | { IFS=, read x; echo "[$x]"; }; echo 'a,b,' | { IFS=, read x y; echo "[$x][$y]"; }; echo 'a,b,,' | { IFS=, read x y; echo "[$x][$y]"; }; echo '\ a b' | { read x y; echo "[$x][$y]"; }; echo 'a\ b c' | { read x y; echo "[$x][$y]"; }
#--- read-options
echo hello | { read -n 3 x; echo "[$x]"; read y; echo "[$y]"; }; echo hello | { read -N 3 x; echo "[$x]"; }; printf 'ab\ncd' | { read -N 4 x; echo "[$x]"; }; printf 'a:b:c' | { read -d : x; echo "[$x]"; read -d '' y; echo $? "[$y]"; }; printf 'x\0y\0' | { read -d '' a; read -d '' b; echo "$a$b"; }; read -a arr <<< "p q r"; echo ${#arr[@]} ${arr[1]}; echo in | { read -p 'prompt ' x; echo $x; }; read -t 0.05 x < <(sleep 0.3); echo $?; exec 5<<< "fd five"; read -u 5 x; echo $x; exec 5<&-; read -t 0 < /dev/null; echo $?; printf 'abc' | { read x; echo "$? $x"; }; read x < /dev/null; echo $?; echo 'a b' | { read -a v; echo ${v[1]}; }; echo ab | { read -s x; echo $x; }; read -r -d $'\t' q <<< $'one\ttwo'; echo $q
#--- read-errors+err
read 1x <<< a; echo $?
read -t abc x; echo $?
read -u 9 x; echo $?
read -q x; echo $?
readonly ro; read ro <<< a; echo $?
#--- read-loop-fd
printf '1\n2\n3\n' > f; while read -u 3 x; do echo $x; done 3< f; while IFS= read -r l || [[ -n $l ]]; do echo "$l"; done < <(printf 'a\nb'); exec 4< f; read -u 4 a; read b <&4; echo $a $b; exec 4<&-; while read a b; do echo $b-$a; done <<< "x y
p q"
#--- test-operators
t() { if [ "$@" ]; then echo y; else echo n; fi; }; t; t ''; t a; t ! a; t -n ''; t -z ''; t a = a; t a == a; t a != b; t 1 -lt 2; t 2 -le 2; t 3 -ge 4; t ! 1 -eq 2; t a -a b; t a -o ''; t '' -o b; t \( a \); t \( a = b \); t ! \( a \); t -d /tmp; t -e /nope; t a -a '' -o c; t -n a -a -n b; t ! -n a; t '!' = '!'; t -n = -n; t '(' = '('; t -a = -a; t a '<' b; t b '>' a; t '' = ''; t -z; t -n; t '!' ; t '-d'; t 1 -eq 1 -a 2 -eq 3; t ' 1' -eq 1; t -5 -lt 3; t 010 -eq 10
#--- test-errors-more+err
[ a -eq 1 ]; echo $?; [ 1 -eq ]; echo $?; [ = a ]; echo $?; [ a = ]; echo $?; [ -q a ]; echo $?; [ a b c d e ]; echo $?; [ \( a ]; echo $?; [ 1 -lt 2 -a ]; echo $?; test a ']'; echo $?; [ a; echo $?; [ -n a b ]; echo $?; [ 1.5 -gt 1 ]; echo $?; [ x -gt ]; echo $?; [ "" -eq 0 ]; echo $?
#--- test-files
touch e; echo x > s; mkdir -p d; ln -s s l 2>/dev/null; for o in -e -f -d -s -r -w -x -L -h -p -S -b -c -u -g -k -O; do r=; for f in e s d nope; do [ $o $f ] && r+=" $f"; done; echo "$o:$r"; done; [ e -ot s ] ; [ s -ef s ] && echo ef; [ nope -ot s ] && echo ot; [ s -nt nope ] && echo nt
#--- shift-errors+err
set -- a b; shift 3; echo $? $#; shift -1; echo $?; shift x; echo $?; shift 0; echo $# ; shift 2; echo $#; shift; echo $?
#--- getopts-more
f() { local OPTIND OPTARG o; while getopts "ab:c:" o "$@"; do echo "$o ${OPTARG-unset} $OPTIND"; done; shift $((OPTIND-1)); echo "rest $*"; }; f -a -b x y; f -ab x -c y; f -abx; f; f x -a; f -a -- -b; f - -a; f -a -b 2>/dev/null; f -z 2>/dev/null
#--- getopts-errors+err
while getopts "a:b" o -x -a; do echo "$o [$OPTARG]"; done; OPTIND=1; OPTERR=0; while getopts "a:b" o -x -a; do echo "$o [$OPTARG]"; done; OPTIND=1; while getopts ":a:b" o -x -a; do echo "$o [$OPTARG]"; done; getopts; echo $?
#--- set-forms
set a b c; echo $#; set -- ; echo $#; set -- -x; echo $1; set - p q; echo $*; set -e; echo $-; set +e; set -o errexit; set -o | head -4; set +o | head -4; set +o errexit; set -o nosuch 2>/dev/null; echo $?; set -Z 2>/dev/null; echo $?; set -f -- '*'; echo $1 *; set +f
#--- set-listing
unset -v BASH_EXECUTION_STRING; x='a b' y=c; z=$'\t'; arr=(1 2); set | while IFS= read -r l; do case $l in x=*|y=*|z=*|arr=*) echo "$l";; esac; done
#--- shopt-forms
shopt -q nullglob; echo $?; shopt -s nullglob; shopt -q nullglob; echo $?; shopt nullglob; shopt -p nullglob extglob; shopt -u nullglob; shopt nosuch 2>/dev/null; echo $?; shopt -s nosuch 2>/dev/null; echo $?; shopt -o errexit; shopt -so errexit; shopt -o errexit; set +e; shopt | head -3; shopt -s | head -2; shopt -p | wc -l
#--- command-type
type -t ls cd if f nosuch; echo $?; f() { :; }; type -t f; type cd; type if; type -a echo | head -1; command -v cd ls f if nosuch; echo $?; command -V cd; command -V if; command -V nosuch 2>/dev/null; echo $?; type nosuch 2>/dev/null; echo $?; type -P cat >/dev/null && echo P; type -p cd; echo $?; command ls /nope 2>/dev/null; [ $? -ne 0 ] && echo fail; command; echo $?; command -p echo p; cd() { echo mine; }; cd; builtin cd /; command cd /; unset -f cd; builtin nosuch 2>/dev/null; echo $?
#--- type-errors+err
type nosuch; echo $?; command -v nosuch; echo $?; command -V nosuch; echo $?; command nosuch; echo $?; builtin ls; echo $?; type -q x; echo $?
#--- hash-enable
hash; hash cat; hash -r; hash nosuch 2>/dev/null; echo $?; enable -n echo; type -t echo; enable echo; type -t echo; enable | head -2; enable -n test; enable -n; enable test; enable nosuch 2>/dev/null; echo $?
#--- alias-forms
shopt -s expand_aliases
alias a='echo A' b='echo B '
a x
alias c=hello
b c
alias a
alias nosuch 2>/dev/null; echo $?
alias -p
\a 2>/dev/null; echo $?
alias e='for i in 1 2; do'
e echo $i; done
unalias a; a 2>/dev/null; echo $?
alias x='echo same'; x
x
unalias -a; alias; echo none
#--- alias-in-function
shopt -s expand_aliases
alias g='echo G'
f() { g; }
alias g='echo H'
f; g
alias l='echo l; echo m'
l
alias if2='if true'
if2; then echo t; fi
alias p='echo "a'
p b"
alias q=q2; alias q2='echo deep'
q
alias ls='ls -d'
ls /
#--- alias-without-shopt
alias a='echo A'
a 2>/dev/null; echo $?
#--- unset-forms
x=1; unset x y; echo $? ${x-gone}; f() { :; }; unset f; type -t f; x=1; x() { echo fx; }; unset x; x; unset x; x 2>/dev/null; echo $?; readonly r=1; unset r 2>/dev/null; echo $?; a=(1 2); unset a[0]; echo ${a[@]}; unset -v a; echo ${#a[@]}; unset -f nosuch; echo $?; unset 1x 2>/dev/null; echo $?; declare -n n=t; t=5; unset n; echo ${t-gone} ${n-nref}; unset -n n; echo ${n-none}
#--- eval-forms
eval echo a b; eval 'x=1;' 'echo $x'; y='$x'; eval echo $y; eval "echo \$$((1))" | head -1; eval; echo $?; eval ''; echo $?; eval 'false'; echo $?; for i in 1 2; do eval "v$i=val$i"; done; echo $v1 $v2; eval 'f() { echo ev; }'; f; eval 'if true; then
echo multi
fi'; n=x; eval "$n=5"; echo $x; eval "a=(1 2)"; echo ${a[1]}; eval 'echo $LINENO'; eval -- echo dd
#--- exec-redirects
exec 3> f; echo a >&3; exec 3>&-; cat f; exec 4>&1; echo b >&4; exec 4>&-; echo c >&4 2>/dev/null; echo $?; exec 5<> f; read x <&5; echo d >&5; exec 5>&-; cat f; exec 6< f; exec 7<&6; read y <&7; echo $y; exec 6<&- 7<&-; exec {fd}> g; echo e >&$fd; exec {fd}>&-; cat g; exec 8>&1 1> h; echo hidden; exec 1>&8 8>&-; cat h; { exec 2>/dev/null; nosuch; }; exec nosuchprog 2>/dev/null
#--- exec-missing+err
(exec nosuchprog; echo no); echo $?; (exec /; echo no); echo $?; shopt -s execfail; exec nosuchprog; echo still $?; (exec -a name bash -c 'echo $0'); (exec -c env | head -1 | wc -l); exec < /nope; echo never
#--- umask-forms
umask 022; umask; umask -S; umask -p; umask u=rwx,g=rx,o=; umask; umask g+w; umask; umask a-x; umask; umask 9 2>/dev/null; echo $?; umask 077; touch f; umask 022; (umask 000; umask); umask; umask u+x,o=r; umask -S
#--- ulimit-forms
ulimit -c 0; ulimit -c; ulimit -S -c; ulimit -H -c; ulimit -s unlimited 2>/dev/null; ulimit -n 100; ulimit -n; ulimit -f; (ulimit -n 50; ulimit -n); ulimit -n; ulimit -t; ulimit; ulimit -Q 2>/dev/null; echo $?; ulimit -n abc 2>/dev/null; echo $?
#--- let-forms+err
let a=1+2 b=a*2; echo $a $b; let 'c = 3' "d=c"; echo $c$d; let 0; echo $?; let; echo $?; let 1/0; echo $?; let x=; echo "$? $x"; let 'y=(1'; echo $?
#--- times-and-history
times | wc -l; history; echo $?; echo "!!" '!x' !; set -o histexpand; echo "a!b"; fc -l 2>/dev/null; set +H
#--- dirs-stack
mkdir -p a/b c; cd a; pushd b > /dev/null; echo ${PWD##*/}; popd > /dev/null; echo ${PWD##*/}; pushd ../c >/dev/null; pushd >/dev/null; echo ${PWD##*/}; dirs -c; dirs | wc -l; popd 2>/dev/null; echo $?; cd; pushd a >/dev/null; pushd b > /dev/null; dirs -p | wc -l; echo ${#DIRSTACK[@]}; pushd +1 >/dev/null; echo ${PWD##*/}; popd +0 >/dev/null; dirs -v | wc -l; [ ~1 = "${DIRSTACK[1]}" ] && echo tilde
#--- cd-more
mkdir -p x/y; CDPATH=x; cd y > /dev/null; echo ${PWD##*/}; unset CDPATH; cd "$OLDPWD"; cd -P x; cd ..; ln -s x ln; cd ln; echo ${PWD##*/}; pwd -P | sed 's/.*\///'; cd -P .; echo ${PWD##*/}; cd ~; cd ./x/../x/./y; echo ${PWD##*/}; cd ../..; cd ''; echo $?; cd -- x; echo ${PWD##*/}; cd > /dev/null; HOME=/tmp; cd; pwd; unset HOME; cd 2>/dev/null; echo $?; cd /usr//bin/../; pwd; cd //; pwd
#--- kill-forms+err
kill -l 9 15 TERM 130; kill -l SIGINT; kill -s TERM 999999; echo $?; kill abc; echo $?; kill; echo $?; kill -NOPE 1; echo $?; kill %5; echo $?; kill -l 99; echo $?; kill -l | head -2; kill -0 $$; echo $?; kill -n 0 $$; echo $?; sleep 3 & kill -s KILL $!; wait $! 2> /dev/null; echo $?; kill -0 $! 2>/dev/null; echo $?
#--- kill-list
kill -L | head -3; trap -l | tail -2; kill -l HUP int Usr1 SIGKILL
#--- declare-attributes
declare -i i=3*4; echo $i; i+=1; echo $i; i=x; echo $i; declare -u u=abc; echo $u; u+=d; echo $u; declare -l l=ABC; echo $l; declare -c c=abc 2>/dev/null; declare -x e=1; bash -c 'echo $e'; declare +x e; bash -c 'echo [$e]'; declare -r r=1; (r=2) 2>/dev/null; echo $?; declare -p i u l r; declare -i +i i 2>/dev/null; declare +i i; i=1+1; echo $i; declare -ix both=2+2; declare -p both; declare n; declare -p n 2>/dev/null; echo $?; declare -p nosuch 2>/dev/null; echo $?; declare x=1 y=2; echo $x$y
#--- declare-global
f() { declare -g g=1; declare l=2; declare -gi gi=1+1; local -r lr=3; export ex=4; readonly ro=5; }; f; echo $g ${l-none} $gi ${lr-none} $ex $ro; h() { local g=loc; declare -g g=glob; echo $g; }; h; echo $g; k() { local x; declare -p x; local -i n=2; declare -p n; local a=(1); declare -p a; }; k; m() { local -a arr; arr[2]=x; declare -p arr; local -x env=y; bash -c 'echo $env'; }; m
#--- declare-listing
declare -i zz1=5; declare -x zz2=a; declare -i | while read l; do case $l in *zz*) echo "$l";; esac; done; declare -x | while read l; do case $l in *zz*) echo "$l";; esac; done; export -p | while read l; do case $l in *zz*) echo "$l";; esac; done; readonly zz3=1; readonly -p | while read l; do case $l in *zz*) echo "$l";; esac; done; declare -a | while read l; do case $l in *zz*) echo "$l";; esac; done; declare -p zz1 zz2 zz3; declare -p | grep -c zz 2>/dev/null | head -c 0
#--- declare-errors+err
declare 1x=5; echo $?; declare -Q; echo $?; local x; echo $?; export 1y=2; echo $?; readonly a-b=1; echo $?; declare -r q=1; declare q=2; echo $?; declare +r q; echo $?; declare -p nope; echo $?; f() { local 2z; echo $?; local r1=1; local -r r1; r1=2; echo no; }; f; echo after; unset q; echo $?; declare -f nosuch; echo $?; export -f nosuch; echo $?
#--- nameref-more
x=1; declare -n r=x; r=2; echo $x $r ${!r}; unset r; declare -n s=arr; s=(1 2 3); echo ${arr[1]} ${s[2]} ${#s[@]}; declare -n e=arr[1]; e=z; echo ${arr[@]} $e; f() { local -n a=$1 b=$2; local t=$a; a=$b; b=$t; }; p=1 q=2; f p q; echo $p $q; declare -p s; for n in p q; do declare -n ref=$n; ref+=x; done; echo $p $q; declare -n nn; nn=p; echo $nn; [[ -R nn ]] && echo isref; declare +n nn; echo $nn; g() { local -n m=$1; m[k]=v; echo ${m[k]} ${!m[@]}; }; declare -A am; g am; echo ${am[k]}
#--- nameref-errors+err
declare -n r=r; echo $?
declare -n bad=1x; echo $?
#--- readonly-errors+err
readonly x=1; x=2; echo same
echo next $?
x+=3; echo s2
for x in a b; do echo loop; done; echo "for $?"
read x <<< a; echo $?; ((x=5)); echo $?; let x=6; echo $?; x=3 true; echo "t $?"; x=4 bash -c 'echo $x'; f() { local x=5; echo no; }; f; echo $?; unset x; echo $?; getopts a x -a; echo $?; printf -v x y; echo $?; declare x=7; echo $?; export x=8; echo $?; : ${x:=9}; : $((x+=1)); echo end
#--- export-functions
f() { echo exported $1; }; export -f f; bash -c 'f a'; export -fn f; bash -c 'f a' 2>/dev/null; echo $?; export v=1; export -n v; bash -c 'echo [$v]'; set -a; w=2; set +a; bash -c 'echo $w'; export a b=3; a=4; bash -c 'echo $a $b'
#--- help-forms
help : > /dev/null; echo $?; help nosuch 2>/dev/null; echo $?; help -s true; :
#--- caller-form
f() { caller; caller 0; g; }; g() { caller 0; caller 1; caller 5; echo $?; }
f
caller; echo $?
#--- locale-free
x=ÄÖ; echo ${#x} ${x,,} ${x:1}; case é in ?) echo one;; esac; [[ ä == [[:alpha:]] ]] && echo alpha; LC_ALL=C; x=abc; echo ${#x}; touch B a C b; LC_ALL=C; echo [a-c] [A-C]
#--- hash-table
hash; cat /dev/null; cat /dev/null; hash; type cat; type -t cat; type -p cat >/dev/null && echo p; hash -r; type cat; hash cat; hash -t cat; hash -d cat; hash -t cat 2>/dev/null; echo $?; hash nosuchprogram 2>/dev/null; echo $?; hash echo; echo $?; hash -p /bin/true mytrue; mytrue; echo $?; PATH=/nowhere; mytrue 2>/dev/null; echo $?
