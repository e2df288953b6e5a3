sacctmgr -i add qos besteffort MaxWall=50-0 Flags=PartitionTimeLimit
sacctmgr -i add qos low 
sacctmgr -i add qos high 
sacctmgr -i add qos urgent 
sacctmgr -i add qos debug 
sacctmgr -i add qos wide MaxWall=2:00:00 MaxTRES=node=160 Flags=PartitionMaxNodes
sacctmgr -i add qos iris-batch-long MaxWall=14-0 Flags=PartitionTimeLimit
sacctmgr -i add qos iris-gpu-long MaxWall=14-0 Flags=PartitionTimeLimit
sacctmgr -i add qos iris-bigmem-long MaxWall=14-0 Flags=PartitionTimeLimit
sacctmgr -i add qos iris-hopper MaxWall=14-0 Flags=PartitionTimeLimit
sacctmgr -i add qos iris-hopper-long MaxWall=14-0 Flags=PartitionTimeLimit
sacctmgr -i add account ulhpc Description=x Organization=y
sacctmgr -i add user alice Account=ulhpc DefaultAccount=ulhpc QOS=normal,besteffort,low,high,urgent,debug,wide,iris-batch-long,iris-gpu-long,iris-bigmem-long,iris-hopper,iris-hopper-long
