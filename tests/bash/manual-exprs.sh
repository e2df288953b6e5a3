#--- arith-operators
echo $((7/2)) $((-7/2)) $((7%3)) $((-7%3)) $((7%-3)) $((2**10)) $((2**3**2)) $((-2**2)) $((1<<4)) $((-16>>2)) $((5&3)) $((5|3)) $((5^3)) $((~5)) $((!5)) $((!0)) $((1&&0)) $((1||0)) $((3>2)) $((3<=2)) $((1==1)) $((1!=1)) $((1?2:3)) $((0?2:1?4:5)) $((1,2,3)) $((+5)) $((- -5)) $((-(-5))) $((10-2-3)) $((100/10/2)) $((2*3+4)) $((2+3*4)) $(((2+3)*4))
#--- arith-assign
x=5; echo $((x+=3)) $((x-=2)) $((x*=4)) $((x/=3)) $((x%=5)) $((x<<=3)) $((x>>=1)) $((x|=3)) $((x&=6)) $((x^=5)) $x; echo $((x++)) $((x--)) $((++x)) $((--x)) $((x=y=7)) $x $y; echo $((a[2]=4)) $((a[2]++)) ${a[2]}; echo $((z = x > 3 ? 10 : 20)) $z; ((w=1+1)); echo $w; ((u++)); echo $u; i=1; echo $((i+++i)) $i; echo $((i - -1)) $((i--1)) 2>/dev/null
#--- arith-bases
echo $((0x1F)) $((017)) $((2#1011)) $((16#ff)) $((16#FF)) $((36#z)) $((62#Z)) $((64#@)) $((64#_)) $((8#17)) $((10#08)) $((3#212)) $((0xFFFFFFFFFFFFFFFF)) $((9223372036854775807+1)) $((-9223372036854775808)) $((0)) $((00)) $((-0x10)) $((2#0)) $((9223372036854775808))
#--- arith-base-errors+err
echo $((2#12))
echo "st $?"; echo $((08))
echo "st $?"; echo $((65#1))
echo "st $?"; echo $((1#0))
echo "st $?"; echo $((16#))
echo "st $?"; echo $((0x))
echo "st $?"; echo $((1.5))
echo "st $?"; echo $((2#))
echo "st $?"
#--- arith-errors+err
echo $((1/0))
echo "st $?"; echo $((1%0))
echo "st $?"; echo $((1+))
echo "st $?"; echo $((2**-1))
echo "st $?"; echo $((1 2))
echo "st $?"; echo $((5=3))
echo "st $?"; echo $((a b))
echo "st $?"; echo "st $?"; echo $((1?2))
echo "st $?"; echo $((x++ ++))
echo "st $?"; echo $(( ,1 ))
echo "st $?"; echo $(( @ ))
echo "st $?"; ((1+)); echo "st $?"; ((1/0)); echo "st $?"; x='1+'; echo $((x))
echo "st $?"; x='a b'; echo $((x+1))
echo "st $?"
#--- arith-variables
x=3; y=x; z=y; echo $((z)) $((y+1)) $(($x+$y)) $((x*x)) $((u)) $((u+1)); e='1+2'; echo $((e*2)) $(($e*2)) $(((e)*2)); s='  7 '; echo $((s+1)); n=; echo $((n)) $((n+5)); echo $((${x}0)) $((x$x)) 2>/dev/null; set -- 4 5; echo $(($1*$2)) $((${#}+1)) $(( $# )); a=(1 2 3); echo $((a)) $((a[1])) $((a[x-1])) $((${a[2]}+${#a[@]})); echo $((x == 3 && y == x)) $(("x"+1)) $(( "3" )) $(( x\
+1 ))
#--- arith-shortcircuit
x=0; ((0 && (x=1))); echo $x; ((1 || (x=2))); echo $x; ((1 && (x=3))); echo $x; echo $((1 || 1/0)) $((0 && 1/0)) $((1 ? 5 : 1/0)) $((0 ? 1/0 : 6)); i=0; ((i++ || i++)); echo $i; ((i=5, i>3 && (i=9))); echo $i; echo $((x=1,y=2,x+y)); ((0)); echo $?; ((5)); echo $?; ((-1)); echo $?; ! ((0)); echo $?; if ((3>2)); then echo gt; fi; (( x = 0 )) || echo zero; ((x==0)) && echo eq
#--- arith-for
for ((i=0;i<10;i+=3)); do echo -n "$i "; done; echo; for ((i=3;i;i--)); do echo -n $i; done; echo; for ((;i<3;)); do ((i++)); done; echo $i; for ((i=0,j=10;i<j;i+=2,j--)); do echo -n "$i,$j "; done; echo; n=3; for ((i=1;i<=n;++i)) ; do ((i==2)) && continue; echo -n $i; done; echo; a=(5 6 7); for ((i=0;i<${#a[@]};i++)); do echo -n ${a[i]}; done; echo; for (( i = 0 ; i < 2 ; i++ )) do echo $i; done; for ((i=0; i<1; i++)); do for ((k=0; k<2; k++)); do echo $i$k; done; done
#--- arith-whitespace
echo $(( 1 + 2 )) $((1+
2)) $((	3	)) $(( ( 1 + 2 ) * 3 )) $[1+2] $[ 2 * 3 ]; ((  x  =  5  )); echo $x; let "y = 1 +  2"; echo $y; echo $((1 +(2)* 3)) "$((1+1))" '$((1+1))' "a$((1+1))b" $((`echo 3`+1)) $(($(echo 4)+1)) $((${x}+${#x})) $(( x > 3 )) $((1 <2))
#--- arith-strings
x=10; echo $((x > 9)); [[ 10 -gt 9 ]] && echo num; [[ 10 > 9 ]] || echo lex; [[ x -eq 10 ]] && echo var; [[ 1+9 -eq x ]] && echo expr; [[ 0x0a -eq 10 ]] && echo hex; [[ '' -eq 0 ]] && echo empty; a[3]=z; [[ 3 -eq 03 ]] && echo oct; printf '%d\n' $((10#007)); v=009; echo $((10#$v + 1)); h=ff; echo $((16#$h)); b=$(printf '%x' 255); echo $b $((0x$b))
#--- cond-strings
[[ a < b ]] && echo 1; [[ b > a ]] && echo 2; [[ a == a* ]] && echo 3; [[ a == "a*" ]] || echo 4; [[ abc == a?c ]] && echo 5; [[ -z '' && -n x ]] && echo 6; [[ ! x ]] || echo 7; [[ x ]] && echo 8; [[ (a == b || c == c) && d == d ]] && echo 9; x='a b'; [[ $x == 'a b' ]] && echo 10; [[ $x == a\ b ]] && echo 11; [[ -n $x && ( -z $y ) ]] && echo 12; [[ a != b ]] && echo 13; [[ a = a ]] && echo 14; [[ '*' == '*' ]] && echo 15; [[ $x ]] && [[ -z $u ]] && echo 16; [[ a == @(a|b) ]] && echo 17; [[ ab == +([a-z]) ]] && echo 18; [[ ! ( a == b ) ]] && echo 19; [[ a == b ]]; echo $?
#--- cond-regex
[[ foobar =~ o+ ]]; echo "$? ${BASH_REMATCH[0]}"; [[ 2024-01-15 =~ ^([0-9]{4})-([0-9]{2})-([0-9]{2})$ ]] && echo ${BASH_REMATCH[@]:1}; r='^a.c$'; [[ abc =~ $r ]] && echo var; [[ 'a.c' =~ "a.c" ]] && echo lit; [[ abc =~ "a.c" ]] || echo nolit; [[ abc =~ a\.c ]] || echo esc; [[ 'x y' =~ x\ y ]] && echo sp; [[ abc =~ (x)?abc ]]; echo "[${BASH_REMATCH[1]}] ${#BASH_REMATCH[@]}"; [[ nomatch =~ xyz ]]; echo "$? ${#BASH_REMATCH[@]}"; [[ a1b2 =~ ([a-z])([0-9])([a-z])([0-9]) ]]; echo "${BASH_REMATCH[*]}"; [[ $'l1\nl2' =~ l1.l2 ]] && echo nl; [[ ABC =~ [[:upper:]]+ ]] && echo cls; [[ 'a]b' =~ []] ]] && echo rb; [[ tab =~ ^(t|ta|tab)$ ]] && echo ${BASH_REMATCH[1]}
#--- cond-regex-longest
[[ xabcabcy =~ (a|ab|abc)+ ]]; echo "${BASH_REMATCH[@]}"; [[ abcd =~ a|ab|abc ]]; echo "${BASH_REMATCH[0]}"; [[ foobar =~ foo|foobar ]]; echo "$BASH_REMATCH"; [[ aaa =~ a*? ]]; echo "[$BASH_REMATCH]"; [[ abab =~ (ab|a)(bab)? ]]; echo "${BASH_REMATCH[@]}"; [[ xyz =~ (x|xy)(z|yz) ]]; echo "${BASH_REMATCH[@]}"; [[ aab =~ (a*)(ab)* ]]; echo "[${BASH_REMATCH[0]}][${BASH_REMATCH[1]}][${BASH_REMATCH[2]}]"; [[ abc =~ (a|ab)(c|bcd)? ]]; echo "[${BASH_REMATCH[0]}][${BASH_REMATCH[1]}][${BASH_REMATCH[2]}]"
#--- cond-regex-classes
for p in '[0-9]+' '[^a-z]+' '[[:digit:][:space:]]+' '[a-]+' '[]a]+' 'a{2}' 'a{2,}' 'a{1,2}' '(ab)+' '^$' 'a|^b' '\(' '[.]' 'a+b?' '()' '(a)(b)?'; do for s in 'aab(12 3)' '' 'b-a]'; do if [[ $s =~ $p ]]; then echo "$p $s: ${BASH_REMATCH[*]@Q}"; fi; done; done
#--- cond-regex-errors+err
r='('; [[ a =~ $r ]]; echo $?; r='['; [[ a =~ $r ]]; echo $?; r='a{2'; [[ aa =~ $r ]]; echo $?; r='*a'; [[ '*a' =~ $r ]]; echo $?; r='a**'; [[ aa =~ $r ]]; echo "$? $BASH_REMATCH"; r='a{3,1}'; [[ a =~ $r ]]; echo $?; r='\'; [[ a =~ $r ]]; echo $?; r='[z-a]'; [[ a =~ $r ]]; echo $?; r='+'; [[ + =~ $r ]]; echo $?; r='[[:foo:]]'; [[ a =~ $r ]]; echo $?; r=')'; [[ ')' =~ $r ]]; echo $?; r='a|'; [[ b =~ $r ]]; echo "$? [$BASH_REMATCH]"; r='a|*b'; [[ b =~ $r ]]; echo $?; r='(|a)b'; [[ ab =~ $r ]]; echo "$? $BASH_REMATCH"
#--- cond-regex-backrefs
r='(a.)\1'; [[ xabab =~ $r ]]; echo "$? ${BASH_REMATCH[@]}"; r='^(.)(.).?\2\1$'; for w in level noon abc abba; do [[ $w =~ $r ]] && echo "$w ${BASH_REMATCH[1]}"; done; r='([a-z]+) \1'; [[ 'the the end' =~ $r ]] && echo "${BASH_REMATCH[1]}"; r='(x)\2'; [[ xx =~ $r ]]; echo $?
#--- cond-files
touch f; mkdir d; ln -s f l; ln -s gone b; echo x > s; [[ -e f && -f f && ! -d f && -d d && -L l && -h l && -e l && ! -e b && -L b && -s s && ! -s f && -r f && -w f && ! -x f && -x d ]] && echo ok; chmod 000 f; [[ -f f ]] && echo f; [[ s -nt nosuch ]] && echo nt; [[ nosuch -ot s ]] && echo ot; [[ s -ef ./s ]] && echo ef; [[ -O s && -G s ]] && echo own; [[ -p /dev/stdin ]] || echo np; echo | { [[ -p /dev/stdin ]] && echo p; }; [[ -c /dev/null ]] && echo c; [[ -b /dev/null ]] || echo nb; [[ -k /tmp ]] && echo k; [[ -u s ]] || echo nu; [[ -N s ]]; [[ -v PATH && ! -v NOPE ]] && echo v; [[ -o braceexpand ]] && echo o; a=(1); [[ -v a[0] && ! -v a[1] ]] && echo va
#--- cond-errors+err
[[ a b ]]
echo "st $?"
#--- cond-errors-2+err
[[ -z ]]
echo "st $?"
#--- cond-errors-3+err
[[ a -eq 1/0 ]]; echo "st $?"; [[ 1+ -eq 1 ]]; echo "st $?"; [[ a -foo b ]]
echo "st $?"
#--- cond-errors-4+err
echo one; [[ a &&
echo two
#--- glob-options
mkdir -p d/e d/.h; touch a.c b.c .hid d/f.c d/e/g.c A.C; echo *; echo *.c .*; shopt -s dotglob; echo *; shopt -u dotglob; shopt -s globstar; echo **; echo **/*.c; echo d/**; echo **/; shopt -u globstar; echo **/*.c; shopt -s nullglob; echo *.none x; for f in *.zz; do echo $f; done; shopt -u nullglob; shopt -s failglob; echo *.none 2>/dev/null; shopt -u failglob; shopt -s nocaseglob; echo *.C; shopt -u nocaseglob; echo [ab].c [!a].c [^b].c [a-b].? ?.c *.[ch] */ */*.c; GLOBIGNORE='a*'; echo *.c; unset GLOBIGNORE; set -f; echo *; set +f; echo "*" '*' \* *\.c; x='*.c'; echo $x "$x"; echo nomatch*; echo d*/*.c ./*.c
#--- extglob-files
touch a.c a.h b.c b.o Makefile; shopt -s extglob; echo !(*.c); echo @(a|b).c; echo *.@(c|h); echo ?(a|z).h; echo +(a|b).c; echo !(a*|b*); echo *(a).c; echo !(*.o|Make*); ls -d !(*.c) | wc -l; x=file.tar.gz; echo ${x%%.*([^.])} ${x%.@(gz|bz2)} ${x//@(t|z)/_}; [[ foo.txt == *.@(txt|md) ]] && echo y; [[ abc == !(a*) ]] || echo n; case x.c in !(*.h)) echo noth;; esac
#--- glob-brackets
touch a b c 1 2 - ']' 'a]' '!' '^' é; echo [a-c] [!a-c] [[:digit:]] [[:alpha:]] []] [!]] [a]] [-a] [a-] [\!] [\^a] ['!'] [[:punct:]] ?\] [é] [[:alnum:]] [1-2a] [a-c1-2]
#--- word-splitting
x='a  b	c
d'; set -- $x; echo $#; set -- "$x"; echo $#; IFS=:; y='p::q:'; set -- $y; echo $# "$2."; IFS=' :'; z=' p : q '; set -- $z; echo $#; unset IFS; set -- $x; echo $#; IFS=; set -- $x; echo $#; IFS=$'\n'; set -- $x; echo $#; unset IFS; e=; set -- $e; echo $#; set -- "$e"; echo $#; set -- $e"" ; echo $#; set -- a$e b; echo $#; set -- $(printf 'a b\nc'); echo $#; set -- "$(printf 'a\n\n')"; echo "[$1]"; IFS=a; w=banana; set -- $w; echo $# "$*"; echo "${w}"; set -- pre${w}post; echo $# $1
#--- command-substitution
x=$(echo a
echo b); echo "$x"; y=`echo \`echo n\``; echo $y; echo $(echo '$(x)' "\$y" `echo z`); echo "$(echo "a  b")" $(echo "a  b"); z=$(printf 'x\n\n\n'); echo "[$z]"; echo $(exit 3)$?; v=$(exit 4); echo $?; echo $(< /dev/null)e; echo f1 > f; echo $(<f); echo "$(cat <<E
doc
E
)"; echo $(case x in x) echo cs;; esac); echo $( (echo sub) ) $( { echo br; } ); echo `echo "q 'r'"` `echo '\\a'` "`echo \"dq\"`"; echo $(echo $((1+1))) $(( $(echo 2) * 3 )); a=($(echo 1 2 3)); echo ${#a[@]}; echo "$(echo a)$(echo b)"'$(c)'; echo $(echo a # comment )
)
#--- process-substitution
cat <(echo a) <(echo b); diff <(printf '1\n2\n') <(printf '1\n3\n'); echo $?; while read x; do echo "r $x"; done < <(printf 'p\nq'); echo out > >(cat); wait; sleep 0.05; paste <(seq 2) <(seq 3 4); f() { cat "$1"; }; f <(echo arg); sort -m <(echo 1) <(echo 2); [ -e <(:) ] && echo exists; read a < <(echo v); echo $a; tee >(wc -c) >/dev/null <<< abc; sleep 0.1; exec 3< <(echo three); cat <&3; mapfile -t m < <(echo m1; echo m2); echo ${#m[@]}; comm -12 <(printf 'a\nb\n') <(printf 'b\nc\n')
#--- environment-prefix
x=1 env | grep '^x='; echo ${x-no}; x=2; x=3 bash -c 'echo $x'; echo $x; f() { echo "f $x"; bash -c 'echo "c $x"'; }; x=4 f; echo $x; x=5 eval 'echo $x'; echo $x; x=6 : ; echo $x; IFS=, read a b <<< p,q; echo $a $b; LC_ALL=C sort <<< b; a=1 b=2 c=$a; echo $a$b$c; y=$x z=$y; echo $z; x=7 y=$x bash -c 'echo $x$y'; x+=8 bash -c 'echo $x'; PATH=/nosuch ls 2>/dev/null; echo $?; export E=1; E=2 env | grep '^E='; unset E; A=1 B=2 C=3 env | grep -c '^[ABC]='
#--- special-variables
echo $((SECONDS<5)) ${BASH_VERSINFO[0]} ${BASH_VERSION%%.*} $PPID | sed 's/ [0-9]*$/ P/'; echo ${#RANDOM} | grep -c '[1-5]'; [ $EUID = $UID ] && echo uid; echo $OPTIND $IFS | cat -A; echo $OSTYPE $HOSTTYPE $MACHTYPE; echo ${SHELLOPTS} ; echo ${BASHOPTS%%:*}; echo $SHLVL | grep -c '[0-9]'; _=x; echo a b; echo $_; : p q; echo $_; [ -n "$EPOCHSECONDS" ] && echo es; [[ $EPOCHREALTIME == *.* ]] && echo er; [ -n "$BASHPID" ] && echo bp; [ ${#GROUPS[@]} -gt 0 ] && echo gr; echo ${SRANDOM:+sr}; echo "$COLUMNS$LINES."; echo $LINENO ${BASH_ALIASES[@]} ${#BASH_CMDS[@]}; SECONDS=100; echo $((SECONDS-100)); echo ${DIRSTACK[0]} | sed "s#$HOME#H#;s#~#H#"
#--- syntax-errors-1+err
echo a; fi
echo b
#--- syntax-errors-2+err
echo one
for i in a b
echo two
done
#--- syntax-errors-3+err
echo one
if true; then
 echo x
else if; then
fi
#--- syntax-errors-4+err
echo one
case x in
 a) echo y
esac
case x esac
#--- syntax-errors-5+err
echo one; f() echo hi; f
#--- syntax-errors-6+err
echo one
echo "unclosed
two
#--- syntax-errors-8+err
echo one
echo $(( 1 + 2
echo two
#--- syntax-errors-9+err
echo one
while true; do echo x; done done
#--- syntax-errors-10+err
echo a | | echo b
#--- syntax-errors-11+err
echo one
cat <<E
no end
#--- syntax-errors-12+err
echo a && && echo b
#--- syntax-errors-13+err
echo one
;; echo two
#--- syntax-errors-14+err
echo one
( echo two
#--- syntax-errors-15+err
echo one
{ echo two
#--- syntax-errors-16+err
echo one }
echo two; }
#--- syntax-errors-17+err
function { echo x; }
#--- syntax-errors-18+err
for 1x in a; do echo $1x; done; echo after
for x-y in a; do :; done; echo after2
#--- syntax-errors-19+err
echo ${x
echo two
#--- syntax-errors-20+err
x = 1; echo $?; 1x=2; echo $?; if[ a ]; then echo; fi
#--- syntax-errors-21+err
if [ 1 -eq 1 ]
echo a
fi
#--- syntax-errors-22+err
echo 'a' > > f
#--- syntax-errors-23+err
echo start
until false do; echo x; done
#--- syntax-errors-24+err
f() { echo a; }; f() ; echo b
#--- syntax-errors-25+err
! ; echo a
#--- syntax-errors-26+err
select x in a; echo
#--- syntax-errors-27+err
echo `echo a
echo b
#--- syntax-errors-28+err
for ((i=0;i<3)); do echo $i; done; echo after
#--- syntax-errors-30+err
echo hello & & echo
#--- syntax-errors-31+err
echo a (b)
#--- syntax-errors-32+err
echo a; then
#--- syntax-errors-33+err
case a in a) echo x;; b echo;; esac
#--- syntax-errors-34+err
if true; then fi
#--- syntax-errors-35+err
while; do :; done
#--- syntax-errors-36+err
for in a; do :; done
#--- syntax-errors-40+err
[[ a && ]]
#--- syntax-errors-41+err
[[ ( a ]]
echo b
#--- syntax-errors-42+err
echo <
#--- syntax-errors-43+err
cat <<
#--- syntax-errors-44+err
() { :; }
#--- syntax-errors-45+err
echo one
if true; then echo x; 
echo y
#--- syntax-errors-47+err
f() {
 echo a

)
#--- syntax-errors-48+err
echo "$(echo a"
echo b
#--- command-errors+err
nosuch; echo $?; ./nosuch; echo $?; /; echo $?; mkdir d; ./d; echo $?; touch f; ./f; echo $?; chmod +x f; ./f; echo $?; printf '#!/nosuch/interp\n' > g; chmod +x g; ./g; echo $?; ''; echo $?; "a b"; echo $?; PATH=; ls; echo $?; PATH=/usr/bin:/bin; /nosuch/x; echo $?; ~; echo $?; $u; echo $?; $u echo expanded; =x; echo $?; -x; echo $?
#--- script-kinds
printf 'echo no shebang $1\n' > a; chmod +x a; ./a x; printf '#!/bin/sh\necho sh\n' > b; chmod +x b; ./b; printf '#!/usr/bin/env bash\necho env $0\n' > c; chmod +x c; ./c; printf '#!/bin/bash -e\nfalse\necho never\n' > d; chmod +x d; ./d; echo $?; printf '#! /bin/bash\necho spaced\n' > e; chmod +x e; ./e; printf '#!/bin/cat\nshown\n' > g; chmod +x g; ./g; bash a y; bash < a; bash -s p q < a; bash -c 'echo $0 $1' n1 n2; cat a | bash -s z; printf 'echo crlf\r\n' > h; bash h | od -c | head -1; printf 'a=1\r\n[ "$a" = 1 ] || echo cr\nif true; then\r\n echo x\r\nfi\r\n' > i; bash i 2>&1 | tr -d '\r'
#--- crlf-script+err
printf '#!/bin/bash\r\necho a\r\ncd /tmp\r\nif [ 1 = 1 ]; then\r\necho b\r\nfi\r\n' > s.sh; chmod +x s.sh; bash s.sh; echo $?; ./s.sh; echo $?
#--- binary-script+err
printf '\177ELF\2\1\1\0\0\0\0\0' > b; chmod +x b; bash b; echo $?; head -c 300 /dev/zero > z; bash z; echo $?; printf 'echo a\0b\n' > n; bash n; echo $?; printf 'echo first\n\0\0\n' > m; bash m; echo $?
#--- unreadable-script+err
mkdir d; bash d; echo $?; bash nosuch.sh; echo $?; . ./d; echo $?; bash ''; echo $?; bash -c; echo $?; bash -o nosuch -c :; echo $?
#--- recursion+err
f() { f; }; (FUNCNEST=50; f); echo $?; FUNCNEST=10; g() { ((n++)); g; }; g; echo "never"
