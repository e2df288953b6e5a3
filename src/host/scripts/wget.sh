#!/bin/bash
# wget, curl, firefox: there is no network beyond this host. A downloaded installer of conda is a model of it.
me=${0##*/}
out= quiet= show_errors= to_stdout= keep_name= url=
while [ $# -gt 0 ]; do
    [[ $me = curl && ( $1 = --show-error || $1 = -[!-]*S* || $1 = -S ) ]] && show_errors=1
    case $1 in
        --version) [ "$me" = curl ] && echo 'curl 7.88.1 (x86_64-pc-linux-gnu)' || echo 'GNU Wget 1.21.3 built on linux-gnu.'; exit ;;
        --output-document=* | --output=*) out=${1#*=} ;;
        --directory-prefix=*) cd "${1#*=}" || exit ;;
        -O) if [ "$me" = curl ]; then keep_name=1; else out=$2; shift; fi ;;
        -O?*) if [ "$me" = wget ]; then out=${1#-O}; else keep_name=1; fi ;;
        -o | --output | --output-document) out=$2; shift ;;
        -P) mkdir -p "$2"; cd "$2" || exit; shift ;;
        -H | -X | -d | -u | -A | -e | --header | --retry | -t | --tries | -T | --timeout) shift ;;
        -q | -s | -nv | --quiet | --silent | --no-verbose) quiet=1 ;;
        -*L*O* | -*O*L*) keep_name=1 ;;
        -*) [[ $1 == -*O ]] && keep_name=1; [[ $1 == -*[sq]* && $1 != --* ]] && quiet=1 ;;
        *) url=$1 ;;
    esac
    shift
done
if [ -z "$url" ]; then
    if [ "$me" = curl ]; then echo "curl: try 'curl --help' or 'curl --manual' for more information" >&2; exit 2; fi
    printf '%s\n' 'wget: missing URL' 'Usage: wget [OPTION]... [URL]...' '' "Try \`wget --help' for more options." >&2
    exit 1
fi
name=${url%%\?*} name=${name##*/} host=${url#*://} host=${host%%/*}
: "${name:=index.html}"
if [ -z "$out" ]; then
    if [ "$me" = wget ] || [ -n "$keep_name" ]; then out=$name; else to_stdout=1; fi
fi
[ "$out" = - ] && to_stdout=1
if [ "$me" = wget ] && [ -z "$to_stdout" ] && [ -e "$out" ] && [ "$out" = "$name" ]; then
    i=1; while [ -e "$name.$i" ]; do ((i++)); done; out=$name.$i
fi

# The answer of a program on this host, by its port.
at=${host%%:*}
if [[ $at = localhost || $at = 127.0.0.1 || $at = "$(hostname)" ]]; then
    port=80
    [[ $host = *:* ]] && port=${host##*:}
    if page=$(nc "$at" "$port"); then
        [ "$me" = firefox ] && printf '%s\n' "Mozilla Firefox: http://$host/" ''
        if [ -n "$to_stdout" ]; then printf '%s\n' "$page"; else printf '%s\n' "$page" > "$out" || exit 3; fi
        exit 0
    fi
    case $me in
        curl) echo "curl: (7) Failed to connect to $at port $port after 0 ms: Couldn't connect to server" >&2; exit 7 ;;
        firefox) printf '%s\n' 'Unable to connect' "Firefox can’t establish a connection to the server at $host." >&2; exit 1 ;;
        *) echo "Connecting to $at ($at)|127.0.0.1|:$port... failed: Connection refused." >&2; exit 4 ;;
    esac
fi
if [ "$me" = firefox ]; then echo "firefox: not simulated in sandbatch: there is no network beyond this host" >&2; exit 1; fi

# Known are the installers of conda, and what a site's files put below /usr/share/sandbatch/downloads.
path=${url#*://} path=${path%%\?*} kept=/usr/share/sandbatch/downloads/$path
case $name in
    Miniconda3*.sh | Miniforge3*.sh | Mambaforge*.sh | Anaconda3*.sh) kept=/usr/share/sandbatch/conda-installer.sh ;;
esac
stamp() { date '+%Y-%m-%d %H:%M:%S'; }
if [ ! -f "$kept" ]; then
    case $me in
        curl) [ -n "$quiet" ] && [ -z "$show_errors" ] || echo "curl: (6) Could not resolve host: $at" >&2; exit 6 ;;
        *) [ -n "$quiet" ] || printf '%s\n' "--$(stamp)--  $url" "Resolving $at ($at)... failed: Temporary failure in name resolution." "wget: unable to resolve host address ‘$at’" >&2; exit 4 ;;
    esac
fi
case $name in Mini*.sh | Mamba*.sh | Anaconda3*.sh) size=122218191 mega=116.56M ;; *) size=$(wc -c < "$kept") mega=$size ;; esac
if [ "$me" = wget ] && [ -z "$quiet" ]; then
    printf '%s\n' "--$(stamp)--  $url" "Resolving $host ($host)... 104.16.32.241" \
        "Connecting to $host ($host)|104.16.32.241|:443... connected." 'HTTP request sent, awaiting response... 200 OK' \
        "Length: $size [application/octet-stream]" "Saving to: ‘${out:--}’" '' >&2
fi
sleep 2
if [ -n "$to_stdout" ]; then cat "$kept"; else cat "$kept" > "$out" || exit 3; fi
if [ "$me" = wget ] && [ -z "$quiet" ]; then
    printf '%-19.19s 100%%[===================>] %9s  58.3MB/s    in 2.0s    \n\n%s (58.3 MB/s) - ‘%s’ saved [%s/%s]\n\n' \
        "${out:--}" "$mega" "$(stamp)" "${out:--}" "$size" "$size" >&2
fi
exit 0
