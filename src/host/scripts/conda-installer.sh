#!/bin/sh
# The installer of Miniconda, Miniforge or Anaconda: a model that creates the same directories.
name=$(basename "$0"); product=${name%%-*}; rest=${name#*-}; release=${rest%-Linux*}
case $product in Miniconda3 | Miniforge3 | Mambaforge | Anaconda3) ;; *) product=Miniconda3 ;; esac
case $product in Miniconda3) dir=miniconda3 ;; Miniforge3) dir=miniforge3 ;; Mambaforge) dir=mambaforge ;; *) dir=anaconda3 ;; esac
prefix=$HOME/$dir batch= force=
while getopts bfhp:su option; do
    case $option in
        b) batch=1 ;;
        f | u) force=1 ;;
        p) prefix=$OPTARG ;;
        s) ;;
        h) echo "usage: $0 [options]"; echo; echo "Installs $product $release"; exit 0 ;;
        *) exit 1 ;;
    esac
done
ask() { printf '%s' "$1"; read -r answer || { echo; return 1; }; }
if [ -z "$batch" ]; then
    printf '\nWelcome to %s %s\n\nIn order to continue the installation process, please review the license\nagreement.\nPlease, press ENTER to continue\n' "$product" "$release"
    ask '>>> '
    printf '\n(The terms stand on the page from which the installer came.)\n\nDo you accept the license terms? [yes|no]\n'
    ask '>>> ' || answer=no
    case $answer in
        [yY] | [yY][eE][sS]) ;;
        *) echo; echo "The license agreement wasn't approved, aborting installation."; exit 2 ;;
    esac
    printf '\n%s will now be installed into this location:\n%s\n\n  - Press ENTER to confirm the location\n  - Press CTRL-C to abort the installation\n  - Or specify a different location below\n\n' "$product" "$prefix"
    ask "[$prefix] >>> " && [ -n "$answer" ] && prefix=$answer
fi
if [ -e "$prefix" ] && [ -z "$force" ]; then
    echo "ERROR: File or directory already exists: '$prefix'"
    echo "If you want to update an existing installation, use the -u option."
    exit 1
fi
echo "PREFIX=$prefix"
mkdir -p "$prefix" 2> /dev/null || { echo "ERROR: cannot create directory '$prefix'"; exit 1; }
prefix=$(cd "$prefix" && pwd)
echo 'Unpacking payload ...'
sleep 8
mkdir -p "$prefix/bin" "$prefix/condabin" "$prefix/envs" "$prefix/etc/profile.d" "$prefix/conda-meta" "$prefix/pkgs"
printf '\nInstalling base environment...\n\n'
sleep 10
version=3.11.5
case $release in py39*) version=3.9.18 ;; py310*) version=3.10.13 ;; py312*) version=3.12.1 ;; esac
for tool in conda activate deactivate; do cp /usr/bin/conda "$prefix/bin/$tool"; done
cp /usr/bin/conda "$prefix/condabin/conda"
[ "$product" = Miniforge3 ] && cp /usr/bin/conda "$prefix/bin/mamba"
echo "python $version" > "$prefix/conda-meta/history"
echo 'conda 23.10.0' >> "$prefix/conda-meta/history"
"$prefix/bin/conda" shell.tools "$prefix"
sed "s|@ROOT@|$prefix|g" /usr/share/sandbatch/conda.sh > "$prefix/etc/profile.d/conda.sh"
printf 'Preparing transaction: ...working... done\nExecuting transaction: ...working... done\ninstallation finished.\n'
if [ -z "$batch" ]; then
    printf 'Do you wish to update your shell profile to automatically initialize conda?\nThis will activate conda on startup and change the command prompt when activated.\n[yes|no]\n'
    ask '[no] >>> ' || answer=no
    case $answer in
        [yY] | [yY][eE][sS]) "$prefix/bin/conda" init ;;
        *) printf '\nYou have chosen to not have conda modify your shell scripts at all.\nTo activate conda'"'"'s base environment in your current shell session:\n\neval "$(%s/bin/conda shell.YOUR_SHELL_NAME hook)"\n\nTo install conda'"'"'s shell functions for easier access, first activate, then:\n\nconda init\n\n' "$prefix" ;;
    esac
    echo "Thank you for installing $product!"
fi
