#!/bin/sh
# Collects what `sandbatch import` needs from a Slurm cluster, with pseudonyms, into one .tar.gz.
# Printed by `sandbatch export-script`. Read it before you run it: it needs no privileges and changes nothing on the cluster.
#
#   sh export.sh [-S START] [-E END] [-o FILE.tar.gz] [-k KEYFILE]
#
# START and END are times as sacct takes them (2026-11-01T00:00:00, UTC); without them, the last 30 days.
# User and account names become u1, u2, ... and a1, a2, ... The table of names is KEYFILE (default: sandbatch-export.key in this
# directory). It is not in the archive: keep it to get the same pseudonyms next time, or delete it.
# Job names, comments, scripts, directories and reasons for node states are not collected. Of the command line of a job, only
# options for the scheduler are.
# Needs: sh, awk, sed, tar, gzip, date, and Slurm's scontrol, sacct, sacctmgr.

set -u
umask 077
LC_ALL=C
TZ=UTC
SLURM_TIME_FORMAT=standard
export LC_ALL TZ SLURM_TIME_FORMAT
unset SACCT_FORMAT SLURM_CLUSTERS 2>/dev/null

since=
until=
out=sandbatch-export.tar.gz
key=sandbatch-export.key

fail() {
    echo "export: $1" >&2
    exit 1
}

while getopts S:E:o:k: letter; do
    case $letter in
        S) since=$OPTARG ;;
        E) until=$OPTARG ;;
        o) out=$OPTARG ;;
        k) key=$OPTARG ;;
        *) echo 'usage: sh export.sh [-S START] [-E END] [-o FILE.tar.gz] [-k KEYFILE]' >&2; exit 2 ;;
    esac
done

for tool in awk sed tar gzip date scontrol sacct; do
    command -v "$tool" > /dev/null 2>&1 || fail "$tool is not on PATH"
done

[ -n "$until" ] || until=$(date +%Y-%m-%dT%H:%M:%S)
if [ -z "$since" ]; then
    since=$(date +%s | awk '{
        t = $1 - 30 * 86400; d = int(t / 86400); s = t - d * 86400
        z = d + 719468; era = int(z / 146097); doe = z - era * 146097
        yoe = int((doe - int(doe / 1460) + int(doe / 36524) - int(doe / 146096)) / 365)
        doy = doe - (365 * yoe + int(yoe / 4) - int(yoe / 100)); mp = int((5 * doy + 2) / 153)
        day = doy - int((153 * mp + 2) / 5) + 1; month = mp < 10 ? mp + 3 : mp - 9
        year = yoe + era * 400 + (month <= 2 ? 1 : 0)
        printf "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, int(s / 3600), int(s / 60) % 60, s % 60
    }')
fi

work=${TMPDIR:-/tmp}/sandbatch-export.$$
raw=$work/raw
name=sandbatch-export
mkdir -p "$raw" "$work/$name" || fail "cannot write to $work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
manifest=$work/$name/manifest.txt

# The cluster as Slurm shows it to everyone.
scontrol show config > "$raw/config.txt" 2> /dev/null || fail 'scontrol show config does not work here'
scontrol show node > "$raw/nodes.txt" 2> /dev/null
scontrol show partition > "$raw/partitions.txt" 2> /dev/null
scontrol show reservation > "$raw/reservations.txt" 2> /dev/null
scontrol show topology > "$raw/topology.txt" 2> /dev/null

