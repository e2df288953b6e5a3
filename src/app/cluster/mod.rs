//! The cluster: every node with its cores, memory and GPUs on one canvas, painted only when something changes. A list of
//! buttons offers the same to keyboards and screen readers.

mod chips;
mod controls;
mod draw;
mod figures;
mod linked;
mod list;
mod patterns;
mod tooltip;
mod zoom;

use crate::follow::{flag, in_next_frame, string};
use crate::page::{Page, Selection};
use crate::workspace::DrawStage;
use draw::ClusterPainter;
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use list::NodeList;
use protocol::{CellChanges, ClusterLoad, JobDetail, NodeCell};
use std::sync::Arc;
use view::cluster::{ClusterLayout, ViewOptions, Zoom, layout};
use view::css::px;

/// Represents all nodes where an index is expected.
pub const EVERY_NODE: u32 = u32::MAX;

/// What each node does, as signals.
#[derive(Clone, Copy)]
pub struct NodeCells {
    pub cells: RwSignal<Vec<NodeCell>>,
    /// Nodes that changed since the last painting.
    dirty: StoredValue<Vec<u32>>,
}

impl NodeCells {
    /// No node yet.
    pub fn new() -> Self {
        Self { cells: RwSignal::new(Vec::new()), dirty: StoredValue::new(Vec::new()) }
    }

    /// Takes the nodes that changed, of `count` nodes.
    pub fn change(self, changes: CellChanges, count: usize) {
        self.dirty.update_value(|dirty| {
            if changes.all {
                dirty.push(EVERY_NODE);
            }
            dirty.extend(changes.cells.iter().map(|c| c.0));
        });
        self.cells.update(|cells| {
            if changes.all {
                cells.clear();
                cells.resize_with(count, NodeCell::default);
            }
            for (index, cell) in changes.cells {
                if let Some(slot) = cells.get_mut(index as usize) {
                    *slot = cell;
                }
            }
        });
    }
}

/// The node under the pointer, and the pointer's position in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hover {
    node: u32,
    x: f64,
    y: f64,
}

/// What the controls change and the canvas paints.
#[derive(Clone, Copy)]
struct ClusterView {
    page: Page,
    nodes: NodeCells,
    /// The selected job.
    job: RwSignal<Option<Box<JobDetail>>>,
    find: RwSignal<String>,
    /// The node that has the keyboard's focus.
    focused: RwSignal<Option<u32>>,
    only: RwSignal<Option<u32>>,
    /// The partition whose nodes are outlined.
    outlined: RwSignal<Option<u32>>,
    switches: RwSignal<bool>,
    zoom: RwSignal<Zoom>,
    picture: Memo<Arc<ClusterLayout>>,
    scroller: NodeRef<Div>,
}

/// The zone of the cluster.
#[component]
pub fn ClusterZone(
    page: Page,
    nodes: NodeCells,
    job: RwSignal<Option<Box<JobDetail>>>,
    load: RwSignal<Option<Box<ClusterLoad>>>,
) -> impl IntoView {
    let scroller = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let size = RwSignal::new((0.0_f64, 0.0_f64));
    let scroll = RwSignal::new(0.0_f64);
    let hover = RwSignal::new(None::<Hover>);
    let outlined = RwSignal::new(None::<u32>);
    let focused = RwSignal::new(None::<u32>);
    let find = RwSignal::new(String::new());
    let only = RwSignal::new(None::<u32>);
    let switches = RwSignal::new(false);
    let zoom = RwSignal::new(Zoom::Fit);
    let picture = Memo::new(move |_| {
        let (width, height) = size.get();
        let wish = ViewOptions { zoom: zoom.get(), only: only.get(), switches: switches.get() };
        page.started.with(|s| {
            let laid = s.as_ref().map(|s| layout((&**s).into(), width, height, wish));
            Arc::new(laid.unwrap_or_default())
        })
    });
    let sight =
        ClusterView { page, nodes, job, find, focused, only, outlined, switches, zoom, picture, scroller };
    crate::resize::on_resize(scroller, move || {
        if let Some(e) = scroller.get_untracked() {
            size.set((f64::from(e.client_width()), f64::from(e.client_height())));
        }
    });
    let painter = StoredValue::new_local(ClusterPainter::default());
    // Painted at the next animation frame after anything visible changed.
    Effect::new(move || {
        nodes.cells.track();
        picture.track();
        size.track();
        scroll.track();
        page.selection.track();
        job.track();
        page.user.track();
        page.prefs.lang.track();
        hover.track();
        focused.track();
        find.track();
        outlined.track();
        let dark = page.prefs.dark.get();
        in_next_frame(move || {
            let (Some(canvas), Some(started)) = (canvas.get_untracked(), page.started.get_untracked()) else {
                return;
            };
            let lit = hover.get_untracked().map(|h| h.node).or(focused.get_untracked());
            painter.update_value(|p| {
                p.paint(
                    sight,
                    &canvas,
                    &started,
                    &picture.get_untracked(),
                    &draw::ClusterLook {
                        size: size.get_untracked(),
                        scroll: scroll.get_untracked(),
                        lit,
                        dark,
                        find: find.get_untracked(),
                        outlined: outlined.get_untracked(),
                        only: only.get_untracked(),
                    },
                )
            });
        });
    });
    let point = move |event: &leptos::ev::MouseEvent| {
        let (x, y) = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        let node = picture.with(|l| l.at(x, y + scroll.get_untracked()));
        node.map(|node| Hover { node, x: f64::from(event.client_x()), y: f64::from(event.client_y()) })
    };
    let controlled = page.drawn(DrawStage::Controls);
    view! {
        <section class="zone cluster" aria-label=page.say(|w| w.cluster) data-testid="cluster"
            data-density=Signal::derive(move || picture.with(|l| l.density.name()))>
            <div class="bar">
                <h2>{page.say(|w| w.cluster)}</h2>
                <span class="spring"></span>
                {move || controlled.get().then(|| controls::draw(sight))}
            </div>
            // Its height is reserved.
            <div class="figures">{move || controlled.get().then(|| figures::draw(page, nodes, load))}</div>
            <div class="scroll canvas-scroll" node_ref=scroller tabindex="0" role="group" aria-label=page.say(|w| w.cluster) data-testid="cluster-keys"
                on:scroll=move |_| if let Some(e) = scroller.get_untracked() { scroll.set(f64::from(e.scroll_top())) }>
                <div class="spacer" style:height=string(move || px(picture.with(|l| l.height).max(size.get().1)))>
                    <canvas aria-hidden="true" node_ref=canvas
                        class:over=flag(move || hover.get().is_some())
                        on:mousemove=move |e| hover.set(point(&e))
                        on:mouseleave=move |_| hover.set(None)
                        on:click=move |e| if let Some(h) = point(&e) { page.selection.set(Selection::Node(h.node)) }>
                    </canvas>
                    {move || controlled.get().then(|| chips::draw(sight))}
                </div>
            </div>
            {move || controlled.get().then(|| tooltip::draw(page, nodes, hover))}
            <NodeList sight />
        </section>
    }
}
