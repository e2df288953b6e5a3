"""Checks for ReFrame: sanity, performance, a parameter, several tasks, a dependency, a failing job, a time limit."""

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class Hello(rfm.RunOnlyRegressionTest):
    valid_systems, valid_prog_environs = ["*"], ["*"]
    word = parameter(["one", "two"])
    executable = "bash"
    num_tasks = 2

    @run_before("run")
    def options(self):
        self.executable_opts = ["-c", f"'echo {self.word} $SLURM_PROCID of $SLURM_NTASKS; echo rate: 42 MB/s'"]

    @sanity_function
    def said(self):
        return sn.assert_eq(sn.count(sn.findall(rf"{self.word} [01] of 2", self.stdout)), 2)

    @performance_function("MB/s")
    def rate(self):
        return sn.extractsingle(r"rate: (\d+)", self.stdout, 1, int)


@rfm.simple_test
class AfterHello(rfm.RunOnlyRegressionTest):
    valid_systems, valid_prog_environs = ["*"], ["*"]
    executable = "hostname"

    @run_after("init")
    def needs(self):
        for name in Hello.get_variant_nums(word="one"):
            self.depends_on(Hello.variant_name(name))

    @sanity_function
    def said(self):
        return sn.assert_found(r"\S", self.stdout)


@rfm.simple_test
class Fails(rfm.RunOnlyRegressionTest):
    valid_systems, valid_prog_environs = ["*"], ["*"]
    tags = {"fails"}
    executable = "false"

    @sanity_function
    def exits(self):
        return sn.assert_eq(self.job.exitcode, 0)
