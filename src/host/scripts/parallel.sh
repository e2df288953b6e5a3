#!/bin/bash
# GNU parallel: runs as many jobs at a time as there are CPUs (-j), and prints each job's output when it ends (-k: in order).
# Supports ::: :::+ :::: -a -j --joblog -k --dry-run --colsep -n -u --halt --tag --bar --retries --resume --delay.
jobs=$(nproc) log= keep= dry= sep= count=1 now= halt= tag= retries=1 delay= resume= file= quiet=
command=() lists=() mode=command current=()
finish_list() { case $mode in list) lists+=("$(printf '%s\n' "${current[@]}")") ;; link) lists[${#lists[@]} - 1]=$(paste -d'\t' <(printf '%s\n' "${lists[${#lists[@]} - 1]}") <(printf '%s\n' "${current[@]}")); sep=$'\t' ;; files) for f in "${current[@]}"; do lists+=("$(cat "$f")") || exit 255; done ;; esac; current=(); }
while [ $# -gt 0 ]; do
    case $1 in
        :::) finish_list; mode=list ;;
        :::+) finish_list; mode=link ;;
        ::::) finish_list; mode=files ;;
        *)
            if [ $mode != command ]; then current+=("$1")
            elif [ ${#command[@]} -gt 0 ]; then command+=("$1")
            else
                case $1 in
                    -j | -P | --jobs | --max-procs) jobs=$2; shift ;;
                    -j*) jobs=${1#-j} ;;
                    --jobs=*) jobs=${1#*=} ;;
                    --joblog) log=$2; shift ;;
                    --joblog=*) log=${1#*=} ;;
                    -k | --keep-order) keep=1 ;;
                    --dry-run | --dryrun) dry=1 ;;
                    --colsep | -C) sep=$2; shift ;;
                    -n | -N | --max-args) count=$2; shift ;;
                    -[nN][0-9]*) count=${1#-?} ;;
                    -a | --arg-file) file=$2; shift ;;
                    -u | --ungroup | --line-buffer | --lb) now=1 ;;
                    --halt) halt=$2; shift ;;
                    --tag) tag=1 ;;
                    --retries) retries=$2; shift ;;
                    --delay) delay=$2; shift ;;
                    --resume | --resume-failed) resume=1 ;;
                    --version) echo 'GNU parallel 20221122'; exit ;;
                    --citation) exit ;;
                    -S | --sshlogin | --pipe) echo "parallel: $1 is not simulated in sandbatch" >&2; exit 127 ;;
                    --results | --tmpdir | --timeout | --memfree | --load | -I | --wd | --workdir | --env) shift ;;
                    -*) ;;
                    *) command+=("$1") ;;
                esac
            fi ;;
    esac
    shift
