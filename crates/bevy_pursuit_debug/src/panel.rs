//! The text panel: numbers about grids, agents and searches. Their history is in Bevy's `DiagnosticsStore`.

use std::collections::BTreeMap;
use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::grid::BakedGrid;
use bevy_pursuit::{Locomotion, NavAgent, PathStatus, PursuitStats};

use crate::agents::{AgentsInView, CATEGORIES as AGENTS, MAX_AGENTS};
use crate::blocks::{Block, BlockText, write};
use crate::names::grid_name;
use crate::settings::PursuitDebugSettings;

/// Time between two updates of the text.
const REFRESH: Duration = Duration::from_millis(250);
/// Grids that are listed by name.
const MAX_GRIDS: usize = 6;

/// Writes the panel a few times a second, and a new one at once.
pub(crate) fn update_panel(
    time: Res<Time<Real>>,
    stats: Option<Res<PursuitStats>>,
    settings: Res<PursuitDebugSettings>,
    in_view: Res<AgentsInView>,
    grids: Query<(Entity, &BakedGrid)>,
    names: Query<&Name>,
    agents: Query<(&PathStatus, &Locomotion), With<NavAgent>>,
    new: Query<&Block, Added<Block>>,
    blocks: Query<(&Block, &Children)>,
    mut texts: Query<&mut Text, With<BlockText>>,
    mut written: Local<Duration>,
) {
    let now = time.elapsed();
    if now < *written + REFRESH && !new.iter().any(|block| *block == Block::Panel) {
        return;
    }
    *written = now;
    let in_view = match settings.show.has_any(AGENTS) {
        true => in_view.0,
        false => 0,
    };
    let lines = [
        grid_lines(
            grids
                .iter()
                .map(|(grid, baked)| grid_line(&grid_name(grid, &names), baked)),
        ),
        agent_lines(agents.iter(), in_view),
        stats.map_or(String::new(), |stats| stat_lines(&stats)),
    ];
    write(Block::Panel, lines.join("\n"), &blocks, &mut texts);
}

/// What is known of a grid, or why it cannot be baked.
fn grid_line(name: &str, baked: &BakedGrid) -> String {
    if let Some(error) = baked.error() {
        return format!("grid    {name}: {error}");
    }
    let Some(snapshot) = baked.snapshot() else {
        return format!("grid    {name}: not baked yet");
    };
    let (width, height) = (snapshot.layout().width(), snapshot.layout().height());
    let generation = snapshot.generation();
    format!("grid    {name}: {width} x {height} cells, bake {generation}")
}

fn grid_lines(lines: impl Iterator<Item = String>) -> String {
    let mut lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return "grid    none".to_owned();
    }
    let more = lines.len().saturating_sub(MAX_GRIDS);
    lines.truncate(MAX_GRIDS);
    if more > 0 {
        lines.push(format!("        and {more} more"));
    }
    lines.join("\n")
}

fn agent_lines<'a>(
    agents: impl Iterator<Item = (&'a PathStatus, &'a Locomotion)>,
    in_view: usize,
) -> String {
    let (mut count, mut walks, mut searches) = (0, BTreeMap::new(), BTreeMap::new());
    for (status, locomotion) in agents {
        count += 1;
        *walks.entry(walk_name(*locomotion)).or_default() += 1;
        *searches.entry(search_name(*status)).or_default() += 1;
    }
    let drawn = match in_view > MAX_AGENTS {
        true => format!(", {MAX_AGENTS} of {in_view} in view drawn"),
        false => String::new(),
    };
    let (walks, searches) = (counts(&walks), counts(&searches));
    format!("agents  {count}{drawn}\n walk   {walks}\n search {searches}")
}

/// "2 idle, 3 moving".
fn counts(counts: &BTreeMap<&str, usize>) -> String {
    let texts = counts.iter().map(|(name, count)| format!("{count} {name}"));
    texts.collect::<Vec<_>>().join(", ")
}

fn stat_lines(stats: &PursuitStats) -> String {
    let [bake, frame] =
        [stats.last_bake, stats.frame_time].map(|duration| duration.as_secs_f64() * 1e3);
    let (found, partial, failed) = (stats.paths_found, stats.paths_partial, stats.without_path());
    let (running, queued) = (stats.tasks_in_flight, stats.queued);
    format!(
        "paths   {found} found, {partial} partial, {failed} failed\n\
         tasks   {running} running, {queued} queued\n\
         frame   {frame:.3} ms, last bake {bake:.2} ms"
    )
}

fn walk_name(locomotion: Locomotion) -> &'static str {
    match locomotion {
        Locomotion::Idle => "idle",
        Locomotion::Moving => "moving",
        Locomotion::Straight => "straight",
        Locomotion::Waiting => "waiting",
        Locomotion::Arrived => "arrived",
        Locomotion::Stuck => "stuck",
        Locomotion::Paused => "paused",
        _ => "other",
    }
}

fn search_name(status: PathStatus) -> &'static str {
    match status {
        PathStatus::Idle => "idle",
        PathStatus::Queued => "queued",
        PathStatus::Searching => "searching",
        PathStatus::Found => "found",
        PathStatus::Partial(_) => "partial",
        PathStatus::Failed(_) => "failed",
        PathStatus::TargetLost => "target lost",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_what_occurs_and_nothing_else() {
        let (found, queued) = (PathStatus::Found, PathStatus::Queued);
        let (moving, idle) = (Locomotion::Moving, Locomotion::Idle);
        let agents = [(&found, &moving), (&queued, &idle), (&found, &idle)];
        let expected = "agents  3\n walk   2 idle, 1 moving\n search 2 found, 1 queued";
        assert_eq!(agent_lines(agents.into_iter(), 3), expected);
        let crowded = agent_lines([].into_iter(), 8_231);
        assert!(crowded.starts_with("agents  0, 1000 of 8231 in view drawn\n"));
        let stats = PursuitStats {
            paths_found: 87,
            last_bake: Duration::from_micros(4210),
            frame_time: Duration::from_micros(118),
            ..default()
        };
        let expected = "paths   87 found, 0 partial, 0 failed\n\
                        tasks   0 running, 0 queued\nframe   0.118 ms, last bake 4.21 ms";
        assert_eq!(stat_lines(&stats), expected);
    }

    #[test]
    fn grids_are_named_as_far_as_there_is_room() {
        assert_eq!(grid_lines([].into_iter()), "grid    none");
        let lines = grid_lines((0..9).map(|number| format!("grid    {number}")));
        assert!(lines.starts_with("grid    0\ngrid    1\n"));
        assert!(lines.ends_with("grid    5\n        and 3 more"));
    }
}
