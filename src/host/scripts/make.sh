#!/bin/bash
# make: rules, pattern rules, variables, conditionals and the usual functions of GNU make, one recipe line after another.
declare -A value given needs recipe place phony done_with
patterns=() goals=() jobs= file= dry= silent= always= go_on= default= failed=0
value=([CC]=cc [CXX]=g++ [FC]=f77 [AR]=ar [RM]='rm -f' [MAKE]=make [SHELL]=/bin/sh)

# The prefix of messages: "make:", or "make[1]:" if make runs it.
me=make${MAKELEVEL:+[$MAKELEVEL]}
die() { printf '%s: *** %s  Stop.\n' "$me" "$1" >&2; leave 2; }
bad() { printf '%s: *** %s.  Stop.\n' "$1" "$2" >&2; leave 2; }
leave() { [ -n "$entered" ] && printf "%s: Leaving directory '%s'\n" "$me" "$PWD"; exit "$1"; }

# Splits the text after "$(" at the matching bracket: the text before it in "inside", the rest in "behind".
bracket() {
    local text=$1 open=$2 close=$3 depth=1 i c
    for ((i = 0; i < ${#text}; i++)); do
        c=${text:i:1}
        [ "$c" = "$open" ] && ((depth++))
        [ "$c" = "$close" ] && ((--depth == 0)) && break
    done
    inside=${text:0:i} behind=${text:i+1}
}

# Expands the variables and functions of $1 into "out". Bounded, because a variable may refer to itself.
depth=0
expand() {
    local text=$1 built= head c inside behind
    ((++depth))
    while [[ $text == *'$'* ]]; do
        head=${text%%'$'*} text=${text#*'$'} c=${text:0:1}
        built+=$head
        case $c in
            '$') built+='$' text=${text:1} ;;
            '(') bracket "${text:1}" '(' ')'; text=$behind; reference "$inside"; built+=$out ;;
            '{') bracket "${text:1}" '{' '}'; text=$behind; reference "$inside"; built+=$out ;;
            '') ;;
            *) text=${text:1}; variable "$c"; built+=$out ;;
        esac
    done
    ((depth--))
    out=$built$text
}

variable() {
    local name=$1
    ((depth > 50)) && bad "$where" "Recursive variable '$name' references itself (eventually)"
    if [[ -v value[$name] ]]; then expand "${value[$name]}"; elif [[ $name == [A-Za-z_]* && $name != *[^A-Za-z0-9_]* ]]; then out=${!name-}; else out=; fi
}

