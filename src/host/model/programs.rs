//! Programs that run as models, and their default behaviour: one row each, in the syntax of `#SIM` lines.
//! `man NAME` shows it.

/// A modelled program.
pub struct ModelProgram {
    /// The command name.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Output of `--version`.
    pub version: &'static str,
    /// Default behaviour as `#SIM` lines.
    pub sim: &'static str,
    /// Options whose values set `#SIM` keys.
    pub options: &'static [(&'static str, &'static str)],
}

const fn row(
    name: &'static str,
    summary: &'static str,
    version: &'static str,
    sim: &'static str,
) -> ModelProgram {
    ModelProgram { name, summary, version, sim, options: &[] }
}

const fn with(program: ModelProgram, options: &'static [(&'static str, &'static str)]) -> ModelProgram {
    ModelProgram { options, ..program }
}

/// Default of interpreters for unknown programs.
const SCRIPT: &str = "time=30s-90s memory=250M cpu=98%";
/// Default of mappers and assemblers: minutes, with threads.
const GENOMICS: &str = "work=20m serial=3% memory=3G cpu=97%";
/// Default of parallel solvers: hours on one core, divided among ranks.
const SOLVER: &str = "work=4h serial=1% mpi threads=auto memory=600M cpu=99%";

const T: &[(&str, &str)] = &[("-t", "threads")];
const P: &[(&str, &str)] = &[("-p", "threads"), ("--threads", "threads")];
const PORT: &[(&str, &str)] = &[("--port", "serve")];
const STRESS: &[(&str, &str)] = &[
    ("-c", "threads"),
    ("--cpu", "threads"),
    ("-t", "time"),
    ("--timeout", "time"),
    ("--vm-bytes", "memory"),
];

