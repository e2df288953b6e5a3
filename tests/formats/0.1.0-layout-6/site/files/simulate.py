#!/usr/bin/env python3
# A program of your own: the line below says how it behaves on a simulated cluster.
#SIM time=3m-7m memory=400M