# The files, where they can be read.
conf=$(sed -n 's/^SLURM_CONF *= *//p' "$raw/config.txt")
dir=${conf%/*}
files=
for file in slurm.conf gres.conf topology.conf cgroup.conf; do
    if [ -n "$dir" ] && [ -r "$dir/$file" ]; then
        cat "$dir/$file" > "$raw/$file"
        files="$files $file"
    fi
done

# Accounts and QOS.
columns=Cluster,Account,User,Partition,ParentName,Share,Priority,GrpJobs,GrpTRES,GrpSubmit,GrpWall,GrpTRESMins
columns=$columns,MaxJobs,MaxTRES,MaxTRESPerNode,MaxSubmit,MaxWall,MaxTRESMins,QOS,DefaultQOS,GrpTRESRunMins
if command -v sacctmgr > /dev/null 2>&1; then
    sacctmgr -P show assoc format=$columns > "$raw/assoc.txt" 2> /dev/null || : > "$raw/assoc.txt"
    sacctmgr -P show qos > "$raw/qos.txt" 2> /dev/null || : > "$raw/qos.txt"
    sacctmgr -P show event where start="$since" end="$until" \
        format=NodeName,TimeStart,TimeEnd,State > "$raw/events.txt" 2> /dev/null || : > "$raw/events.txt"
else
    : > "$raw/assoc.txt"; : > "$raw/qos.txt"; : > "$raw/events.txt"
fi

# Jobs: of the fields that matter, those that this release has. The last one may contain anything.
have=$(sacct --helpformat 2> /dev/null)
fields=
for field in JobID JobIDRaw User Account Partition QOS Submit Eligible Start End ElapsedRaw Suspended TimelimitRaw State \
    ReqCPUS AllocCPUS ReqNodes NNodes NodeList ReqMem ReqTRES ReqGRES Constraints Licenses Reservation Reason SubmitLine; do
    case " $(echo $have) " in
        *" $field "*) fields=$fields${fields:+,}$field ;;
    esac
done
[ -n "$fields" ] || fail 'sacct --helpformat names no fields'
sacct -a -X -D -P --delimiter='@|@' -S "$since" -E "$until" -o "$fields" > "$raw/sacct.txt" ||
    fail 'sacct failed'

# The table of names: the key. Earlier names keep their pseudonyms.
[ -e "$key" ] || : > "$key"
{
    awk -F '@[|]@' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = NF; next }
        NF == n { print "u", $at["User"]; print "a", $at["Account"] }' "$raw/sacct.txt"
    awk -F '[|]' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { if ("User" in at) print "u", $at["User"]; if ("Account" in at) print "a", $at["Account"] }' "$raw/assoc.txt"
} | awk -v key="$key" '
    BEGIN { while ((getline line < key) > 0) { split(line, w, " "); count[w[1]]++; seen[w[1] " " w[2]] = 1; print line } }
    NF == 2 && $2 != "root" && !(($1 " " $2) in seen) { seen[$1 " " $2] = 1; print $1, $2, $1 (++count[$1]) }
' > "$work/key"
cat "$work/key" > "$key" || fail "cannot write $key"

# Rewrites names. Lists of accounts keep their form.
names='function load(  line, w) { while ((getline line < key) > 0) { split(line, w, " "); name[w[1] " " w[2]] = w[3] } }
    function hide(kind, text) { return ((kind " " text) in name) ? name[kind " " text] : text }
    function list(kind, text,  n, i, w, out, sign) {
        n = split(text, w, ","); out = ""
        for (i = 1; i <= n; i++) {
            sign = ""
            if (w[i] ~ /^[-+]/) { sign = substr(w[i], 1, 1); w[i] = substr(w[i], 2) }
            out = out (i > 1 ? "," : "") sign hide(kind, w[i])
        }
        return out
    }'

awk -F '@[|]@' -v key="$work/key" "$names"'
    BEGIN {
        load()
        # Options with a value, and those without, that matter to the scheduler.
        n = split("-n --ntasks -N --nodes -c --cpus-per-task -t --time --time-min -p --partition -q --qos --mem --mem-per-cpu " \
            "--mem-per-gpu -G --gpus --gpus-per-node --gpus-per-task --gpus-per-socket --cpus-per-gpu --gres -C --constraint " \
            "--ntasks-per-node --ntasks-per-socket --ntasks-per-core --mincpus -a --array -d --dependency -b --begin -L --licenses " \
            "-w --nodelist -x --exclude --switches --nice -m --distribution --threads-per-core -S --core-spec --hint", w, " ")
        for (i = 1; i <= n; i++) valued[w[i]] = 1
        n = split("--exclusive -H --hold --contiguous -s --oversubscribe --spread-job --use-min-nodes -O --overcommit", w, " ")
        for (i = 1; i <= n; i++) plain[w[i]] = 1
        n = split("-J --job-name -o --output -e --error -i --input -A --account -D --chdir --comment --mail-type --mail-user " \
            "--export --wckey --signal --open-mode --parsable --requeue --no-requeue -Q --quiet -v --verbose --profile " \
            "--reservation --uid --gid --get-user-env --acctg-freq --propagate -k --no-kill -M --clusters -W --wait", w, " ")
        for (i = 1; i <= n; i++) dropped[w[i]] = 1
        n = split("--parsable --requeue --no-requeue -Q --quiet -v --verbose -k --no-kill -W --wait --get-user-env", w, " ")
        for (i = 1; i <= n; i++) alone[w[i]] = 1
    }
    function reduce(text,  n, i, w, out, short, long) {
        n = split(text, w, " ")
        sub(".*/", "", w[1])
        if (w[1] != "sbatch" && w[1] != "srun" && w[1] != "salloc") return ""
        out = w[1]
        for (i = 2; i <= n; i++) {
            if (w[i] !~ /^-/) break
            long = w[i]; sub("=.*", "", long); short = substr(w[i], 1, 2)
            if (w[i] ~ /^--reservation/) { out = out " --reservation=hidden"; if (w[i] !~ /=/) i++ }
            else if (w[i] in plain || long in plain) out = out " " w[i]
            else if (w[i] ~ /^--/ && w[i] ~ /=/ && long in valued) out = out " " w[i]
            else if (w[i] in valued && i < n) { out = out " " w[i] " " w[i + 1]; i++ }
            else if (w[i] !~ /^--/ && short in valued) out = out " " w[i]
            else if (w[i] in alone || (w[i] ~ /^--/ && w[i] ~ /=/) || (w[i] !~ /^--/ && length(w[i]) > 2)) continue
            else if (w[i] in dropped) i++
            else break
        }
        return out
    }
    NR == 1 { n = NF; for (i = 1; i <= NF; i++) { at[$i] = i }; print; next }
    # A line break within a command line: what follows is dropped.
    NF < n { next }
    {
        line = ""
        for (i = 1; i <= n; i++) {
            text = $i
            if (i == at["User"]) text = hide("u", text)
            else if (i == at["Account"]) text = hide("a", text)
            else if (i == at["State"]) sub(/ by .*/, "", text)
            else if (i == at["SubmitLine"]) text = reduce(text)
            else if (i == at["Reservation"]) text = text == "" ? "" : "hidden"
            line = line (i > 1 ? "@|@" : "") text
        }
        print line
    }' "$raw/sacct.txt" > "$work/$name/sacct.txt"