/// All programs, sorted by name.
#[rustfmt::skip]
pub const PROGRAMS: &[ModelProgram] = &[
    row("ElmerSolver", "finite elements", "ELMER SOLVER (v 9.0)", SOLVER),
    row("ElmerSolver_mpi", "finite elements", "ELMER SOLVER (v 9.0)", SOLVER),
    row("IMB-MPI1", "MPI benchmarks", "# Intel(R) MPI Benchmarks 2021.3", SCRIPT),
    row("R", "the R language", "R version 4.2.2 (2022-10-31) -- \"Innocent and Trusting\"", SCRIPT),
    row("Rscript", "the R language", "Rscript (R) version 4.2.2 (2022-10-31)", SCRIPT),
    with(row("STAR", "RNA sequences aligned to a genome", "2.7.10b", "work=1h serial=3% memory=30G cpu=97%"), &[("--runThreadN", "threads")]),
    with(row("Trinity", "transcripts assembled", "Trinity-v2.15.1", GENOMICS), &[("--CPU", "threads")]),
    row("abaqus", "finite elements", "Abaqus 2023", SOLVER),
    row("abinit", "electronic structure", "9.8.4", SOLVER),
    row("accelerate", "starts PyTorch programs on several GPUs", "accelerate 0.27.2", "time=5m gpu=92% gpumemory=12G gpus=all memory=4G"),
    row("ansys", "finite elements", "2023R1", SOLVER),
    with(row("bcftools", "variants of genomes", "bcftools 1.16", GENOMICS), &[("--threads", "threads")]),
    row("bedtools", "intervals of genomes", "bedtools v2.30.0", GENOMICS),
    row("bismark", "methylation", "Bismark v0.24.0", GENOMICS),
    with(row("blastn", "nucleotides searched in a database", "blastn: 2.12.0+", GENOMICS), &[("-num_threads", "threads"), ("-out", "write")]),
    with(row("blastp", "proteins searched in a database", "blastp: 2.12.0+", GENOMICS), &[("-num_threads", "threads"), ("-out", "write")]),
    with(row("blastx", "translated nucleotides searched in a database", "blastx: 2.12.0+", GENOMICS), &[("-num_threads", "threads"), ("-out", "write")]),
    row("blockMesh", "OpenFOAM: a mesh", "OpenFOAM v2212", SCRIPT),
    with(row("bowtie2", "reads aligned to a genome", "bowtie2-align-s version 2.5.0", GENOMICS), P),
    with(row("bowtie2-build", "an index for bowtie2", "bowtie2-build 2.5.0", GENOMICS), &[("--threads", "threads")]),
    with(row("bwa", "reads aligned to a genome", "Version: 0.7.17-r1188", GENOMICS), T),
    with(row("bwa-mem2", "reads aligned to a genome", "2.2.1", GENOMICS), T),
    row("canu", "long reads assembled", "canu 2.2", GENOMICS),
    with(row("cellranger", "single cells", "cellranger-7.1.0", GENOMICS), &[("--localcores", "threads")]),
    row("comsol", "COMSOL Multiphysics", "COMSOL 6.1", SOLVER),
    row("cp2k.popt", "atomistic simulation", "CP2K version 2023.1", SOLVER),
    row("cp2k.psmp", "atomistic simulation", "CP2K version 2023.1", SOLVER),
    with(row("cutadapt", "reads trimmed", "4.2", GENOMICS), &[("-j", "threads"), ("-o", "write")]),
    row("decomposePar", "OpenFOAM: a mesh dealt", "OpenFOAM v2212", SCRIPT),
    row("deepspeed", "starts PyTorch programs on several GPUs", "deepspeed 0.13.1", "time=5m gpu=95% gpumemory=20G gpus=all memory=8G"),
    row("dftb+", "electronic structure", "DFTB+ 22.2", SOLVER),
    with(row("diamond", "proteins searched in a database", "diamond version 2.1.8", GENOMICS), P),
    with(row("fasterq-dump", "reads of an archive", "fasterq-dump : 3.0.3", GENOMICS), &[("-e", "threads")]),
    with(row("fastp", "reads trimmed", "fastp 0.23.4", GENOMICS), &[("-w", "threads")]),
    row("fastq-dump", "reads of an archive", "fastq-dump : 3.0.3", GENOMICS),
    with(row("fastqc", "quality of reads", "FastQC v0.11.9", "work=3m memory=300M cpu=95%"), T),
    with(row("featureCounts", "reads counted", "featureCounts v2.0.6", GENOMICS), &[("-T", "threads"), ("-o", "write")]),
    with(row("ffmpeg", "video and sound converted", "ffmpeg version 5.1.4", "work=10m serial=5% threads=auto memory=400M cpu=96%"), &[("-threads", "threads")]),
    row("fluent", "ANSYS Fluent", "2023R1", SOLVER),
    with(row("flye", "long reads assembled", "2.9.2", GENOMICS), T),
    row("g09", "Gaussian: electronic structure", "Gaussian 09", SCRIPT),
    row("g16", "Gaussian: electronic structure", "Gaussian 16", "work=6h serial=4% threads=auto memory=2G"),
    with(row("gatk", "variants found in reads", "The Genome Analysis Toolkit (GATK) v4.4.0.0", "work=1h memory=4G"), &[("-O", "write")]),
    with(
        row("gmx", "GROMACS: molecular dynamics", "GROMACS version:    2022.5", "work=4h serial=1% threads=auto memory=400M cpu=99%"),
        &[("-nt", "threads"), ("-ntomp", "threads")],
    ),
    with(row("gmx_mpi", "GROMACS: molecular dynamics", "GROMACS version:    2022.5", SOLVER), &[("-ntomp", "threads")]),
    row("gnuplot", "plots", "gnuplot 5.4 patchlevel 4", SCRIPT),
    row("gpaw", "electronic structure", "gpaw-23.9.1", SOLVER),
    row("gpaw-python", "gpaw", "Python 3.11.2", SCRIPT),
    row("guppy_basecaller", "reads of nanopores", "6.5.7", GENOMICS),
    row("gurobi_cl", "optimization", "Gurobi Optimizer version 10.0.1", SCRIPT),
    with(row("hisat2", "reads aligned to a genome", "hisat2-align-s version 2.2.1", GENOMICS), P),
    with(row("hisat2-build", "an index for hisat2", "hisat2-build 2.2.1", GENOMICS), P),
    with(row("hmmscan", "profiles of proteins", "HMMER 3.3.2", GENOMICS), &[("--cpu", "threads")]),
    with(row("hmmsearch", "profiles of proteins", "HMMER 3.3.2", GENOMICS), &[("--cpu", "threads")]),
    row("hoomd", "molecular dynamics", "4.3.0", SOLVER),
    row("htseq-count", "reads counted", "2.0.3", GENOMICS),
    row("idl", "IDL", "IDL 8.8.3", SCRIPT),
    row("interFoam", "OpenFOAM: flows", "OpenFOAM v2212", SOLVER),
    row("ipython", "the Python language", "8.5.0", SCRIPT),
    with(row("iqtree", "phylogeny", "IQ-TREE 2.2.2", GENOMICS), &[("-nt", "threads"), ("-T", "threads")]),
    with(row("iqtree2", "phylogeny", "IQ-TREE 2.2.2", GENOMICS), &[("-nt", "threads"), ("-T", "threads")]),
    row("java", "the Java virtual machine", "openjdk version \"17.0.9\" 2023-10-17", SCRIPT),
    row("julia", "the Julia language", "julia version 1.9.3", "time=30s-90s memory=400M cpu=99%"),
    with(row(
        "jupyter", "notebooks in a browser", "jupyter core     : 5.5.0",
        "time=forever memory=120M cpu=1%\non=TERM:exit:0\nserve=8888 Jupyter Server: the files of this directory\nstderr=[I ServerApp] Jupyter Server 2.7.3 is running at: http://$host:8888/lab",
    ), PORT),
    with(row(
        "jupyter-lab", "notebooks in a browser", "4.0.9",
        "time=forever memory=120M cpu=1%\non=TERM:exit:0\nserve=8888 JupyterLab: the files of this directory\nstderr=[I ServerApp] Jupyter Server 2.7.3 is running at: http://$host:8888/lab",
    ), PORT),
    with(row(
        "jupyter-notebook", "notebooks in a browser", "7.0.6",
        "time=forever memory=120M cpu=1%\non=TERM:exit:0\nserve=8888 Jupyter Notebook: the files of this directory\nstderr=[I ServerApp] Jupyter Server 2.7.3 is running at: http://$host:8888/tree",
    ), PORT),
    with(row("kallisto", "RNA quantified", "kallisto, version 0.48.0", "work=10m serial=3% memory=4G"), T),
    with(row("kraken2", "reads classified", "Kraken version 2.1.3", GENOMICS), P),
    row("lmp", "LAMMPS: molecular dynamics", "Large-scale Atomic/Molecular Massively Parallel Simulator - 2 Aug 2023", SOLVER),
    row("lmp_mpi", "LAMMPS: molecular dynamics", "LAMMPS - 2 Aug 2023", SOLVER),
    with(row("mafft", "sequences aligned", "v7.505", GENOMICS), &[("--thread", "threads")]),
    row("makeblastdb", "a database for blast", "makeblastdb: 2.12.0+", "work=5m memory=1G"),
    row("maple", "Maple", "Maple 2023", SCRIPT),
    row("math", "Mathematica", "13.2", SCRIPT),
    row("matlab", "MATLAB", "9.14.0.2206163 (R2023a)", "time=40s-100s memory=1200M threads=auto cpu=60%"),
    row("mb", "Bayesian phylogeny", "MrBayes 3.2.7a", SOLVER),
    row("mb-mpi", "Bayesian phylogeny", "MrBayes 3.2.7a", SOLVER),
    with(row("megahit", "genomes assembled", "MEGAHIT v1.2.9", GENOMICS), T),
    with(row("minimap2", "long reads aligned", "2.24-r1122", GENOMICS), T),
    row("molpro", "electronic structure", "Molpro 2023.1", SOLVER),
    row("mothur", "communities of microbes", "mothur v.1.48.0", GENOMICS),
    row("multiqc", "reports of quality", "multiqc, version 1.18", GENOMICS),
    row("muscle", "sequences aligned", "muscle 5.1", GENOMICS),
    with(row("namd2", "NAMD: molecular dynamics", "NAMD 2.14", "work=4h serial=1% threads=auto memory=600M"), &[("+p", "threads")]),
    row("namd3", "NAMD: molecular dynamics", "NAMD 3.0", SOLVER),
    row("nwchem", "computational chemistry", "NWChem 7.0.2", SOLVER),
    row("octave", "GNU Octave", "GNU Octave, version 7.3.0", SCRIPT),
    row("octopus", "electronic structure", "octopus 13.0", SOLVER),
    row("ollama", "language models", "ollama version is 0.3.12", SCRIPT),
    row("orca", "quantum chemistry", "Program Version 5.0.4", "work=6h serial=3% memory=1G"),
    row("osu_bw", "MPI bandwidth", "# OSU MPI Bandwidth Test v7.2", SCRIPT),
    row("osu_latency", "MPI latency", "# OSU MPI Latency Test v7.2", SCRIPT),
    row("perl", "the Perl language", "This is perl 5, version 36, subversion 0 (v5.36.0)", "time=5s-20s memory=30M"),
    row("ph.x", "Quantum ESPRESSO: electronic structure", "PHONON v.7.1", SOLVER),
    row("picard", "reads and variants", "3.0.0", GENOMICS),
    row("pimpleFoam", "OpenFOAM: flows", "OpenFOAM v2212", SOLVER),
    row("pisoFoam", "OpenFOAM: flows", "OpenFOAM v2212", SOLVER),
    with(row("plink", "genotypes", "PLINK v1.90b7", GENOMICS), &[("--threads", "threads")]),
    with(row("plink2", "genotypes", "PLINK v2.00a5", GENOMICS), &[("--threads", "threads")]),
    row("pmemd.MPI", "Amber: molecular dynamics", "Amber 22", SOLVER),
    row("pmemd.cuda", "Amber: molecular dynamics on GPUs", "Amber 22", "work=2h gpu=95% gpumemory=2G gpus=all mpi memory=800M"),
    row("pmemd.cuda.MPI", "Amber: molecular dynamics on GPUs", "Amber 22", "work=2h gpu=95% gpumemory=2G gpus=all mpi memory=800M"),
    with(row("prokka", "genes of microbes", "prokka 1.14.6", GENOMICS), &[("--cpus", "threads")]),
    row("pw.x", "Quantum ESPRESSO: electronic structure", "Program PWSCF v.7.1", SOLVER),
    row("pytest", "tests of Python programs", "pytest 7.2.1", "time=10s-40s memory=150M"),
    row("python", "the Python language", "Python 3.11.2", SCRIPT),
    row("python3", "the Python language", "Python 3.11.2", SCRIPT),
    row("qchem", "electronic structure", "Q-Chem 6.1", SOLVER),
    row("qiime", "communities of microbes", "q2cli version 2023.9", GENOMICS),
    with(row("quast.py", "quality of assemblies", "QUAST v5.2.0", GENOMICS), T),
    with(row("raxml-ng", "phylogeny", "RAxML-NG v. 1.2.0", GENOMICS), P),
    with(row("raxmlHPC", "phylogeny", "RAxML 8.2.12", GENOMICS), &[("-T", "threads")]),
    row("raxmlHPC-MPI", "phylogeny", "RAxML 8.2.12", SOLVER),
    with(row("raxmlHPC-PTHREADS", "phylogeny", "RAxML 8.2.12", GENOMICS), &[("-T", "threads")]),
    row("real.exe", "weather", "WRF V4.4", SOLVER),
    row("reconstructPar", "OpenFOAM: results joined", "OpenFOAM v2212", SCRIPT),
    row("ruby", "the Ruby language", "ruby 3.1.2p20", "time=5s-20s memory=40M"),
    with(row("salmon", "RNA quantified", "salmon 1.10.0", "work=20m serial=3% memory=8G"), &[("-p", "threads"), ("--threads", "threads")]),
    with(row("samtools", "reads sorted, indexed and counted", "samtools 1.16.1", "work=4m serial=10% memory=900M cpu=96%"), &[("-@", "threads"), ("-o", "write")]),
    row("sander", "Amber: molecular dynamics", "Amber 22", SOLVER),
    row("sander.MPI", "Amber: molecular dynamics", "Amber 22", SOLVER),
    row("sas", "SAS", "SAS 9.4", SCRIPT),
    row("siesta", "electronic structure", "Siesta 4.1.5", SOLVER),
    row("simpleFoam", "OpenFOAM: flows", "OpenFOAM v2212", SOLVER),
    row("snappyHexMesh", "OpenFOAM: a mesh", "OpenFOAM v2212", SCRIPT),
    with(row("spades.py", "genomes assembled", "SPAdes genome assembler v3.15.5", "work=8h serial=6% memory=16G"), T),
    row("spark-submit", "Apache Spark", "version 3.5.0", SCRIPT),
    row("stata", "Stata", "Stata/SE 17.0", SCRIPT),
    row("stata-mp", "Stata", "Stata/MP 17.0", SCRIPT),
    row("stata-se", "Stata", "Stata/SE 17.0", SCRIPT),
    row("stream", "memory bandwidth", "STREAM version 5.10", SCRIPT),
    with(row("stress", "load for a machine", "stress 1.0.7", "time=60s memory=1M threads=1"), STRESS),
    with(row("stress-ng", "load for a machine", "stress-ng, version 0.15.06", "time=60s memory=1M threads=1"), STRESS),
    with(row("tblastn", "proteins searched in nucleotides", "tblastn: 2.12.0+", GENOMICS), &[("-num_threads", "threads"), ("-out", "write")]),
    with(row(
        "tensorboard", "curves of trainings in a browser", "2.14.0",
        "time=forever memory=300M cpu=2%\non=TERM:exit:0\nserve=6006 TensorBoard: scalars, graphs, histograms\nstderr=TensorBoard 2.14.0 at http://$host:6006/ (Press CTRL+C to quit)",
    ), PORT),
    row("torchrun", "starts PyTorch programs on several GPUs", "torchrun 2.2.0", "time=5m gpu=92% gpumemory=12G gpus=all memory=4G"),
    with(row("trim_galore", "reads trimmed", "0.6.10", GENOMICS), &[("-j", "threads")]),
    row("trimmomatic", "reads trimmed", "0.39", "work=8m memory=1G"),
    row("uv", "projects of Python", "uv 0.4.20", SCRIPT),
    row("vasp_gam", "electronic structure", "vasp.6.3.2", SOLVER),
    row("vasp_ncl", "electronic structure", "vasp.6.3.2", SOLVER),
    row("vasp_std", "electronic structure", "vasp.6.3.2", SOLVER),
    row("vcftools", "variants of genomes", "VCFtools (0.1.16)", GENOMICS),
    row("velvetg", "genomes assembled", "1.2.10", GENOMICS),
    row("velveth", "genomes assembled", "1.2.10", GENOMICS),
    row("wandb", "logs of trainings", "wandb, version 0.16.3", SCRIPT),
    row("whisper", "speech to text", "20231117", SCRIPT),
    row("wolframscript", "Mathematica", "WolframScript 1.8", SCRIPT),
    row("wrf.exe", "weather", "WRF V4.4", SOLVER),
    row("xhpl", "High Performance Linpack", "HPLinpack 2.3", SOLVER),
];

/// Default of unknown binaries.
pub const BINARY: &str = "time=20s-60s memory=80M cpu=99%";

/// Finds a program by name.
#[must_use]
pub fn find(name: &str) -> Option<&'static ModelProgram> {
    PROGRAMS.iter().find(|p| p.name == name)
}

/// The default behaviour of a program.
#[must_use]
pub fn default_of(name: &str) -> &'static str {
    find(name).map_or(BINARY, |p| p.sim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ModelContext, ModelPlan};

    #[test]
    fn every_default_is_valid() {
        assert!(PROGRAMS.windows(2).all(|w| w[0].name < w[1].name));
        for program in PROGRAMS {
            let mut plan = ModelPlan::default();
            program.sim.lines().for_each(|line| plan.read(line, &ModelContext::default()));
            let complete = plan.time.is_some() || plan.work.is_some();
            assert!(plan.wrong.is_empty() && complete, "{}: {:?}", program.name, plan.wrong);
        }
    }
}
