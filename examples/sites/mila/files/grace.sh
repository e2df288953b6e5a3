#!/bin/bash
#SBATCH --partition=low-grace
#SBATCH --ntasks=1
#SBATCH --gres=gpu:4
#SBATCH --mem=16G
#SBATCH --time=04:00:00
#SBATCH --output=grace_%j.out

# Under srun, the program itself gets SIGTERM at the start of the grace time, saves and exits.
srun python3 my_script.py
if [ $? -eq 3 ]; then
    echo "stopped early: submitting myself again"
    sbatch grace.sh
fi
