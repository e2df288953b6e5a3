#!/bin/bash
# pip: remembers what was installed, for pip list; python runs as a model and needs no packages.
list=${VIRTUAL_ENV:-${CONDA_PREFIX:-$HOME/.local}}/pip-packages
version_of() {
    case $1 in
        numpy) echo 1.26.4 ;; scipy) echo 1.11.4 ;; pandas) echo 2.1.4 ;; torch) echo 2.2.0 ;; tensorflow) echo 2.15.0 ;;
        matplotlib) echo 3.8.2 ;; scikit-learn) echo 1.3.2 ;; requests) echo 2.31.0 ;; transformers) echo 4.37.2 ;; *) echo 1.0.0 ;;
    esac
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
            name=${spec%%[=<>!~\[]*}
            case $spec in *==*) version=${spec##*==} ;; *) version=$(version_of "$name") ;; esac
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
