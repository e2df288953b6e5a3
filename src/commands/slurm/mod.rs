//! Slurm's commands, one file each.
