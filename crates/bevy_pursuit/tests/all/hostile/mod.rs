//! What games do to the plugin by mistake: numbers that are none, entities that vanish, grids and
//! settings that change under way. Nothing panics, nothing is silent, nothing goes on for ever.

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
