#!/usr/bin/env python3
# Your own program: the next line says how it behaves on the simulated cluster.
#SIM time=3m-7m memory=400M
