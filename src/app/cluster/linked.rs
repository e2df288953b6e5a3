//! The zoom and the filter in the page's address.

use super::ClusterView;
use crate::linked::keep;
use crate::location;
use leptos::prelude::*;
use view::panel_link::{read_nodes, write_nodes};

/// Restores and keeps them.
pub fn follow(sight: ClusterView) {
    let page = sight.page;
    let kept = location::words("nodes");
    let (zoom, only, switches) = read_nodes(&kept);
    let index = only.and_then(|name| {
        page.started.with_untracked(|s| s.as_ref()?.partitions.iter().position(|p| p.name == name))
    });
    if !kept.is_empty() {
        sight.zoom.set(zoom);
        sight.only.set(index.and_then(|index| u32::try_from(index).ok()));
        sight.switches.set(switches);
    }
    keep("nodes", move || {
        let only = sight.only.get();
        let name = page.started.with(|s| {
            let partition = s.as_ref()?.partitions.get(only? as usize)?;
            Some(partition.name.clone())
        });
        write_nodes(sight.zoom.get(), name.as_deref(), sight.switches.get())
    });
}
