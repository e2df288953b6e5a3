#!/bin/bash
# virtualenv and python -m venv: a directory with bin/activate.
dir=
for word; do case $word in -*) ;; *) dir=$word ;; esac; done
[ -n "$dir" ] || { echo 'usage: virtualenv [options] DIR' >&2; exit 2; }
mkdir -p "$dir/bin" "$dir/lib" || exit 1
dir=$(cd "$dir" && pwd)
sleep 5
printf 'home = /usr/bin\nversion = 3.11.2\n' > "$dir/pyvenv.cfg"
for tool in python python3 pip; do printf '#!/bin/bash\nexec /usr/bin/%s "$@"\n' "$tool" > "$dir/bin/$tool"; chmod 755 "$dir/bin/$tool"; done
cat > "$dir/bin/activate" <<END
deactivate() {
    PATH=\${PATH#"$dir/bin:"}
    PS1=\${PS1#"(${dir##*/}) "}
    unset VIRTUAL_ENV
    unset -f deactivate
}
export VIRTUAL_ENV='$dir'
PATH="$dir/bin:\$PATH"
export PATH
PS1="(${dir##*/}) \${PS1-}"
END
[ "${0##*/}" = virtualenv ] && echo "created virtual environment CPython3.11.2.final.0-64 in 4963ms"
exit 0
