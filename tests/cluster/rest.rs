//! slurmrestd with curl: tokens, users, errors, status codes, a Unix socket.

use crate::fixture::{Cluster, TestDir};

/// A cluster with slurmrestd on a free port, and script lines that define `ask`.
fn cluster(options: &str) -> (Cluster, String) {
    let cluster = Cluster::up(&format!("--rest 127.0.0.1:0 {options}"));
    let ask = "export $(scontrol token); base=$SANDBATCH_REST
        ask() { curl -s -o body.json -w '%{http_code}\\n' -H \"X-SLURM-USER-TOKEN: $SLURM_JWT\" -H 'Content-Type: application/json' \"$@\"; }
        ";
    (cluster, ask.to_owned())
}

#[test]
fn tokens_and_status_codes() {
    let (cluster, ask) = cluster("");
    let code = |script: &str| cluster.out(&format!("{ask}{script}"));
    assert_eq!(code("ask $base/slurm/v0.0.44/ping/"), "200");
    assert_eq!(code("curl -s -w '%{http_code}' $base/slurm/v0.0.44/ping"), "Authentication failure401");
    assert_eq!(code("SLURM_JWT=$SLURM_JWT.x; ask $base/slurm/v0.0.44/ping"), "401");
    assert_eq!(code("ask -H 'X-SLURM-USER-NAME: nosuch' $base/slurm/v0.0.44/ping"), "401");
    let bearer = "curl -s -o body.json -w '%{http_code}' -H \"Authorization: Bearer $SLURM_JWT\" $base/slurm/v0.0.44/ping";
    assert_eq!(code(bearer), "200");
    assert_eq!(code("ask $base/slurm/v0.0.12/ping"), "404");
    assert_eq!(code("ask $base/slurm/v0.0.44/nothing"), "404");
    assert_eq!(code("ask -X PUT $base/slurm/v0.0.44/ping"), "405");
    assert_eq!(code("ask -X POST -d '{' $base/slurm/v0.0.44/job/submit"), "400");
    assert_eq!(code("ask $base/slurm/v0.0.44/node/--help"), "400");
    assert_eq!(code("ask $base/slurm/v0.0.44/node/nosuch; grep -c 'Invalid node name' body.json"), "500\n1");
    assert_eq!(
        code("ask -X POST -d '{\"script\": \"#!/bin/sh\", \"job\": {}}' $base/slurm/v0.0.44/job/submit"),
        "500"
    );
    assert!(cluster.dir.file("body.json").contains("Environment is missing in job"));
    assert_eq!(code("ask $base/openapi.json; ask $base/openapi/v3"), "200\n200");
    assert!(cluster.dir.file("body.json").contains("/slurmdb/v0.0.45/associations/"));
    // An expired token, and an invalid lifespan.
    assert_eq!(code("export $(scontrol token lifespan=1); sleep 1.1; ask $base/slurm/v0.0.44/ping"), "401");
    assert_eq!(cluster.run("scontrol token lifespan=x").code, Some(1));
}

#[test]
fn changes_and_their_errors() {
    let (cluster, ask) = cluster("");
    let out = |script: &str| cluster.out(&format!("{ask}{script}"));
    out("ask -X POST -d '{\"state\": [\"DRAIN\"], \"reason\": \"two words\"}' $base/slurm/v0.0.44/node/c01");
    if cluster.out("id -u") != "0" {
        // Only root may change nodes and accounts.
        assert!(cluster.dir.file("body.json").contains("Access/permission denied"));
        return;
    }
    assert_eq!(cluster.out("sinfo -h -n c01 -o '%t %E'"), "drain two words");
    let account = "ask -X POST -d '{\"accounts\": [{\"name\": \"new\", \"description\": \"d\"}]}' $base/slurmdb/v0.0.44/accounts/";
    assert_eq!(out(account), "200");
    assert_eq!(cluster.out("sacctmgr -n show account new format=account%4,descr%2"), " new  d");
    let name = "ask $base/slurmdb/v0.0.44/account/new; grep -c '\"name\": \"new\"' body.json";
    assert_eq!(out(name), "200\n1");
    assert_eq!(
        out("ask -X DELETE $base/slurmdb/v0.0.44/account/new; ask $base/slurmdb/v0.0.44/account/new"),
        "200\n500"
    );
    let held =
        "sbatch -H --wrap true >/dev/null; ask -X DELETE -d '{\"jobs\": [1, 99]}' $base/slurm/v0.0.44/jobs/";
    assert_eq!(out(held), "200");
    assert!(cluster.dir.file("body.json").contains("\"code\": 2017"), "{}", cluster.dir.file("body.json"));
    assert_eq!(cluster.out("squeue -h"), "");
}

#[test]
fn a_unix_socket_needs_no_token() {
    let test_dir = TestDir::new();
    let up = test_dir.run("eval \"$(sandbatch cluster up --name t --rest unix:rest.socket)\"; stat -c %a rest.socket; \
        curl -s --unix-socket rest.socket http://x/slurm/v0.0.44/ping | grep -c '\"pinged\": \"UP\"'; sandbatch cluster status | tail -1");
    let socket = test_dir.work().canonicalize().unwrap().join("rest.socket");
    assert_eq!(up.out, format!("600\n1\nrest=unix:{}\n", socket.display()), "{up:?}");
    let taken = test_dir.run("sandbatch cluster up --name u --rest unix:rest.socket");
    assert!(taken.code == Some(2) && taken.err.contains("--rest unix:"), "{taken:?}");
    assert_eq!(test_dir.left(), ["t"]);
}

#[test]
fn an_open_address_gives_a_warning() {
    let test_dir = TestDir::new();
    let up = test_dir.run("sandbatch cluster up --name t --rest 0.0.0.0:0");
    assert!(up.err.contains("warning: --rest 0.0.0.0:0 is not only for this machine"), "{up:?}");
    let wrong = test_dir.run("sandbatch cluster up --name u --rest nowhere");
    assert!(wrong.code == Some(2) && wrong.err.contains("not HOST:PORT or unix:PATH"), "{wrong:?}");
}

#[test]
fn releases() {
    let cluster = Cluster::up("--slurm-version 24.11");
    assert_eq!(cluster.out("sbatch --version"), "slurm 24.11.5");
    assert_eq!(cluster.out("squeue --json=v0.0.42 | grep -c '\"data_parser.*v0.0.42'"), "1");
    let newer = cluster.run("squeue --json=v0.0.45");
    assert!(
        newer.code == Some(1) && newer.err.contains("unable to find plugin: data_parser/v0.0.45"),
        "{newer:?}"
    );
    // The commands inside a job imitate the same release.
    cluster.job("-o version.txt --wrap 'srun --version'");
    assert_eq!(cluster.dir.file("version.txt"), "slurm 24.11.5\n");
    let old = Cluster::up("--slurm-version 23.02").run("squeue --json");
    assert!(old.code == Some(1) && old.err.contains("data_parser/v0.0.39 is not simulated"), "{old:?}");
}

#[test]
fn the_controller_is_slow_or_does_not_answer() {
    let (cluster, ask) = cluster("");
    let token = cluster.out("scontrol token");
    let ask = ask.replace("$(scontrol token)", token.trim());
    let out = |script: &str| cluster.out(&format!("{ask}{script}"));
    cluster.out("sandbatch cluster inject socket-timeout 2");
    assert_eq!(out("ask $base/slurm/v0.0.44/ping; grep -c '\"pinged\": \"DOWN\"' body.json"), "200\n1");
    assert_eq!(out("ask $base/slurm/v0.0.44/jobs"), "500");
    let body = cluster.dir.file("body.json");
    assert!(body.contains("Socket timed out on send/recv operation") && body.contains("5004"), "{body}");
    assert_eq!(out("ask $base/slurm/v0.0.44/jobs"), "200");
    // Another client is not held up by one that has given up.
    cluster.out("sandbatch cluster inject slow-controller 1s");
    assert_eq!(out("ask -m 0.3 $base/slurm/v0.0.44/jobs || echo gone"), "000\ngone");
    let took = "s=$(date +%s%N); ask $base/slurm/v0.0.44/jobs; [ $((($(date +%s%N) - s) / 1000000)) -ge 1000 ] && echo late";
    assert_eq!(out(took), "200\nlate");
}
