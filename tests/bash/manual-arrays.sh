#--- negative-index
a=(a b c d); echo ${a[-1]} ${a[-4]} ${a[-2]}; a[-1]=D; unset 'a[-2]'; declare -p a; a+=(e); echo ${a[-1]} ${!a[@]}; b=([5]=x); echo ${b[-1]} ${b[-6]}.; b[-2]=y; declare -p b; echo $((b[-1]=7)) ${b[5]}
#--- negative-index-errors+err
a=(a b); echo ${a[-3]}
echo "st $?"; a[-3]=x
echo "st $?"; unset 'a[-5]'; echo "st $?"
#--- subscripts
a=(); i=3; a[i]=x a[i+1]=y a[$i*2]=z; declare -p a; a[0x10]=h; echo ${a[16]} ${a[i++]} $i; a[i]+=more; echo ${a[4]}; ((a[7]++, a[7]+=5)); echo ${a[7]}; let 'a[8]=3*4' a[9]=2; echo ${a[8]} ${a[9]}
#--- bad-subscripts+err
a=(1); a[]=x; echo "st $?"; echo ${a[]}
echo "st $?"; a[x y]=3; echo "st $?"; a[1+]=2
echo "st $?"; echo ${a[1/0]}
echo "st $?"
#--- compound-assign
a=(1 [5]=five six [2]=two three); declare -p a; a+=([0]=zero x); declare -p a; b=([3]+=x [3]+=y); declare -p b; c=(a{1,2} $(echo p q) "r s" *nomatch*); declare -p c; d=("${a[@]}" "${c[@]:1}"); echo ${#d[@]}; e=([1]="x y" ['2']=z [a=4]=w); declare -p e; x='p q'; f=($x "$x"); echo ${#f[@]}
#--- assoc-basics
declare -A m=([one]=1 ["two words"]=2 ['q$x']=3); m[new]=4; k=dyn; m[$k]=5; m["a b"]=6; echo ${m[one]} "${m[two words]}" "${m["two words"]}" ${m['q$x']} ${m[$k]} ${#m[@]} ${m[missing]-none}; unset 'm[one]' m[new]; echo ${#m[@]}; for i in "${!m[@]}"; do echo "$i=${m[$i]}"; done | sort; [[ -v m[dyn] ]] && echo set; [[ -v m[gone] ]] || echo unset
#--- assoc-special-keys
declare -A m; m['@']=at; m['*']=star; m[']']=br; m["'"]=sq; m[' ']=sp; m['a=b']=eq; m['$(x)']=cs; echo ${#m[@]}; for k in '@' '*' ']' "'" ' ' 'a=b' '$(x)'; do echo "$k -> ${m[$k]}"; done; n=(x y); m[${n[1]}]=ny; echo ${m[y]}; i=2; m[i]=lit; m[i+1]=lit2; echo ${m[i]} ${m[2]-no} ${m[i+1]}
#--- assoc-pairs
declare -A m=(a 1 b 2); echo ${m[a]} ${m[b]}; m+=([c]=3 [a]+=x); echo ${m[a]} ${m[c]}; declare -A e=(); echo ${#e[@]}; ((m[n]=4, m[n]++)); echo ${m[n]}; m[n]+=9; echo ${m[n]}; declare -Ai im=([x]=1+2); im[x]+=4; echo ${im[x]}
#--- assoc-errors+err
declare -a x=(1); declare -A x
echo "st $?"; declare -A m; m=(a); echo ${#m[@]}; m[]=x; echo "st $?"; declare -A m2; declare -a m2; echo "st $?"
#--- copying
a=('x y' '' z); b=("${a[@]}"); echo ${#b[@]}; c=(${a[@]}); echo ${#c[@]}; d=("${a[*]}"); echo ${#d[@]} "${d[0]}"; IFS=,; e="${a[*]}"; echo "$e"; f=($e); unset IFS; echo ${#f[@]}; declare -A m=([p]=1 [q]=2); for k in "${!m[@]}"; do n[${m[$k]}]=$k; done; echo ${n[@]}; a=${a[2]}; echo "${a[@]}"
#--- unset-elements
a=(0 1 2 3); unset a[1] 'a[3]'; echo ${!a[@]} ${#a[@]}; a=("${a[@]}"); echo ${!a[@]}; unset a; echo ${#a[@]} "${a-none}"; declare -a e; echo ${e[@]-unset} ${#e[@]}; [[ -v e ]] || echo nv; e[0]=x; [[ -v e ]] && echo v; b=(x y); unset 'b[@]'; echo ${#b[@]}; declare -A m=([a]=1); unset 'm[@]'; echo ${#m[@]}
#--- printing
a=(x 'y z' $'q\n' "it's" ''); declare -p a; declare -A m=([k v]='a"b' [z]='$q'); declare -p m; s=abc; t='a b'; declare -p s t; declare -i n; declare -p n; declare -x ex; declare -p ex; declare -a ea=(); declare -p ea; readonly -a ra=(1); declare -p ra; f() { local -a la=(1); local lx; local -p; }; f
#--- scalar-to-array
x=s; x[2]=t; declare -p x; y=(a b); y=z; declare -p y; y+=w; declare -p y; x+=(u); declare -p x; declare -a q=str; declare -p q; export z=1; z[1]=2; declare -p z; declare -i nn=3; nn[1]=4+4; declare -p nn
#--- mapfile-options
printf 'l1\nl2\nl3\nl4\nl5' > f; mapfile a < f; echo ${#a[@]}; printf '%s' "${a[@]}" | wc -c; mapfile -t a < f; echo "${a[@]}"; mapfile -t -n 2 a < f; echo "${a[@]}"; mapfile -t -s 2 -n 2 a < f; echo "${a[@]}"; mapfile -t -O 3 a < f; echo ${!a[@]}; printf 'a,b,c,' | { mapfile -t -d , x; echo "${#x[@]} ${x[*]}"; }; printf 'a\0b\0' | { readarray -t -d '' x; echo "${#x[@]} ${x[*]}"; }; exec 5<f; mapfile -t -u 5 z; echo ${#z[@]}; mapfile -t < f; echo ${MAPFILE[0]}
#--- mapfile-callback
cb() { echo "cb $1 [${2%$'\n'}]"; }; printf '1\n2\n3\n4\n' > f; mapfile -t -c 2 -C cb m < f; echo ${m[@]}; mapfile -t -C 'echo got' -c 1 q < <(printf 'x\ny\n'); echo ${#q[@]}
#--- mapfile-errors+err
mapfile -n x a </dev/null; echo $?; mapfile -u 9 a; echo $?; mapfile -t 1bad </dev/null; echo $?; readonly r=1; mapfile r </dev/null; echo $?; mapfile -z; echo $?; mapfile -O -1 a </dev/null; echo $?
#--- loops-over-indices
a=([2]=c [0]=a [1]='b b'); for i in "${!a[@]}"; do echo "$i:${a[i]}"; done; for ((i=0;i<${#a[@]};i++)); do printf '%s,' "${a[$i]}"; done; echo; for e in "${a[@]:1}"; do echo "<$e>"; done; while ((${#a[@]})); do unset "a[$((${#a[@]}-1))]"; done; echo ${#a[@]}; args=(); args+=(--name "a b"); args+=(-x); printf '[%s]' cmd "${args[@]}"; echo
#--- nested-arith-arrays
a=(3 1 2); b=(10 20 30 40); echo ${b[a[1]]} ${b[${a[2]}]} $((b[a[0]] + a[b[0]-9])); i=0; a[i++]=x a[i++]=y; echo $i ${a[@]}; declare -A h; for w in a b a c a; do ((h[$w]++)); done; for k in "${!h[@]}"; do echo $k ${h[$k]}; done | sort; n=2; echo $((a[n]*n)) ; unset z; ((z[2]=5)); declare -p z
#--- sorting-in-bash
a=(5 3 9 1); n=${#a[@]}; for ((i=0;i<n;i++)); do for ((j=0;j<n-i-1;j++)); do if ((a[j]>a[j+1])); then t=${a[j]}; a[j]=${a[j+1]}; a[j+1]=$t; fi; done; done; echo ${a[@]}; mapfile -t s < <(printf '%s\n' "${a[@]}" | sort -rn); echo ${s[@]}; IFS=+; echo "${a[*]}" $(("${a[*]}")); unset IFS; max=${a[0]}; for x in "${a[@]}"; do ((x>max)) && max=$x; done; echo $max
