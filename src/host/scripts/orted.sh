#!/bin/bash
# The program that mpirun starts for each rank of a step.
export OMPI_COMM_WORLD_RANK=$SLURM_PROCID OMPI_COMM_WORLD_SIZE=$SLURM_NTASKS OMPI_COMM_WORLD_LOCAL_RANK=$SLURM_LOCALID
exec "$@"
