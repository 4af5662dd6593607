//! The plugin in headless apps: bakes, plans, bodies, and what games do to them.

mod bake_chased;
mod bake_edits;
mod bake_nav_obstacle;
mod bake_overlap;
mod bake_pauses;
mod bake_support;
mod chaos;
mod chase;
mod classes;
mod common;
mod doors;
mod drive;
mod habits;
mod hostile;
mod navigation;
mod numbers;
mod pillar;
mod rare;
#[cfg(feature = "recorder")]
mod recorder;
mod regressions;
mod request;
mod saving;
mod schedule;
mod siege;
