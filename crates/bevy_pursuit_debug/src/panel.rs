//! The text panel with figures about grids, agents and searches. Bevy's `DiagnosticsStore` has the history of many of
//! these figures.

use std::fmt::Debug;
use std::mem::discriminant;
use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::grid::BakedGrid;
use bevy_pursuit::{Locomotion, NavAgent, PathStatus, PursuitStats};

use crate::agents::{AGENT_CATEGORIES, AgentsInView, MAX_AGENTS};
use crate::blocks::{BlockText, TextBlock, write_text};
use crate::names::grid_name;
use crate::settings::PursuitDebugSettings;

/// Time between two updates of the text.
const REFRESH_INTERVAL: Duration = Duration::from_millis(250);
/// Maximum number of grids that the panel lists.
const MAX_GRIDS: usize = 6;

/// Updates the panel every [`REFRESH_INTERVAL`]. A newly spawned panel gets its text immediately.
pub(crate) fn update_panel(
    time: Res<Time<Real>>,
    stats: Option<Res<PursuitStats>>,
    settings: Res<PursuitDebugSettings>,
    in_view: Res<AgentsInView>,
    grids: Query<(Entity, &BakedGrid)>,
    names: Query<&Name>,
    agents: Query<(&PathStatus, &Locomotion), With<NavAgent>>,
    new: Query<&TextBlock, Added<TextBlock>>,
    blocks: Query<(&TextBlock, &Children)>,
    mut texts: Query<&mut Text, With<BlockText>>,
    mut written: Local<Duration>,
) {
    let now = time.elapsed();
    if now < *written + REFRESH_INTERVAL && !new.iter().any(|block| *block == TextBlock::Panel) {
        return;
    }
    *written = now;
    let in_view = match settings.show.has_any(AGENT_CATEGORIES) {
        true => in_view.0,
        false => 0,
    };
    let grids = grids.iter();
    let mut lines: Vec<String> = grids
        .map(|(grid, baked)| grid_line(&grid_name(grid, &names), baked))
        .take(MAX_GRIDS)
        .collect();
    lines.push(agent_lines(&agents.iter().collect::<Vec<_>>(), in_view));
    lines.extend(stats.map(|stats| stat_lines(&stats)));
    write_text(TextBlock::Panel, lines.join("\n"), &blocks, &mut texts);
}

/// The size of a grid and the number of its latest bake, or why it has no bake.
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

fn agent_lines(agents: &[(&PathStatus, &Locomotion)], in_view: usize) -> String {
    let drawn = match in_view > MAX_AGENTS {
        true => format!(", {MAX_AGENTS} of {in_view} in view drawn"),
        false => String::new(),
    };
    let walks = counts_text(agents.iter().map(|(_, locomotion)| *locomotion));
    let searches = counts_text(agents.iter().map(|(status, _)| *status));
    format!(
        "agents  {}{drawn}\n walk   {walks}\n search {searches}",
        agents.len()
    )
}

/// How many values have each enum variant, such as "2 Idle, 3 Moving". The fields of the variants are left out.
fn counts_text<'a, T: Debug + 'a>(values: impl Iterator<Item = &'a T>) -> String {
    let mut found: Vec<(&T, usize)> = Vec::new();
    for value in values {
        let kind = discriminant(value);
        match found.iter_mut().find(|(one, _)| discriminant(*one) == kind) {
            Some((_, count)) => *count += 1,
            None => found.push((value, 1)),
        }
    }
    let texts = found.into_iter().map(|(one, count)| {
        let name = format!("{one:?}");
        format!("{count} {}", name.split('(').next().unwrap_or(&name))
    });
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

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_pursuit::FailReason;

    #[test]
    fn the_panel_counts_agents_in_each_state_and_omits_states_without_agents() {
        let (found, partial) = (
            PathStatus::Found,
            PathStatus::Partial(FailReason::Unreachable),
        );
        let (moving, idle) = (Locomotion::Moving, Locomotion::Idle);
        let agents = [(&found, &moving), (&partial, &idle), (&found, &idle)];
        let expected = "agents  3\n walk   1 Moving, 2 Idle\n search 2 Found, 1 Partial";
        assert_eq!(agent_lines(&agents, 3), expected);
        let crowded = agent_lines(&[], 8_231);
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
}