[ ! -s "$raw/assoc.txt" ] || awk -F '[|]' -v OFS='|' -v key="$work/key" "$names"'
    BEGIN { load() }
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    {
        for (i = 1; i <= NF; i++) {
            if (i == at["User"]) $i = hide("u", $i)
            if (i == at["Account"] || i == at["ParentName"] || i == at["Par Name"]) $i = hide("a", $i)
        }
        print
    }' "$raw/assoc.txt" > "$work/$name/assoc.txt"
for file in qos.txt events.txt; do
    [ ! -s "$raw/$file" ] || cat "$raw/$file" > "$work/$name/$file"
done

# Configuration: accounts get pseudonyms; groups, passwords and texts of people are dropped.
for file in config.txt nodes.txt partitions.txt reservations.txt topology.txt $files; do
    [ -s "$raw/$file" ] || continue
    sed -e '/[Pp]ass *=/d' -e 's/Reason=.*/Reason=withheld/' -e 's/Comment=.*/Comment=withheld/' \
        -e 's/Extra=.*//' -e 's/Owner=[^ ]*/Owner=N\/A/' "$raw/$file" |
        awk -v key="$work/key" "$names"'
            BEGIN { load() }
            {
                n = split($0, w, " "); line = $0
                for (i = 1; i <= n; i++) {
                    p = index(w[i], "="); if (!p) continue
                    k = tolower(substr(w[i], 1, p - 1)); v = substr(w[i], p + 1)
                    new = w[i]
                    if (k == "allowaccounts" || k == "denyaccounts" || k == "accounts") new = substr(w[i], 1, p) list("a", v)
                    if (k == "users") new = substr(w[i], 1, p) list("u", v)
                    if (k == "allowgroups" || k == "groups") new = substr(w[i], 1, p) "ALL"
                    if (new != w[i]) {
                        p = index(line, w[i])
                        line = substr(line, 1, p - 1) new substr(line, p + length(w[i]))
                    }
                }
                print line
            }' > "$work/$name/$file"
done

private=$(sed -n 's/^PrivateData *= *//p' "$raw/config.txt")
{
    echo 'sandbatch export 1'
    echo "since: $since"
    echo "until: $until"
    echo 'zone: UTC'
    echo "slurm: $(sed -n 's/^SLURM_VERSION *= *//p' "$raw/config.txt")"
    echo "fields: $fields"
    case $private in
        *jobs*) echo 'cost: PrivateData hides the jobs of others: without operator rights these are only your own' ;;
    esac
    case $private in
        *accounts* | *users* | *usage*) echo "cost: PrivateData=$private hides accounts, users or usage of others" ;;
    esac
    [ -s "$raw/slurm.conf" ] || echo 'cost: slurm.conf is not readable here: the site is made from scontrol show'
    [ -s "$raw/assoc.txt" ] || echo 'cost: sacctmgr shows no associations: shares and limits are unknown'
    [ -s "$raw/events.txt" ] || echo 'cost: sacctmgr shows no events: nodes are taken to be up all the time'
    case $fields in
        *SubmitLine*) ;;
        *) echo 'cost: this sacct has no SubmitLine: tasks, CPUs per task and options are guessed' ;;
    esac
    echo 'cost: #SBATCH lines of scripts are not recorded: what they ask for is known only as far as sacct shows it'
} > "$manifest"

(cd "$work" && tar -cf - "$name" | gzip -c) > "$out" || fail "cannot write $out"
sed -n 's/^cost: /note: /p' "$manifest" >&2
echo "$out"
