//! What games do every day: they gate stages, clone and disable entities, repeat requests, gate
//! doors, pause physics. Each test is named after what once went wrong.

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
