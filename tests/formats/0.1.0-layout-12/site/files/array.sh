#!/bin/bash
#SBATCH --job-name=many
#SBATCH --output=many_%A_%a.out
#SBATCH --time=00:20:00
#SBATCH --array=1-20%4
#SBATCH --mem=1G

echo "task $SLURM_ARRAY_TASK_ID of $SLURM_ARRAY_TASK_COUNT"
./simulate.py --seed "$SLURM_ARRAY_TASK_ID"
