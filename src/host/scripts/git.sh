#!/bin/bash
# git: clone creates a directory in place of the repository; there is no network.
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
        sleep 3
        mkdir -p "$dir/.git" || exit 128
        echo 'ref: refs/heads/main' > "$dir/.git/HEAD"
        echo "# $name: stands for $url, sandbatch has no network" > "$dir/README.md"
        echo "git: sandbatch has no network: $dir only stands for what is there" >&2 ;;
    pull | fetch) [ -d .git ] || { echo 'fatal: not a git repository (or any of the parent directories): .git' >&2; exit 128; }; [ "$1" = pull ] && echo 'Already up to date.' ;;
    *) echo "git $1: not simulated in sandbatch" >&2; exit 127 ;;
esac
