# conda's shell function, as `source ~/miniconda3/etc/profile.d/conda.sh` defines it.
export CONDA_EXE='@ROOT@/bin/conda'
export CONDA_PYTHON_EXE='@ROOT@/bin/python'
export CONDA_SHLVL=${CONDA_SHLVL:-0}
conda() {
    case ${1-} in
        activate | deactivate)
            local made
            made=$("$CONDA_EXE" shell.posix "$@") || return
            eval "$made"
            hash -r
            ;;
        *) "$CONDA_EXE" "$@" ;;
    esac
}
mamba() { conda "$@"; }
case :$PATH: in *:'@ROOT@/condabin':*) ;; *) export PATH="@ROOT@/condabin:$PATH" ;; esac
