#!/bin/bash
# apptainer, singularity: commands of a container run on the host. An image is a file that names its source. Paths
# below bound directories (--bind) are replaced in the command's arguments only, not in paths that it opens later.
me=${0##*/}
magic='#!/usr/bin/env run-singularity'

fatal() { printf 'FATAL:   %s\n' "$1" >&2; exit 255; }
info() { printf 'INFO:    %s\n' "$1" >&2; }

# Writes an image of $2 to $1.
make_image() {
    printf '%s\nSIF_MAGIC %s\n' "$magic" "$2" > "$1" || fatal "While creating SIF: cannot write $1"
    chmod 755 "$1"
}

fetch_layers() {
    printf '%s\n' 'Getting image source signatures' 'Copying blob 7bb465c29149 done' 'Copying blob 2b9b41aaa3c5 done' \
        'Copying config 0c0b0a1f2e3d done' 'Writing manifest to image destination' 'Storing signatures' >&2
    sleep "${1:-20}"
}

# Whether a registry has an image. There is no network: Docker Hub has the images that guides of clusters use, and
# other registries have every image. Otherwise the registry's answer is in "why".
exists() {
    local name=${1#*://} tag=latest
    [[ ${name##*/} == *@* ]] && name=${name%%@*} || { [[ ${name##*/} == *:* ]] && tag=${name##*:} && name=${name%:*}; }
    name=${name#docker.io/} name=${name#library/}
    why="reading manifest $tag in docker.io/$name: requested access to the resource is denied"
    case $1 in docker://*) ;; *) return 0 ;; esac
    case $name in
        *.*/*/* | *.*/*) return 0 ;;
        alpine | almalinux | amazonlinux | archlinux | busybox | bash | centos | debian | fedora | gcc | golang | hello-world | httpd | julia | mariadb | mongo | mysql | nginx | node | openjdk | oraclelinux | perl | php | postgres | python | pypy | r-base | redis | rockylinux | ruby | rust | swift | ubuntu) why="reading manifest $tag in docker.io/library/$name: manifest unknown: manifest unknown"; [[ $tag != *nosuch* ]] ;;
        */*)
            case ${name%%/*} in
                biocontainers | broadinstitute | condaforge | continuumio | godlovedc | intel | jupyter | mambaorg | mathworks | nfcore | nvidia | ollama | opensciencegrid | pytorch | rapidsai | ray* | rocker | rocm | rockylinux | sylabsio | tensorflow | vllm) return 0 ;;
            esac
            return 1 ;;
        *) why="reading manifest $tag in docker.io/library/$name: requested access to the resource is denied"; return 1 ;;
    esac
}

# Checks that $1 is an image, or downloads it.
open_image() {
    local file head
    case $1 in
        docker://* | library://* | oras://* | shub://*)
            exists "$1" || fatal "Unable to handle $1 uri: while building SIF from layers: conveyor failed to get: $why"
            info 'Converting OCI blobs to SIF format'; info 'Starting build...'; fetch_layers 20
            info 'Creating SIF file...'; return ;;
        /*) file=$1 ;;
        *) file=$PWD/$1 ;;
    esac
    [ -e "$file" ] || fatal "could not open image $file: failed to retrieve path for $file: lstat $file: no such file or directory"
    [ -d "$file" ] && return
    read -r head < "$file"
    [ "$head" = "$magic" ] || fatal "container creation failed: while loading image $file: image format not recognized"
}

build() {
    local force= out= source=
    while [ $# -gt 0 ]; do
        case $1 in
            -F | --force) force=1 ;;
            --bind | -B | --build-arg | --mksquashfs-args) shift ;;
            -*) ;;
            *) if [ -z "$out" ]; then out=$1; else source=$1; fi ;;
        esac
        shift
    done
    [ -n "$source" ] || { echo "Error for command \"build\": accepts 2 arg(s)" >&2; exit 1; }
    if [ -e "$out" ] && [ -z "$force" ]; then
        printf "Build target '%s' already exists and will be deleted during the build process. Do you want to continue? [y/N] " "$out"
        read -r answer
        case $answer in [yY]*) ;; *) fatal "While checking build target: stopping build" ;; esac
    fi
    case $source in
        docker-archive:*)
            local tar=${source#docker-archive:}; tar=${tar#//}; tar=${tar%%:*}
            info 'Starting build...'
            [ -f "$tar" ] || fatal "While performing build: conveyor failed to get: loading tar component manifest.json: open $tar: no such file or directory"
            tar tf "$tar" manifest.json > /dev/null 2>&1 || fatal 'While performing build: conveyor failed to get: loading tar component manifest.json: file does not exist'
            fetch_layers 15 ;;
        docker://* | library://* | oras://*)
            info 'Starting build...'
            exists "$source" || fatal "While performing build: conveyor failed to get: $why"
            fetch_layers 30 ;;
        docker-daemon:*) info 'Starting build...'; fatal 'While performing build: conveyor failed to get: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' ;;
        *)
            [ -e "$source" ] || fatal "Unable to build from $source: while opening $source: no such file or directory"
            if [ -f "$source" ]; then
                local head
                read -r head < "$source"
                if [ "$head" != "$magic" ]; then
                    grep -qi '^[[:space:]]*bootstrap[[:space:]]*:' "$source" 2> /dev/null ||
                        fatal "Unable to build from $source: while parsing definition: $source: no bootstrap specified in the definition file"
                    local from
                    from=$(sed -n 's/^[[:space:]]*[Ff][Rr][Oo][Mm][[:space:]]*:[[:space:]]*//p' "$source" | head -n 1)
                    info 'Starting build...'
                    if grep -qi '^[[:space:]]*bootstrap[[:space:]]*:[[:space:]]*docker' "$source"; then
                        exists "docker://$from" || fatal "While performing build: conveyor failed to get: $why"
                    fi
                    fetch_layers 30; info 'Running post scriptlet'; sleep 30
                else
                    info 'Starting build...'
                fi
            else
                info 'Starting build...'
            fi ;;
    esac
    info 'Extracting OCI image...'; info 'Inserting Apptainer configuration...'; info 'Creating SIF file...'
    sleep 10
    make_image "$out" "$source"
    info "Build complete: $out"
}

pull() {
    local force= out= source=
    for word; do
        case $word in
            -F | --force) force=1 ;;
            -*) ;;
            *://*) source=$word ;;
            *) out=$word ;;
        esac
    done
    [ -n "$source" ] || fatal 'While pulling: no source given'
    local name=${source##*/}
    [ -n "$out" ] || { case $name in *:*) out=${name/:/_}.sif ;; *) out=${name}_latest.sif ;; esac; }
    if [ -e "$out" ] && [ -z "$force" ]; then fatal "Image file already exists: \"$out\" - will not overwrite"; fi
    exists "$source" || fatal "While making image from oci registry: error fetching image to cache: while building SIF from layers: conveyor failed to get: $why"
    info 'Converting OCI blobs to SIF format'; info 'Starting build...'; fetch_layers 30
    info 'Extracting OCI image...'; info 'Inserting Apptainer configuration...'; info 'Creating SIF file...'
    make_image "$out" "$source"
}

