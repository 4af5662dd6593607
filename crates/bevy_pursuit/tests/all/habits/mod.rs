//! Everyday actions of games: they gate stages, clone and disable entities, repeat requests, open and close doors, and
//! pause the physics.

mod archer;
mod arrival;
mod bodies;
mod flee;
mod grids;
mod lifecycle;
mod once;
mod pace;
mod quiet;
mod refused;
mod stages;
mod walls;
