#--- case-forms
for x in a b c abc '' '*' 1 "a b"; do case $x in a) echo A;; b|c) echo BC;; [0-9]) echo num;; a*c) echo a-c;; "") echo empty;; "*") echo star;; *" "*) echo blank;; *) echo other;; esac; done
#--- case-fallthrough
for x in 1 2 3 4; do case $x in 1) echo one;& 2) echo two;; 3) echo three;;& [34]) echo range;;& *) echo any;; esac; done
#--- case-status
case x in y) false;; esac; echo $?; case x in x) ;; esac; echo $?; false; case x in x) ;; esac; echo $?; case x in x) (exit 3);; esac; echo $?; case $(exit 4) in *) echo $?;; esac; case $(exit 4) in x) ;; esac; echo $?
#--- case-quoting
p='a*'; case 'a*' in "$p") echo lit;; esac; case abc in $p) echo glob;; esac; case abc in "a"*) echo part;; esac; case 'a]' in a[]]) echo br;; esac; case '\' in \\) echo bs;; esac; case x in (x) echo paren;; esac; case ab in a\b) echo esc;; esac; case "a
b" in a?b) echo nl;; esac; case - in [a-]) echo dash;; esac; case b in [!a]) echo not;; esac; case b in [^a]) echo not2;; esac
#--- case-extglob
shopt -s extglob
for x in foo foobar bar 123 "" aaa; do case $x in +([0-9])) echo num;; @(foo|bar)) echo word;; foo*(o|bar)) echo foob;; ?(x)) echo maybe;; !(b*)) echo notb;; esac; done
#--- if-forms
if true; then echo a; fi; if false; then :; else echo b; fi; if false; then :; elif true; then echo c; else :; fi; if ! true; then :; fi; echo $?; if (exit 3); then :; fi; echo $?; if true; then (exit 5); fi; echo $?; if true
then
echo d
fi; if [ 1 = 1 ] && [ 2 = 2 ] || false; then echo e; fi; if { true; }; then echo f; fi
#--- loops
for i in a b; do echo $i; done; for i; do echo no; done; set -- x y; for i; do echo $i; done; for i do echo $i; done; for i in; do echo no; done; echo $?; n=0; while [ $n -lt 3 ]; do echo $n; n=$((n+1)); done; until [ $n -eq 0 ]; do ((n--)); done; echo $n; for ((i=0,j=5; i<j; i++,j--)); do echo $i $j; done; for ((;;)); do break; done; for i in 1; { echo brace; }; for ((k=0;k<2;k++)) { echo k$k; }
#--- break-continue
for i in 1 2 3; do for j in a b c; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2; echo $i$j; done; done; while :; do while :; do break 2; done; done; echo out; for i in 1 2; do break 5; done; echo $?; for i in 1 2 3; do continue; echo no; done; echo $i; for i in 1; do for j in 2; do continue 9; done; done; echo fine
#--- break-errors+err
break; echo $?
for i in 1 2; do break 0; echo no; done; echo "st $? $i"
for i in 1 2; do break abc; done; echo "st2 $?"
#--- break-in-function
f() { break; echo inf; }; for i in 1 2; do f; echo $i; done 2>/dev/null; g() { for j in a b; do return 4; done; }; g; echo $? $j; for i in 1 2; do (break; echo sub); echo l$i; done 2>/dev/null; for i in 1 2; do eval break; done; echo $i
#--- loop-status
for i in 1 2; do false; done; echo $?; while false; do :; done; echo $?; while (exit 3); do :; done; echo $?; until true; do :; done; echo $?; for i in; do false; done; echo $?; i=0; while ((i++<2)); do (exit 7); done; echo $?; for i in 1 2; do (exit 3); break; done; echo $?; for i in 1 2; do [ $i = 1 ] && continue; false; done; echo $?
#--- loop-redirects
for i in 1 2; do echo $i; done > o; cat o; while read x; do echo "<$x>"; done < o; for i in 1 2; do cat; done < o; while read a; do read b; echo $a-$b; done <<E
1
2
3
E
seq 3 | while read x; do echo p$x; done | cat; { while read x; do echo $x; break; done; cat; } < o
#--- groups
{ echo a; echo b; } | cat; (echo c; exit 3); echo $?; { echo d; }; ( { echo e; } ); { (echo f); }; {
echo g
}; x=1; { x=2; }; echo $x; (x=3); echo $x; { x=4; } | cat; echo $x; ((x=5)); echo $x; { echo h; } > f1; cat f1; (echo i; echo j >&2) 2>/dev/null; ( : ); { :; }; echo $?
#--- functions
f() { echo f $# $1; }; f a b; function g { echo g; }; g; function h() { echo h; }; h; k() (x=9; echo sub $x); k; echo "[$x]"; l() if true; then echo if; fi; l; m() { return 5; }; m; echo $?; n() { echo $1; shift; [ $# -gt 0 ] && n "$@"; }; n 1 2 3; o() { :; } > of; o; f-g() { echo dash; }; f-g; a.b() { echo dot; }; a.b; p() { for i; do echo $i; done; }; p x y; q() { q() { echo new; }; echo old; }; q; q
#--- function-scope
x=g; f() { local x=l; g; echo f:$x; }; g() { echo g:$x; x=changed; }; f; echo $x; h() { local x; echo "[${x-unset}]"; x=h; }; h; echo $x; k() { local x=$x; echo $x; x=k; }; k; echo $x; l() { local a=1 b=$a; echo "$a$b"; }; a=9; l; m() { unset x; echo ${x-none}; }; x=1; m; echo ${x-gone}; n() { local x=2; unset x; echo ${x-none}; x=3; }; x=1; n; echo $x
#--- function-redirects
f() { echo out; echo err >&2; } 2>/dev/null; f; g() { cat; } <<< "here"; g; h() { echo h; } > hf; h; cat hf; f2() { read x; echo "$x"; }; echo in | f2; k() { echo 1; } >&2; k 2>/dev/null
#--- function-positional
f() { set -- x y z; echo $#; }; set -- a; f 1 2; echo $# $1; g() { shift; echo $1; }; g 1 2; echo $1; h() { echo "$0" | head -c 4; echo; }; h; k() { echo $@; local -; set -f; echo *; }; k; echo .*x | head -c 3; echo
#--- function-listing
f() { echo hi; }; declare -F f; declare -f f > /dev/null && echo defined; type f | head -1; unset -f f; declare -F f; echo $?; type -t f; echo $?; g() { :; }; h() { :; }; declare -F
#--- recursion
fact() { if (( $1 <= 1 )); then echo 1; else echo $(( $1 * $(fact $(($1-1))) )); fi; }; fact 10; fib() { local n=$1; ((n<2)) && { echo $n; return; }; echo $(( $(fib $((n-1))) + $(fib $((n-2))) )); }; fib 8; c() { (( $1 > 0 )) && c $(($1-1)) || echo bottom ${#FUNCNAME[@]}; }; c 50
#--- return-forms+err
return 3; echo $?
f() { return abc; }; f; echo $?
g() { return -1; }; g; echo $?
h() { return 256; }; h; echo $?
k() { return 1 2; }; k; echo "k $?"
#--- exit-forms+err
(exit 300); echo $?; (exit -1); echo $?; (exit abc); echo $?; (exit); echo $?; false; (exit); echo $?; (exit 1 2); echo $?; f() { exit 4; }; (f); echo $?; { exit 6; } | cat; echo $? ${PIPESTATUS[0]}; exit 7; echo never
#--- select-loop
printf '1\nx\n\n3\n' | { select x in a b c; do echo "chose [$x] $REPLY"; done; echo out $?; } 2>&1; PS3='pick: '; set -- p q; select y; do echo $y; break; done <<< 2 2>&1
#--- select-columns+err
COLUMNS=80; select x in one two three four five six seven eight nine ten; do break; done <<< 1
#--- pipelines
echo a | cat | cat; { echo b; echo c >&2; } 2>&1 | sort; echo d |& cat; { echo e >&2; } |& cat; ! echo f | cat; echo $?; true | { read x || echo noinput; }; echo x | (read y; echo $y); x=old; echo new | read x; echo $x; shopt -s lastpipe; echo new | read x; echo $x; seq 3 | while read n; do s=$((s+n)); done; echo $s
#--- lists
true && echo a || echo b; false && echo a || echo b; false || true && echo c; true || false && echo d; true && false || echo e; false; echo $?; true & wait; echo $?; echo x && echo y & wait; : && : || echo no; echo 1; echo 2;echo 3 # comment
#--- time-keyword+err
TIMEFORMAT=%0lR; time true; TIMEFORMAT='t'; time sleep 0; time { true; }; time (exit 3); echo $?; ! time false; echo $?; time -p true 2>/dev/null; TIMEFORMAT=; time :
#--- null-commands
: a b c; echo $?; : $((n=3)); echo $n; : ${d:=5}; echo $d; true; false; echo $?; :; ! :; echo $?; $nothing; echo $?; $(exit 3); echo $?; $(:); echo $?; "" 2>/dev/null; echo $?; x= ; echo $?; > /dev/null; echo $?; x=1 y=2; echo $x$y; < /nope 2>/dev/null; echo $?
#--- env-assignments
x=1 bash -c 'echo $x'; echo "[$x]"; x=1 y=$x bash -c 'echo $x$y'; export z=e; z=t bash -c 'echo $z'; echo $z; z=b echo $z; z=f eval 'echo $z'; f() { echo $z; bash -c 'echo $z'; }; z=g f; echo $z; PATH=/nope ls 2>/dev/null; echo $?; x=2 :; echo "[$x]"; a=1 b=2 env | sort | while read l; do case $l in a=*|b=*) echo $l;; esac; done; IFS=: read p q <<< 1:2; echo $p $q; x=1 x=2 bash -c 'echo $x'; x+=a bash -c 'echo $x'
#--- here-docs
x=v; cat <<E; cat <<'E'; cat <<-E; cat <<"E F"; cat <<\E
$x $(echo sub) `echo bq` \$x \\ "q" 'q' $((1+1)) ${x:-d} a\
b
E
$x $(no) \$x \\
E
	tab $x
	E
q $x
E F
bs $x
E
cat <<E | tr a-z A-Z 2>/dev/null | head -1
piped
E
cat <<A <<B
first
A
second
B
while read l; do echo "l:$l"; done <<E
1
2
E
cat <<E && echo after
and
E
f() { cat <<E
in f $1
E
}; f arg; echo $(cat <<E
sub
E
); cat <<EOF
${x:-"a b"} "${y:-c d}" ${x#"v"} '$x'
EOF
cat <<< "string $x" ; cat <<< 'q'"$x"; cat <<< $(echo a b); cat <<<no$x; read a b <<< "1 2 3"; echo "$b"; cat <<< "a
b"
#--- here-doc-eof+err
cat <<E
no end
#--- here-doc-in-substitution+err
x=$(cat <<E
body
E
echo more
); echo "$x"; y=`cat <<E
bq
E
`; echo $y
#--- source-args
echo 'echo "$#:$1:$0" | sed "s/:[^:]*$//"; x=set; set -- p q; return 4' > s; set -- a b; . ./s one; echo $? $x $# $1; . ./s; echo $# $1; echo 'local y=1 2>/dev/null; echo $?' > t; . ./t; f() { . ./s z; echo $#; }; f 9 8 7; echo 'exit 5' > u; (. ./u; echo no); echo $?; echo 'echo ${BASH_SOURCE[0]} ${#BASH_SOURCE[@]} $LINENO' > v; . ./v; g() { . ./v; }; g
#--- source-path
mkdir -p d; echo 'echo from path' > d/inpath; PATH=$PWD/d:$PATH; . inpath; echo 'echo here' > cur; . cur; source ./cur
#--- comments-and-blanks

# comment
  # indented
echo a#b '#c' "#d" \#e $# # end

echo x;# y
echo ${x#a}#; : #
#--- line-joining
echo a \
  b \
  c
x=1\
2; echo $x; if true; \
then echo t; fi; echo "a\
b" 'c\
d'; echo a &&

echo b ||
echo c; echo d |

cat
#--- semicolons-newlines
if true; then
  echo a

  echo b; echo c
fi
while true
do

break
done; for i in 1 2
do echo $i
done; for i in a
do
  echo $i; done; case x in
  x)
    echo x
    ;;
  y) echo y ;;
esac
{
  echo g; }
f()
{
  echo f
}
f