# exec, run, shell
enter() {
    local how=$1 clean= nv= word
    local -a binds=() vars=() from=() to=()
    shift
    while [ $# -gt 0 ]; do
        case $1 in
            --bind=* | --mount=*) binds+=("${1#*=}") ;;
            -B | --bind | --mount) binds+=("$2"); shift ;;
            --env=*) vars+=("${1#*=}") ;;
            --env) vars+=("$2"); shift ;;
            # A directory of the image does not exist here.
            --pwd=* | --cwd=*) [ -d "${1#*=}" ] && cd "${1#*=}" ;;
            --pwd | --cwd) [ -d "$2" ] && cd "$2"; shift ;;
            -e | --cleanenv | -C | --containall | --compat) clean=1 ;;
            --nv | --nvccli) nv=1 ;;
            -W | --workdir | -H | --home | -o | --overlay | --hostname | --app | --env-file | --network | --dns | -S | --scratch | --no-mount | --security) shift ;;
            -*) ;;
            *) break ;;
        esac
        shift
    done
    [ $# -gt 0 ] || { echo "Error for command \"$how\": requires at least 1 arg(s), only received 0" >&2; exit 1; }
    local image=$1
    shift
    open_image "$image"
    if [ -n "$nv" ] && ! nvidia-smi -L > /dev/null 2>&1; then
        echo 'WARNING: Could not find any nv files on this host!' >&2
    fi
    local all=${APPTAINER_BIND:-$SINGULARITY_BIND}
    for word in ${all//,/ } "${binds[@]}"; do
        for word in ${word//,/ }; do
            local source=${word%%:*} target=${word#*:}
            target=${target%%:*}
            [ -e "$source" ] || fatal "container creation failed: mount hook function failure: mount $source->$target error: while mounting $source: mount source $source doesn't exist"
            from+=("$target"); to+=("$source")
        done
    done
    local -a command=()
    for word; do
        for ((i = 0; i < ${#from[@]}; i++)); do
            case $word in
                "${from[i]}" | "${from[i]}"/*) word=${to[i]}${word#"${from[i]}"}; break ;;
            esac
        done
        command+=("$word")
    done
    vars+=("APPTAINER_CONTAINER=$image" "APPTAINER_NAME=${image##*/}" "SINGULARITY_CONTAINER=$image" "SINGULARITY_NAME=${image##*/}")
    case $how in
        shell) command=(bash --norc) vars+=("PS1=Apptainer> ") ;;
        run) [ ${#command[@]} -gt 0 ] || command=(bash --norc) ;;
        exec) [ ${#command[@]} -gt 0 ] || { echo 'Error for command "exec": requires at least 2 arg(s), only received 1' >&2; exit 1; } ;;
    esac
    [ -n "$clean" ] && set -- -i HOME="$HOME" USER="$USER" PATH="$PATH" TERM="$TERM" LANG=C HOSTNAME="$HOSTNAME" || set --
    if [[ ${command[0]} != */* ]] && ! type -P "${command[0]}" > /dev/null; then
        fatal "\"${command[0]}\": executable file not found in \$PATH"
    fi
    exec env "$@" "${vars[@]}" "${command[@]}"
}

if [ "$me" = run-singularity ]; then enter run "$@"; fi
while [[ $1 == -* ]]; do
    case $1 in
        --version) echo "${me/singularity/singularity-ce} version 1.2.5"; exit ;;
        -h | --help) break ;;
    esac
    shift
done
command=$1
shift
case $command in
    exec | run | shell) enter "$command" "$@" ;;
    build) build "$@" ;;
    pull) pull "$@" ;;
    version) echo 1.2.5 ;;
    inspect) open_image "$1"; sed -n 's/^SIF_MAGIC /org.label-schema.usage.singularity.deffile.from: /p' "$1" ;;
    cache) echo 'There are 0 container file(s) using 0.00 KiB and 0 oci blob file(s) using 0.00 KiB of space' ;;
    '' | help | -h | --help) printf '%s\n' 'Linux container platform optimized for High Performance Computing (HPC) and Enterprise Performance Computing (EPC)' '' "Usage:  $me [global options...] <command>" '' 'Here: build cache exec inspect pull run shell version' ;;
    instance | overlay | key | remote | sign | verify | push | search) echo "$me $command: not simulated in sandbatch" >&2; exit 127 ;;
    *) printf 'Error for command "%s": unknown command "%s" for "%s"\n' "$me" "$command" "$me" >&2; exit 1 ;;
esac
