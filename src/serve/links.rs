//! The links of a class, and their QR codes.

use classroom::Secret;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// The link to a class. The secret is in the fragment, which browsers send to no server.
#[must_use]
pub fn class_link(url: &str, name: &str, secret: Secret) -> String {
    format!("{url}/#class={name}.{}", secret.text())
}

/// A QR code for a terminal; none if the text is too long for one.
#[must_use]
pub fn qr_code(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    // Dark terminals: light modules are drawn.
    Some(code.render::<Dense1x2>().dark_color(Dense1x2::Dark).light_color(Dense1x2::Light).build())
}
