#!/bin/bash
# Many serial tasks on one whole node, one at a time per core, with GNU Parallel.
#SBATCH --account=def-prof1
#SBATCH --time=02:00:00
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=40
#SBATCH --mem=0
#SBATCH --output=%x-%j.out

parallel -j 40 ./analyse.py {} ::: $(seq 1 200)
