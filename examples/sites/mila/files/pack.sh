#!/bin/bash
#SBATCH --nodes=1-1
#SBATCH --ntasks-per-node=4
#SBATCH --output=myjob_output_wrapper.out
#SBATCH --gres=gpu:4
#SBATCH --cpus-per-task=6
srun --gres=gpu:1 -n1 --mem=30G -l --output=%j-step-%s.out --exclusive python script.py args1 &
srun --gres=gpu:1 -n1 --mem=30G -l --output=%j-step-%s.out --exclusive python script.py args2 &
srun --gres=gpu:1 -n1 --mem=30G -l --output=%j-step-%s.out --exclusive python script.py args3 &
srun --gres=gpu:1 -n1 --mem=30G -l --output=%j-step-%s.out --exclusive python script.py args4 &
wait