done
finish_list
case $jobs in
    *%) jobs=$(($(nproc) * ${jobs%\%} / 100)) ;;
    +*) jobs=$(($(nproc) + ${jobs#+})) ;;
    -*) jobs=$(($(nproc) - ${jobs#-})) ;;
    0) jobs=252 ;;
esac
[ "$jobs" -ge 1 ] 2> /dev/null || jobs=1
[ -n "$file" ] && lists=("$(cat "$file")")
[ ${#lists[@]} -eq 0 ] && lists=("$(cat)")
text=${command[*]}

# All combinations of the lists, the last list varies fastest; a tab separates the arguments of a job.
rows=()
mapfile -t rows <<< "${lists[0]}"
for ((l = 1; l < ${#lists[@]}; l++)); do
    mapfile -t more <<< "${lists[l]}"
    both=()
    for row in "${rows[@]}"; do for word in "${more[@]}"; do both+=("$row"$'\t'"$word"); done; done
    rows=("${both[@]}")
done
if [ "$count" -gt 1 ]; then
    packed=()
    for ((i = 0; i < ${#rows[@]}; i += count)); do packed+=("$(IFS=$'\t'; echo "${rows[*]:i:count}")"); done
    rows=("${packed[@]}")
fi

quoted() { if [[ $1 =~ ^[A-Za-z0-9_./:=@%+,-]+$ ]]; then printf %s "$1"; else printf "'%s'" "${1//\'/\'\\\'\'}"; fi; }
base() { local b=${1##*/}; printf %s "$b"; }

# The command of job $1 with the arguments in the array args.
filled() {
    local line=$text n all= word
    for word in "${args[@]}"; do all+="${all:+ }$(quoted "$word")"; done
    case $line in '') line=$all ;; *'{'[0-9./#%]*'}'* | *'{}'*) ;; *) line="$line {}" ;; esac
    line=${line//'{#}'/$1}; line=${line//'{%}'/$slot}
    for n in "${!args[@]}"; do
        word=${args[n]}
        line=${line//"{$((n + 1))}"/$(quoted "$word")}; line=${line//"{$((n + 1)).}"/$(quoted "${word%.*}")}
        line=${line//"{$((n + 1))/}"/$(quoted "$(base "$word")")}; line=${line//"{$((n + 1))/.}"/$(quoted "$(b=$(base "$word"); echo "${b%.*}")")}
    done
    word=${args[*]}
    line=${line//'{.}'/$(quoted "${word%.*}")}; line=${line//'{/}'/$(quoted "$(base "$word")")}
    line=${line//'{/.}'/$(quoted "$(b=$(base "$word"); echo "${b%.*}")")}; line=${line//'{//}'/$(quoted "${word%/*}")}
    printf %s "${line//'{}'/$all}"
}

tmp=$(mktemp -d) failed=0 running=0 shown=1 stop=
declare -A seq_of started line_of slot_of codes
free=(); for ((i = jobs; i >= 1; i--)); do free+=("$i"); done
[ -n "$log" ] && { [ -n "$resume" ] && [ -f "$log" ] || printf 'Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n' > "$log"; }

show() { [ -f "$tmp/$1.out" ] || return; cat "$tmp/$1.err" >&2; cat "$tmp/$1.out"; rm -f "$tmp/$1.out" "$tmp/$1.err"; }
reap() {
    local pid code seq ended signal=0
    wait -n -p pid; code=$?
    [ -n "$pid" ] || return
    seq=${seq_of[$pid]}; ended=$(date +%s.%3N)
    free+=("${slot_of[$pid]}"); running=$((running - 1)); codes[$seq]=$code
    [ $code -gt 128 ] && signal=$((code - 128))
    if [ $code -ne 0 ]; then
        failed=$((failed + 1))
        case $halt in now,fail*) stop=1; kill $(jobs -p) 2> /dev/null ;; soon,fail*) stop=1 ;; esac
    fi
    local size=0; [ -f "$tmp/$seq.out" ] && size=$(wc -c < "$tmp/$seq.out")
    [ -n "$log" ] && printf '%d\t:\t%s\t%10.3f\t0\t%d\t%d\t%d\t%s\n' "$seq" "${started[$pid]}" "$(awk "BEGIN { print $ended - ${started[$pid]} }")" "$size" $((signal ? 0 : code)) "$signal" "${line_of[$seq]}" >> "$log"
    if [ -z "$keep" ]; then show "$seq"; else while [ -n "${codes[$shown]}" ]; do show "$shown"; shown=$((shown + 1)); done; fi
}

seq=0
for row in "${rows[@]}"; do
    seq=$((seq + 1))
    if [ -n "$sep" ]; then row=${row//"$sep"/$'\t'}; fi
    IFS=$'\t' read -r -a args <<< "$row"
    [ ${#args[@]} -gt 0 ] || args=("")
    if [ -n "$resume" ] && [ -f "$log" ] && grep -q "^$seq	" "$log"; then codes[$seq]=0; continue; fi
    while [ $running -ge "$jobs" ] && [ -z "$stop" ]; do reap; done
    [ -n "$stop" ] && break
    slot=${free[-1]}; unset 'free[-1]'
    line=$(filled $seq)
    if [ -n "$dry" ]; then echo "$line"; free+=("$slot"); continue; fi
    export PARALLEL_SEQ=$seq PARALLEL_JOBSLOT=$slot
    if [ -n "$now" ]; then bash -c "$line" < /dev/null &
    elif [ -n "$tag" ]; then { bash -c "$line" 2> "$tmp/$seq.err" < /dev/null | sed "s|^|${args[*]}	|" > "$tmp/$seq.out"; exit "${PIPESTATUS[0]}"; } &
    else bash -c "$line" > "$tmp/$seq.out" 2> "$tmp/$seq.err" < /dev/null &
    fi
    pid=$!
    seq_of[$pid]=$seq; started[$pid]=$(date +%s.%3N); line_of[$seq]=$line; slot_of[$pid]=$slot
    running=$((running + 1))
    [ -n "$delay" ] && sleep "$delay"
done
while [ $running -gt 0 ]; do reap; done
rm -rf "$tmp"
exit $((failed > 101 ? 101 : failed))
