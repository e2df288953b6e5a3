sacctmgr -i add qos short MaxWall=20 MaxTRES=node=32
sacctmgr -i add qos standard MaxWall=1440 MaxTRES=node=1024
sacctmgr -i add qos long MaxWall=5760 MaxTRES=node=64
sacctmgr -i add qos largescale MaxWall=720 MaxTRES=node=5860
sacctmgr -i add qos lowpriority MaxWall=1440 MaxTRES=node=2048
sacctmgr -i add qos taskfarm MaxWall=1440 MaxTRES=node=16
sacctmgr -i add qos serial MaxWall=1440 MaxTRES=node=1
sacctmgr -i add qos highmem MaxWall=2880 MaxTRES=node=256
sacctmgr -i add qos highmemlong MaxWall=5760 MaxTRES=node=256
sacctmgr -i add qos gpu-shd MaxWall=720 MaxTRES=node=1
sacctmgr -i add qos gpu-exc MaxWall=720 MaxTRES=node=2
sacctmgr -i add qos reservation MaxWall=5760 MaxTRES=node=5860
sacctmgr -i add qos capabilityday MaxWall=180 MaxTRES=node=5860
sacctmgr -i add qos pre-capabilityday MaxWall=60 MaxTRES=node=1024
sacctmgr -i add account t01 Description=x Organization=y
sacctmgr -i add user alice Account=t01 DefaultAccount=t01 QOS=normal,short,standard,long,largescale,lowpriority,taskfarm,serial,highmem,highmemlong,gpu-shd,gpu-exc,reservation,capabilityday,pre-capabilityday
