sacctmgr -i add qos standard MaxWall=2-0 MaxTRES=node=128
sacctmgr -i add qos largescale MaxWall=8-20 MaxTRES=node=640
sacctmgr -i add qos long MaxWall=4-0 MaxTRES=node=16
sacctmgr -i add qos highpriority MaxWall=2-0 MaxTRES=node=128
sacctmgr -i add qos short MaxWall=20 MaxTRES=node=2
sacctmgr -i add qos lowpriority MaxWall=1-0 MaxTRES=node=64
sacctmgr -i add qos reservation
sacctmgr -i add account z04 Description=x Organization=y
sacctmgr -i add user alice Account=z04 DefaultAccount=z04 QOS=normal,standard,largescale,long,highpriority,short,lowpriority,reservation
