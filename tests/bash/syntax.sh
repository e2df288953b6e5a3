#--- line-by-line+err
echo one
echo two; fi
echo three
#--- missing-then+err
echo a
if true
  echo b
fi
echo c
#--- missing-done+err
echo a
for i in 1 2; do
  echo $i
echo b
#--- missing-fi+err
if true; then
  echo x
#--- missing-esac+err
case x in
  x) echo x;;
echo y
#--- extra-done+err
for i in 1; do echo $i; done
done
echo after
#--- extra-paren+err
echo a)
#--- extra-brace+err
echo a }
}
echo b
#--- unclosed-quote+err
echo start
echo "unclosed
more
#--- unclosed-single+err
echo 'abc
def
#--- unclosed-paren+err
echo a
(echo b
echo c
#--- unclosed-brace+err
f() {
echo b
#--- unclosed-substitution+err
echo a
x=$(echo b
#--- unclosed-backquote+err
x=`echo a
echo b
#--- unclosed-param+err
echo ${x
echo b
#--- unclosed-arith+err
echo $((1+2
echo b
#--- double-semicolon+err
echo a;; echo b
#--- leading-operators+err
&& echo a
#--- leading-pipe+err
| cat
#--- leading-semicolon+err
; echo a
#--- leading-amp+err
& echo a
#--- trailing-and+err
echo a &&
#--- trailing-pipe+err
echo a |
#--- pipe-pipe-pipe+err
echo a ||| cat
#--- amp-semicolon+err
sleep 0 &; echo b
#--- empty-then+err
if true; then
fi
#--- empty-do+err
while true; do
done
#--- empty-function+err
f() {
}
f
#--- empty-group+err
{ }
#--- empty-subshell+err
()
#--- do-without-for+err
do echo a; done
#--- then-alone+err
then
#--- else-alone+err
else echo
#--- in-alone+err
in
echo ok
#--- esac-alone+err
esac
#--- for-bad-name+err
for 1x in a; do echo no; done; echo after
echo next
#--- for-no-do+err
for i in a b
echo $i
#--- for-arith-bad+err
for ((i=0;i<3)); do echo $i; done
echo next
#--- case-no-in+err
case x
x) echo;; esac
#--- case-missing-paren+err
case x in x echo a;; esac
#--- function-no-body+err
f()
#--- function-simple-body+err
f() echo hi
#--- redirect-no-target+err
echo a >
#--- redirect-no-target-2+err
echo a > ; echo b
#--- redirect-bad+err
cat < < f
#--- assignment-space+err
x = 5
echo $?
#--- paren-in-word+err
echo a(b)
#--- paren-arg+err
echo (a)
#--- eval-error-lines+err
eval 'echo a
fi'
echo $?
eval "echo 'x"
echo $?
#--- source-error-lines+err
printf 'echo a\nif true; then\nfi\necho b\n' > s; . ./s; echo $?
printf 'echo "x\n' > t; . ./t; echo $?
#--- script-error-lines+err
printf 'echo a\n\nif true; then\nfi\necho b\n' > s; bash s; echo $?
printf 'echo 1\necho 2\nfor i in 1; do\necho $i\n' > t; bash t; echo $?
printf 'echo ok\n)\n' > u; bash u; echo $?
printf 'x=1\necho "abc\n' > v; bash v; echo $?
#--- script-runtime-errors+err
cat > s <<'E'
echo start
nosuch1
f() {
  nosuch2
  echo ${y?missing}
}
f
echo never
E
bash s; echo $?
cat > t <<'E'

cd /nope
x=$((1/0))
echo next
readonly r=1
r=2
echo $LINENO
E
bash t; echo $?
#--- multi-line-command-lines+err
nosuch1 \
  arg
for i in 1; do
  nosuch2
done
x=$(nosuch3)
if true; then
  { nosuch4; }
fi
case x in
  x) nosuch5;;
esac
echo "a
b" $(nosuch6)
nosuch7 "multi
line"
nosuch8
#--- lineno-multi
echo $LINENO "a
b" $LINENO
echo $LINENO
f() {

  echo $LINENO; }
f; echo $LINENO
x=$(echo $LINENO)
echo $x $LINENO \
  $LINENO
cat <<E
$LINENO
E
echo $LINENO
if true; then
  echo $LINENO
fi
for i in 1
do echo $LINENO; done
eval 'echo $LINENO
echo $LINENO'
( echo $LINENO )
#--- crlf+err
printf 'echo hello\r\nx=5\r\necho "[$x]"\r\n' > s; bash s | cat -A; printf 'if true; then\r\necho a\r\nfi\r\n' > t; bash t; echo $?; printf 'for i in 1 2; do\r\n echo $i\r\ndone\r\n' > u; bash u; echo $?; printf '#!/bin/bash\r\necho x\r\n' > v; chmod +x v; ./v; echo $?; printf 'cd /tmp\r\n' > w; bash w; echo $?; printf 'exit 0\r\n' > y; bash y; echo $?
#--- binary-script+err
printf '\177ELF\002\001\001\000\000\000garbage' > b; chmod +x b; ./b; echo $?; bash b; echo $?; printf 'echo a\n\000\001\n' > c; chmod +x c; ./c; echo $?
#--- no-shebang
printf 'echo plain $0 $1\nexit 3\n' > s; chmod +x s; ./s arg; echo $?; printf '\n\necho blank first\n' > t; chmod +x t; ./t; : > e; chmod +x e; ./e; echo $?; printf '# comment\necho c\n' > u; chmod +x u; ./u
#--- unreadable-scripts+err
bash nosuchfile; echo $?; bash /; echo $?; mkdir d; ./d; echo $?; touch n; ./n; echo $?; printf '#!/no/such/interp\n' > i; chmod +x i; ./i; echo $?; : > e; bash e; echo $?; . nosuchfile; echo $?
#--- reserved-as-args
echo if then else fi for do done while until case esac in function select time { } ! [[ ]]; x=if; echo $x; echo a; if=5; echo $if; for for in in do; do echo $for; done; case in in in) echo in;; esac; function if2 { echo f; }; if2; echo done; [ if = if ] && echo same; alias=3; echo $alias; in=5; echo $in
#--- bang-forms
! true; echo $?; ! false; echo $?; ! ! false; echo $?; ! (exit 3); echo $?; ! { false; }; echo $?; if ! false; then echo n; fi; while ! true; do :; done; ! [ a = b ] && echo and; ! true || echo or; echo !; !; echo $?
#--- odd-but-fine
a=1;b=2;echo $a$b;{ echo c;};(echo d);if :;then echo e;fi;for i in 1;do echo $i;done;while :;do break;done;case a in a)echo f;;esac;f(){ echo g;};f;[[ a ]]&&echo h||echo i;echo j>k;cat k;echo l|cat;((1))&&echo m;x=$(echo n);echo $x;echo ${a}b;echo "$(echo "$(echo q)")";true&&{ echo r;}||:;>o;<o cat;echo s&wait
#--- comments-in-odd-places
if true # c1
then # c2
  echo a # c3
# c4
fi # c5
for i in 1 2 # c6
do # c7
  echo $i
done # c8
case x in # c9
  # c10
  x) # c11
    echo c ;; # c12
  # c13
esac # c14
f() # c15
{ # c16
  echo f # c17
} # c18
f # c19
echo a | # c20
cat && # c21
echo b
x=( # c22
1 # c23
2 ); echo ${#x[@]}
$( # c24
echo echo sub # c25
)
#--- aliases-per-line+err
shopt -s expand_aliases; alias e1='echo aliased'; e1 same line
e1 next line
f() { e1 in f; }; unalias e1; f; e1 gone
e1 gone
#--- shopt-per-line+err
shopt -s extglob; x=aab
echo ${x/+(a)/X}
case aab in +(a)b) echo yes;; esac
shopt -u extglob
eval 'case aab in +(a)b) echo yes;; esac'; echo $?
#--- deep-recursion
f() { [ $1 -eq 0 ] && { echo bottom; return; }; f $(($1-1)); }; f 300; FUNCNEST=5; g() { g; }; g 2>/dev/null; echo $?
#--- funcnest+err
FUNCNEST=10; g() { g; }; g; echo $?
echo next
#--- command-lookup+err
nosuchcommand arg; echo $?; /no/such/path; echo $?; ./nothere; echo $?; /etc; echo $?; touch x; ./x; echo $?; PATH=; ls; echo $?; PATH=/usr/bin:/bin; 'no such'; echo $?; ""; echo $?; $undefined; echo $?; command nosuch; echo $?; exec 3>&1; nosuch 2>&3; f() { nosuch_in_f; }; f; (nosuch_sub); x=$(nosuch_cs); nosuch | cat; nosuch & wait; eval nosuch_ev
