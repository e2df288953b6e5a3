//! The partitions in the headings of the picture as buttons, over the painted chips: for pointers, keyboards and screen
//! readers. A button outlines its partition's nodes while it has the focus or the pointer, and shows only them once it is pressed.

use super::ClusterView;
use crate::follow::string;
use leptos::prelude::*;
use view::cluster::{PartitionChip, usage};
use view::css::px;
use view::fill::fill;

/// What a button has above and below its painted chip, so that fingers hit it.
const AROUND: f64 = 2.0;

/// Draws them.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(sight: ClusterView) -> AnyView {
    let chips = move || {
        sight.picture.with(|l| {
            let all = l.groups.iter().flat_map(|g| g.chips.iter().map(|c| (g.y, *c)));
            all.map(|(y, chip)| button(sight, chip, l.scale, y)).collect::<Vec<_>>()
        })
    };
    view! { <div class="chips">{chips}</div> }.into_any()
}

/// A button over a chip.
fn button(sight: ClusterView, chip: PartitionChip, scale: f64, top: f64) -> AnyView {
    let ClusterView { page, only, outlined, .. } = sight;
    let r = chip.rect;
    let place = format!(
        "left:{};top:{};width:{};height:{}",
        px(r.x * scale),
        px((top + r.y - AROUND) * scale),
        px(r.w * scale),
        px((r.h + 2.0 * AROUND) * scale)
    );
    let Some(index) = chip.partition else {
        let more = string(move || fill(page.later().chips_more, &[&page.number(chip.count.into())]));
        return view! { <span class="chip" style=place title=more></span> }.into_any();
    };
    let name = page.started.with_untracked(|s| {
        s.as_ref().and_then(|s| s.partitions.get(index as usize)).map(|p| p.name.clone()).unwrap_or_default()
    });
    let said = name.clone();
    // The nodes are counted only while someone looks.
    let says = string(move || {
        let states = (outlined.get() == Some(index)).then(|| counts(sight, index));
        let count = |n: u32| page.number(n.into());
        match states {
            Some((used, idle, other)) => {
                let all = count(used + idle + other);
                fill(page.later().chip_says, &[&said, &all, &count(used), &count(idle), &count(other)])
            }
            None => fill(page.later().chip_name, &[&said, &count(chip.count)]),
        }
    });
    let outline = move |on: bool| outlined.set(on.then_some(index));
    view! {
        <button class="chip" style=place data-testid="partition-chip" data-partition=name data-count=chip.count.to_string()
            title=says aria-label=says aria-pressed=string(move || (only.get() == Some(index)).to_string())
            on:mouseenter=move |_| outline(true) on:mouseleave=move |_| outline(false)
            on:focus=move |_| outline(true) on:blur=move |_| outline(false)
            on:click=move |_| only.update(|o| *o = if *o == Some(index) { None } else { Some(index) })></button>
    }
    .into_any()
}

/// A partition's nodes as `sinfo -s` counts them.
fn counts(sight: ClusterView, partition: u32) -> (u32, u32, u32) {
    sight.page.started.with(|s| {
        let Some(s) = s else { return (0, 0, 0) };
        sight.nodes.cells.with(|cells| {
            let all = s.nodes.iter().zip(cells).filter(|(n, _)| !n.gone && n.partitions.contains(&partition));
            usage(all.map(|(_, cell)| cell.state.as_str()))
        })
    })
}
