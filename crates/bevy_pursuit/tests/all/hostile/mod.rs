//! Mistakes that games make: invalid numbers, entities that vanish, grids and settings that change at any time. Nothing
//! panics, nothing fails silently, and nothing goes on forever.

mod bodies;
mod grids;
mod intents;
mod numbers;
mod walls;

const BAD_NUMBERS: [f32; 8] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    -f32::MAX,
    1e30,
    -1.0,
    0.0,
];
