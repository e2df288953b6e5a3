//! Ranks, deciding levels and widths of a small tree.

use super::icicle::boxes;
use super::*;

/// `account user parent shares level`: root, two accounts, one of them with `Fairshare=parent`, and their users.
fn tree() -> SharesPicture {
    let row =
        |account: &str, user: &str, parent: Option<u32>, shares: Option<u32>, level: f64, factor: f64| {
            ShareRow {
                account: account.into(),
                user: user.into(),
                parent,
                shares,
                norm: 0.5,
                effective: 0.25,
                level,
                factor,
                cells: vec![account.into(), user.into()],
                ..ShareRow::default()
            }
        };
    SharesPicture {
        headings: vec!["Account".into(), "User".into()],
        rows: vec![
            row("root", "", None, None, 0.0, 0.0),
            row("physics", "", Some(0), Some(3), 0.8, 0.0),
            row("physics", "alice", Some(1), Some(1), 2.0, 0.5),
            row("physics", "bob", Some(1), Some(1), 0.5, 0.25),
            row("open", "", Some(0), None, 0.0, 0.0),
            row("open", "carol", Some(4), Some(1), f64::INFINITY, 1.0),
        ],
        total: 6,
        multifactor: true,
        fair_tree: true,
        ..SharesPicture::default()
    }
}

#[test]
fn the_first_common_ancestor_decides() {
    let tree = tree();
    assert_eq!(decide(&tree, 2, 3), Some(RankingReason::Fork { common: 1, a: 2, b: 3 }));
    // Carol's account has no shares of its own, so she competes with physics herself.
    assert_eq!(decide(&tree, 2, 5), Some(RankingReason::Fork { common: 0, a: 1, b: 5 }));
    assert_eq!([decide(&tree, 2, 2), decide(&tree, 1, 2), decide(&tree, 2, 99)], [None, None, None]);
    let classic = SharesPicture { fair_tree: false, ..tree };
    assert_eq!(decide(&classic, 2, 3), Some(RankingReason::Numbers));
}

#[test]
fn ranks_and_numbers() {
    let tree = tree();
    assert_eq!(ranking(&tree), [5, 2, 3]);
    assert_eq!(rank(&tree, &tree.rows[3]), 3);
    assert_eq!(
        [(0.8, "."), (f64::INFINITY, "."), (2.345, ","), (0.0, "."), (614.29, ",")]
            .map(|(n, point)| number(n, point)),
        ["0.80", "∞", "2,35", "0.00", "614"]
    );
    assert_eq!(csv(&tree).lines().nth(3), Some("physics,alice"));
}

#[test]
fn hypothetical_shares_move_ranks() {
    let mut tree = tree();
    // Carol was last and would be first.
    let before = [0.0, 0.0, 1.0, 0.5, 0.0, 0.25];
    tree.rows.iter_mut().zip(before).for_each(|(row, before)| row.before = before);
    assert_eq!([2, 3, 5].map(|i| moved(&tree, &tree.rows[i])), [-1, -1, 2]);
}

#[test]
fn boxes_are_as_wide_as_shares() {
    let widths: Vec<f64> = boxes(&tree(), 400.0).iter().map(|r| r.w).collect();
    assert_eq!(widths, [400.0, 300.0, 150.0, 150.0, 100.0, 100.0]);
    let text =
        icicle(&tree(), 400.0, IcicleView { chosen: [Some(2), Some(3)], dark: false, point: "." }, "shares");
    assert_eq!(text.matches("box lit").count(), 4, "root, physics, alice, bob: {text}");
    assert!(text.contains(">0.80<") && text.contains(">∞<"), "{text}");
}
