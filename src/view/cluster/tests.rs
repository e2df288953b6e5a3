//! Layouts of generated clusters.

use super::*;

fn machine<'a>((nodes, partitions): &'a (Vec<NodeInfo>, Vec<PartitionInfo>)) -> ClusterNodes<'a> {
    ClusterNodes { nodes, partitions, switches: &[] }
}

const fn options(zoom: Zoom) -> ViewOptions {
    ViewOptions { zoom, only: None, switches: false }
}

fn site(sizes: &[(u32, u32, u32)]) -> (Vec<NodeInfo>, Vec<PartitionInfo>) {
    let mut nodes = Vec::new();
    let mut partitions = Vec::new();
    for (p, (count, cores, gpus)) in (0u32..).zip(sizes) {
        let first = nodes.len() as u32;
        for n in 0..*count {
            nodes.push(NodeInfo {
                name: format!("p{p}-{n}"),
                cpus: *cores,
                cores: *cores,
                memory_mib: 1024,
                gpus: *gpus,
                gpu_kind: String::new(),
                partitions: vec![p, sizes.len() as u32],
                gone: false,
            });
        }
        let nodes = (first..first + count).collect();
        partitions.push(PartitionInfo {
            name: format!("p{p}"),
            is_default: p == 0,
            time_limit: String::new(),
            nodes,
        });
    }
    let nodes_of_all = (0..nodes.len() as u32).collect();
    partitions.push(PartitionInfo {
        name: "all".into(),
        is_default: false,
        time_limit: String::new(),
        nodes: nodes_of_all,
    });
    (nodes, partitions)
}

