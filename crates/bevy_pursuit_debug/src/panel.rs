//! The text panel: numbers about grids, paths and agents.

use std::fmt::Write;
use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::grid::BakedGrid;
use bevy_pursuit::{Locomotion, NavAgent, PathStatus, PursuitStats};

use crate::settings::PursuitDebugSettings;

/// Time between two updates of the text.
const REFRESH: Duration = Duration::from_millis(250);

/// The panel's root node.
#[derive(Component)]
pub(crate) struct Panel;

/// When the text was written last, and how many paths there were then.
#[derive(Resource, Default)]
pub(crate) struct PanelRates {
    written: Option<Duration>,
    paths: u64,
    per_second: f32,
}

/// What the panel says.
#[derive(Clone, Debug, Default, PartialEq)]
struct Numbers {
    /// Columns and rows of each grid, and its generation.
    grids: Vec<(u32, u32, u64)>,
    bake: Duration,
    paths: u64,
    failed: u64,
    per_second: f32,
    tasks: usize,
    queued: usize,
    frame: Duration,
    /// Agents by how they move and by how their search stands.
    motions: [usize; MOTIONS.len()],
    searches: [usize; SEARCHES.len()],
}

const MOTIONS: [&str; 7] = [
    "idle", "moving", "straight", "waiting", "arrived", "stuck", "paused",
];
const SEARCHES: [&str; 7] = [
    "idle",
    "queued",
    "searching",
    "found",
    "partial",
    "failed",
    "target lost",
];

/// Spawns the panel when the overlay is switched on, removes it when it is switched off, and
/// writes its text a few times a second.
pub(crate) fn update_panel(
    mut commands: Commands,
    settings: Res<PursuitDebugSettings>,
    time: Res<Time<Real>>,
    stats: Option<Res<PursuitStats>>,
    mut rates: ResMut<PanelRates>,
    grids: Query<&BakedGrid>,
    agents: Query<(&PathStatus, &Locomotion), With<NavAgent>>,
    panels: Query<(Entity, &Children), With<Panel>>,
    mut texts: Query<&mut Text>,
) {
    let wanted = settings.enabled && settings.panel;
    let Ok((panel, children)) = panels.single() else {
        if wanted {
            commands.spawn(panel_node());
            *rates = PanelRates::default();
        }
        return;
    };
    if !wanted {
        commands.entity(panel).despawn();
        return;
    }
    let now = time.elapsed();
    if rates.written.is_some_and(|written| now < written + REFRESH) {
        return;
    }
    let stats = stats.map(|stats| stats.clone()).unwrap_or_default();
    rates.measure(now, stats.paths_found);
    let numbers = Numbers::gather(&stats, rates.per_second, &grids, &agents);
    for child in children {
        if let Ok(mut text) = texts.get_mut(*child) {
            text.0 = numbers.to_string();
        }
    }
}

impl PanelRates {
    fn measure(&mut self, now: Duration, paths: u64) {
        if let Some(written) = self.written.filter(|written| now > *written) {
            let seconds = (now - written).as_secs_f32();
            let rate = paths.saturating_sub(self.paths) as f32 / seconds;
            // Half old, half new: steady enough to read.
            self.per_second = (self.per_second + rate) / 2.0;
        }
        self.written = Some(now);
        self.paths = paths;
    }
}

impl Numbers {
    fn gather(
        stats: &PursuitStats,
        per_second: f32,
        grids: &Query<&BakedGrid>,
        agents: &Query<(&PathStatus, &Locomotion), With<NavAgent>>,
    ) -> Self {
        let mut numbers = Self {
            bake: stats.last_bake,
            paths: stats.paths_found,
            failed: stats.paths_failed.iter().sum(),
            per_second,
            tasks: stats.tasks_in_flight,
            queued: stats.queued,
            frame: stats.frame_time,
            ..Self::default()
        };
        for snapshot in grids.iter().filter_map(BakedGrid::snapshot) {
            let layout = snapshot.layout();
            numbers
                .grids
                .push((layout.width(), layout.height(), snapshot.generation()));
        }
        for (status, locomotion) in agents {
            numbers.searches[search_index(*status)] += 1;
            numbers.motions[motion_index(*locomotion)] += 1;
        }
        numbers
    }
}

