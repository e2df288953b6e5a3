#!/usr/bin/env python3
# An MPI program whose tasks share sixteen hours of work.
#SIM work=16h serial=2% mpi memory=700M
