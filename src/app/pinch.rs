//! Pinching with two fingers: apart zooms in, together zooms out.

use leptos::ev::PointerEvent;

/// Ratio of two distances between the fingers that makes a step.
const SPREAD: f64 = 1.3;

/// The fingers on a picture, and the distance between two of them at the last step.
#[derive(Default)]
pub struct Pinch {
    down: Vec<(i32, f64, f64)>,
    apart: f64,
}

impl Pinch {
    /// The zoom steps of a movement.
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

impl Pinch {
    /// Whether several fingers are on the picture, so a gesture is not meant for one finger.
    pub const fn several(&self) -> bool {
        self.down.len() > 1
    }
}
