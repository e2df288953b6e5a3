//! The tooltip of the node under the pointer. It stays inside the zone, and so inside the window.

use super::{Hover, NodeCells, list};
use crate::follow::{When, flag, in_next_frame, string};
use crate::page::Page;
use leptos::html::Div;
use leptos::prelude::*;
use view::cluster::beside;
use view::css::px;

/// Draws it.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, nodes: NodeCells, hover: RwSignal<Option<Hover>>) -> AnyView {
    let node = Memo::new(move |_| hover.get().map(|h| h.node));
    let element = NodeRef::<Div>::new();
    // Its size is known once its text is drawn.
    let corner = RwSignal::new(None::<(f64, f64)>);
    Effect::new(move || {
        let (Some(hover), Some(_)) = (hover.get(), element.get()) else { return corner.set(None) };
        in_next_frame(move || {
            let Some(tip) = element.get_untracked() else { return };
            let Some(zone) = tip.offset_parent() else { return };
            let around = zone.get_bounding_client_rect();
            let pointer = (hover.x - around.left(), hover.y - around.top());
            let size = (f64::from(tip.offset_width()), f64::from(tip.offset_height()));
            corner.set(Some(beside(pointer, size, (around.width(), around.height()))));
        });
    });
    let style = move || match corner.get() {
        Some((x, y)) => format!("left:{};top:{}", px(x), px(y)),
        None => "left:0;top:0;visibility:hidden".to_owned(),
    };
    view! {
        <When holds=flag(move || node.get().is_some())>
            <div class="tooltip" data-testid="cluster-tooltip" node_ref=element style=string(style) aria-hidden="true">
                {move || node.get().map(|n| list::lines(page, nodes, n).into_iter()
                    .map(|line| view! { <div>{line}</div> }).collect::<Vec<_>>())}
            </div>
        </When>
    }
    .into_any()
}