#[test]
fn tiles_do_not_overlap_and_stay_inside() {
    let site = site(&[(10, 4, 0), (9, 16, 0), (6, 64, 4), (1, 256, 16)]);
    for width in [320.0, 700.0, 1200.0] {
        for density in [Density::Cells, Density::Bars, Density::Blocks] {
            let l = layout(machine(&site), width, 400.0, options(Zoom::Density(density)));
            assert_eq!(l.groups.len(), 4, "one for each kind of node");
            for (i, a) in l.tiles.iter().enumerate() {
                assert!(
                    a.rect.x + a.rect.w <= width && a.rect.y + a.rect.h <= l.height,
                    "{width} {density:?}"
                );
                assert_eq!(l.at(a.rect.x + 1.0, a.rect.y + 1.0), Some(i as u32));
                for b in &l.tiles[i + 1..] {
                    let apart = a.rect.x + a.rect.w <= b.rect.x
                        || b.rect.x + b.rect.w <= a.rect.x
                        || a.rect.y + a.rect.h <= b.rect.y
                        || b.rect.y + b.rect.h <= a.rect.y;
                    assert!(apart, "{a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn cells_stay_in_their_tile() {
    let site = site(&[(3, 4, 0), (3, 64, 4), (1, 256, 16)]);
    let l = layout(machine(&site), 900.0, 4000.0, options(Zoom::Fit));
    assert_eq!(l.density, Density::Cells);
    for (tile, node) in l.tiles.iter().zip(&site.0) {
        let bottom = tile.rect.y + tile.rect.h;
        let last = if node.gpus > 0 { tile.gpu(node.gpus - 1) } else { tile.memory() };
        assert!(last.y + last.h <= bottom, "{tile:?}");
        let core = tile.core(tile.cells - 1);
        assert!(core.y + core.h <= tile.memory().y && core.x + core.w <= tile.rect.x + tile.rect.w);
    }
}

#[test]
fn many_nodes_get_a_denser_picture() {
    let site = site(&[(200, 64, 0)]);
    assert_eq!(layout(machine(&site), 800.0, 400.0, options(Zoom::Fit)).density, Density::Blocks);
    assert_eq!(layout(machine(&site), 800.0, 700.0, options(Zoom::Fit)).density, Density::Bars);
}

#[test]
fn zoom_levels_get_nearer() {
    let site = site(&[(300, 64, 4), (20, 16, 0)]);
    let mut before = 0.0;
    for (level, step) in LEVELS.iter().enumerate() {
        let l = layout(machine(&site), 800.0, 400.0, options(Zoom::Level(level)));
        assert_eq!((l.level, l.density), (level, step.density));
        let area = |t: &Tile| t.rect.w * t.rect.h * l.scale * l.scale;
        assert!(area(&l.tiles[0]) > before, "{level}");
        before = area(&l.tiles[0]);
        assert!(l.tiles.iter().all(|t| (t.rect.x + t.rect.w) * l.scale <= 800.0), "{level}");
        let (r, s) = (l.tiles[310].rect, l.scale);
        assert_eq!(l.at((r.x + 1.0) * s, (r.y + 1.0) * s), Some(310));
        let near = l.near(0.0, (r.y + 1.0) * s).map(|i| l.tiles[i as usize].rect.y);
        assert_eq!(near, Some(r.y), "one of its row");
    }
    let far = layout(machine(&site), 800.0, 400.0, options(Zoom::Level(99)));
    assert_eq!(far.level, LEVELS.len() - 1);
}

#[test]
fn runs_to_cells() {
    let run = |count, job| CoreRun { count, job, ..CoreRun::default() };
    let jobs = |runs: &[CoreRun], n, per| -> Vec<u32> {
        cells(runs, n, per).iter().map(|c| c.map_or(0, |c| c.job)).collect()
    };
    assert_eq!(jobs(&[run(2, 7), run(1, 0), run(1, 8)], 4, 1), [7, 7, 0, 8]);
    assert_eq!(jobs(&[run(3, 7), run(5, 0)], 4, 2), [7, 7, 0, 0]);
    assert_eq!(jobs(&[run(9, 7)], 4, 1), [7, 7, 7, 7]);
    assert_eq!(used(&[run(2, 7), run(1, 0)]), 2);
}

#[test]
fn ten_thousand_nodes_fit() {
    let site = site(&[(6000, 64, 0), (4000, 64, 4)]);
    let l = layout(machine(&site), 720.0, 380.0, options(Zoom::Fit));
    assert_eq!(l.density, Density::Blocks);
    assert!(l.height <= 600.0, "{}", l.height);
}

#[test]
fn one_partition_or_switches() {
    let (nodes, partitions) = site(&[(10, 4, 0), (6, 4, 0)]);
    let leaf = |name: &str, nodes| SwitchInfo { name: name.into(), nodes };
    let switches = [leaf("left", (0..8).collect()), leaf("right", (8..12).collect())];
    let machine = ClusterNodes { nodes: &nodes, partitions: &partitions, switches: &switches };
    let only = layout(machine, 700.0, 400.0, ViewOptions { only: Some(1), ..ViewOptions::default() });
    assert_eq!(only.groups.len(), 1);
    assert_eq!(only.groups[0].nodes, (10..16).collect::<Vec<_>>());
    let by = layout(machine, 700.0, 400.0, ViewOptions { switches: true, ..ViewOptions::default() });
    let headings: Vec<Heading> = by.groups.iter().map(|g| g.heading.clone()).collect();
    assert_eq!(headings, [Heading::Switch(0), Heading::Switch(1), Heading::Rest]);
    let chips =
        |group: usize| by.groups[group].chips.iter().map(|c| (c.partition, c.count)).collect::<Vec<_>>();
    assert_eq!(chips(1), [(Some(0), 2), (Some(1), 2), (Some(2), 4)]);
}

#[test]
fn nodes_are_found() {
    let (nodes, _) = site(&[(2, 4, 0)]);
    let run = CoreRun { count: 2, job: 42, user: 1, ..CoreRun::default() };
    let cell = NodeCell { state: "mix".into(), cores: vec![run], ..NodeCell::default() };
    let users = ["alice".to_owned(), "bob".to_owned()];
    let found = ["p0-1", "mix", "42", "bob", "alice", "4", "down"]
        .map(|text| is_found(text, &nodes[1], &cell, &users));
    assert_eq!(found, [true, true, true, true, false, false, false]);
}

#[test]
fn a_small_cluster_fills_the_picture() {
    let site = site(&[(4, 24, 4), (4, 64, 0)]);
    let fit = |width, height| layout(machine(&site), width, height, options(Zoom::Fit));
    let usual = layout(machine(&site), 700.0, 400.0, options(Zoom::Density(Density::Cells)));
    assert_eq!(fit(700.0, usual.height - 1.0).scale, usual.scale);
    let large = fit(1400.0, 800.0);
    assert!(large.scale > usual.scale && large.height <= 800.0);
}

#[test]
fn equal_nodes_form_a_group_and_count_in_each_of_their_partitions() {
    // Two partitions with equal nodes, one with others, and one of all nodes.
    let mut site = site(&[(3, 4, 0), (5, 4, 0), (2, 8, 1)]);
    site.0[1].gone = true;
    let l = layout(machine(&site), 1200.0, 400.0, options(Zoom::Fit));
    let nodes: Vec<&[u32]> = l.groups.iter().map(|g| g.nodes.as_slice()).collect();
    assert_eq!(nodes, [&[0, 2, 3, 4, 5, 6, 7][..], &[8, 9]], "in the order of their partitions");
    for (index, partition) in (0u32..).zip(&site.1) {
        let chips = l.groups.iter().flat_map(|g| &g.chips).filter(|c| c.partition == Some(index));
        let there = partition.nodes.iter().filter(|n| !site.0[**n as usize].gone).count();
        assert_eq!(chips.map(|c| c.count).sum::<u32>() as usize, there, "{}", partition.name);
    }
    // A filter hides nodes, not counts.
    let only = ViewOptions { only: Some(1), ..ViewOptions::default() };
    let filtered = layout(machine(&site), 1200.0, 400.0, only);
    assert_eq!(filtered.groups.len(), 1);
    assert_eq!(filtered.groups[0].nodes, [3, 4, 5, 6, 7]);
    let counts: Vec<u32> = filtered.groups[0].chips.iter().map(|c| c.count).collect();
    assert_eq!(counts, [2, 5, 7]);
}

#[test]
fn chips_stay_in_their_heading() {
    let mut site = site(&[(2, 4, 0), (2, 64, 4)]);
    for p in 3..30u32 {
        let name = format!("a-partition-with-a-name-{p}");
        site.1.push(PartitionInfo { name, is_default: false, time_limit: String::new(), nodes: vec![0, 1] });
        site.0[0].partitions.push(p);
        site.0[1].partitions.push(p);
    }
    for width in [320.0, 366.0, 700.0, 1000.0, 2500.0] {
        for level in 0..LEVELS.len() {
            let l = layout(machine(&site), width, 400.0, options(Zoom::Level(level)));
            for group in &l.groups {
                let first = group.nodes.iter().map(|n| l.tiles[*n as usize].rect.y).fold(f64::MAX, f64::min);
                assert!(group.y + group.head <= first);
                for (i, a) in group.chips.iter().enumerate() {
                    let r = a.rect;
                    assert!(r.x >= 0.0 && (r.x + r.w) * l.scale <= width, "{width} {level} {r:?}");
                    assert!(r.y >= 0.0 && r.y + r.h <= group.head, "{width} {level} {r:?}");
                    let apart = |b: &PartitionChip| {
                        let b = b.rect;
                        r.x + r.w <= b.x || b.x + b.w <= r.x || r.y + r.h <= b.y || b.y + b.h <= r.y
                    };
                    assert!(group.chips[i + 1..].iter().all(apart), "{width} {level} {r:?}");
                }
                let hidden =
                    group.chips.iter().filter(|c| c.partition.is_none()).map(|c| c.count).sum::<u32>();
                let shown = group.chips.iter().filter(|c| c.partition.is_some()).count() as u32;
                let all = if group.nodes.contains(&0) { 29 } else { 2 };
                assert_eq!(shown + hidden, all, "{width} {level}");
            }
        }
    }
}

#[test]
fn a_site_with_very_many_kinds_of_nodes_has_a_group_for_the_rest() {
    let mut site = site(&[(100, 4, 0)]);
    for (cores, node) in (1..).zip(&mut site.0) {
        node.cores = cores;
    }
    let l = layout(machine(&site), 700.0, 400.0, options(Zoom::Fit));
    assert_eq!(l.groups.last().map(|g| (&g.heading, g.nodes.len())), Some((&Heading::Rest, 60)));
    assert_eq!(l.groups.iter().map(|g| g.nodes.len()).sum::<usize>(), 100);
}

#[test]
fn hardware_in_words() {
    let text = |gpus, kind: &str| {
        NodeHardware { cores: 64, memory_gib: 250, gpus, gpu_kind: kind.into() }.text("cores")
    };
    assert_eq!(text(0, ""), "64 cores · 250 GiB");
    assert_eq!(text(4, "a100"), "64 cores · 250 GiB · 4 × a100");
    assert_eq!(text(1, ""), "64 cores · 250 GiB · 1 × GPU");
}

#[test]
fn nodes_are_counted_as_sinfo_does() {
    let states =
        ["alloc", "mix-", "alloc+", "comp", "drng", "idle", "idle~", "plnd", "maint", "drain", "down*"];
    assert_eq!(usage(states.into_iter()), (5, 4, 2));
}

#[test]
fn a_tooltip_stays_inside_the_zone() {
    let zone = (800.0, 300.0);
    assert_eq!(beside((100.0, 50.0), (120.0, 80.0), zone), (114.0, 64.0));
    // Near the right and lower edges it is on the other side of the pointer.
    assert_eq!(beside((790.0, 290.0), (120.0, 80.0), zone), (656.0, 196.0));
    // One that fits on no side lies at the edge.
    assert_eq!(beside((400.0, 150.0), (796.0, 200.0), zone), (4.0, 4.0));
    for x in (0..800).step_by(50) {
        for y in (0..300).step_by(20) {
            let (left, top) = beside((f64::from(x), f64::from(y)), (300.0, 140.0), zone);
            assert!(left >= 0.0 && left + 300.0 <= 800.0 && top >= 0.0 && top + 140.0 <= 300.0, "{x} {y}");
        }
    }
}

#[test]
fn long_names_keep_both_ends() {
    assert_eq!(shortened("gpu01", 8), "gpu01");
    assert_eq!(shortened("narval-gpu-compute-0042", 11), "narva…-0042");
    assert_eq!(shortened("nœud-de-calcul-7", 7), "nœu…l-7");
    assert_eq!(shortened("abcdef", 3), "a…f");
}
