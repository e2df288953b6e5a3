#!/bin/bash
# gcc and other compilers. The compiled program is a model of the #SIM lines in its sources, the texts that it prints,
# and its use of MPI, OpenMP and GPUs.
me=${0##*/}
out=a.out only= sources=()
while [ $# -gt 0 ]; do
    case $1 in
        --version) echo "$me (Debian 12.2.0-14) 12.2.0"; exit ;;
        -o) out=$2; shift ;;
        -c | -E | -S) only=1 ;;
        -I | -L | -D | -x | -arch) shift ;;
        -*) ;;
        *) sources+=("$1") ;;
    esac
    shift
done
if [ ${#sources[@]} -eq 0 ]; then printf '%s: fatal error: no input files\ncompilation terminated.\n' "$me" >&2; exit 1; fi
for source in "${sources[@]}"; do
    [ -f "$source" ] && continue
    printf '%s: error: %s: No such file or directory\n%s: fatal error: no input files\ncompilation terminated.\n' "$me" "$source" "$me" >&2
    exit 1
done
sleep 1
[ -n "$only" ] && [ "$out" = a.out ] && out=${sources[0]##*/} && out=${out%.*}.o

# printf("rank %d of %d on %s\n", rank, size, host): replaces each conversion by the #SIM variable that its argument suggests.
told() {
    local text=$1 args=$2 arg word
    while [[ $text == *%* ]]; do
        arg=${args%%,*}; args=${args#*,}; arg=${arg// /}
        case $arg in
            *rank* | *id | *procid*) word='$rank' ;;
            *size* | *procs* | *ntasks* | *nproc*) word='$tasks' ;;
            *threads*) word='$threads' ;;
            *name* | *host*) word='$host' ;;
            *) return ;;
        esac
        [[ $text =~ ^([^%]*)%[-0-9.l]*[a-zA-Z](.*)$ ]] || return
        text=${BASH_REMATCH[1]}$word${BASH_REMATCH[2]}
    done
    echo "#SIM print=$text"
}

model() {
    printf '\177ELF sandbatch: a model of %s\n' "${sources[*]}"
    cat "${sources[@]}" | sed -n 's|.*#SIM \(.*\)$|#SIM \1|p' | sed 's| *\*/ *$||'
    local line
    cat "${sources[@]}" | while IFS= read -r line; do
        if [[ $line =~ printf\(\"([^\"]*)\"(,(.*))?\) ]]; then told "${BASH_REMATCH[1]%\\n}" "${BASH_REMATCH[3]}"
        elif [[ $line =~ puts\(\"([^\"]*)\"\) ]]; then echo "#SIM print=${BASH_REMATCH[1]}"
        elif [[ $line =~ cout\ *\<\<\ *\"([^\"]*)\" ]]; then echo "#SIM print=${BASH_REMATCH[1]%\\n}"
        elif [[ $line =~ ^\ *print\ *\*\ *,\ *[\"\']([^\"\']*)[\"\'] ]]; then echo "#SIM print= ${BASH_REMATCH[1]}"
        fi
    done
    cat "${sources[@]}" | grep -q 'pragma omp\|!\$omp' && echo '#SIM threads=auto'
    cat "${sources[@]}" | grep -q '__global__\|cudaMalloc' && echo '#SIM gpu=90% gpumemory=2G'
    # A short program that only prints runs for less than a minute.
    cat "${sources[@]}" | grep -q '#SIM.*\(time\|work\)=\|for *(\|while *(\|do ' || echo '#SIM time=1s memory=5M'
}
model > "$out.tmp" || exit 1
mv "$out.tmp" "$out"
[ -n "$only" ] || chmod 755 "$out"
