//! Integration tests of the plugin in headless games: bakes, plans, bodies, and unusual actions of games.

#[cfg(feature = "rapier2d")]
mod areas;
#[cfg(feature = "rapier2d")]
mod areas_hostile;
#[cfg(feature = "rapier2d")]
mod areas_odd;
#[cfg(feature = "rapier2d")]
mod arrive;
#[cfg(feature = "rapier2d")]
mod bake_chased;
#[cfg(feature = "rapier2d")]
mod bake_edits;
#[cfg(feature = "rapier2d")]
mod bake_nav_obstacle;
#[cfg(feature = "rapier2d")]
mod bake_overlap;
#[cfg(feature = "rapier2d")]
mod bake_pauses;
#[cfg(feature = "rapier2d")]
mod bake_support;
#[cfg(feature = "rapier2d")]
mod chaos;
#[cfg(feature = "rapier2d")]
mod chase;
#[cfg(feature = "rapier2d")]
mod classes;
#[cfg(feature = "rapier2d")]
mod common;
#[cfg(feature = "rapier2d")]
mod crowd;
#[cfg(feature = "rapier2d")]
mod doors;
#[cfg(feature = "rapier2d")]
mod drive;
#[cfg(feature = "rapier2d")]
mod flows;
mod forbidden;
#[cfg(feature = "rapier2d")]
mod frames;
#[cfg(feature = "rapier2d")]
mod habits;
#[cfg(feature = "rapier2d")]
mod hostile;
#[cfg(feature = "rapier2d")]
mod navigation;
mod no_physics;
#[cfg(feature = "rapier2d")]
mod numbers;
#[cfg(feature = "rapier2d")]
mod pillar;
#[cfg(feature = "rapier2d")]
mod rare;
#[cfg(all(feature = "recorder", feature = "rapier2d"))]
mod recorder;
#[cfg(feature = "rapier2d")]
mod regressions;
#[cfg(feature = "rapier2d")]
mod request;
mod rollback;
#[cfg(feature = "rapier2d")]
mod saving;
#[cfg(feature = "rapier2d")]
mod schedule;
#[cfg(feature = "rapier2d")]
mod sharing;
#[cfg(feature = "rapier2d")]
mod siege;
#[cfg(feature = "rapier2d")]
mod warnings;
