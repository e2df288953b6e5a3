#!/bin/bash
# conda, mamba: environments are directories with a list of packages; python, pip and conda work in them. Nothing is
# downloaded. An environment's list is conda-meta/history.
case $0 in
    */condabin/conda) root=${0%/condabin/conda} ;;
    /usr/bin/*) root=$HOME/.conda ;;
    *) root=${0%/bin/*} ;;
esac
[ -d "$root/conda-meta" ] || { root=$HOME/.conda; }

# The version of a package if none is requested; nothing if no channel has it.
version_of() {
    local name=${1,,} n kind version
    while read -r n kind version; do
        # An environment file may list packages of pip.
        [ "$n" = "$name" ] && { [ "$kind" != p ] || [ -n "$file" ]; } && { echo "$version"; return; }
    done < /usr/share/sandbatch/packages
    case $name in r-?* | bioconductor-?* | perl-?* | cuda-?*) echo 1.0.0 ;; esac
}

# Fails if no channel has one of the packages.
find_all() {
    local spec name version lost=()
    for spec in "${specs[@]}"; do
        name=${spec##*::} name=${name%%[=<>! ]*}
        [ -n "$(version_of "$name")" ] || lost+=("$spec")
    done
    [ ${#lost[@]} -eq 0 ] && return
    printf 'Channels:\n - defaults\nPlatform: linux-64\nCollecting package metadata (repodata.json): done\nSolving environment: failed\n'
    {
        printf '\nPackagesNotFoundError: The following packages are not available from current channels:\n\n'
        printf '  - %s\n' "${lost[@]}"
        printf '\nCurrent channels:\n\n  - defaults\n\nTo search for alternate channels that may provide the conda package you'"'"'re\nlooking for, navigate to\n\n    https://anaconda.org\n\nand use the search bar at the top of the page.\n\n'
        echo 'conda: sandbatch has no network: what it finds is in /usr/share/sandbatch/packages'
    } >&2
    exit 1
}

# python=3.9, nvidia/label/cuda-11.8.0::cuda-toolkit, pytorch==2.2.0: name and version
parse_spec() {
    local spec=${1##*::}
    name=${spec%%[=<>!]*} version=${spec#"$name"} version=${version#==} version=${version#[=<>]} version=${version#=}
    version=${version%%,*} version=${version%\*} version=${version%.}
    [ -n "$version" ] || version=$(version_of "$name")
    case $name:$version in
        python:3.8) version=3.8.18 ;; python:3.9) version=3.9.18 ;; python:3.10) version=3.10.13 ;;
        python:3.11) version=3.11.5 ;; python:3.12) version=3.12.1 ;;
    esac
}

env_path() {
    case $1 in
        '' ) echo "${CONDA_PREFIX:-$root}" ;;
        base | root) echo "$root" ;;
        */*) (cd "$1" 2> /dev/null && pwd || echo "$1") ;;
        *) echo "$root/envs/$1" ;;
    esac
}

# Creates bin/python and bin/pip of the environment $1.
tools() {
    local python
    python=$(sed -n 's/^python //p' "$1/conda-meta/history" | tail -n 1)
    [ -n "$python" ] || return
    mkdir -p "$1/bin"
    for tool in python python3; do
        printf '#!/bin/bash\ncase $1 in -V | --version) echo "Python %s"; exit ;; esac\nexec -a %s /usr/bin/%s "$@"\n' \
            "$python" "$tool" "$tool" > "$1/bin/$tool"
    done
    printf '#!/bin/bash\nexec /usr/bin/pip "$@"\n' > "$1/bin/pip"
    chmod 755 "$1/bin/python" "$1/bin/python3" "$1/bin/pip"
}

options() {
    name= prefix= yes= file=
    specs=()
    while [ $# -gt 0 ]; do
        case $1 in
            -n | --name) name=$2; shift ;;
            --name=*) name=${1#*=} ;;
            -p | --prefix) prefix=$2; shift ;;
            --prefix=*) prefix=${1#*=} ;;
            -f | --file) file=$2; shift ;;
            --file=*) file=${1#*=} ;;
            -c | --channel) shift ;;
            -y | --yes) yes=1 ;;
            -*) ;;
            *) specs+=("$1") ;;
        esac
        shift
    done
}

