//! Long events are processed in parts, so that the page stays responsive. The result must not depend on that.

use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::{EventPart, Input, World};

const START: i64 = 1_795_240_458;
const CONF: &str = "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nNodeName=n[0001-0600] CPUs=8 RealMemory=8000\nPartitionName=p Nodes=ALL Default=YES MaxTime=1-0\n";
const ARRAY: &str = "sbatch --array=1-900 -c 8 -t 30 --wrap 'sleep $((RANDOM % 900 + 60))'; sbatch -N 400 -t 20 --wrap 'sleep 60'";

fn setup() -> Setup {
    let files = SiteFiles([("slurm.conf".to_owned(), CONF.to_owned())].into());
    Setup { site: "c".to_owned(), files, seed: 7, start: Time::from_secs(START) }
}

fn busy() -> World {
    let Setup { site, files, seed, start } = setup();
    let (mut world, _) = World::new(&site, &files, seed, start);
    world.apply(&Input::Run { user: "root".to_owned(), command: ARRAY.to_owned() });
    world
}

#[test]
fn a_large_pass_and_its_effects_take_many_parts() {
    let mut world = busy();
    let until = world.now + Span::from_mins(10);
    let (mut longest, mut parts) = (0, 0);
    loop {
        match world.part(until) {
            EventPart::Nothing => break,
            EventPart::Some => {
                assert!(world.is_mid_event());
                parts += 1;
            }
            EventPart::Last => {
                assert!(!world.is_mid_event());
                longest = longest.max(parts);
                parts = 0;
            }
        }
    }
    assert!(longest > 50, "the longest event had {longest} parts");
    let mut whole = busy();
    while whole.step(until) {}
    assert_eq!(world.hash(), whole.hash());
    assert_eq!(world.check(), Ok(()));
}

#[test]
fn inputs_between_two_parts_apply_after_the_event() {
    let typed =
        |n: u32| Input::Run { user: "root".to_owned(), command: format!("squeue -h | wc -l; scancel {n}") };
    let mut session = Session::new(setup());
    session.apply(Input::Run { user: "root".to_owned(), command: ARRAY.to_owned() });
    let until = session.world().now + Span::from_mins(10);
    let (mut inputs, mut amid) = (0, 0_u32);
    while session.part(until) != EventPart::Nothing {
        if session.is_mid_event() {
            amid += 1;
            if amid % 8 == 7 && inputs < 20 {
                inputs += 1;
                session.apply(typed(inputs * 40));
                assert!(!session.is_mid_event(), "the event was carried out first");
            }
        }
    }
    assert!(inputs > 3, "{inputs} inputs came in the middle of an event");
    let last = (session.world().hash(), session.steps());

    // The same journal on a world that processes whole events.
    let mut again = Session::new(setup());
    for entry in session.journal().entries() {
        while again.steps() < entry.step {
            assert!(again.step(entry.time));
        }
        again.run_until(entry.time, 0);
        again.apply(entry.input.clone());
    }
    assert!(again.run_until(until, 1_000_000));
    assert_eq!((again.world().hash(), again.steps()), last);
}
