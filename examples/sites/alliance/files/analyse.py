#!/usr/bin/env python3
#SIM time=4m-6m memory=500M
