//! The blocks of five documents of real centres, each with the sentence before it (`tests/seeds/blocks`): what a reader types,
//! which files are written, and what is asked for.

use super::{NoFiles, PieceKind, TextPart, TriedBlock, read, tried_blocks};
use std::path::Path;

/// A document's blocks as a reader tries them.
fn blocks(name: &str) -> Vec<TriedBlock> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/seeds/blocks").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let page = read(name, &text, &mut NoFiles);
    assert_eq!(page.notes, [], "{name}");
    tried_blocks(&page.blocks)
}

/// A text with each part that is asked for in braces, after what it is about.
fn shown(block: &TriedBlock, parts: &[TextPart]) -> String {
    let part = |part: &TextPart| match part {
        TextPart::Text(text) => text.clone(),
        TextPart::Asked(index) => format!("{{{:?} {}}}", block.asks[*index].about, block.asks[*index].text),
    };
    parts.iter().map(part).collect()
}

/// A line for each file and command, a line `-` for a block without any.
fn summary(name: &str) -> Vec<String> {
    let mut out = Vec::new();
    for block in blocks(name) {
        let files =
            block.files.iter().map(|f| format!("{} {}", if f.own { "file" } else { "needs" }, f.name));
        let commands = block.commands.iter().map(|c| format!("$ {}", shown(&block, c)));
        let mut all: Vec<String> = files.chain(commands).collect();
        if all.is_empty() {
            let output = block.rows.contains(&PieceKind::Output);
            all.push(if output { "- output" } else { "-" }.to_owned());
        }
        out.extend(all);
    }
    out
}

#[test]
fn gcp_the_listing_is_no_command() {
    let wanted = [
        "$ srun --partition g2 --nodes=1 --gpus-per-node=1 --time=01:00:00 --pty bash -i",
        "file myjob.sh",
        "needs myjob.sh",
        "$ sbatch myjob.sh",
        "$ squeue",
        "- output",
        "$ squeue --job {Job $JOBID}",
        "$ scancel {Job $JOBID}",
        "$ wget https://repo.anaconda.com/miniconda/Miniconda3-py310_23.10.0-1-Linux-x86_64.sh",
        "$ bash Miniconda3-py310_23.10.0-1-Linux-x86_64.sh",
        "$ conda create -n myenv python=3.9",
        "$ conda activate myenv",
        "$ conda install nvidia/label/cuda-11.8.0::cuda-toolkit",
        "$ conda install pytorch==2.2.0 torchvision==0.17.0 torchaudio==2.2.0 pytorch-cuda=11.8 -c pytorch -c nvidia",
        "file job.sh",
    ];
    assert_eq!(summary("gcp.md"), wanted);
    let all = blocks("gcp.md");
    let script: String = all[2].files.iter().map(|f| shown(&all[2], &f.text)).collect();
    assert!(
        script.starts_with("#!/bin/bash\n") && script.ends_with("# Command(s) goes here\nnvidia-smi\n"),
        "{script}"
    );
    // The lines of a block: a command, an empty line, output.
    assert_eq!(
        all[5].rows[..],
        [PieceKind::Command, PieceKind::Output, PieceKind::Output, PieceKind::Output]
    );
}

#[test]
fn iq_times_are_asked_for() {
    let wanted = [
        "$ salloc -p c-iq -t {Time [HH]::[mm]:[ss]} --mem=8G --cpu-per-task=1",
        "$ sbatch -p c-iq job.sh",
        "$ salloc -p c-iq -t {Time [HH]::[mm]:[ss]} --mem=8G --cpu-per-task=1 --nodelist=cp3705",
        "$ alias sbatch-iq=\"sbatch -p c-iq\"",
        "$ alias salloc-iq=\"salloc -p c-iq\"",
        "$ alias sbatch-iq-gpu=\"sbatch -p c-iq --nodelist=cp3705\"",
        "$ alias salloc-iq-gpu=\"salloc -p c-iq --nodelist=cp3705\"",
        "$ sbatch-iq-gpu job.sh",
    ];
    assert_eq!(summary("iq.rst"), wanted);
}

#[test]
fn mila_a_configuration_is_a_file_that_a_script_needs() {
    let wanted = [
        "file job.sh",
        "file job-2.sh",
        "file silly.conf",
        "-",
        "file job-3.sh",
        "file job-4.sh",
        "needs silly.conf",
        "$ cat {Job JOBID}-step-* | grep Tesla",
    ];
    assert_eq!(summary("mila.rst"), wanted);
    let all = blocks("mila.rst");
    assert!(shown(&all[0], &all[0].files[0].text).contains("#SBATCH {Omitted ....}\n"), "{:?}", all[0]);
}

#[test]
fn inserm_numbers_of_the_authors_jobs_are_asked_for() {
    let wanted = [
        "file options.sh",
        "$ squeue",
        "$ scancel {Job 42}",
        "$ scancel -u $USER",
        "$ sinfo",
        "$ sacct",
        "$ sacct -j {Job 42}",
        "file mon_job.slurm",
        "$ python mon_script.py",
        "needs mon_job.slurm",
        "$ sbatch mon_job.slurm",
        "- output",
        "$ squeue -u $USER",
        "$ sacct -j {Job 42}",
        "file options-2.sh",
        "$ salloc --partition=debug --nodes=1 --ntasks=1 --time=01:00:00",
        "$ srun --partition=debug --nodes=1 --ntasks=1 --time=00:30:00 python mon_script.py",
        "$ srun --partition=debug --nodes=1 --ntasks=1 --time=01:00:00 --pty bash",
        "file options-3.sh",
        "-",
        "file job.sh",
        "-",
        "file options-4.sh",
        "-",
        "$ sbatch preparation.slurm",
        "$ sbatch --dependency=afterok:{Job 42} analyse.slurm",
        "$ job1=$(sbatch preparation.slurm | awk '{print $4}')",
        "$ job2=$(sbatch --dependency=afterok:$job1 calcul.slurm | awk '{print $4}')",
        "$ sbatch --dependency=afterok:$job2 analyse.slurm",
        "$ APPTAINER_OPTION=\"-e --writable-tmpfs --sharens --nv\"",
        "$ apptainer exec $APPTAINER_OPTION mon_conteneur.sif python mon_script.py",
        "$ apptainer shell $APPTAINER_OPTION mon_conteneur.sif",
        "$ apptainer exec $APPTAINER_OPTION --bind /shared:/mnt mon_conteneur.sif python mon_script.py",
        "file job-2.sh",
        "$ python app.py # lance l'application sur le port 3000",
        "$ APPTAINER_OPTION=\"-e --writable-tmpfs --sharens --nv\"",
        "$ apptainer exec $APPTAINER_OPTION mon_conteneur.sif python mon_app.py",
        "$ docker pull python:3.11",
        "$ docker save python:3.11 -o python_3.11.tar",
        "$ apptainer build python_3.11.sif docker-archive://python_3.11.tar",
    ];
    assert_eq!(summary("inserm.md"), wanted);
}

#[test]
fn alliance_tables_after_prompts_are_output() {
    let wanted = ["$ sshare -l -A def-prof1_cpu -u prof1,grad2,postdoc3", "$ partition-stats"];
    assert_eq!(summary("alliance.md"), wanted);
    let all = blocks("alliance.md");
    assert!(all[0].rows[1..].iter().all(|kind| *kind == PieceKind::Output), "{:?}", all[0].rows);
}
