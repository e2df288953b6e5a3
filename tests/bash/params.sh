#--- defaults
unset u; e=; s=x; echo ${u-a} ${u:-b} "${e-c}" ${e:-d} ${s-e} ${s:-f} ${u+g} ${u:+h} "${e+i}" "${e:+j}" ${s+k} ${s:+l}; echo ${u=new} $u; e=; echo ${e:=filled} $e; echo ${v:="a b"} "$v"; echo ${w:-$(echo sub)} ${w:-${s}y} ${w:-"$s $s"}
#--- default-splitting
unset x; printf '<%s>' ${x:-a b} ${x:-"a b"} "${x:-a b}" "${x:-"a b"}" ${x:-'c d' e}; echo; printf '<%s>' ${x:-a"b c"d} "${x:-'q'}" ${x:-\$y} "${x:-\$y}" "${x:-\}}"; echo; y='*'; printf '<%s>' "${x:-$y}" ${x+} "${x+}"; echo
#--- question+err
x=1; echo ${x?no} ${x:?no}; (echo ${y?}); echo $?; (echo ${y:?custom message}); echo $?; (z=; echo ${z:?}); echo $?; (echo ${a[3]?elem}); echo $?
echo ${y?bye $x}
echo never
#--- length-forms
x=hello; set -- a b; echo ${#x} ${#} ${#*} ${#@} ${#?} ${#-} ${#$} | head -c 12; echo; echo ${#undefined}; y='a b  c'; echo ${#y}; echo "${#x}${x#h}"
#--- prefix-suffix
p=/usr/local/lib/libx.so.1.2; echo ${p#/} ${p#*/} ${p##*/} ${p%/*} ${p%%/*}. ${p%.*} ${p%%.*} ${p#nomatch} ${p%.so*} "${p##*[.]}" ${p#/usr/}; x=aaa; echo ${x#a} ${x##a} ${x#a*} ${x##a*}. ${x%a} ${x%%a*}.
#--- pattern-quoting
x='a*b?c[d]'; echo "${x#a\*}" "${x#"a*"}" "${x%\[d\]}" "${x%'[d]'}" "${x/\?/Q}" "${x//[*?]/-}" "${x#*\*}"; p='a\*'; echo "${x#$p}" "${x#"$p"}"; s='*'; echo "${x/$s/all}" "${x/"$s"/star}"
#--- replace
x=banana; echo ${x/a/o} ${x//a/o} ${x/#b/B} ${x/%a/A} ${x//an/} ${x/na} ${x//[bn]/_} ${x/#/pre} ${x/%/post} ${x//a*n/Z} ${x/a*/E} ${x/zz/y} "${x//a/ }" ${x/?/X} ${x//?/X}
#--- replace-special
x='a/b/c'; echo ${x//\//.} ${x/\//} "${x//'/'/|}" ${x////+}; y='$HOME'; echo "${y/\$/S}" "${x/a/$y}" "${x/a/'$y'}" "${x/a/"q'q"}"; z='a\b'; echo "${z/\\/S}" "${z//\\/\\\\}"; w="a b c"; echo "${w// /_}" "${w//[[:space:]]/}"; n=$'l1\nl2'; echo "${n//$'\n'/,}"
#--- replace-ampersand-more
x=abc; r='[&]'; echo ${x/b/$r} "${x/b/"$r"}" ${x//?/<&>} ${x/b/\\&} "${x/b/\\&}" ${x/b/'&'}; shopt -u patsub_replacement; echo ${x/b/[&]}
#--- slices
x=0123456789; echo ${x:3} ${x:3:2} ${x: -3} ${x: -3:2} ${x:(-2)} ${x:0:-2} ${x:2:-2} ${x:20}. ${x:0:0}. ${x:5:99}; n=2; echo ${x:n} ${x:$n:n+1} ${x:n*2:n} ${x:n>1?4:0}; y=äöü; echo ${y:1:1}
#--- slice-errors+err
x=abc; echo ${x:1:-5}
echo after ${x:-9} "${x: -9}" .
#--- case-changes
x='hello World'; echo ${x^} ${x^^} ${x,} ${x,,} ${x^^[lo]} ${x^w} ${x~} ${x~~} ${x,,W}; y=ÀÉ; echo ${y,,}; set -- ab cd; echo ${@^} ${*^^}
#--- indirection
a=b; b=c; c=d; echo ${!a} ${!b}; r=PATH; [ "${!r}" = "$PATH" ] && echo same; n=1; set -- first second; echo ${!n} ${!#} ; v=x; x='p q'; printf '<%s>' ${!v} "${!v}"; echo; echo ${!v:-d} ${!v%q} ${!v/p/z} ${#x} ${!v:0:1}; u=nosuch; echo "[${!u}]" ${!u-unset}
#--- indirection-errors+err
echo ${!nope}
echo "st $?"; x='a b'; echo ${!x}
echo next
#--- names-by-prefix
abc1=x abc2=y abd=z; echo ${!abc*} "${!abc@}" ${!ab*} "${!zz*}."; set --; for n in "${!abc@}"; do echo $n; done
#--- transforms
x="it's"; echo ${x@Q}; y=$'a\tb\n'; echo ${y@Q} "${y@E}" | head -1; z='a\tb'; echo "${z@E}"; w='abc def'; echo ${w@U} ${w@u} ${w@L}; W=ABC; echo ${W@L}; declare -rx e=5; echo ${e@a} "${e@A}"; declare -i i=3; echo ${i@A}; p='\u@\h \$'; echo "${p@P}" > /dev/null; set -- "a b" c; echo "${@@Q}" ${*@U} "${1@Q}"; unset q; echo "[${q@Q}]"
#--- quoting-forms
echo ${x:-$'a\tb'} "${x:-$'a\tb'}" | cat -A 2>/dev/null | head -1; x=abc; echo "${x/b/"}"}" '${x}' "\${x}" "$x"'$x'"${x}"; echo "a\nb" 'a\nb' $'a\nb'; echo "\a\\b\"c\$d\`e"; echo $"hello $x"
#--- bad-substitutions+err
echo ${x!}
echo "${x|y}" two
echo three
#--- bad-substitutions-2+err
echo ${}; echo x
#--- bad-substitutions-3+err
f() { echo ${1abc}; echo in; }; f; echo after
#--- special-parameters
set -- a "b c" d; echo $# $1 "$2" $3 $4. ${10-none} "$@" "$*"; echo $0 | head -c 4; echo; (exit 5); echo $?; set -- 1 2 3 4 5 6 7 8 9 ten eleven; echo $10 ${10} ${11} $#; shift 9; echo $1
#--- at-star-unquoted
set -- "a b" "" c; printf '<%s>' $@; echo; printf '<%s>' $*; echo; printf '<%s>' "$@"; echo; printf '<%s>' "$*"; echo; IFS=:; printf '<%s>' $@ "$*" $*; echo; IFS=; printf '<%s>' $@ "$*" $*; echo
#--- at-with-nothing
set --; printf '<%s>' "$@"; echo .; printf '<%s>' "$*"; echo .; printf '<%s>' "x$@y" "x$*y" "" $@ ""; echo; f() { echo $#; }; f "$@"; f "$*"; f "${@}" "$@"; f ""$@; f "$@"""
#--- ifs-splitting
x='  a  b  '; printf '<%s>' $x; echo; IFS=:; x=':a::b:'; printf '<%s>' $x; echo; x=a:b:; printf '<%s>' $x; echo; IFS=' :'; x=' a : b ::c '; printf '<%s>' $x; echo; IFS=; x='a b'; printf '<%s>' $x; echo; unset IFS; x=$' a\tb\nc '; printf '<%s>' $x; echo
#--- ifs-joining-parts
IFS=:; x=a:b; y=:; printf '<%s>' p${x}q $x$x x$y $y$y a"$x"b$x; echo; z=''; printf '<%s>' $z a$z "$z"; echo; printf '<%s>' $(echo a:b) "$(echo a:b)" a:b; echo
#--- ifs-nonwhitespace
IFS=,; x='a, b ,c,,'; printf '<%s>' $x; echo; set -- $x; echo $#; IFS=', '; set -- $x; echo $# "$2"; IFS=x; y=axbxxc; set -- $y; echo $# $y
#--- tilde
[ ~ = "$HOME" ] && echo home; x=~/a; [ "$x" = "$HOME/a" ] && echo a; y=~:~/b; [ "$y" = "$HOME:$HOME/b" ] && echo b; echo "~" '~' \~ a~ ~nosuchuser --d=~; [ ~+ = "$PWD" ] && echo plus; cd /; cd - >/dev/null; [ ~- = / ] && echo minus; z="~"; echo $z; p=x:~; [ $p = "x:$HOME" ] && echo colon
#--- brace-expansion
echo {a,b,c} x{1,2}y {1..5} {5..1} {1..10..3} {a..e} {e..a..2} {01..03} {-2..2} {a,b}{1,2} {a,{b,c}d} {,x}y {} {a} {a,b {1..a} \{a,b\} "{a,b}" {'a b',c} a{b,c}{d,e}f ${x}{1,2} {1..3}{a..b} {10..8} {00..10..5} {A..C} {-5..-10..2} {a..c..0}
#--- brace-expansion-nested
echo {{1..2},{a..b}} {a{1,2},b}c x{y{z,w},v}u {1,2}{3,4}{5,6} {a,b\,c} {a,"b,c"} {$HOME,x}/y >/dev/null; echo {{a,b},c} {a,b}} {{a,b} a{,}b {,,} {a,}; v=3; echo {1..$v} {x,$v}; x={a,b}; echo $x; echo a={1,2} --x={p,q}
#--- brace-off
set +B
echo {a,b} {1..3}
set -B
echo {a,b}; set -o noglob; echo * {*,?}; set +f
#--- command-substitution
echo $(echo a; echo b) "$(echo a; echo b)" `echo c` "`echo d`" $(echo $(echo $(echo deep))) `echo \`echo nested\`` "$(echo "q $(echo "r s")")"; x=$(printf 'a\n\n\n'); echo "[$x]"; y=$(exit 3); echo $?; echo $(exit 4) $?; z=$(echo one; exit 2) w=$(exit 5); echo $? $z; echo "$(cat <<E
here $x
E
)"
#--- command-substitution-file
echo content > f; echo $(< f) "$(<f)"; x=$(<f); echo $x; echo $(cat f | cat) $( (echo sub) ) $({ echo grp; }) "$(if true; then echo y; fi)" $(case a in a) echo case;; esac); echo $(
 echo multi
 echo line # comment with )
) end
#--- backquote-escapes
echo `echo "a\\b"` `echo '\$x'` `echo \\$HOME` "`echo \"q\"`" `echo '\\'`; x=1; echo `echo $x` `echo \$x` '`echo`'
#--- arithmetic-expansion
x=5; echo $((x+1)) $(( x * 2 )) $[x-1] $((x>3)) $((-x)) $((+x)) $((~x)) $((!x)) $(($x$x)) $((x==5?10:20)) $((x<<2)) $((x^3)) $((x|8)) $((x&4)) $((x%3)) $((x/2)) $((x**3)) $((1,2,3)) $((x+=3)) $x $((x++)) $((++x)) $((x--)) $((--x)) $(( (1+2)*3 )) $((0x1F)) $((010)) $((2#101)) $((36#Z)) $(("7"+1)) $(( ))
#--- nested-params
a=1 b=2; echo ${a:-${b:-c}} ${u:-${a}${b}} ${u:-${v:-${w:-z}}} "${u:-"${v:-"x y"}"}" ${a/${a}/${b}} ${u:-$((a+b))} ${u:-`echo bq`}; f=x.tar.gz; echo ${f%.${f##*.}} ${f%%.*}${f#*.}
#--- underscore
echo a b; echo $_; : x y z; echo $_; f() { echo in $_; }; f 1 2; echo $_; true; echo "[$_]"; x=5; echo "[$_]"
#--- dollar-dash
case $- in *h*) echo h;; esac; case $- in *B*) echo B;; esac; case $- in *i*) echo i;; *) echo noni;; esac; set -eu; echo $-; set +eu -f; echo $-; set -o pipefail; echo $-; set -x 2>/dev/null; { echo $-; } 2>/dev/null; set +x
#--- line-and-func-variables
echo $LINENO; f() { echo ${FUNCNAME[0]} ${FUNCNAME[1]} ${#FUNCNAME[@]} ${BASH_LINENO[0]} $LINENO; g; }; g() { echo ${FUNCNAME[*]} ${BASH_LINENO[*]}; }
f
echo "[$FUNCNAME]" ${#FUNCNAME[@]}
#--- bash-variables
echo $BASH_SUBSHELL $(echo $BASH_SUBSHELL) $(echo $(echo $BASH_SUBSHELL)); (echo $BASH_SUBSHELL; (echo $BASH_SUBSHELL)); { echo $BASH_SUBSHELL; }; echo a | { cat; echo $BASH_SUBSHELL; }; [ "$BASHPID" = $$ ] && echo same; echo ${BASH_VERSINFO[0]} ${BASH_VERSINFO[1]} ${#BASH_VERSINFO[@]}; echo ${BASH_VERSION%%.*}; echo $HOSTTYPE $OSTYPE $MACHTYPE; echo ${SHELLOPTS}; echo $BASHOPTS | head -c 8; echo; echo $OPTIND $OPTERR $PS4 | head -c 6; echo; [ $UID = $EUID ] && echo uid; echo "${GROUPS[0]+set}"
#--- seconds-random
SECONDS=100; echo $SECONDS; RANDOM=42; a=$RANDOM; RANDOM=42; [ $a = $RANDOM ] && echo same; [ $SRANDOM != $SRANDOM ] && echo sr; [ $EPOCHSECONDS -gt 1000000 ] && echo ep; [[ $EPOCHREALTIME == *.?????? ]] && echo real; [ $((RANDOM%10)) -lt 10 ] && echo mod; unset RANDOM; echo "[$RANDOM]"; for i in 1 2 3; do echo $RANDOM; done | sort -u | wc -l
#--- random-values
RANDOM=1; echo $RANDOM $RANDOM $RANDOM; RANDOM=12345; echo $RANDOM $((RANDOM)) ${RANDOM}
#--- pipestatus
true | false | (exit 3); echo ${PIPESTATUS[@]}; echo ${PIPESTATUS[@]}; (exit 4); echo ${PIPESTATUS[0]}; false | true; s=("${PIPESTATUS[@]}"); echo ${s[*]} ${#s[@]}; ! false | true; echo ${PIPESTATUS[*]}; if false | true; then echo ${PIPESTATUS[@]}; fi; x=$(false); echo ${PIPESTATUS[@]}; [[ a == b ]]; echo ${PIPESTATUS[@]}; ((0)); echo ${PIPESTATUS[@]}; { false; true; } ; echo ${PIPESTATUS[@]}
