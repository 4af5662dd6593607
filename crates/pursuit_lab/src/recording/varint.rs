//! Whole numbers in as few bytes as they need: seven bits to a byte, lowest first.

/// Most bytes of a number.
pub(super) const MAX_LEN: usize = 10;

pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A number that may be negative: small ones of either sign are short.
pub(super) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, (number << 1 ^ number >> 63) as u64);
}

/// Takes a number from the front of some bytes; `None` if they end before, or if it is none.
#[inline]
pub(super) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for (place, &byte) in bytes.iter().take(MAX_LEN).enumerate() {
        let shift = 7 * place as u32;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            *bytes = &bytes[place + 1..];
            return Some(number);
        }
    }
    None
}

#[inline]
pub(super) fn take_signed(bytes: &mut &[u8]) -> Option<i64> {
    let number = take(bytes)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size_come_back_and_nothing_else_does() {
        let mut all = vec![0, 1, u64::MAX];
        all.extend((0..64).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, (1 << bit) + 1]));
        for number in all {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            put_signed(&mut bytes, number as i64);
            assert!(bytes.len() <= 2 * MAX_LEN);
            let mut rest = bytes.as_slice();
            assert_eq!(take(&mut rest), Some(number));
            assert_eq!(take_signed(&mut rest), Some(number as i64));
            assert_eq!(rest, []);
        }
        assert_eq!(take(&mut [0x80, 0x80].as_slice()), None, "cut");
        assert_eq!(take(&mut [0xff; 10].as_slice()), None, "too long");
        let mut large = [0xff; 10];
        large[9] = 2;
        assert_eq!(take(&mut large.as_slice()), None, "above the largest");
    }
}
