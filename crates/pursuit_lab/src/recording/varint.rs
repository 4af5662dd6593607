//! Encodes integers with a variable length: seven bits per byte, the lowest bits first. Small positive and negative
//! numbers take few bytes.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum length of an encoded number, in bytes.
pub(super) const MAX_BYTES: usize = 10;

pub(super) fn put(out: &mut Vec<u8>, number: impl Serialize) {
    let bytes = &mut [0; MAX_BYTES];
    let bytes = postcard::to_slice(&number, bytes).expect("invariant: no number is longer");
    out.extend_from_slice(bytes);
}

/// Takes a number from the front of `bytes`. `None` if the bytes end too early or are not a number.
#[inline]
pub(super) fn take<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    let (number, rest) = postcard::take_from_bytes(bytes).ok()?;
    *bytes = rest;
    Some(number)
}
