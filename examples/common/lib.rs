//! What the examples share, so that each of them is about its idea: [`demo`] is the frame around a
//! small one, and all of the rest can be used by itself.

pub mod art;
pub mod bodies;
pub mod camera;
pub mod cli;
pub mod demo;
pub mod display;
pub mod figures;
pub mod hud;
pub mod keys;
pub mod level;
pub mod overlay;
pub mod paint;
pub mod paths;
pub mod pointer;
pub mod props;
pub mod screenshot;
pub mod sketch;
pub mod smooth;
pub mod stage;
pub mod walls;