# Replaces words of $3 that match $1 (with a %) by $2.
substitute() {
    local from=$1 to=$2 word stem words=()
    for word in $3; do
        if [[ $from == *%* && $word == "${from%%%*}"*"${from#*%}" ]]; then
            stem=${word#"${from%%%*}"} stem=${stem%"${from#*%}"}
            words+=("${to/\%/"$stem"}")
        elif [ "$word" = "$from" ]; then words+=("$to"); else words+=("$word"); fi
    done
    out=${words[*]}
}

reference() {
    local text=$1 name rest word words=() one two three
    if [[ $text =~ ^([a-z]+)[[:space:]]+(.*)$ ]]; then
        name=${BASH_REMATCH[1]} rest=${BASH_REMATCH[2]}
        case $name in
            wildcard) expand "$rest"; for word in $(compgen -G "$out" || :) ; do words+=("$word"); done
                [[ $out == *' '* ]] && words=() && for word in $out; do [ -e "$word" ] && words+=("$word"); done
                out=${words[*]}; return ;;
            shell) expand "$rest"; out=$(bash -c "$out"); out=${out//$'\n'/ }; return ;;
            patsubst | subst | addprefix | addsuffix | filter | filter-out | if | foreach)
                one=${rest%%,*} rest=${rest#*,}
                expand "$one"; one=$out
                case $name in
                    addprefix) expand "$rest"; for word in $out; do words+=("$one$word"); done; out=${words[*]} ;;
                    addsuffix) expand "$rest"; for word in $out; do words+=("$word$one"); done; out=${words[*]} ;;
                    filter) expand "$rest"; for word in $out; do for two in $one; do [[ $word == ${two/\%/*} ]] && words+=("$word"); done; done; out=${words[*]} ;;
                    *) two=${rest%%,*} three=
                        [[ $rest == *,* ]] && three=${rest#*,}
                        case $name in
                            if) if [ -n "$one" ]; then expand "$two"; else expand "$three"; fi ;;
                            foreach) expand "$two"; for word in $out; do value[$one]=$word; expand "$three"; words+=("$out"); done; out=${words[*]} ;;
                            subst) expand "$two"; two=$out; expand "$three"; out=${out//"$one"/"$two"} ;;
                            patsubst) expand "$two"; two=$out; expand "$three"; substitute "$one" "$two" "$out" ;;
                        esac ;;
                esac
                return ;;
            notdir) expand "$rest"; for word in $out; do words+=("${word##*/}"); done; out=${words[*]}; return ;;
            dir) expand "$rest"; for word in $out; do [[ $word == */* ]] && words+=("${word%/*}/") || words+=(./); done; out=${words[*]}; return ;;
            basename) expand "$rest"; for word in $out; do words+=("${word%.*}"); done; out=${words[*]}; return ;;
            strip) expand "$rest"; words=($out); out=${words[*]}; return ;;
            sort) expand "$rest"; out=$(printf '%s\n' $out | sort -u); out=${out//$'\n'/ }; return ;;
            words | firstword | lastword) expand "$rest"; words=($out)
                case $name in words) out=${#words[@]} ;; firstword) out=${words[0]} ;; *) out=${words[-1]} ;; esac; return ;;
            info) expand "$rest"; printf '%s\n' "$out"; out=; return ;;
            error) expand "$rest"; bad "$where" "$out" ;;
        esac
    fi
    if [[ $text == *:*=* ]]; then
        name=${text%%:*} rest=${text#*:}
        variable "$name"
        one=${rest%%=*} two=${rest#*=}
        [[ $one == *%* ]] || one=%$one two=%$two
        substitute "$one" "$two" "$out"
        return
    fi
    expand "$text"
    variable "$out"
}

assign() {
    local name=$1 how=$2 text=$3
    [[ -v given[$name] ]] && return
    case $how in
        '?=') [[ -v value[$name] || -v $name ]] || value[$name]=$text ;;
        '+=') value[$name]=${value[$name]:+${value[$name]} }$text ;;
        :=|::=) expand "$text"; value[$name]=${out//'$'/'$$'} ;;
        *) value[$name]=$text ;;
    esac
}

# Conditionals: a stack of 1 (taken), 0 (not taken yet) and 2 (an earlier branch was taken).
condition() {
    local word=$1 text=$2 one two
    if [[ $word == if*eq ]]; then
        expand "$text"; text=$out
        if [[ $text =~ ^\((.*),[[:space:]]*(.*)\)$ ]]; then one=${BASH_REMATCH[1]} two=${BASH_REMATCH[2]}
        elif [[ $text =~ ^[\"\']([^\"\']*)[\"\'][[:space:]]*[\"\']([^\"\']*)[\"\'] ]]; then one=${BASH_REMATCH[1]} two=${BASH_REMATCH[2]}; fi
        [ "$one" = "$two" ]
    else
        variable "$text"; [ -n "$out" ]
    fi
    local is=$?
    [[ $word == ifn* ]] && is=$((!is))
    stack+=($((is == 0 ? 1 : 0)))
}

read_file() {
    local file=$1 number=0 line more first targets=() target left right stack=() word text name
    [ -r "$file" ] || return 1
    while IFS= read -r line || [ -n "$line" ]; do
        ((number++)); first=$number where=$file:$number
        while [[ $line == *\\ ]] && IFS= read -r more; do ((number++)); line="${line%\\} ${more#"${more%%[![:space:]]*}"}"; done
        if [[ $line == $'\t'* && ${#targets[@]} -gt 0 ]]; then
            [[ " ${stack[*]} " == *' '[02]' '* ]] && continue
            for target in "${targets[@]}"; do recipe[$target]+=$first:${line#$'\t'}$'\n'; done
            continue
        fi
        [[ $line == *'#'* ]] && line=${line%%#*}
        line=${line#"${line%%[![:space:]]*}"}
        word=${line%%[[:space:]]*} text=${line#"$word"} text=${text#"${text%%[![:space:]]*}"} text=${text%"${text##*[![:space:]]}"}
        case $word in
            ifeq | ifneq | ifdef | ifndef) condition "$word" "$text"; continue ;;
            else) stack[-1]=$((stack[-1] == 0 ? 1 : 2)); continue ;;
            endif) unset 'stack[-1]'; continue ;;
        esac
        [[ " ${stack[*]} " == *' '[02]' '* ]] && continue
        case $word in
            '') continue ;;
            include | -include | sinclude) expand "$text"; for name in $out; do
                read_file "$name" || { [ "$word" = include ] && { printf '%s: %s: No such file or directory\n' "$where" "$name" >&2; die "No rule to make target '$name'."; }; }; done; continue ;;
            export) [[ $text == *=* ]] || { variable "$text"; export "$text=$out"; continue; }
                line=$text; export "${text%%[:?+= ]*}" ;;
            override | private) line=$text ;;
        esac
        if [[ $line =~ ^([^:=?+\ $'\t']+)[[:space:]]*(::=|:=|\?=|\+=|=)[[:space:]]*(.*)$ ]]; then
            targets=()
            expand "${BASH_REMATCH[1]}" ; name=$out
            [[ $line =~ ^([^:=?+\ $'\t']+)[[:space:]]*(::=|:=|\?=|\+=|=)[[:space:]]*(.*)$ ]]
            assign "$name" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
            continue
        fi
        if [[ $line != *:* ]]; then
            expand "$line"
            [ -z "${out//[[:space:]]/}" ] && continue
            [[ $line == *$'\t'* || $number -gt 0 ]] && bad "$where" 'missing separator'
        fi
        left=${line%%:*} right=${line#*:}
        right=${right#:}
        expand "$left"; targets=($out)
        text=
        [[ $right == *\;* ]] && text=${right#*;} right=${right%%;*}
        # A static pattern rule: targets: pattern: prerequisites.
        if [[ $right == *:* ]]; then left=${right%%:*} right=${right#*:}; left=${left//[[:space:]]/}; else left=; fi
        expand "$right"; right=${out/ | / }
        for target in "${targets[@]}"; do
            if [ "$target" = .PHONY ]; then for name in $right; do phony[$name]=1; done; continue; fi
            [[ $target == .[A-Z]* ]] && continue
            if [[ $target == *%* ]]; then patterns+=("$target"); elif [ -z "$default" ] && [[ $target != .* ]]; then default=$target; fi
            name=$right
            if [ -n "$left" ]; then more=${target#"${left%%%*}"}; more=${more%"${left#*%}"}; stem[$target]=$more; name=${right//\%/"$more"}; fi
            needs[$target]+=" $name"
            place[$target]=$file
            [ -n "$text" ] && recipe[$target]=$first:${text# }$'\n'
        done
    done < "$file"
    return 0
}
declare -A stem

# Finds the pattern rule for $1, in "pattern" and "part". Rules of the file precede built-in ones.
find_pattern() {
    local target=$1 one need
    for one in "${patterns[@]}" %.o:%.c %.o:%.cpp %.o:%.cc %.o:%.f90 %.o:%.f %:%.o %:%.c %:%.cpp %:%.f90; do
        need=${one#*:} pattern=${one%%:*}
        [[ $target == "${pattern%%%*}"?*"${pattern#*%}" ]] || continue
        part=${target#"${pattern%%%*}"} part=${part%"${pattern#*%}"}
        if [[ $one == *:* ]]; then
            [ -e "${need/\%/"$part"}" ] || continue
            pattern=$one
            return 0
        fi
        [ -n "${recipe[$pattern]}" ] || continue
        local all=1 word
        for word in ${needs[$pattern]}; do
            word=${word/\%/"$part"}
            [ -e "$word" ] || [[ -v needs[$word] ]] || { [ "$word" != "$target" ] && [ $((++deep)) -lt 8 ] && (find_pattern "$word"); } || all=
        done
        [ -n "$all" ] && return 0
    done
    return 1
}

own_recipe() {
    case $1 in
        %.o:%.c) echo '$(CC) $(CFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c -o $@ $<' ;;
        %.o:%.cpp | %.o:%.cc) echo '$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c -o $@ $<' ;;
        %.o:*) echo '$(FC) $(FFLAGS) -c -o $@ $<' ;;
        %:%.o) echo '$(CC) $(LDFLAGS) $(TARGET_ARCH) $^ $(LOADLIBES) $(LDLIBS) -o $@' ;;
        %:%.c) echo '$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH) $^ $(LOADLIBES) $(LDLIBS) -o $@' ;;
        %:%.cpp) echo '$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH) $^ $(LOADLIBES) $(LDLIBS) -o $@' ;;
        *) echo '$(FC) $(FFLAGS) $(LDFLAGS) $^ $(LOADLIBES) $(LDLIBS) -o $@' ;;
    esac
}

run_recipe() {
    local target=$1 text=$2 from=$3 number line quiet ignore words
    while IFS= read -r line <&3; do
        [ -n "$line" ] || continue
        number=${line%%:*} line=${line#*:} quiet=$silent ignore=
        while [[ $line == [@+-]* || $line == ' '* ]]; do
            case $line in @*) quiet=1 ;; -*) ignore=1 ;; esac
            line=${line:1}
        done
        expand "$line"
        [ -n "${out//[[:space:]]/}" ] || continue
        ran=1
        [ -n "$quiet" ] && [ -z "$dry" ] || printf '%s\n' "$out"
        [ -n "$dry" ] && continue
        MAKELEVEL=$((MAKELEVEL + 1)) "${value[SHELL]}" -c "$out" && continue
        local code=$? at
        at="$from:$number: $target"
        [ "$from" = builtin ] && at="<builtin>: $target"
        if [ -n "$ignore" ]; then printf '%s: [%s] Error %d (ignored)\n' "$me" "$at" $code >&2; continue; fi
        printf '%s: *** [%s] Error %d\n' "$me" "$at" $code >&2
        return 1
    done 3<<< "$text"
}

# Updates the target $1, which $2 depends on.
build() {
    local target=$1 asker=$2 need stale= rule= pattern= part= deep=0 all=() newer=() from=${place[$1]} text=${recipe[$1]} seen
    [[ -v done_with[$target] ]] && return "${done_with[$target]}"
    done_with[$target]=0
    local list=${needs[$target]}
    part=${stem[$target]}
    if [ -z "$text" ] && [ -z "${phony[$target]}" ] && find_pattern "$target"; then
        if [[ $pattern == *:* ]]; then
            list="${pattern#*:} $list"; list=${list/\%/"$part"}; text=0:$(own_recipe "$pattern") from=builtin
        else
            list="${needs[$pattern]//\%/"$part"} $list" text=${recipe[$pattern]} from=${place[$pattern]}
        fi
    elif [ -z "$text" ] && [ ! -e "$target" ] && ! [[ -v needs[$target] ]]; then
        [ -n "$asker" ] && asker=", needed by '$asker'"
        if [ -n "$go_on" ]; then printf "%s: *** No rule to make target '%s'%s.\n" "$me" "$target" "$asker" >&2; done_with[$target]=2; return 2; fi
        die "No rule to make target '$target'$asker."
    fi
    for need in $list; do
        build "$need" "$target" || { done_with[$target]=2; return 2; }
        [[ " ${all[*]} " == *" $need "* ]] || all+=("$need")
        [ "$need" -nt "$target" ] || [ "${made[$need]}" = 1 ] && { stale=1; newer+=("$need"); }
    done
    [ -n "$text" ] && can[$target]=1
    [ -e "$target" ] && [ -z "${phony[$target]}$stale$always" ] && return 0
    made[$target]=1
    [ -n "$text" ] || return 0
    value[@]=$target value['<']=${all[0]} value['^']=${all[*]} value['*']=$part value['?']=${newer[*]}
    value[@D]=$([[ $target == */* ]] && echo "${target%/*}" || echo .) value[@F]=${target##*/}
    run_recipe "$target" "$text" "$from" || { done_with[$target]=2; [ -n "$go_on" ] || leave 2; return 2; }
}
declare -A made can

