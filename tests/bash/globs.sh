#--- basic
touch a b ab .hid 'x y' c.txt d.txt; mkdir -p dir/sub; touch dir/f1 dir/f2 dir/sub/g; echo *; echo ?; echo a*; echo *.txt; echo .h*; echo [ab]; echo [!ab]; echo [^ab]*; echo [a-c]*; echo dir/*; echo */; echo */*; echo dir/sub/*; echo *nomatch*; echo "*" '*' \*; echo *' '*; echo ./*.txt; echo dir/*/g; echo ~/a* | sed "s|$HOME|H|g" 2>/dev/null | head -c 0; x='*.txt'; echo $x "$x"; echo [[:alpha:]]; echo */sub/; echo d*/s*/g
#--- options
touch a A b .h .dot c1; echo *; shopt -s dotglob; echo *; shopt -u dotglob; shopt -s nocaseglob; echo a*; shopt -u nocaseglob; echo z*; shopt -s nullglob; echo z* end; for f in *.none; do echo no; done; x=(*.none); echo ${#x[@]}; shopt -u nullglob; for f in *.none; do echo $f; done; set -f; echo *; set +f; echo [[:upper:]]*; GLOBIGNORME=x; echo *
#--- failglob+err
touch a; shopt -s failglob; echo a*; echo z*; echo same
echo next $?; for i in z*; do echo no; done; echo x
x=(q*); echo $?
shopt -u failglob; echo z*
#--- extglob
touch foo.c foo.h bar.c bar.o x1 x22 xa
shopt -s extglob
echo *.@(c|h); echo !(*.c); echo x+([0-9]); echo ?(foo|bar).c; echo @(foo|bar).[ch]; echo *(f|o).c; echo !(foo*|bar*); echo +(x|[0-9]); echo x?([0-9])[0-9]; v='@(foo|bar).c'; echo $v; echo "@(foo).c"; for f in !(*.c|*.h); do echo $f; done; echo ${v//@(o|r)/0}; w=aaabbb; echo ${w##+(a)} ${w%%+(b)} ${w/+(a)/X} ${w//@(a|b)/-}; shopt -u extglob
#--- extglob-off
eval 'echo @(a|b)' 2>/dev/null; echo $?
echo after
#--- globstar
mkdir -p a/b/c; touch a/1 a/b/2 a/b/c/3 top; shopt -s globstar; echo **; echo **/; echo **/*; echo a/**; echo **/3; echo a/**/c; shopt -u globstar; echo **; echo **/3; echo a/**/2
#--- hidden-and-dots
mkdir -p .d d; touch .d/x d/.y .z; echo .*; echo d/*; echo d/.*; echo .d/*; echo */.y; shopt -s dotglob; echo *; echo */*; shopt -u dotglob; echo .[a-y]*; echo [.]z
#--- globignore
touch a.c b.c c.h .x; GLOBIGNORE='*.c'; echo *; GLOBIGNORE='*.c:c*'; echo *; unset GLOBIGNORE; echo *
#--- quoting-parts
touch 'a*b' 'a?b' axb 'a[b'; echo a\*b; echo 'a*'b; echo "a"*; echo a'*'b a*b; echo a\?b; echo a[*]b; echo a[?]b; x='a\*b'; echo $x; echo a\[b; y='a[b'; echo $y; echo a[[]b
#--- in-assignments-and-tests
touch f1 f2; x=f*; echo "$x"; echo $x; [ f* = f1 ] 2>/dev/null; echo $?; case f1 in f*) echo c;; esac; [[ f1 == f* ]] && echo t; y="f*"; for i in $y; do echo $i; done; export z=f*; echo "$z"; f() { local l=f*; echo "$l"; }; f; a=(f*); echo ${#a[@]}; read r <<< f*; echo "$r"
#--- results-not-reglobbed
touch '*' a b; for f in *; do echo "$f"; done; x=$(echo '*'); echo $x; set -- *; echo $#; echo "${@}"
#--- sorting
touch b a C B 10 9 _x; echo *; echo {b,a}*; echo [a-b]* [A-C]*
#--- tilde-in-path
mkdir -p ~/td; touch ~/td/f; [ "$(echo ~/td/*)" = "$HOME/td/f" ] && echo ok; x='~/td/*'; echo $x; y=~/td/*; [ "$y" = "$HOME/td/*" ] && echo lit
#--- escaped-slash
mkdir -p p/q; touch p/q/r; echo p\/q/r p"/"q/* p/q\/*; echo ./p/*/r /tm[p]
#--- classes
touch a1 b2 C3 'd 4' e-5; echo [[:lower:]]*; echo [[:upper:]]*; echo *[[:digit:]]; echo *[[:space:]]*; echo *[-]*; echo *[[:punct:]]*; echo [a-b[:upper:]]*; echo [[:alnum:]][[:digit:]]; echo [[.a.]]1 [[=b=]]2
