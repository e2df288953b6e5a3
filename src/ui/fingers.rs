//! Two fingers upon a picture: further apart they come nearer, closer together they go farther.

use leptos::ev::PointerEvent;

/// Fingers so many times as far apart as before are a step.
const SPREAD: f64 = 1.3;

/// Fingers on the picture, and how far two of them were apart at the last step.
#[derive(Default)]
pub struct Fingers {
    down: Vec<(i32, f64, f64)>,
    apart: f64,
}

impl Fingers {
    /// Steps that a movement stands for.
    pub fn take(&mut self, event: &PointerEvent) -> isize {
        if event.pointer_type() != "touch" {
            return 0;
        }
        let id = event.pointer_id();
        let at = (id, f64::from(event.client_x()), f64::from(event.client_y()));
        match event.type_().as_str() {
            "pointerdown" => self.down.push(at),
            "pointermove" => self.down.iter_mut().filter(|f| f.0 == id).for_each(|f| *f = at),
            _ => self.down.retain(|f| f.0 != id),
        }
        let &[(_, x, y), (_, to_x, to_y)] = self.down.as_slice() else {
            self.apart = 0.0;
            return 0;
        };
        let apart = ((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y)).sqrt().max(1.0);
        if self.apart == 0.0 {
            self.apart = apart;
        }
        let by = match apart / self.apart {
            wider if wider >= SPREAD => 1,
            closer if closer <= 1.0 / SPREAD => -1,
            _ => return 0,
        };
        self.apart = apart;
        by
    }
}

impl Fingers {
    /// Whether several are on the picture: what a single one would do is not meant.
    pub const fn several(&self) -> bool {
        self.down.len() > 1
    }
}
