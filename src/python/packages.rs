//! Packages outside of Python's own library, and whether the environment of a process has them.
//!
//! An environment has what was installed into it: the list of `pip` in a virtual environment, a conda environment or
//! the home folder, the list of conda, the modules that are loaded, and the image of a container.

use super::vm::PyVm;

/// A package: its name in `import`, its name for `pip` and conda, and its version in images and modules.
struct PythonPackage {
    import: &'static str,
    name: &'static str,
    version: &'static str,
}

macro_rules! packages {
    ($($import:literal $name:literal $version:literal,)*) => {
        const PACKAGES: &[PythonPackage] = &[$(PythonPackage { import: $import, name: $name, version: $version },)*];
    };
}

packages! {
    "numpy" "numpy" "1.26.4",
    "scipy" "scipy" "1.11.4",
    "pandas" "pandas" "2.1.4",
    "matplotlib" "matplotlib" "3.8.2",
    "seaborn" "seaborn" "0.13.1",
    "sklearn" "scikit-learn" "1.3.2",
    "torch" "torch" "2.2.0",
    "torchvision" "torchvision" "0.17.0",
    "torchaudio" "torchaudio" "2.2.0",
    "lightning" "lightning" "2.1.3",
    "pytorch_lightning" "pytorch-lightning" "2.1.3",
    "tensorflow" "tensorflow" "2.15.0",
    "keras" "keras" "2.15.0",
    "jax" "jax" "0.4.23",
    "jaxlib" "jaxlib" "0.4.23",
    "flax" "flax" "0.8.0",
    "optax" "optax" "0.1.8",
    "cupy" "cupy" "12.3.0",
    "numba" "numba" "0.58.1",
    "mpi4py" "mpi4py" "3.1.5",
    "dask" "dask" "2023.12.1",
    "distributed" "distributed" "2023.12.1",
    "dask_jobqueue" "dask-jobqueue" "0.8.2",
    "ray" "ray" "2.9.1",
    "pyspark" "pyspark" "3.5.0",
    "horovod" "horovod" "0.28.1",
    "deepspeed" "deepspeed" "0.13.1",
    "transformers" "transformers" "4.37.2",
    "datasets" "datasets" "2.16.1",
    "accelerate" "accelerate" "0.26.1",
    "peft" "peft" "0.8.2",
    "xgboost" "xgboost" "2.0.3",
    "networkx" "networkx" "3.2.1",
    "sympy" "sympy" "1.12",
    "h5py" "h5py" "3.10.0",
    "PIL" "pillow" "10.2.0",
    "cv2" "opencv-python" "4.9.0",
    "Bio" "biopython" "1.83",
    "requests" "requests" "2.31.0",
    "yaml" "pyyaml" "6.0.1",
    "tqdm" "tqdm" "4.66.1",
    "psutil" "psutil" "5.9.8",
    "wandb" "wandb" "0.16.2",
    "optuna" "optuna" "3.5.0",
    "submitit" "submitit" "1.5.1",
}

/// Packages with their dependencies.
const BRINGS: &[(&str, &[&str])] = &[
    ("scipy", &["numpy"]),
    ("pandas", &["numpy"]),
    ("torch", &["numpy", "networkx", "sympy"]),
    ("torchvision", &["torch", "pillow", "requests"]),
    ("torchaudio", &["torch"]),
    ("lightning", &["torch", "tqdm", "pyyaml"]),
    ("pytorch-lightning", &["torch", "tqdm", "pyyaml"]),
    ("tensorflow", &["keras", "numpy", "h5py", "requests"]),
    ("jax", &["jaxlib", "numpy", "scipy"]),
    ("flax", &["jax", "optax"]),
    ("scikit-learn", &["numpy", "scipy"]),
    ("matplotlib", &["numpy", "pillow"]),
    ("seaborn", &["matplotlib", "pandas"]),
    ("dask", &["pyyaml"]),
    ("distributed", &["dask", "psutil", "pyyaml"]),
    ("dask-jobqueue", &["distributed"]),
    ("transformers", &["numpy", "tqdm", "pyyaml", "requests"]),
    ("datasets", &["numpy", "pandas", "tqdm", "requests"]),
    ("accelerate", &["torch", "numpy", "psutil", "pyyaml"]),
    ("anaconda", SCIENCE),
    ("jupyterlab", &["requests", "pyyaml"]),
];

