sacctmgr -i add qos high Priority=100 MaxTRESPerUser=cpu=32 Description="few, soon"
sacctmgr -i add qos low Priority=0 Preempt="" Description="whenever there is room; may be sent back to the queue"
sacctmgr -i modify qos normal set Priority=50
sacctmgr -i modify qos high set Preempt=low
sacctmgr -i modify qos normal set Preempt=low
sacctmgr -i add account physics Description="physics" Organization=lab Fairshare=40
sacctmgr -i add account biology Description="biology" Organization=lab Fairshare=40
sacctmgr -i add account teaching Description="courses" Organization=lab Fairshare=20
sacctmgr -i add user alice,bob Account=physics DefaultAccount=physics QOS=normal,high,low
sacctmgr -i add user carol,dave Account=biology DefaultAccount=biology QOS=normal,high,low
sacctmgr -i add user erin Account=teaching DefaultAccount=teaching QOS=normal,low
