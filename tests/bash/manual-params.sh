#--- operators-Q
a="it's"; b='a b'; c=$'tab\there'; d=$'nl\nx'; e=''; f=plain; g=$'\e[0m'; h='$x`y`"z"'; i='\'; j=$'\x01\x7f'; k=é; for v in a b c d e f g h i j k; do echo "$v ${!v@Q}"; done
#--- operators-U
x='hello wORLD foo'; echo "${x@U}|${x@u}|${x@L}|${x@Q}"; a=(one two Three); echo "${a[@]@U}" "${a[@]@u}" "${a[*]@L}"; set -- ab cd; echo "${@@U}" "${*@u}" ${1@U}; y=; echo "[${y@U}]"; echo ${a[1]@U} ${#a[1]}
#--- operators-E-P
x='a\tb\x41\u00e9\101\n.'; echo "${x@E}"; y='\s-\v' ; [ -n "${y@P}" ] && echo ok; z='\[\]'; echo "${z@P}"
#--- operators-A-a
x=1; declare -i n=5; declare -a arr=(a 'b c'); declare -A m=([k]=v); declare -rx r=ro; export e=1; declare -l lo=ABC; declare -u up=abc; for v in x n arr m r e lo up; do declare -n q=$v; echo "$v: ${q@a}"; unset -n q; done; echo "${arr[@]@A}"; echo "${m[@]@A}"; echo ${n@A} ${r@A} ${lo@A} ${up@A} ${e@A}; echo "${arr@A}" "${arr[1]@A}" "${arr[@]@a}" "${arr[1]@a}"
#--- operators-K-k
declare -A m=([a]=1 [b]='x y'); echo "${m[@]@K}"; a=(p 'q r' s); echo "${a[@]@K}"; printf '<%s>' "${a[@]@k}"; echo; printf '<%s>' "${m[@]@k}"; echo; x=7; echo "${x@K}" "${x@k}"
#--- operator-errors+err
x=1; (echo ${x@}) 2>&1 | grep -o bad.*; (echo ${x@QQ}) 2>&1 | grep -o bad.*
#--- operators-unset+err
unset u; echo "[${u@Q}]" "[${u@U}]" "[${u@a}]" "[${u@A}]"; declare -i di; echo "[${di@a}]" "[${di@A}]"; set -u; echo "${u@Q}"
echo never
#--- prefix-names
ab1=x ab2=y abc_d=z; set -- ${!ab*}; echo $#; echo "${!ab@}" "${!ab*}"; IFS=,; echo "${!ab*}" "${!ab@}"; echo ${!nosuch*}.; f() { local abzz=1; echo "${!ab*}"; }; f
#--- array-keys-indirect
a=([3]=x [1]=y [7]=z); echo ${!a[@]} "${!a[*]}" ${#a[@]}; n='a[7]'; echo ${!n}; n='a[@]'; echo "${!n}"; n='a[*]'; echo "${!n}" ; r=a; echo "${!r}" "[${!r[0]}]"
#--- subst-anchors
x=banana; echo ${x/#ba/X} ${x/%na/Y} ${x/#na/X} ${x/%ba/Y} ${x/#/pre-} ${x/%/-post} ${x//#b/Z} ${x/#*a/Q} ${x/%a*/Q} ${x/'#'b/Z} ${x/\%a/Q}; y='#b%a'; echo ${y/\#b/1} "${y/\%a/2}" ${y//[#%]/_}
#--- subst-arrays
a=(apple banana cherry); echo ${a[@]/a/A} "${a[@]//a/_}" ${a[*]/#/x-} "${a[@]/%/.txt}" "${a[@]#a}" "${a[@]%y}" "${a[@]:1}" "${a[@]: -2:1}" "${a[@]^}" "${a[*]^^[ab]}"; set -- f.c g.c; echo "${@%.c}" "${@/#/-o }" "${*%%.*}"; for i in "${a[@]/e*/}"; do echo "[$i]"; done
#--- subst-ampersand
x=abc; echo "${x/b/[&]}" "${x//[ac]/<&&>}" "${x/b/\&}" "${x/b/'&'}" "${x/b/"&"}"; r='&'; echo "${x/b/$r}" "${x/b/"$r"}" ${x/b/\\&}
#--- subst-longest
x=aaaabbb; echo ${x/a*b/-} ${x/a?/-} ${x//a?/-} ${x/*/all} "${x/b*/}"; shopt -s extglob; echo ${x//+(a)/A} ${x/@(a|aa|aaa)/-} ${x/%+(b)/B} ${x##+(a)} ${x%%+(b)} ${x%+(b)}; y='  trim me  '; echo "[${y##+([[:space:]])}]" "[${y%%+([[:space:]])}]"
#--- slices-positional
set -- a b c d e; echo ${@:2} ${@:2:2} ${@: -2} ${@:0:1} ${@:1:0}. ${*:3} "${@: -3:2}"; echo ${@:6}. ${@:5:9}; shift 2; echo "${@:1:2}" ${#@}; a=(0 1 2 3 4 5); echo ${a[@]:2:3} ${a[@]: -2} ${a[@]:7}. ${a:0:1}; s=([5]=x [9]=y [20]=z); echo ${s[@]:6} ${s[@]:0:2} ${s[@]: -1}
#--- slices-errors+err
set -- a b c; echo ${@:1:-1}
echo "st $?"; a=(1 2 3); echo ${a[@]:0:-1}
echo "st $?"; x=abc; echo ${x:1:-9}
echo "st $?"; echo ${x:q w}
echo "st $?"; echo "st $?"
#--- slice-arith
x=abcdefgh; i=2; echo ${x:i} ${x:i+1:i} ${x:$((i*2))} ${x:(-3):2} ${x: -i} ${x:i>1?1:5:2} ${x:0x2:010}; a=(1 2); echo ${x:a[1]} ${x:${a[0]}:1}; y=; echo "[${y:0:3}]" "[${x:8}]" "[${x:9}]"
#--- nested-defaults
unset a b c; echo ${a:-${b:-${c:-deep}}} ${a:="${b-x}y"} $a "${c:-"quoted $a"}" ${c:-'single $a'} "${c:-'single $a'}" ${c:-a\ b} "${c:-a\ b}" ${c:-{x}} ${c:+no}${a:+yes}; echo ${c:-`echo bq`} ${c:-$((1+1))} "${c:-$(echo "in $(echo deep)")}"
#--- alternate-words
set -- ; printf '<%s>' ${1+"$@"} "${@-none}" "${@:-none}" "${*:-none}" ${@+x} "${@:+x}"; echo; set -- ''; printf '<%s>' ${1+"$@"} "${@-none}" "${@:-none}" "${*:-none}" "${@+x}" "${@:+x}"; echo; set -- a 'b c'; printf '<%s>' ${1+"$@"} "${@:-n}" "${@:+"$@"}" ${@:+x}; echo; a=(); printf '<%s>' "${a[@]-none}" "${a[@]:-none}" "${a[@]+x}" "${a[0]-z}"; echo
#--- assign-defaults-array
unset a; : ${a[2]:=two} ${a[0]=zero}; declare -p a; declare -A m; : ${m[k]:=v} ${m[k]:=w}; declare -p m; unset x; : ${x:=1 2  3}; echo "$x"; echo ${y:=$x} "$y"
#--- assign-defaults-errors+err
set -- a; echo ${1:=x} ${2:=y}
echo "st $?"; echo ${@:=z}
echo "st $?"; readonly r; echo ${r:=q}
echo "st $?"
#--- special-lengths
set -- a bb ccc; echo ${#} ${#1} ${#3} ${##} ${#@} ${#*}; a=(x yy [9]=zzz); echo ${#a} ${#a[1]} ${#a[9]} ${#a[@]} ${#a[5]}; x=äöü€; echo ${#x} ${x:1:2} ${x^^}; unset u; echo ${#u} ${#-} | wc -w; echo ${#?} ${#0}
#--- transforms-case
x='straße ÄÖ éa'; echo ${x^} ${x^^} ${x,,} ${x~} ${x~~} ${x^^[a-e]} ${x,,[!Ä]}; p='[aeiou]'; y='the quick fox'; echo ${y^^$p} ${y^^"$p"} ${y^t} ${y^x} "${y^^[[:alpha:]]}"
#--- pattern-vars
p='*.c'; x=main.c; case $x in $p) echo glob;; esac; case $x in "$p") echo lit;; *) echo nolit;; esac; [[ $x == $p ]] && echo m; [[ $x == "$p" ]] || echo n; echo ${x%$p}. ${x%"$p"}. ${x#*[.]} ${x#"${x%?}"}; q='[a-m]'; echo ${x//$q/-} ${x//"$q"/-} ${x//[^.]/-} ${x//[!a]/}
#--- indirect-ops
a=b; b=hello; echo ${!a} ${!a:1:3} ${!a/l/L} ${!a^^} ${!a#he} ${!a:-d} ${!a@Q}; a=nope; echo [${!a}] ${!a-def} ${!a:=set} $nope; a=1; set -- p1; echo ${!a} ${!#}; a='c[1]'; c=(x 'y z'); printf '<%s>' ${!a} "${!a}"; echo; a=@; printf '<%s>' "${!a}"; echo
#--- dollar-specials
set -- x 'y z'; IFS=-; echo "$*" $* "$@" | cat; set --; echo "$*." "$@." $#; (exit 7); echo $? $?; set -ef; echo $-; set +e +f; echo $0; echo ${BASH_SUBSHELL} $(echo $BASH_SUBSHELL) $( (echo $BASH_SUBSHELL) ); (echo $BASH_SUBSHELL; (echo $BASH_SUBSHELL))
#--- quote-removal
echo a"b"'c'\d ""'' "" | cat -A; echo "a\zb" 'a\zb' a\zb "\$" "\`" "\"" "\\" "\n" $'a\'b\"c\\d\a\be\ef\x41\u263a\cA\060' | cat -A; echo $"loc $((1+1))" $'x'y"z"
#--- ansi-c-quoting
printf '%s|' $'\101\x42\u43\U00000044\e\E\a\b\f\n\r\t\v\\\'\"\?\cx\q\x\u' | od -An -tx1; echo $'a\0b' $'a\x00b'c; echo $'\x4142' $'\1012' $'\u00e9x'
#--- tilde-words
x=~; [ "$x" = "$HOME" ] && echo 1; echo ~/a ~root "~" a~b x=~ ~+ | sed "s#$PWD#PWD#; s#$HOME#H#g"; PATH=$PATH:~/bin; case $PATH in *:$HOME/bin) echo 2;; esac; y=a:~:b; [ "$y" = "a:$HOME:b" ] && echo 3; HOME=/h; echo ~ ~/x; unset HOME; [ ~ != '' ] && echo 4; echo "${u:-~}" ${u:-~x}
#--- brace-steps
echo {1..10..2} {10..1..3} {a..k..3} {z..t..2} {-5..5..5} {5..-5..-5} {01..10..3} {001..3} {-03..3..3} {1..3}{a,b} {a..c}{1..2} {1..1} {a..a} {A..c..20} {0..0..5} {1..5..0} {1..5..-2} x{1..}y {1..a} {1...3} {..} {1..2..3..4}
#--- brace-lists
echo {a,b}{c,d} {a,{b,{c,d}}} pre{x,}post {,} {a} {} {a,b {a\,b,c} {"a,b",c} {'x y',z} ${u}{1,2} {$((1+1)),3} {a..c,d} \{a,b} {a,b\} "{a,b}" {a,b}.{c,d}.{e,f} {{a,b},{c,d}} a{b}c a{b,c{d}e}f {x,y}{,.bak}; v={1..3}; echo $v; w=(x{1..3}); echo ${#w[@]}; echo {1..2}$v; eval echo {1..$((2+1))}
