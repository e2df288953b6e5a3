#!/usr/bin/env python3
#SIM work=24h serial=1% mpi memory=900M
