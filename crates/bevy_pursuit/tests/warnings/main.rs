//! What the plugin says in the log, and that it says it once.

mod bake;
#[path = "../all/bake_support/mod.rs"]
mod bake_support;
#[path = "../all/common/mod.rs"]
mod common;
mod drive;
mod listener;
mod plan;
