//! Positions of entities, and a hash of positions to compare runs.

use bevy::prelude::*;

/// The position of an entity in the plane of the level.
pub(crate) fn position_of(transform: &Transform) -> Vec2 {
    transform.translation.truncate()
}

/// The position of the only entity with this component. The origin if there is no such entity.
pub(crate) fn position_of_only<T: Component>(world: &mut World) -> Vec2 {
    let mut all = world.query_filtered::<&Transform, With<T>>();
    all.iter(world).next().map(position_of).unwrap_or_default()
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo, 1991), which is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    /// Adds the bits of a position.
    pub(crate) fn add_place(&mut self, place: Vec2) {
        self.add(place.x.to_bits());
        self.add(place.y.to_bits());
    }

    /// Adds a number.
    pub(crate) fn add(&mut self, value: u32) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds the value of another hash.
    pub(crate) fn add_hash(&mut self, other: Hash) {
        self.add(other.0 as u32);
        self.add((other.0 >> 32) as u32);
    }

    /// The hash as 16 hexadecimal digits.
    pub(crate) fn hex(self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Hash;

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Hash::default();
        hash.add(u32::from_le_bytes(*b"foob"));
        // The published hashes of the empty string and of "foob".
        assert_eq!(Hash::default().hex(), "cbf29ce484222325");
        assert_eq!(hash.hex(), "dd120e790c2512af");
    }
}