/// The packages of a distribution for science.
const SCIENCE: &[&str] = &[
    "numpy",
    "scipy",
    "pandas",
    "matplotlib",
    "seaborn",
    "scikit-learn",
    "dask",
    "networkx",
    "sympy",
    "h5py",
    "numba",
    "requests",
    "pyyaml",
    "tqdm",
    "psutil",
    "pillow",
];

/// Parts of the names of modules and images, and the packages that come with them.
const BUNDLES: &[(&str, &[&str])] = &[
    ("scipy-stack", &["numpy", "scipy", "pandas", "matplotlib", "sympy"]),
    ("anaconda", SCIENCE),
    ("cray-python", &["numpy", "scipy", "pandas", "mpi4py", "dask"]),
    ("scipy-notebook", SCIENCE),
    ("datascience", SCIENCE),
    ("pytorch", &["torch", "torchvision", "tqdm", "psutil", "pandas"]),
    ("tensorflow", &["tensorflow", "pandas", "matplotlib"]),
    ("jax", &["jax", "flax"]),
    ("mpi4py", &["mpi4py", "numpy"]),
    ("python-science", SCIENCE),
];

/// The package to which a module belongs.
fn package(module: &str) -> Option<&'static PythonPackage> {
    let first = module.split('.').next().unwrap_or(module);
    PACKAGES.iter().find(|p| p.import == first)
}

/// The common spelling of a name such as `PyTorch` or `scikit_learn`.
fn common(name: &str) -> String {
    let name = name.to_lowercase().replace('_', "-");
    match name.as_str() {
        "pytorch" | "pytorch-gpu" => "torch".into(),
        "tensorflow-gpu" | "tensorflow-cpu" => "tensorflow".into(),
        "opencv" | "opencv-python-headless" => "opencv-python".into(),
        _ => name,
    }
}

/// Whether one package depends on another, possibly indirectly.
fn brings(name: &str, wanted: &str, depth: u32) -> bool {
    depth < 4
        && BRINGS
            .iter()
            .filter(|b| b.0 == name)
            .any(|b| b.1.iter().any(|inner| *inner == wanted || brings(inner, wanted, depth + 1)))
}

impl PyVm<'_> {
    fn variable(&self, name: &str) -> Option<&str> {
        self.s.env.iter().find(|e| e.0 == name).map(|e| e.1.as_str()).filter(|v| !v.is_empty())
    }

    /// Whether a module belongs to a package that is installed separately.
    pub(crate) fn is_package(&self, module: &str) -> bool {
        package(module).is_some()
    }

    /// The version of the package to which a module belongs, if the environment has it.
    pub(crate) fn package_version(&self, module: &str) -> Option<String> {
        let package = package(module)?;
        let mut lists = Vec::new();
        for folder in [self.variable("VIRTUAL_ENV"), self.variable("CONDA_PREFIX")].into_iter().flatten() {
            lists.push(format!("{folder}/pip-packages"));
            lists.push(format!("{folder}/conda-meta/history"));
        }
        if let Some(home) = self.variable("HOME") {
            lists.push(format!("{home}/.local/pip-packages"));
        }
        let mut brought = false;
        for text in lists.iter().filter_map(|list| self.read_file_text(list)) {
            for line in text.lines().rev() {
                let (name, version) = line.split_once(' ').unwrap_or((line, package.version));
                let name = common(name);
                if name == package.name {
                    return Some(version.trim().to_owned());
                }
                brought |= brings(&name, package.name, 0);
            }
        }
        let loaded = ["LOADEDMODULES", "APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"]
            .iter()
            .filter_map(|name| self.variable(name))
            .collect::<Vec<_>>()
            .join(":")
            .to_lowercase();
        brought |= BUNDLES
            .iter()
            .filter(|b| loaded.contains(b.0))
            .flat_map(|b| b.1)
            .any(|name| *name == package.name || brings(name, package.name, 0));
        brought.then(|| package.version.to_owned())
    }

    /// The version of a package that conda installed into the active environment.
    pub(crate) fn conda_version(&self, name: &str) -> Option<String> {
        let list = format!("{}/conda-meta/history", self.variable("CONDA_PREFIX")?);
        let text = self.read_file_text(&list)?;
        let mut lines = text.lines().rev().filter_map(|line| line.split_once(' '));
        lines.find(|line| line.0 == name).map(|line| line.1.trim().to_owned())
    }
}
