#!/bin/bash
# Small programs that job scripts call, selected by name.
name=${0##*/}

# Skips options; those named in $1 take a value. The remaining words are in "rest".
skip() {
    local with=$1
    shift
    while [[ $1 == -* ]]; do
        [[ " $with " == *" $1 "* ]] && shift
        shift
    done
    rest=("$@")
}

run_timed() {
    local format= file= append=
    while [[ $1 == -* ]]; do
        case $1 in
            -v | --verbose) format=$'\tCommand being timed: "%C"\n\tUser time (seconds): %U\n\tSystem time (seconds): %S\n\tPercent of CPU this job got: %P\n\tElapsed (wall clock) time (h:mm:ss or m:ss): %E\n\tMaximum resident set size (kbytes): %M\n\tExit status: %x' ;;
            -p) format=$'real %e\nuser %U\nsys %S' ;;
            -f | --format) format=$2; shift ;;
            -o | --output) file=$2; shift ;;
            -a | --append) append=1 ;;
            *) echo "time: unrecognized option '$1'" >&2; exit 125 ;;
        esac
        shift
    done
    local since=${EPOCHREALTIME/./} words="$*" code centi cpu elapsed
    "$@"
    code=$?
    centi=$(( (${EPOCHREALTIME/./} - since) / 10000 ))
    # `times` gives only minutes and seconds of its CPU time.
    cpu=$(times | tail -n 1)
    cpu=${cpu%%s *} cpu=${cpu#*m} cpu=${cpu%?}
    elapsed=$((centi / 6000)):$(printf %02d.%02d $((centi / 100 % 60)) $((centi % 100)))
    [ -n "$format" ] || format=$'%Uuser %Ssystem %Eelapsed %PCPU (0avgtext+0avgdata %Mmaxresident)k\n0inputs+0outputs (0major+0minor)pagefaults 0swaps'
    format=${format//%C/$words}
    format=${format//%e/$((centi / 100)).$(printf %02d $((centi % 100)))}
    format=${format//%E/$elapsed}
    format=${format//%U/$cpu} format=${format//%S/0.00} format=${format//%P/0%} format=${format//%M/2048} format=${format//%x/$code}
    if [ -z "$file" ]; then printf '%b\n' "$format" >&2; elif [ -n "$append" ]; then printf '%b\n' "$format" >> "$file"; else printf '%b\n' "$format" > "$file"; fi
    exit $code
}

run_locked() {
    local at_once= until=
    while [[ $1 == -* ]]; do
        case $1 in
            -n | --nonblock | --nb) at_once=1 ;;
            -w | --timeout) until=$((SECONDS + $2)); shift ;;
        esac
        shift
    done
    if [[ $1 =~ ^[0-9]+$ && $# = 1 ]]; then
        echo 'flock: locks of descriptors are not simulated in sandbatch: flock FILE COMMAND is' >&2
        exit 0
    fi
    lock=$1.flock
    [ -e "$1" ] || : > "$1"
    shift
    until mkdir "$lock" 2> /dev/null; do
        [ -n "$at_once" ] && exit 1
        [ -n "$until" ] && [ $SECONDS -ge $until ] && exit 1
        sleep 0.1
    done
    trap 'rmdir "$lock"' EXIT
    if [ "$1" = -c ]; then bash -c "$2"; else "$@"; fi
    exit
}

case $name in
    stdbuf) skip '-i -o -e' "$@"; exec "${rest[@]}" ;;
    ionice)
        skip '-c -n -p -P -u' "$@"
        [ ${#rest[@]} -gt 0 ] || { echo 'none: prio 0'; exit; }
        exec "${rest[@]}" ;;
    shasum)
        bits=1
        [[ $1 == -a ]] && { bits=$2; shift 2; }
        "sha${bits}sum" "$@" ;;
    time) run_timed "$@" ;;
    flock) run_locked "$@" ;;
    getconf)
        case $1 in
            _NPROCESSORS_ONLN | _NPROCESSORS_CONF) nproc ;;
            PAGE_SIZE | PAGESIZE) echo 4096 ;;
            ARG_MAX) echo 2097152 ;;
            LONG_BIT) echo 64 ;;
            *) echo "getconf: Unrecognized variable \`$1'" >&2; exit 2 ;;
        esac ;;
    lsb_release)
        [ -r /etc/os-release ] && . /etc/os-release
        [[ $* == *-s* ]] && { echo "${PRETTY_NAME:-Linux}"; exit; }
        printf 'Distributor ID:\t%s\nDescription:\t%s\nRelease:\t%s\nCodename:\t%s\n' "${ID^}" "${PRETTY_NAME:-Linux}" "$VERSION_ID" "${VERSION_CODENAME:-n/a}" ;;
    envsubst)
        while IFS= read -r line || [ -n "$line" ]; do
            out=
            while [[ $line =~ \$(\{([A-Za-z_][A-Za-z_0-9]*)\}|([A-Za-z_][A-Za-z_0-9]*)) ]]; do
                variable=${BASH_REMATCH[2]}${BASH_REMATCH[3]}
                out+=${line%%"${BASH_REMATCH[0]}"*}${!variable}
                line=${line#*"${BASH_REMATCH[0]}"}
            done
            printf '%s\n' "$out$line"
        done ;;
esac