impl std::fmt::Display for Numbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (width, height, generation) in &self.grids {
            let cells = u64::from(*width) * u64::from(*height);
            writeln!(
                f,
                "grid    {width} x {height} = {cells} cells, bake {generation}"
            )?;
        }
        if self.grids.is_empty() {
            writeln!(f, "grid    not baked yet")?;
        }
        writeln!(f, "bake    {:.2} ms", milliseconds(self.bake))?;
        writeln!(
            f,
            "paths   {:.1} /s   {} found, {} failed",
            self.per_second, self.paths, self.failed
        )?;
        writeln!(f, "tasks   {} running, {} queued", self.tasks, self.queued)?;
        writeln!(f, "frame   {:.3} ms", milliseconds(self.frame))?;
        let agents: usize = self.motions.iter().sum();
        writeln!(f, "agents  {agents}")?;
        writeln!(f, " walk   {}", counts(&MOTIONS, &self.motions))?;
        write!(f, " search {}", counts(&SEARCHES, &self.searches))
    }
}

/// "2 idle, 3 moving": names with a count, those that occur.
fn counts(names: &[&str], counts: &[usize]) -> String {
    let mut text = String::new();
    for (name, count) in names.iter().zip(counts).filter(|(_, count)| **count > 0) {
        let comma = if text.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{count} {name}");
    }
    if text.is_empty() { "-".into() } else { text }
}

fn motion_index(locomotion: Locomotion) -> usize {
    match locomotion {
        Locomotion::Idle => 0,
        Locomotion::Moving => 1,
        Locomotion::Straight => 2,
        Locomotion::Waiting => 3,
        Locomotion::Arrived => 4,
        Locomotion::Stuck => 5,
        Locomotion::Paused => 6,
    }
}

fn search_index(status: PathStatus) -> usize {
    match status {
        PathStatus::Idle => 0,
        PathStatus::Queued => 1,
        PathStatus::Searching => 2,
        PathStatus::Found => 3,
        PathStatus::Partial(_) => 4,
        PathStatus::Failed(_) => 5,
        PathStatus::TargetLost => 6,
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn panel_node() -> impl Bundle {
    (
        Panel,
        Name::new("pursuit overlay"),
        Node {
            position_type: PositionType::Absolute,
            top: px(12),
            right: px(12),
            padding: UiRect::axes(px(14), px(10)),
            border_radius: BorderRadius::all(px(8)),
            ..default()
        },
        BackgroundColor(Color::srgba(0.05, 0.06, 0.1, 0.82)),
        GlobalZIndex(100),
        children![(
            Text::new("..."),
            TextFont::from_font_size(13.0),
            TextColor(Color::srgb(0.88, 0.92, 1.0)),
        )],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_what_occurs_and_nothing_else() {
        let numbers = Numbers {
            grids: vec![(240, 144, 3)],
            bake: Duration::from_micros(4210),
            paths: 87,
            failed: 1,
            per_second: 12.25,
            tasks: 2,
            queued: 5,
            frame: Duration::from_micros(118),
            motions: [0, 9, 3, 0, 0, 0, 0],
            searches: [0, 0, 1, 11, 0, 0, 0],
        };
        let expected = "\
grid    240 x 144 = 34560 cells, bake 3
bake    4.21 ms
paths   12.2 /s   87 found, 1 failed
tasks   2 running, 5 queued
frame   0.118 ms
agents  12
 walk   9 moving, 3 straight
 search 1 searching, 11 found";
        assert_eq!(numbers.to_string(), expected);
    }

    #[test]
    fn without_grid_and_agents_there_is_still_a_text() {
        let text = Numbers::default().to_string();
        assert!(text.starts_with("grid    not baked yet"));
        assert!(text.ends_with("search -"));
    }

    #[test]
    fn paths_per_second_settle_on_the_true_rate() {
        let mut rates = PanelRates::default();
        for step in 0..40 {
            rates.measure(Duration::from_millis(250 * step), 5 * step);
        }
        assert!(
            (rates.per_second - 20.0).abs() < 0.01,
            "{}",
            rates.per_second
        );
    }
}
