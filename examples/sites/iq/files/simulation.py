#!/usr/bin/env python3
#SIM work=4m memory=2G
