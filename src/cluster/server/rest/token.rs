//! Tokens of `auth/jwt`: HS256 with the key in the cluster's directory, and the claims `sun` (user name) and `exp`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// Default lifetime of a token, seconds.
pub const LIFESPAN: i64 = 1800;
/// Maximum length of a token.
const MAX_TOKEN: usize = 4096;

#[derive(Debug, Deserialize)]
struct TokenHeader {
    alg: String,
}

/// The claims of a token.
#[derive(Debug, Serialize, Deserialize)]
struct TokenClaims {
    exp: i64,
    #[serde(default)]
    iat: i64,
    sun: String,
}

fn signer(key: &[u8]) -> Option<Hmac<Sha256>> {
    Hmac::new_from_slice(key).ok()
}

/// Issues a token for a user.
pub fn issue(key: &[u8], user: &str, now: i64, lifespan: i64) -> Option<String> {
    let claims = TokenClaims { exp: now.saturating_add(lifespan), iat: now, sun: user.to_owned() };
    let header = URL_SAFE_NO_PAD.encode(br#"{"alg":"HS256","typ":"JWT"}"#);
    let payload = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&claims).ok()?);
    let signed = format!("{header}.{payload}");
    let signature = signer(key)?.chain_update(&signed).finalize().into_bytes();
    Some(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

/// The user for whom a token was issued, if it is genuine and has not expired.
pub fn user_of(key: &[u8], token: &str, now: i64) -> Option<String> {
    if token.len() > MAX_TOKEN {
        return None;
    }
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, payload) = signed.split_once('.')?;
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    // Compares in constant time.
    signer(key)?.chain_update(signed).verify_slice(&signature).ok()?;
    let header: TokenHeader = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).ok()?).ok()?;
    let claims: TokenClaims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    (header.alg == "HS256" && claims.exp > now).then_some(claims.sun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn genuine_and_forged() {
        let token = issue(b"key", "ada", 1000, 60).unwrap();
        assert_eq!(user_of(b"key", &token, 1059).as_deref(), Some("ada"));
        assert_eq!(user_of(b"key", &token, 1060), None, "expired");
        assert_eq!(user_of(b"other", &token, 1000), None, "another key");
        let (signed, _) = token.rsplit_once('.').unwrap();
        assert_eq!(user_of(b"key", &format!("{signed}."), 1000), None, "no signature");
        let none = URL_SAFE_NO_PAD.encode(br#"{"alg":"none"}"#);
        let (_, payload) = signed.split_once('.').unwrap();
        assert_eq!(user_of(b"key", &format!("{none}.{payload}."), 1000), None, "no algorithm");
        assert_eq!(user_of(b"key", "", 0).or(user_of(b"key", "a.b.c", 0)), None);
    }
}
