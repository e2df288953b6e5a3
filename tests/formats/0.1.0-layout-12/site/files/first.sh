#!/bin/bash
#SBATCH --job-name=first
#SBATCH --output=%x_%j.out
#SBATCH --time=00:10:00
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G

echo "Job $SLURM_JOB_ID of $USER runs on $(hostname), started at $(date +%H:%M:%S)"
sleep 60
echo "done at $(date +%H:%M:%S)"
