#!/bin/bash
# git: there is no network; clone copies what the site's files have of a repository.
case $1 in
    --version | version) echo 'git version 2.39.2' ;;
    clone)
        shift
        url= dir=
        while [ $# -gt 0 ]; do
            case $1 in
                -b | --branch | --depth | -c | -o) shift ;;
                -*) ;;
                *) if [ -z "$url" ]; then url=$1; else dir=$1; fi ;;
            esac
            shift
        done
        [ -n "$url" ] || { echo 'fatal: You must specify a repository to clone.' >&2; exit 128; }
        name=${url%/} name=${name%.git} name=${name##*/}
        : "${dir:=$name}"
        if [ -e "$dir" ] && [ -n "$(ls -A "$dir" 2> /dev/null)" ]; then
            echo "fatal: destination path '$dir' already exists and is not an empty directory." >&2
            exit 128
        fi
        echo "Cloning into '$dir'..." >&2
        case $url in
            *://*) kept=${url#*://} host=${kept%%/*} host=${host##*@} ;;
            *@*:*) host=${url#*@} host=${host%%:*} kept=$host/${url#*:} ;;
            *) kept= host= ;;
        esac
        if [ -z "$host" ]; then
            [ -d "$url/.git" ] || { printf "fatal: repository '%s' does not exist\n" "$url" >&2; exit 128; }
            cp -r "$url" "$dir" || exit 128
            exit 0
        fi
        # What a site's files put below this directory can be cloned.
        kept=/usr/share/sandbatch/downloads/${kept%/} kept=${kept%.git}
        sleep 1
        if [ ! -d "$kept" ]; then
            case $url in
                http*) echo "fatal: unable to access '${url%/}/': Could not resolve host: $host" >&2 ;;
                *) printf '%s\n' "ssh: Could not resolve hostname $host: Temporary failure in name resolution" 'fatal: Could not read from remote repository.' '' 'Please make sure you have the correct access rights' 'and the repository exists.' >&2 ;;
            esac
            exit 128
        fi
        mkdir -p "$dir/.git" && cp -r "$kept/." "$dir" || exit 128
        echo 'ref: refs/heads/main' > "$dir/.git/HEAD" ;;
    pull | fetch | push)
        [ -d .git ] || { echo 'fatal: not a git repository (or any of the parent directories): .git' >&2; exit 128; }
        printf '%s\n' "fatal: 'origin' does not appear to be a git repository" 'fatal: Could not read from remote repository.' '' 'Please make sure you have the correct access rights' 'and the repository exists.' >&2
        exit 128 ;;
    *) echo "git $1: not simulated in sandbatch" >&2; exit 127 ;;
esac
