# snakemake with its executor for Slurm: a small graph, then a rule that fails and is retried.
set -e
mkdir -p snake && cd snake
cat > Snakefile <<'END'
rule all:
    input: "total.txt"
rule part:
    output: "part{n}.txt"
    resources: runtime=5, mem_mb=100, slurm_partition="debug"
    shell: "echo {wildcards.n} $SLURM_JOB_ID > {output}"
rule retried:
    output: "retried.txt"
    retries: 1
    resources: runtime=5, mem_mb=100, slurm_partition="debug"
    shell: "test -e once || {{ touch once; exit 1; }}; echo done > {output}"
rule total:
    input: expand("part{n}.txt", n=[1, 2, 3]), "retried.txt"
    output: "total.txt"
    resources: runtime=5, mem_mb=100, slurm_partition="debug"
    shell: "cat {input} > {output}"
END
python3 -m snakemake --executor slurm --jobs 10 --default-resources slurm_account=physics \
    --latency-wait 5 --slurm-init-seconds-before-status-checks 2 --seconds-between-status-checks 2 > log 2>&1 || { cat log; exit 1; }
test "$(wc -l < total.txt)" = 4
echo ok
