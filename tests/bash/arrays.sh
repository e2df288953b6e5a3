#--- elements
a=(one two three); echo ${a[0]} ${a[-1]} ${a[@]:1} ${a[@]: -2:1} "${#a[@]}" ${#a[1]}; a[5]=six; echo ${!a[@]} "${a[@]}"; unset 'a[1]'; echo "${!a[*]}"; a+=(seven eight); echo ${!a[@]}
#--- negative-subscripts+err
a=(1 2 3); a[-1]=z; echo ${a[@]}; echo ${a[-4]}; a[-4]=x; echo "st $?"; unset 'a[-1]'; echo ${a[@]}
#--- quoted-at-star
a=("x y" "" z); printf '<%s>' "${a[@]}"; echo; printf '<%s>' "${a[*]}"; echo; printf '<%s>' ${a[@]}; echo; printf '<%s>' ${a[*]}; echo; IFS=,; printf '<%s>' "${a[*]}"; echo "${a[*]}"; IFS=; echo "${a[*]}" ${a[*]}
#--- empty-arrays
a=(); printf '<%s>' "${a[@]}"; echo; echo "${#a[@]} [${a[*]}] ${a[@]+set} ${a[0]+set0} ${a-unset}"; a[3]=x; echo ${a-unset} ${a[@]-no}; set -u; b=(); echo "${b[@]}" ok
#--- prefix-suffix-all
set -- 'a b'; a=(1 "2 3" 4); printf '<%s>' "p${a[@]}s"; echo; printf '<%s>' p"${a[@]}"s"$@"q; echo
#--- slices
a=(0 1 2 3 4 5); echo ${a[@]:2} : ${a[@]:2:2} : ${a[@]: -2} : ${a[*]:0:1} : ${a[@]:9} : "${a[@]:1:0}"; unset 'a[2]' 'a[3]'; echo ${a[@]:2:2}; x=abcdef; echo ${x[@]:1:2} ${x[0]:2}
#--- slice-positional
set -- a b c d; echo ${@:2} : ${@:2:2} : ${*: -1} : "${@:0:1}" | sed 's/.*bash/bash/' ; echo "${@: -2:1}" ${@:5} ${@:1:0}
#--- operations-on-all
a=(foo.c bar.c baz.h); echo ${a[@]%.c} ${a[@]/ba/BA} ${a[@]#*.} ${a[@]^} ${a[@]^^[ab]} ${a[@]/#f/F} ${a[@]/%c/d} ${#a[@]}; set -- x.1 y.2; echo ${@%.*} ${*#*.} "${@/./-}"
#--- assign-mix
a=([2]=two [0]=zero three [10]=ten eleven); for k in ${!a[@]}; do echo $k=${a[k]}; done; i=3; a[i+1]=four; a[i*2]+=six; a[6]+=more; echo ${a[4]} ${a[6]} ${a[$i+7]}
#--- expression-subscripts
declare -a m; n=0; m[n++]=a; m[n++]=b; echo $n ${m[@]} ${m[n-1]} ${m[1-1]} ${m[$((1))]} ${m["0"]}; i=1; echo ${m[i]} ${m[$i]} $((m[i]+0)) 2>/dev/null; x=(5 6 7); echo $((x[1]*x[2])) $((x[0]++)) ${x[0]} $((x)); let x[2]+=10; echo ${x[2]}
#--- append-scalar
x=a; x+=b; x+=(c); echo ${x[@]}; y+=1; y+=2; echo $y; declare -i n=1; n+=5; echo $n; declare -a arr=(1); arr+=2; echo ${arr[@]}
#--- copying
a=(1 "2 3" 4); b=("${a[@]}"); echo ${#b[@]} "${b[1]}"; c=(${a[@]}); echo ${#c[@]}; d=("${a[@]/#/x}"); echo "${d[@]}"; e=("${!a[@]}"); echo ${e[@]}
#--- from-words
s="one two three"; a=($s); echo ${#a[@]}; IFS=: read -ra p <<< "a:b::c"; echo ${#p[@]} "${p[2]}" "${p[3]}"; IFS=, ; v="1,2,,3"; w=($v); echo ${#w[@]}; unset IFS; q=($(echo x y; echo z)); echo ${#q[@]} ${q[2]}
#--- whole-unset
a=(1 2 3); unset a; echo "${#a[@]}"; a=(1 2); unset 'a[@]'; echo "${#a[@]}"; declare -A m=([x]=1); unset 'm[x]'; echo ${#m[@]}; unset m; echo ${m[x]-none}
#--- declare-p
a=(1 "2 3" $'t\tb'); declare -p a; a[7]=q; declare -p a; declare -A m=([k]="v w"); declare -p m; declare -a e=(); declare -p e; declare -a f; declare -p f; declare -ai g=(1+1 2*3); declare -p g; declare -A h; declare -p h
#--- assoc
declare -A m; m[a]=1; m["b c"]=2; k=d; m[$k]=3; m[e.f/g]=4; echo ${m[a]} ${m["b c"]} ${m[b c]} ${m[$k]} ${m[e.f/g]} ${#m[@]}; m[a]+=x; echo ${m[a]}; [[ -v m[a] ]] && echo has; [[ -v m[zz] ]] || echo no; for k in "${!m[@]}"; do echo "$k"; done | sort
#--- assoc-arithmetic
declare -A c; ((c[x]++)); ((c[x]+=5)); c[y]=2; echo ${c[x]} $((c[x]*c[y])); k=x; ((c[$k]++)); echo ${c[x]}; declare -iA t=([p]=1+2); t[q]=3*4; echo ${t[p]} ${t[q]}
#--- assoc-pairs
declare -A m=(a 1 b 2 c 3); echo ${m[a]}${m[b]}${m[c]} ${#m[@]}; m+=([d]=4 [a]=9); echo ${m[a]}${m[d]} ${#m[@]}
#--- assoc-local
f() { local -A m=([x]=1); m[y]=2; echo ${#m[@]}; g; }; g() { echo ${m[x]:-none} ${m[y]}; m[z]=3; }; f; echo ${#m[@]}
#--- assoc-errors+err
declare -A m; m[]=1; echo $?
m=(1); echo "st $?"; declare -p m
declare -a l; declare -A l; echo $?
declare -A z; declare -a z; echo $?
#--- assoc-odd-keys
declare -A m; m['$x']=1; m["a]b"]=2; m['@']=3; m[*]=4; x='a]b'; echo "${m['$x']}" "${m[$x]}" "${m["a]b"]}"; m["it's"]=5; echo ${m["it's"]}; m[" "]=blank; echo ${m[" "]}
#--- array-in-for
a=("a b" c "d  e"); for i in "${a[@]}"; do echo "[$i]"; done; for i in "${!a[@]}"; do echo $i "${a[i]}"; done; for ((i=0;i<${#a[@]};i++)); do echo "${a[$i]}"; done
#--- array-as-stack
s=(); s+=(a); s+=(b); s+=(c); echo ${s[-1]}; unset 's[-1]'; echo ${s[@]}; q=(1 2 3); q=("${q[@]:1}"); echo ${q[@]}; r=(z "${q[@]}"); echo ${r[@]}
#--- array-function-args
f() { local -n arr=$1; arr+=(new); echo ${#arr[@]}; local IFS=+; echo "${arr[*]}"; }; x=(1 2); f x; echo ${x[@]}; g() { local a=("$@"); echo ${#a[@]} "${a[1]}"; }; g "a b" "c d"
#--- readonly-array+err
readonly -a r=(1 2); r[0]=5; echo next
r=(3); echo next2
r+=(4)
echo ${r[@]}
#--- scalar-as-array
x=abc; echo ${x[0]} ${x[@]} ${#x[@]} ${!x[@]} ${x[1]-none}; x[1]=d; echo ${x[@]} $x; unset 'x[0]'; echo "[$x]" ${x[@]}
#--- brace-in-array
a=(f{1..3}.{a,b}); echo ${#a[@]} ${a[4]}; a=({x,y}{1,2}); echo ${a[@]}; b=(a{1,2}=c); echo ${b[@]}
#--- glob-in-array
touch g1 g2 g3; a=(g*); echo ${a[@]}; a=("g*"); echo "${a[@]}"; x='g*'; a=($x); echo ${#a[@]}; a=([0]=g*); echo "${a[0]}"
#--- multi-line
a=(
  one   # comment
  "two three"

  four
)
echo ${#a[@]} "${a[1]}"
declare -A m=(
  [x]=1
  [y]="2 3"   # more
)
echo ${m[y]}
#--- sparse-holes
a[100]=x; a[50]=y; echo ${!a[@]} ${a[@]} ${#a[@]} ${a[@]:60}; a=("${a[@]}"); echo ${!a[@]}; b=([5]=a b [2]=c d); declare -p b
#--- join-functions
join() { local IFS=$1; shift; echo "$*"; }; join , a b c; join / usr local bin; a=(1 2 3); printf -v s '%s;' "${a[@]}"; echo "${s%;}"; echo "$(IFS=-; echo "${a[*]}")"
#--- indirect-array
a=(1 2 3); r='a[1]'; echo ${!r}; r='a[@]'; echo "${!r}"; n=a; t="$n[2]"; echo ${!t}; declare -A m=([k]=v); r='m[k]'; echo ${!r}
#--- printf-v-array
printf -v a[2] '%02d' 7; echo ${a[2]}; declare -A m; printf -v 'm[k y]' x; echo "${m[k y]}"; read -r 'b[1]' <<< val; echo ${b[1]}; mapfile -t -O 2 c < <(seq 2); echo ${!c[@]}
#--- length-of
a=(a bb ccc); for i in 0 1 2; do echo ${#a[i]}; done; echo ${#a} ${#a[-1]}; set -- x yy; echo ${#1} ${#@} ${#*} $#; x=äöü; echo ${#x}
#--- assignment-evaluates-once
i=0; a[i++]=x; a[i++]=y; echo $i ${a[@]}; f() { echo called >&2; echo 3; }; b[$(f)]=z; echo ${b[3]}; j=1; b[j++]+=q; echo $j
#--- star-in-assignment
a=(1 2 3); x=${a[*]}; y="${a[@]}"; z=${a[@]}; echo "$x|$y|$z"; IFS=:; x=${a[*]}; y=${a[@]}; z="${a[*]}"; IFS=' '; echo "$x|$y|$z"; set -- p q; IFS=-; w=$*; v=$@; IFS=' '; echo "$w|$v"
#--- transform-all
a=("x y" z); echo ${a[@]@Q}; echo "${a[*]@Q}"; echo ${a[@]@A}; declare -A m=([k]=v); echo "${m[@]@K}" ${m[@]@A}; echo "${a[@]@K}"; echo ${a@a} ${m@a} "${a[@]@a}"; x=1; echo ${x@A} ${x@a}.; echo "${a[@]@k}"
#--- mapfile-options
printf 'a\nb\nc\nd\n' > f; mapfile -t -n 2 x < f; echo ${x[@]}; mapfile -t -s 1 x < f; echo ${x[@]}; mapfile -d b x < f; echo ${#x[@]}; mapfile -t -C 'echo cb' -c 2 x < f; echo ${#x[@]}; mapfile < f; echo ${#MAPFILE[@]}; mapfile -t -u 4 y 4< f; echo ${y[3]}; printf 'a:b:c' | { mapfile -t -d : z; echo ${z[@]}; }
#--- mapfile-callback
printf '1\n2\n3\n' > f; cb() { echo "at $1: ${2%$'\n'}"; }; mapfile -c 1 -C cb x < f; echo ${#x[@]}