while [ $# -gt 0 ]; do
    case $1 in
        -v | --version) printf 'GNU Make 4.3\nBuilt for x86_64-pc-linux-gnu\n'; exit ;;
        -f | --file | --makefile) file=$2; shift ;;
        -f*) file=${1#-f} ;;
        -C | --directory) cd "$2" 2> /dev/null || { echo "$me: *** $2: No such file or directory.  Stop." >&2; exit 2; }; entered=1; shift ;;
        -j | -l | -j[0-9]* | --jobs* | -w | -r | -R | -e | --no-print-directory) [[ $1 == -[jl] && $2 == [0-9]* ]] && shift ;;
        -n | --dry-run | --just-print) dry=1 ;;
        -s | --silent | --quiet) silent=1 ;;
        -B | --always-make) always=1 ;;
        -k | --keep-going) go_on=1 ;;
        -*) echo "$me: invalid option -- '${1#-}'" >&2; exit 2 ;;
        *=*) name=${1%%=*} name=${name%:}; value[$name]=${1#*=} given[$name]=1 ;;
        *) goals+=("$1") ;;
    esac
    shift
done
[ -n "$entered" ] && printf "%s: Entering directory '%s'\n" "$me" "$PWD"
if [ -z "$file" ]; then for name in GNUmakefile makefile Makefile; do [ -f "$name" ] && { file=$name; break; }; done; fi
if [ -n "$file" ]; then
    read_file "$file" || { printf '%s: %s: No such file or directory\n' "$me" "$file" >&2; die "No rule to make target '$file'."; }
elif [ ${#goals[@]} -eq 0 ]; then
    die 'No targets specified and no makefile found.'
fi
[ ${#goals[@]} -gt 0 ] || goals=("$default")
[ -n "${goals[0]}" ] || die 'No targets.'
for goal in "${goals[@]}"; do
    ran=
    if ! build "$goal" ''; then
        failed=2
        [[ -v needs[$goal] ]] && printf "%s: Target '%s' not remade because of errors.\n" "$me" "$goal" >&2
    elif [ -z "$ran$silent" ]; then
        [ -n "${can[$goal]}" ] && [ -z "${phony[$goal]}" ] && format="%s: '%s' is up to date.\n" || format="%s: Nothing to be done for '%s'.\n"
        printf "$format" "$me" "$goal"
    fi
done
leave $failed
