#--- operators
echo $((7/2)) $((-7/2)) $((7%-3)) $((-7%3)) $((2**10)) $((2**0)) $((1<<4|1)) $((~0)) $((!0)) $((!5)) $((5&3)) $((5|3)) $((5^3)) $((1&&0)) $((0||2)) $((3>2>1)) $((1==1==1)) $((5-3-1)) $((2**3**2)) $((-2**2)) $((10-(4-1))) $((1?2?3:4:5)) $((0?1:0?2:3)) $((1,2)) $((a=1,b=a+1,b*2)) $((8>>1)) $((-8>>1)) $((1<<63)) $((0x7fffffffffffffff+1)) $((4<=4)) $((4>=5)) $((1!=2))
#--- assignments
a=5; echo $((a+=2)) $((a-=1)) $((a*=3)) $((a/=2)) $((a%=5)) $((a<<=2)) $((a>>=1)) $((a&=7)) $((a|=8)) $((a^=3)) $a; echo $((b=c=4)) $b $c; echo $((a++ + ++a)) $a $((a-- - --a)) $a; echo $((x[2]=5)) ${x[2]} $((x[2]++)) ${x[2]} $((x[1+1]*2)); ((y=3)) && echo $y; ((z=0)) || echo zero; (( n += 1 )); echo $n
#--- variables
x=3; y=x; z=y+1; echo $((y)) $((z)) $((z*2)) $((u)) $(($x$x)) $((${x}1)) $(("x"+1)) $((x"" + 1)) 2>/dev/null; e=; echo $((e)) $((e+1)); s='1 + 2'; echo $((s)) $((s*2)) $(($s*2)); h=0x10; o=010; echo $((h+o)); a=(1 2 3); echo $((a)) $((a[1])) $((a[a[0]])) $((${#a[@]}+1)) $((${a[2]}-1)); b=' 7 '; echo $((b))
#--- bases
echo $((2#1010)) $((16#FF)) $((16#ff)) $((8#17)) $((36#zz)) $((62#Z)) $((64#@)) $((64#_)) $((0xAbC)) $((007)) $((10#08)) $((10#$(echo 09))); x=09; echo $((10#$x+1)); m=08; echo $((${m#0}+1))
#--- errors+err
echo $((1/0)); echo "n $?"
echo $((1%0)); echo n
echo $((08)); echo n
echo $((1+)); echo n
echo $((1 2)); echo n
echo $((a b)); echo n
echo $((3=4)); echo n
#--- errors-2+err
((1/0)); echo $?
((x=)); echo $?
(( 1 + )); echo $?
let 'x=1+'; echo $?
x=$((2**-1)); echo $?
#--- errors-3+err
echo $((1.5+1)); echo n
echo $((2#3)); echo n
echo $((99#1)); echo n
echo $((a@)); echo n
echo $((5 ? 1)); echo n
echo $((1++)); echo n
echo $((++)); echo n
echo $((#)); echo n
#--- errors-in-places+err
x=(1 2 3); echo ${x[1/0]}; echo a
x[1+]=5; echo b
y=${x:1/0}; echo c
z='1/0'; ((z)); echo d $?
[[ 1/0 -eq 1 ]]; echo e $?
declare -i i=1/0; echo f $?
for ((i=0; i<1/0; i++)); do echo no; done; echo g $?
v='a[$(echo 1)]'; a[1]=7; echo $((v))
#--- for-loops
for ((i=0;i<3;i++)); do echo -n $i; done; echo; for ((i=10;i>0;i-=3)); do echo -n "$i "; done; echo; for ((i=0,j=0;i+j<6;i++,j+=2)); do echo -n "$i$j "; done; echo; for ((;i<5;)); do ((i++)); done; echo $i; for (( i = 0 ; i < 2 ; i++ ))
do echo $i; done; for ((i=0;i<3;i++)); do ((i==1)) && continue; echo $i; done; for ((i=0; ; i++)); do ((i>2)) && break; done; echo $i
#--- conditions
((5>3)) && echo y; ((0)) || echo n; (( (1 && 0) || 1 )) && echo c; if ((2#11 == 3)); then echo b; fi; while ((i<3)); do ((i++)); done; echo $i; ! ((1)); echo $?; ((i=0)); echo $?; ((i=1)); echo $?; x=5; ((x>3 && x<10)) && echo in; (( x == 5 ? (y=1) : (y=2) )); echo $y; ((x%2)) && echo odd
#--- side-effects
i=0; echo $((i++)) $((i++)) $i; a[i++]=x; echo $i; ((0 && i++)); echo $i; ((1 || i++)); echo $i; ((1 && i++)); echo $i; echo $((1?i++:j++)) $i ${j-unset}; : $((k=5)); echo $k; x=$((y=3, y*2)); echo $x $y; f() { local i=10; ((i++)); echo $i; }; f; echo $i
#--- in-subscripts
a=(10 20 30 40); i=1; echo ${a[i]} ${a[i+1]} ${a[$i*2]} ${a[-i]} ${a[i++]} $i ${a[a[0]-10]} ${a[(1+2)]} ${a[i==2?0:3]}; a[i+=1]=z; echo ${a[3]} $i
#--- big
echo $((9223372036854775807)) $((9223372036854775808)) $((-9223372036854775807-1)) $((9223372036854775807+1)) $((99999999999999999999)) $((3000000000*4)) $((1<<62)) $((1<<64)) $((1<<65)) $((-1>>60)) $((5000000000*5000000000)); printf '%d\n' $((2**62))
#--- min-by-minus-one+err
echo $((-9223372036854775807-1)); echo $(( (-9223372036854775807-1) % -1 )); echo $(( (-9223372036854775807-1) / -1 ))
#--- whitespace-and-lines
echo $((
1 +
2
)); ((
x = 4
)); echo $x; echo $(( 1 + \
2 )); y=$(( # no
3 )) 2>/dev/null; echo "[$y]"
#--- quotes-in-arith
x=2; echo $(("$x"*3)) $(('1')) 2>/dev/null; echo next; (( "x" == 2 )) && echo q; (( $(echo 3) > x )) && echo s; ((`echo 4`>3)) && echo b
#--- commas-and-ternaries
echo $((1>0?10:20)) $((x=0?1:2)) $((a=1,a+1)) $((1?2,3:4)) $((0||0?1:2)); x=3; echo $((x<5?x<2?1:2:3))
#--- integer-attribute
declare -i n; n=5+5; echo $n; n+=5; echo $n; n=abc; echo $n; m=7; n=m; echo $n; n="m * 2"; echo $n; n=08 2>/dev/null; echo "$?$n"; declare -i arr=(1+1 2+2); echo ${arr[@]}; arr[0]=3*3; echo ${arr[0]}; f() { local -i l=2**3; echo $l; }; f; n='1 2' 2>/dev/null; echo st
#--- echo-old-style
echo $[1+2] $[ 3 * 4 ] $[x=5] $x "$[2**3]" $[$x+1]
#--- nested
echo $((1+$((2+$((3)))))) $(( $(echo 1) + `echo 2` )) $(( ${x:-5} + ${#HOME} - ${#HOME} )) $(( (((1)))+1 )) $((((2))))
#--- subshell-or-arith
( (echo a) ); ((1)); echo $?; (( (1) )); echo $?; ( ( echo b ); echo c ); x=$( (echo d) ); echo $x; echo $( ( (echo e) ) ); ((echo f); echo g); ( (true) && (echo h) )
