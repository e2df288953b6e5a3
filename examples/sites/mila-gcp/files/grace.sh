#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --gres=gpu:4
#SBATCH --mem=16G
#SBATCH --time=12:00:00
#SBATCH --open-mode=append
#SBATCH --output=grace_%j.out

# The program saves a checkpoint on SIGTERM, and the next run resumes from it.
echo "run ${SLURM_RESTART_COUNT:-0} on $(hostname)"
srun python3 my_script.py
