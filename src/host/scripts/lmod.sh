#!/bin/bash
# Lmod's program: prints what the function `module` evaluates. It has the modules of a typical cluster. Loading one
# changes only LOADEDMODULES and PATH.
shift
modules='apptainer/1.2.5 blast/2.14.1 bwa/0.7.17 cmake/3.27.7 cuda/11.8.0 cuda/12.2.2 ffmpeg/6.0 gatk/4.4.0.0 gcc/9.3.0 gcc/12.3.0 go/1.21.3 gromacs/2023.3 intel/2023.2.1 java/17.0.6 julia/1.9.3 lammps/20230802 matlab/2023b namd/2.14 nodejs/20.16.0 openfoam/v2306 openmpi/4.1.5 parallel/20230722 perl/5.36.1 python/3.9.6 python/3.10.13 python/3.11.5 r/4.3.1 samtools/1.18 scipy-stack/2023b singularity/3.11.4'
# Modules of other clusters. These, and missing versions of this cluster's modules, are accepted with a message,
# because programs run without them.
elsewhere=' abaqus alphafold amber anaconda anaconda3 ansys aocc bedtools boost bowtie2 cellranger comsol conda cp2k cray-mpich cray-python cudnn fastqc fftw gaussian gaussian16 gdal gnu8 gpaw gurobi hdf5 hisat2 impi intel-mpi intel-oneapi-mkl intelmpi java jdk libtool mamba mkl miniconda miniconda3 miniforge miniforge3 molpro mpi mpich mvapich2 nccl netcdf netcdf-c netcdf-fortran nextflow nvhpc ollama openblas orca petsc plink pytorch qchem quantumespresso r-env rclone salmon samtools sas snakemake spark spades spack sra-toolkit star stata tensorflow trinity trimmomatic uv vasp vcftools '
root=/opt/software
loaded=(${LOADEDMODULES//:/ })

quote() { printf "'%s'" "${1//\'/\'\\\'\'}"; }
error() { printf 'Lmod has detected the following error:  %s\n\n' "$1" >&2; }

# The full name of a module: as given, or the newest version with this prefix.
resolve() {
    local m found=
    for m in $modules; do
        [ "$m" = "$1" ] && { echo "$m"; return; }
        [[ ${m%%/*} == "$1" || $1 == */* && $m == "$1".* ]] && found=$m
    done
    echo "$found"
}
# Whether a name may be a module of another cluster: not if its version never existed.
foreign() {
    local most=
    case ${1%%/*} in
        python | intel-python) most=3 ;; perl | openmpi) most=5 ;; r | R | cmake | gatk | apptainer) most=4 ;; julia | go) most=1 ;; gcc) most=16 ;;
        cuda) most=13 ;; java) most=26 ;; nodejs) most=25 ;; singularity | namd | blast) most=4 ;; samtools | bwa | ffmpeg) most=9 ;;
    esac
    [[ -n $most && $1 =~ /([0-9]{1,6})(\.|$) && 10#${BASH_REMATCH[1]} -gt $most ]] && return 1
    [[ $1 == [A-Za-z]*/?* || $elsewhere == *" ${1,,} "* ]]
}
newest() { [ "$(resolve "${1%%/*}")" = "$1" ]; }
is_loaded() { local m; for m in "${loaded[@]}"; do [ "$m" = "$1" ] || [ "${m%%/*}" = "$1" ] && return 0; done; return 1; }

drop() {
    local m keep=()
    for m in "${loaded[@]}"; do
        if [ "$m" = "$1" ] || [ "${m%%/*}" = "$1" ]; then PATH=${PATH#"$root/$m/bin:"} PATH=${PATH//":$root/$m/bin:"/:}; else keep+=("$m"); fi
    done
    loaded=("${keep[@]}")
}

state() {
    local IFS=:
    echo "export LOADEDMODULES=$(quote "${loaded[*]}");"
    echo "export _LMFILES_=$(quote "${loaded[*]/#//opt/modulefiles/}");"
    echo "export PATH=$(quote "$PATH");"
}

load() {
    local word full old bad=() swapped=()
    for word; do
        [ "${word#-}" != "$word" ] && { drop "${word#-}"; continue; }
        full=$(resolve "$word")
        if [ -z "$full" ] && foreign "$word"; then
            full=$word
            echo "module: $word is not among this cluster's modules (module avail); sandbatch takes it as loaded" >&2
        fi
        if [ -z "$full" ]; then bad+=("\"$word\""); continue; fi
        is_loaded "$full" && continue
        if is_loaded "${full%%/*}"; then
            for old in "${loaded[@]}"; do [ "${old%%/*}" = "${full%%/*}" ] && swapped+=("$old => $full"); done
            drop "${full%%/*}"
        fi
        loaded+=("$full")
        PATH=$root/$full/bin:$PATH
        word=${full%%/*} word=${word//[^A-Za-z0-9]/_}
        echo "export EBROOT${word^^}=$root/$full;"
        case ${word,,} in *conda* | *forge* | *mamba*) sed 's|@ROOT@|/usr|g' /usr/share/sandbatch/conda.sh ;; esac
    done
    if [ ${#bad[@]} -gt 0 ]; then
        [ "$command" = try-load ] && { state; return; }
        error "The following module(s) are unknown: ${bad[*]}"
        printf 'Please check the spelling or version number. Also try "module spider ..."\nIt is also possible your cache file is out-of-date; it may help to try:\n  $ module --ignore_cache load %s\n\nAlso make sure that all modulefiles written in TCL start with the string #%%Module\n\n' "${bad[*]}" >&2
    fi
    if [ ${#swapped[@]} -gt 0 ]; then
        printf '\nThe following have been reloaded with a version change:\n' >&2
        local i; for i in "${!swapped[@]}"; do printf '  %d) %s\n' $((i + 1)) "${swapped[i]}" >&2; done
        echo >&2
    fi
    state
    [ ${#bad[@]} -eq 0 ] || [ "$command" = try-load ] || echo 'false;'
}

columns_of() {
    local word width=0 per
    for word; do [ ${#word} -gt $width ] && width=${#word}; done
    per=$((77 / (width + 4))); [ $per -gt 0 ] || per=1
    local i=0
    for word; do
        printf '   %-*s' $((width + 1)) "$word" >&2
        i=$((i + 1)); [ $((i % per)) -eq 0 ] && echo >&2
    done
    [ $((i % per)) -eq 0 ] || echo >&2
}

avail() {
    local m shown=() marks
    for m in $modules; do
        [[ -z $1 || $m == *"$1"* ]] || continue
        marks=
        is_loaded "$m" && marks=L
        newest "$m" && [[ " $modules " == *" ${m%%/*}/"*" ${m%%/*}/"* ]] && marks=${marks:+$marks,}D
        shown+=("$m${marks:+ ($marks)}")
    done
    if [ ${#shown[@]} -eq 0 ]; then
        printf 'No module(s) or extension(s) found!\nUse "module spider" to find all possible modules and extensions.\nUse "module keyword key1 key2 ..." to search for all possible modules matching\nany of the "keys".\n\n' >&2
        return
    fi
    printf '\n------------------------------- /opt/modulefiles -------------------------------\n' >&2
    columns_of "${shown[@]}"
    printf '\n  Where:\n   D:  Default Module\n   L:  Module is loaded\n\nIf the avail list is too long consider trying:\n\n"module --default avail" or "ml -d av" to just list the default modules.\n"module overview" or "ml ov" to display the number of modules for each name.\n\nUse "module spider" to find all possible modules and extensions.\nUse "module keyword key1 key2 ..." to search for all possible modules matching\nany of the "keys".\n\n' >&2
}

list() {
    if [ ${#loaded[@]} -eq 0 ]; then echo 'No modules loaded' >&2; return; fi
    printf '\nCurrently Loaded Modules:\n' >&2
    local i numbered=()
    for i in "${!loaded[@]}"; do numbered+=("$((i + 1))) ${loaded[i]}"); done
    columns_of "${numbered[@]/#/}"
    printf '\n \n\n' >&2
}

spider() {
    local m last= versions
    if [ -z "$1" ]; then
        printf '\n-------------------------------------------------------------------------------\nThe following is a list of the modules and extensions currently available:\n-------------------------------------------------------------------------------\n' >&2
        for m in $modules; do [ "${m%%/*}" = "$last" ] || { last=${m%%/*}; printf '  %s: %s\n\n' "$last" "$m" >&2; }; done
        return
    fi
    [ -n "$(resolve "$1")" ] || { error "Unable to find: \"$1\"."; echo 'false;'; return; }
    if [[ $1 == */* ]]; then
        printf '\n-------------------------------------------------------------------------------\n  %s: %s\n-------------------------------------------------------------------------------\n\n    This module can be loaded directly: module load %s\n\n' "${1%%/*}" "$1" "$1" >&2
        return
    fi
    printf '\n-------------------------------------------------------------------------------\n  %s:\n-------------------------------------------------------------------------------\n     Versions:\n' "$1" >&2
    for m in $modules; do [ "${m%%/*}" = "$1" ] && printf '        %s\n' "$m" >&2; done
    echo >&2
}

while [[ $1 == -* && $1 != -[a-z]*/* ]]; do
    case $1 in --version | -v) echo 'Modules based on Lua: Version 8.7.32' >&2; exit ;; esac
    shift
done
command=$1
[ $# -gt 0 ] && shift
case $command in
    load | add | try-load | switch | swap)
        case $command in sw*) [ $# -eq 2 ] && drop "$1" && shift ;; esac
        load "$@" ;;
    unload | rm | del) for word; do drop "$word"; done; state ;;
    purge) for word in "${loaded[@]}"; do drop "$word"; done; state ;;
    list) list ;;
    avail | av | available) avail "$1" ;;
    spider) spider "$1" ;;
    keyword | key) avail "$1" ;;
    show | display)
        full=$(resolve "$1")
        if [ -z "$full" ]; then error "Unable to find: \"$1\"."; echo 'false;'; exit; fi
        printf -- '-------------------------------------------------------------------------------\n   /opt/modulefiles/%s.lua:\n-------------------------------------------------------------------------------\nprepend_path("PATH","%s/%s/bin")\n\n' "$full" "$root" "$full" >&2 ;;
    is-loaded) is_loaded "$1" && echo 'true;' || echo 'false;' ;;
    is-avail) [ -n "$(resolve "$1")" ] && echo 'true;' || echo 'false;' ;;
    use | unuse | save | restore | savelist | refresh | reset | overview) ;;
    '' | help) printf 'Usage: module [options] sub-command [args ...]\n\nHere: avail list load purge show spider swap unload\n' >&2 ;;
    *) error "Unrecognized command \"$command\""; echo 'false;' ;;
esac