solve() {
    find_all
    printf 'Channels:\n - defaults\nPlatform: linux-64\nCollecting package metadata (repodata.json): done\nSolving environment: done\n\n'
    sleep 12
    printf '## Package Plan ##\n\n  environment location: %s\n' "$1"
    [ ${#specs[@]} -gt 0 ] && printf '\n  added / updated specs:\n' && printf '    - %s\n' "${specs[@]}"
    if [ ${#specs[@]} -gt 0 ]; then
        printf '\n\nThe following NEW packages will be INSTALLED:\n\n'
        local spec name version
        for spec in "${specs[@]}"; do
            parse_spec "$spec"
            printf '  %-18s pkgs/main/linux-64::%s-%s-0 \n' "$name" "$name" "$version"
        done
    fi
    printf '\n\n'
}

proceed() {
    [ -n "$yes" ] && return
    printf 'Proceed ([y]/n)? '
    local answer=
    if ! read -r answer; then printf '\n\nCondaSystemExit: \nOperation aborted.  Exiting.\n\n' >&2; exit 1; fi
    case $answer in '' | [yY]*) printf '\n' ;; *) printf '\nCondaSystemExit: Exiting.\n\n' >&2; exit 1 ;; esac
}

install_into() {
    printf '\nDownloading and Extracting Packages:\n\n'
    sleep 20
    printf 'Preparing transaction: done\nVerifying transaction: done\nExecuting transaction: done\n'
    mkdir -p "$1/conda-meta" "$1/bin" || exit 1
    local spec name version
    for spec in "${specs[@]}"; do
        parse_spec "$spec"
        printf '%s %s\n' "$name" "$version" >> "$1/conda-meta/history"
    done
    [ -f "$1/conda-meta/history" ] || : > "$1/conda-meta/history"
    tools "$1"
}

create() {
    options "$@"
    if [ -n "$file" ]; then
        [ -f "$file" ] || { printf "\nEnvironmentFileNotFound: '%s' file not found\n\n" "$PWD/$file" >&2; exit 1; }
        [ -n "$name" ] || name=$(sed -n 's/^name: *//p' "$file")
        mapfile -t specs < <(sed -n 's/^ *- *\([A-Za-z].*[^:]\)$/\1/p' "$file" | grep -v '^defaults$\|^conda-forge$\|^pytorch$\|^nvidia$')
        yes=1
    fi
    local where=${prefix:-$(env_path "$name")}
    if [ -z "$name$prefix" ]; then printf '\nArgumentError: one of the arguments -n/--name -p/--prefix is required\n\n' >&2; exit 1; fi
    if [ -d "$where" ]; then
        printf 'WARNING: A conda environment already exists at %s\n\nRemove existing environment?\n' "'$where'" >&2
        proceed
        rm -rf "$where"
    fi
    solve "$where"
    proceed
    install_into "$where"
    local called=${name:-$where}
    printf '#\n# To activate this environment, use\n#\n#     $ conda activate %s\n#\n# To deactivate an active environment, use\n#\n#     $ conda deactivate\n\n' "$called"
}

quote() { printf "'%s'" "${1//\'/\'\\\'\'}"; }

# Prints the commands that the shell function evaluates.
activate() {
    local wanted=${1:-base} where path
    where=$(env_path "$wanted")
    if [ ! -d "$where/conda-meta" ]; then
        case $wanted in
            */*) printf '\nEnvironmentLocationNotFound: Not a conda environment: %s\n\n' "$where" >&2 ;;
            *) printf '\nEnvironmentNameNotFound: Could not find conda environment: %s\nYou can list all discoverable environments with `conda info --envs`.\n\n\n' "$wanted" >&2 ;;
        esac
        exit 1
    fi
    path=$PATH
    [ -n "$CONDA_PREFIX" ] && path=${path#"$CONDA_PREFIX/bin:"}
    local shown=$wanted prompt=${PS1#"$CONDA_PROMPT_MODIFIER"}
    case $wanted in */*) shown=$where ;; esac
    echo "PS1=$(quote "($shown) ")\${PS1#\"\$CONDA_PROMPT_MODIFIER\"}"
    echo "export PATH=$(quote "$where/bin:$path")"
    echo "export CONDA_PREFIX=$(quote "$where")"
    echo "export CONDA_SHLVL='1'"
    echo "export CONDA_DEFAULT_ENV=$(quote "$shown")"
    echo "export CONDA_PROMPT_MODIFIER=$(quote "($shown) ")"
}

deactivate() {
    [ -n "$CONDA_PREFIX" ] || exit 0
    echo "PS1=\${PS1#\"\$CONDA_PROMPT_MODIFIER\"}"
    echo "export PATH=$(quote "${PATH#"$CONDA_PREFIX/bin:"}")"
    echo "unset CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_PROMPT_MODIFIER"
    echo "export CONDA_SHLVL='0'"
}

environments() {
    printf '# conda environments:\n#\n'
    local dir mark
    for dir in "$root" "$root"/envs/*/; do
        dir=${dir%/}
        [ -d "$dir/conda-meta" ] || continue
        mark=' '
        [ "$CONDA_PREFIX" = "$dir" ] && mark='*'
        if [ "$dir" = "$root" ]; then printf '%-23s%s %s\n' base "$mark" "$dir"; else printf '%-23s%s %s\n' "${dir##*/}" "$mark" "$dir"; fi
    done
    echo
}

command=$1
shift
case $command in
    -V | --version) echo 'conda 23.10.0' ;;
    create) create "$@" ;;
    install | update)
        options "$@"
        [ -n "$file" ] && mapfile -t specs < "$file"
        [ ${#specs[@]} -gt 0 ] || { printf '\nCondaValueError: too few arguments, must supply command line package specs or --file\n\n' >&2; exit 1; }
        where=${prefix:-$(env_path "$name")}
        if [ ! -d "$where/conda-meta" ]; then
            # The base environment always exists.
            [ -n "$name$prefix" ] || find_all
            printf '\nEnvironmentLocationNotFound: Not a conda environment: %s\n\n' "$where" >&2; exit 1
        fi
        solve "$where"; proceed; install_into "$where" ;;
    remove | uninstall)
        all=; for word; do [ "$word" = --all ] && all=1; done
        options "$@"; where=${prefix:-$(env_path "$name")}
        [ -n "$all" ] && { printf '\nRemove all packages in environment %s:\n\n' "$where"; proceed; rm -rf "$where"; exit; }
        for spec in "${specs[@]}"; do sed -i "/^$spec /d" "$where/conda-meta/history"; done ;;
    list)
        options "$@"; where=${prefix:-$(env_path "$name")}
        printf '# packages in environment at %s:\n#\n# Name                    Version                   Build  Channel\n' "$where"
        sort -u "$where/conda-meta/history" 2> /dev/null | while read -r n v; do printf '%-25s %-25s 0\n' "$n" "$v"; done ;;
    env)
        case $1 in
            list) environments ;;
            create) shift; create "$@" ;;
            remove) shift; options "$@"; rm -rf "${prefix:-$(env_path "$name")}" ;;
            export) options "$@"; printf 'name: %s\nchannels:\n  - defaults\ndependencies:\n' "${CONDA_DEFAULT_ENV:-base}"; sed 's/^\(.*\) \(.*\)/  - \1=\2/' "$(env_path "$name")/conda-meta/history" ;;
            *) echo "conda env $1: not simulated in sandbatch" >&2; exit 127 ;;
        esac ;;
    info)
        case $1 in
            --envs | -e) environments ;;
            --base) echo "$root" ;;
            *) printf '\n     active environment : %s\n       base environment : %s\n          conda version : 23.10.0\n               platform : linux-64\n\n' "${CONDA_DEFAULT_ENV:-None}" "$root" ;;
        esac ;;
    init)
        if ! grep -qs '>>> conda initialize >>>' "$HOME/.bashrc"; then
            printf '# >>> conda initialize >>>\n. "%s/etc/profile.d/conda.sh"\n# <<< conda initialize <<<\n' "$root" >> "$HOME/.bashrc"
            if [ ! -f "$root/etc/profile.d/conda.sh" ]; then
                mkdir -p "$root/etc/profile.d" "$root/bin" "$root/envs" "$root/conda-meta"
                cp /usr/bin/conda "$root/bin/conda"; echo 'python 3.11.5' > "$root/conda-meta/history"; tools "$root"
                sed "s|@ROOT@|$root|g" /usr/share/sandbatch/conda.sh > "$root/etc/profile.d/conda.sh"
            fi
        fi
        printf 'modified      %s/.bashrc\n\n==> For changes to take effect, close and re-open your current shell. <==\n\n' "$HOME" ;;
    config | clean | search) ;;
    run)
        options "$@"
        while [ $# -gt 0 ]; do case $1 in -n | --name | -p | --prefix) shift 2 ;; -*) shift ;; *) break ;; esac; done
        PATH=${prefix:-$(env_path "$name")}/bin:$PATH exec "$@" ;;
    activate | deactivate)
        printf "\nCondaError: Run 'conda init' before 'conda %s'\n\n" "$command" >&2; exit 1 ;;
    shell.tools) tools "$1" ;;
    shell.posix | shell.bash)
        case $1 in
            activate) activate "$2" ;;
            deactivate) deactivate ;;
            hook) cat "$root/etc/profile.d/conda.sh" ;;
        esac ;;
    '' | -h | --help) printf '%s\n' 'usage: conda [-h] [-v] [--no-plugins] [-V] COMMAND ...' '' 'Here: activate create deactivate env info init install list remove run update' ;;
    *) printf "conda: error: argument COMMAND: invalid choice: '%s'\n" "$command" >&2; exit 2 ;;
esac
