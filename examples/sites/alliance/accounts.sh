sacctmgr -i add account def-prof1_cpu Description="default" Organization=alliance Fairshare=434086
sacctmgr -i add account def-prof1_gpu Description="default" Organization=alliance Fairshare=1
sacctmgr -i add account rrg-prof2_cpu Description="allocation" Organization=alliance Fairshare=120000000
sacctmgr -i add account rrg-prof2_gpu Description="allocation" Organization=alliance Fairshare=20000000
sacctmgr -i add account rpp-plat_cpu Description="platform" Organization=alliance Fairshare=90000000
sacctmgr -i add account rrg-prof6_cpu Description="allocation" Organization=alliance Fairshare=39685912
sacctmgr -i add user prof1,grad2,postdoc3,stu4,stu5,stu6,stu7,stu8,stu9,stu10 Account=def-prof1_cpu DefaultAccount=def-prof1_cpu
sacctmgr -i add user prof1,grad2,postdoc3 Account=def-prof1_gpu
sacctmgr -i add user prof2,grad4 Account=rrg-prof2_cpu DefaultAccount=rrg-prof2_cpu
sacctmgr -i add user prof2,grad4 Account=rrg-prof2_gpu
sacctmgr -i add user svc5 Account=rpp-plat_cpu DefaultAccount=rpp-plat_cpu
sacctmgr -i add user prof6 Account=rrg-prof6_cpu DefaultAccount=rrg-prof6_cpu
sacctmgr -i modify qos normal set MaxJobsPerUser=1000
