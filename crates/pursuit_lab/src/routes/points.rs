//! Points as they are saved: pairs of numbers.
//!
//! `glam` has a feature for that. To turn it on would compile an engine that shares `glam` once more.

/// One point.
pub(super) mod one {
    use glam::Vec2;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::routes) fn serialize<S: Serializer>(
        point: &Vec2,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        point.to_array().serialize(serializer)
    }

    pub(in crate::routes) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec2, D::Error> {
        <[f32; 2]>::deserialize(deserializer).map(Vec2::from_array)
    }
}

/// Any number of points.
pub(super) mod many {
    use glam::Vec2;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in crate::routes) fn serialize<S: Serializer>(
        points: &[Vec2],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(points.iter().map(Vec2::to_array))
    }

    pub(in crate::routes) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Vec2>, D::Error> {
        let points = Vec::<[f32; 2]>::deserialize(deserializer)?;
        Ok(points.into_iter().map(Vec2::from_array).collect())
    }
}
