#!/bin/bash
# pip: records installed packages in a list. Nothing is downloaded.
list=${VIRTUAL_ENV:-${CONDA_PREFIX:-$HOME/.local}}/pip-packages
# The version of a package; nothing if no index has it. Names are compared as by pip.
version_of() {
    local name=${1,,} n kind version
    name=${name//[_.]/-}
    while read -r n kind version; do
        [ "$n" = "$name" ] && [ "$kind" != c ] && { echo "$version"; return; }
    done < /usr/share/sandbatch/packages
}
missing() {
    echo "ERROR: Could not find a version that satisfies the requirement $1 (from versions: $2)" >&2
    echo "ERROR: No matching distribution found for $1" >&2
    echo "pip: sandbatch has no network: what it finds is in /usr/share/sandbatch/packages" >&2
    exit 1
}
while [[ $1 == --* && $1 != --version ]]; do shift; done
command=$1
shift
case $command in
    -V | --version) echo 'pip 23.0.1 from /usr/lib/python3/dist-packages/pip (python 3.11)' ;;
    install)
        specs=()
        while [ $# -gt 0 ]; do
            case $1 in
                -r | --requirement)
                    [ -f "$2" ] || { echo "ERROR: Could not open requirements file: [Errno 2] No such file or directory: '$2'" >&2; exit 1; }
                    while read -r word _; do [[ $word == '' || $word == \#* ]] || specs+=("$word"); done < "$2"; shift ;;
                -i | -f | -t | --index-url | --extra-index-url | --target | --prefix) shift ;;
                -*) ;;
                *) specs+=("$1") ;;
            esac
            shift
        done
        [ ${#specs[@]} -gt 0 ] || { echo 'ERROR: You must give at least one requirement to install (see "pip help install")' >&2; exit 1; }
        done=()
        for spec in "${specs[@]}"; do
            name=${spec%%[=<>!~\[; ]*}
            case $spec in
                git+* | http://* | https://*) name=${spec##*/} name=${name%%[@#]*} name=${name%.git} version=0.1.0 ;;
                . | ./* | /* | *.whl | *.tar.gz)
                    path=${spec%%\[*}
                    [ -e "$path" ] || { echo "ERROR: Invalid requirement: '$spec': Expected package name at the start of dependency specifier" >&2; exit 1; }
                    name=$(basename "$(realpath "$path")") name=${name%%-[0-9]*} version=0.1.0 ;;
                *)
                    version=$(version_of "$name")
                    [ -n "$version" ] || missing "$spec" none
                    # A major version far above the newest one does not exist.
                    case $spec in
                        *==*)
                            asked=${spec##*==}
                            [[ ${asked%%.*} =~ ^[0-9]{1,3}$ ]] && [ "${asked%%.*}" -gt $((${version%%[!0-9]*} + 5)) ] && missing "$spec" "$version"
                            version=$asked ;;
                    esac ;;
            esac
            echo "Collecting $spec"; echo "  Downloading $name-$version-py3-none-any.whl"
            sleep 3
            done+=("$name-$version")
            mkdir -p "${list%/*}"; echo "$name $version" >> "$list"
        done
        names=("${done[@]%-*}")
        joined=$(printf ', %s' "${names[@]}")
        echo "Installing collected packages: ${joined#, }"
        sleep 4
        echo "Successfully installed ${done[*]}" ;;
    uninstall) for word; do sed -i "/^$word /d" "$list" 2> /dev/null; done ;;
    list | freeze)
        [ "$command" = list ] && printf '%-15s %s\n' Package Version '---------------' -------
        sort -u "$list" 2> /dev/null | while read -r n v; do
            if [ "$command" = list ]; then printf '%-15s %s\n' "$n" "$v"; else echo "$n==$v"; fi
        done ;;
    show) line=$(grep "^$1 " "$list" 2> /dev/null) || { echo "WARNING: Package(s) not found: $1" >&2; exit 1; }; echo "Name: $1"; echo "Version: ${line#* }" ;;
    *) echo "pip $command: not simulated in sandbatch" >&2; exit 127 ;;
esac
