#--- basic
echo a > f; echo b >> f; cat f; cat < f > g; cat g; > f; wc -c < f; echo x >| f; cat f; echo e 2>&1 >/dev/null; { echo o; echo e >&2; } > o 2> e; cat o e; { echo o; echo e >&2; } &> oe; cat oe; { echo o2; echo e2 >&2; } &>> oe; cat oe; { echo o; echo e >&2; } >& oe; cat oe; echo to2 1>&2 2>/dev/null; echo n 2>/dev/null 1>&2; echo a>b; cat b; echo 2>c d; cat c; echo 12>d; cat d; echo 1 2> e3; echo x 3>f3 >&3; cat f3
#--- noclobber+err
echo a > f; set -C; echo b > f; echo $?; echo c >| f; cat f; echo d >> f; cat f; echo x > new; cat new; echo e > /dev/null; echo $?; echo n &> f; echo $?; set +C; echo ok > f; cat f
#--- fd-juggling
exec 3>&1; x=$(echo captured; echo direct >&3); echo "[$x]"; exec 3>&-; { echo out; echo err >&2; } 3>&1 1>&2 2>&3 3>&- | cat; y=$( { echo out; echo err >&2; } 2>&1 >/dev/null ); echo $y; exec 5>f5; echo l1 >&5; { echo l2; } >&5; exec 5>&-; cat f5; exec 4<f5; while read -u 4 l; do echo $l; done; exec 4<&-; echo z 4>f4 1>&4; cat f4; f() { echo fd >&7; } 7>&1; f; exec 6>&1 >f6; echo in6; exec >&6 6>&-; cat f6; exec 8<>f8; echo rw >&8; exec 8>&-; cat f8; 9>&1 echo nine >&1
#--- moves
exec 3> m; exec 4>&3-; echo moved >&4; echo no >&3 2>/dev/null; echo $?; exec 4>&-; cat m; exec 5< m; exec 6<&5-; read x <&6; echo $x; exec 6<&-
#--- variables-as-fds
exec {a}> va {b}< /dev/null; [ $a -ge 10 ] && echo ten; echo x >&$a; echo y >&"$a"; exec {a}>&- {b}<&-; cat va; fd=1; echo one >&$fd; echo two 1>&${fd}; f=3; eval "exec $f> ev"; eval "echo three >&$f"; eval "exec $f>&-"; cat ev; { echo four >&$v; } {v}>vf; cat vf; echo "${v:+set}"; { echo grp; } {w}>&1; exec {w}>&- 2>/dev/null; echo $?
#--- errors+err
echo x > /nope/f; echo $?; cat < /nope; echo $?; echo x > /; echo $?; echo x >&9; echo $?; cat <&9; echo $?; { echo a; } > /nope/f; echo $?; (echo b) < /nope; echo $?; f() { echo c; }; f > /nope/f; echo $?; x= ; echo d > $x; echo $?; y='a b'; echo e > $y; echo $?; echo f > ''; echo $?; z='p*q'; echo g > $z; ls 'p*q' > /dev/null; echo $?; nosuch > /nope/x; echo $?; exec 3< /nope; echo never
#--- ambiguous+err
touch q1 q2; echo x > q*; echo $?; a=(q1 q2); echo y > "${a[@]}"; echo $?; echo z > $(echo 1 2); echo $?; echo >&$nothing; echo $?; cat <&abc; echo $?
#--- order
echo a > f1 > f2; cat f1 f2; echo b 2>&1 > f3 | cat; cat f3; { echo c >&2; } 2>&1 >/dev/null | cat; >f4 echo d; cat f4; <f4 cat; echo e >f5 f; cat f5; < f5 > f6 cat; cat f6; cat <<< one <<< two; cat < f4 < f5; echo g > f7 2>&1 h; cat f7
#--- on-compounds
if true; then echo if; fi > c1; cat c1; for i in 1 2; do echo $i; done > c2 2>&1; cat c2; while read x; do echo w$x; done < c2 > c3; cat c3; case x in x) echo case;; esac > c4; cat c4; (echo sub) > c5; cat c5; { echo grp; } > c6; cat c6; ((1)) > c7; [[ a ]] > c8; echo $?; until false; do echo u; break; done >> c6; cat c6; f() { echo f; } > c9; f; f; cat c9; time true 2> /dev/null; ! echo n > c10; cat c10
#--- close-and-dup
{ echo a; } 2>&-; (echo hidden >&-) 2>/dev/null; echo $?; echo b 2>&-; exec 3>&1; exec 3>&-; echo c; cat <&- 2>/dev/null; echo $?; (exec <&-; read x; echo $?) 2>/dev/null; (exec >&-; echo lost) 2>/dev/null; echo $?; : <&- >&-; echo d
#--- dev-files
echo a > /dev/null; cat /dev/null; echo err > /dev/stderr 2>/dev/null; echo out > /dev/stdout; echo in | cat /dev/stdin; echo x > /dev/fd/1; [ -e /dev/fd/0 ] && echo fd0; read x < /dev/null; echo $?; head -c 4 /dev/zero | wc -c; cat < /dev/stdin <<< "hs"
#--- here-string-forms
cat <<< a; cat <<< "a  b"; x='p  q'; cat <<< $x; cat <<< "$x"; cat <<< ''; cat <<< a"b"'c'; read -r a b <<< "$x"; echo "$b"; cat <<< ~ | head -c 1; echo; cat <<< * ; cat <<< {a,b}; cat 3<<< three <&3; while read l; do echo "<$l>"; done <<< $'1\n2'; cat <<<"$(echo s)"; tr a-z A-Z <<< up 2>/dev/null | head -c 0; wc -c <<< abc
#--- pipe-stderr
f() { echo o; echo e >&2; }; f |& cat | wc -l; f 2>&1 | wc -l; f 2>/dev/null | wc -l; { f 2>&1 1>&3 | wc -l; } 3>/dev/null; f |& while read x; do echo "[$x]"; done; ! f |& cat > /dev/null; echo $?
#--- sigpipe-forms
yes() { while :; do echo y; done; }; yes | head -2; echo ${PIPESTATUS[@]}; seq 100000 | { read x; echo $x; }; (trap '' PIPE; echo a; sleep 0.05; echo b 2>/dev/null; echo $? >&2) 2>&1 | { read x; echo $x; };
#--- write-errors+err
(trap '' PIPE; sleep 0.05; echo x; echo "st $?" >&2) | :
sleep 0.1
#--- large
seq 1 30000 > big; wc -l < big; x=$(cat big); echo ${#x}; while read l; do n=$l; done < big; echo $n; cat big | (read a; read b; echo $a $b); cat big big | wc -l; y=$(seq 1000); set -- $y; echo $#; echo "$y" | tail -1 2>/dev/null | head -c 0
#--- tee-like
echo a | { while read x; do echo "1:$x"; echo "2:$x" > t; done; }; cat t; { echo p; echo q >&3; } 3>t2 | cat; cat t2; echo multi | cat > m1; cat m1; cat <<E > m2
doc
E
cat m2; cat > m3 <<E
doc2
E
cat m3
