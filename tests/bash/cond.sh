#--- strings
x='a b'; [[ $x == 'a b' ]] && echo 1; [[ $x = a* ]] && echo 2; [[ "$x" == "a*" ]] || echo 3; [[ $x != b* ]] && echo 4; [[ -n $x && -z $y ]] && echo 5; [[ a < b && ! b < a ]] && echo 6; [[ $y == "" ]] && echo 7; [[ $x ]] && echo 8; [[ ! $y ]] && echo 9; [[ abc == *b* ]] && echo 10; p='a*'; [[ abc == $p ]] && echo 11; [[ abc == "$p" ]] || echo 12; [[ a*c == a\*c ]] && echo 13; [[ '' == '' ]] && echo 14; [[ "a b" == a\ b ]] && echo 15
#--- numbers
[[ 3 -lt 10 ]] && echo 1; [[ 10 -eq 0xa ]] && echo 2; x=5; [[ x -eq 5 ]] && echo 3; [[ x+1 -gt 5 ]] && echo 4; [[ $x -ge 5 && $x -le 5 && $x -ne 4 ]] && echo 5; [[ '' -eq 0 ]] && echo 6; [[ 010 -eq 8 ]] && echo 7; [[ " 5 " -eq 5 ]] && echo 8; a=(3 4); [[ a[1] -eq 4 ]] && echo 9; [[ 3 > 10 ]] && echo 10
#--- logic
[[ a == a && b == b ]] && echo 1; [[ a == b || b == b ]] && echo 2; [[ ( a == b || a == a ) && x ]] && echo 3; [[ ! ( a == b ) ]] && echo 4; [[ ! a == b && c ]] && echo 5; [[ a == b && $(echo no >&2) ]] || echo 6; [[ a == a || $(echo no >&2) ]] && echo 7; [[ ! ! a ]] && echo 8; if [[ a &&
b ||
c ]]; then echo 9; fi; [[
a == a
]] && echo 10
#--- files
touch f; mkdir -p d; [[ -f f && -d d && -e f && ! -e n ]] && echo 1; [[ -s f ]] || echo 2; [[ -r f && -w f && ! -x f ]] && echo 3; [[ -x d ]] && echo 4; [[ f -ef f ]] && echo 5; [[ -a f ]] && echo 6; [[ -h f || -L f ]] || echo 7; [[ -f "f" ]] && echo 8; x="a b"; touch "$x"; [[ -f $x ]] && echo 9; [[ -e /dev/null && -c /dev/null ]] && echo 10; [[ -t 0 ]] || echo 11; [[ n -ot f ]] && echo 12; [[ f -nt n ]] && echo 13
#--- variables
[[ -v x ]] || echo 1; x=; [[ -v x ]] && echo 2; a=(1 2); [[ -v a[1] && ! -v a[5] && -v a ]] && echo 3; declare -A m=([k]=v); [[ -v m[k] && ! -v m[z] ]] && echo 4; [[ -o errexit ]] || echo 5; set -e; [[ -o errexit ]] && echo 6; set +e; declare -n r=x; [[ -R r ]] && echo 7; [[ -v HOME ]] && echo 8; b[3]=x; [[ -v b ]] || echo 9; [[ -v 1 ]] || echo 10; set -- q; [[ -v 1 ]] && echo 11; echo end
#--- regex
[[ abc123 =~ ^([a-z]+)([0-9]+)$ ]] && echo ${BASH_REMATCH[0]} ${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${#BASH_REMATCH[@]}; re='^([^:]+):(.*)$'; [[ key:val:ue =~ $re ]] && echo ${BASH_REMATCH[1]} ${BASH_REMATCH[2]}; [[ foo =~ o+ ]] && echo ${BASH_REMATCH[0]}; [[ foo =~ x ]]; echo $? ${#BASH_REMATCH[@]}; [[ 'a.b' =~ a\.b ]] && echo dot; [[ axb =~ 'a.b' ]] || echo lit; [[ axb =~ a"."b ]] || echo lit2; [[ "a b" =~ a\ b ]] && echo sp; [[ 2024-01-15 =~ ([0-9]{4})-([0-9]{2}) ]] && echo ${BASH_REMATCH[2]}; [[ ab =~ (a)|(b) ]] && echo "${BASH_REMATCH[1]}|${BASH_REMATCH[2]}|"; [[ x =~ ^(a?)x ]] && echo "[${BASH_REMATCH[1]}]" ${#BASH_REMATCH[@]}
#--- regex-more
v=12.5; [[ $v =~ ^[0-9]+(\.[0-9]+)?$ ]] && echo num ${BASH_REMATCH[1]}; [[ "a[b]" =~ \[(.)\] ]] && echo ${BASH_REMATCH[1]}; [[ $'a\nb' =~ a.b ]] && echo nl; [[ abc =~ B ]] || echo case; shopt -s nocasematch; [[ abc =~ B ]] && echo nocase; shopt -u nocasematch; [[ aXb =~ [[:upper:]] ]] && echo ${BASH_REMATCH[0]}; [[ "tab	x" =~ [[:space:]] ]] && echo space; [[ a =~ ^(a|b)$ ]] && echo alt; re='\$x'; [[ 'a$x' =~ $re ]] && echo dollar; [[ foobar =~ (foo)(bar)? ]] && echo ${BASH_REMATCH[@]}; [[ aab =~ a* ]] && echo ${BASH_REMATCH[0]}; [[ '' =~ ^$ ]] && echo empty; [[ a+b =~ a\+b ]] && echo plus; x='[0-9]+'; [[ id42 =~ $x ]] && echo ${BASH_REMATCH}; [[ id42 =~ "$x" ]] || echo q; [[ ab12 =~ ^[a-z]+[0-9]{2,}$ ]] && echo cnt; [[ "(x)" =~ ^\((.*)\)$ ]] && echo ${BASH_REMATCH[1]}; [[ a:b =~ ^(.*):(.*)$ && ${BASH_REMATCH[2]} == b ]] && echo and
#--- regex-errors-2+err
re='(a'; [[ a =~ $re ]]; echo $?; re='[a'; [[ a =~ $re ]]; echo $?; re='*a'; [[ '*a' =~ $re ]]; echo $?; re='a{2'; [[ aa =~ $re ]]; echo $?
#--- patterns
shopt -s extglob; [[ foo.c == *.@(c|h) ]] && echo 1; [[ 12345 == +([0-9]) ]] && echo 2; [[ abc != !(abc) ]] && echo 3; [[ "" == ?(x) ]] && echo 4; [[ aXb == a[[:upper:]]b ]] && echo 5; [[ a-b == a[-x]b ]] && echo 6; [[ ] == []] ]] && echo 7; [[ aab == *(a)b ]] && echo 8; [[ x == [!a-w] ]] && echo 9; [[ 'a\b' == 'a\b' ]] && echo 10; [[ '[x]' == \[x\] ]] && echo 11; [[ ab == @(a|b)+(b) ]] && echo 12; [[ foobar == foo!(baz) ]] && echo 13; [[ foobaz == foo!(baz) ]] || echo 14; [[ a.b.c == +([a-z.]) ]] && echo 15
#--- extglob-off-in-cond
[[ foo == @(foo|bar) ]] && echo on; [[ aaa == +(a) ]] && echo plus; [[ x == ?(x|y) ]] && echo q
#--- errors+err
[[ -f ]]; echo $?
[[ a b ]]; echo no
#--- errors-2+err
[[ a == ]]; echo no
#--- errors-3+err
[[ ( a ]]; echo no
#--- errors-4+err
[[ a -eq ]]
#--- errors-5+err
[[ -x a b ]]
#--- errors-7+err
if [[ a == b; then echo no; fi
#--- errors-8+err
[[ 1 -eq 1x ]]; echo $?; [[ 5 -gt a+ ]]; echo $?
#--- quoting
x='*'; [[ abc == $x ]] && echo g; [[ abc == "$x" ]] || echo q; [[ '*' == "$x" ]] && echo e; [[ a == [ab] ]] && echo s; [[ '[ab]' == "[ab]" ]] && echo l; [[ $x == \* ]] && echo b; [[ "a'b" == a\'b ]] && echo sq; [[ ~ == $HOME ]] && echo t; [[ $'a\tb' == a?b ]] && echo an; y="a b"; [[ $y == $y ]] && echo nosplit; [[ -n $(echo x y) ]] && echo sub
#--- status
[[ a == a ]]; echo $?; [[ a == b ]]; echo $?; [[ ! a ]]; echo $?; false; [[ $? == 1 ]] && echo one; ! [[ a ]]; echo $?; [[ a ]] | cat; echo $?; ( [[ x ]] ) && echo sub; [[ a == b ]] || echo or; x=$([[ a ]] && echo in); echo $x; [[ a ]] && [[ b ]] && echo chain
