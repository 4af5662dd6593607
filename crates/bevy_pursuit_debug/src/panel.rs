//! The text panel: numbers about grids, paths and agents.

use std::fmt::Write;
use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::grid::BakedGrid;
use bevy_pursuit::{Locomotion, NavAgent, PathStatus, PursuitStats};

use crate::agents::{AgentsInView, CATEGORIES as AGENTS, MAX_AGENTS};
use crate::blocks::{Block, BlockText, write};
use crate::names::grid_name;
use crate::settings::PursuitDebugSettings;
use crate::spark::{Bar, History, Scale, draw_sparks, spawn_sparks};

/// Time between two updates of the text.
const REFRESH: Duration = Duration::from_millis(250);

/// Grids that are listed by name.
const MAX_GRIDS: usize = 6;

/// Whether a panel has its sparklines.
#[derive(Component)]
pub(crate) struct HasSparks;

/// When the text was written last, how things were then, and the latest figures.
#[derive(Resource, Default)]
pub(crate) struct PanelRates {
    written: Option<Duration>,
    paths: u64,
    searches: u64,
    bakes: u64,
    per_second: f32,
    /// The longest frame since then.
    frame: Duration,
    history: History,
}

/// What the panel says.
#[derive(Clone, Debug, Default, PartialEq)]
struct Numbers {
    /// Name, columns and rows of each grid, its generation, and why it cannot be baked.
    grids: Vec<(String, u32, u32, u64)>,
    broken: Vec<String>,
    bake: Duration,
    paths: u64,
    /// Searches that led as near as one gets, and those that led nowhere.
    partial: u64,
    failed: u64,
    per_second: f32,
    tasks: usize,
    queued: usize,
    frame: Duration,
    /// How many agents are in view.
    in_view: usize,
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

/// Writes the panel a few times a second, and draws its sparklines.
pub(crate) fn update_panel(
    mut commands: Commands,
    time: Res<Time<Real>>,
    stats: Option<Res<PursuitStats>>,
    settings: Res<PursuitDebugSettings>,
    in_view: Res<AgentsInView>,
    mut rates: ResMut<PanelRates>,
    grids: Query<(Entity, &BakedGrid)>,
    names: Query<&Name>,
    agents: Query<(&PathStatus, &Locomotion), With<NavAgent>>,
    bare: Query<(Entity, &Block), Without<HasSparks>>,
    blocks: Query<(&Block, &Children)>,
    mut bars: Query<(&Bar, &mut UiTransform)>,
    mut scales: Query<(&Scale, &mut Text), Without<BlockText>>,
    mut texts: Query<&mut Text, With<BlockText>>,
) {
    for (panel, _) in bare.iter().filter(|(_, block)| **block == Block::Panel) {
        commands
            .entity(panel)
            .insert(HasSparks)
            .with_children(spawn_sparks);
        // A new panel is written at once.
        rates.written = None;
    }
    let stats = stats.as_deref();
    let frame = stats.map_or(Duration::ZERO, |stats| stats.frame_time);
    rates.frame = rates.frame.max(frame);
    let now = time.elapsed();
    if rates.written.is_some_and(|written| now < written + REFRESH) {
        return;
    }
    let unknown = PursuitStats::default();
    let stats = stats.unwrap_or(&unknown);
    rates.measure(now, stats);
    let mut numbers = Numbers::gather(stats, rates.per_second, &agents);
    numbers.list_grids(&grids, &names);
    if settings.show.has_any(&AGENTS) {
        numbers.in_view = in_view.0;
    }
    write(Block::Panel, numbers.to_string(), &blocks, &mut texts);
    draw_sparks(&rates.history, &mut bars, &mut scales);
}

impl PanelRates {
    fn measure(&mut self, now: Duration, stats: &PursuitStats) {
        let bake = match stats.bakes > self.bakes {
            true => milliseconds(stats.last_bake) as f32,
            false => 0.0,
        };
        if let Some(written) = self.written.filter(|written| now > *written) {
            let seconds = (now - written).as_secs_f32();
            let rate = |now: u64, then: u64| now.saturating_sub(then) as f32 / seconds;
            // Half old, half new: steady enough to read.
            self.per_second = (self.per_second + rate(stats.paths_found, self.paths)) / 2.0;
            let searches = rate(stats.searches, self.searches);
            let frame = milliseconds(self.frame) as f32;
            self.history.push([frame, searches, bake]);
        }
        self.frame = Duration::ZERO;
        self.written = Some(now);
        (self.paths, self.searches, self.bakes) = (stats.paths_found, stats.searches, stats.bakes);
    }
}

impl Numbers {
    fn gather(
        stats: &PursuitStats,
        per_second: f32,
        agents: &Query<(&PathStatus, &Locomotion), With<NavAgent>>,
    ) -> Self {
        let mut numbers = Self {
            bake: stats.last_bake,
            paths: stats.paths_found,
            partial: stats.paths_partial,
            failed: stats.without_path(),
            per_second,
            tasks: stats.tasks_in_flight,
            queued: stats.queued,
            frame: stats.frame_time,
            ..Self::default()
        };
        for (status, locomotion) in agents {
            if let Some(index) = search_index(*status) {
                numbers.searches[index] += 1;
            }
            if let Some(index) = motion_index(*locomotion) {
                numbers.motions[index] += 1;
            }
        }
        numbers
    }

    fn list_grids(&mut self, grids: &Query<(Entity, &BakedGrid)>, names: &Query<&Name>) {
        for (entity, baked) in grids {
            let name = grid_name(entity, names);
            if let Some(error) = baked.error() {
                self.broken.push(format!("{name}: {error}"));
            } else if let Some(snapshot) = baked.snapshot() {
                let layout = snapshot.layout();
                let (width, height) = (layout.width(), layout.height());
                self.grids
                    .push((name, width, height, snapshot.generation()));
            }
        }
    }
}

impl std::fmt::Display for Numbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, width, height, generation) in self.grids.iter().take(MAX_GRIDS) {
            let cells = u64::from(*width) * u64::from(*height);
            // The label says that it is one.
            let name = name.strip_prefix("grid ").unwrap_or(name);
            writeln!(
                f,
                "grid    {name}: {width} x {height} = {cells} cells, bake {generation}"
            )?;
        }
        if self.grids.len() > MAX_GRIDS {
            writeln!(f, "        and {} more", self.grids.len() - MAX_GRIDS)?;
        }
        for broken in self.broken.iter().take(MAX_GRIDS) {
            writeln!(f, "grid    {broken}")?;
        }
        if self.grids.is_empty() && self.broken.is_empty() {
            writeln!(f, "grid    not baked yet")?;
        }
        writeln!(f, "bake    {:.2} ms", milliseconds(self.bake))?;
        writeln!(
            f,
            "paths   {:.1} /s   {} found, {} partial, {} failed",
            self.per_second, self.paths, self.partial, self.failed
        )?;
        writeln!(f, "tasks   {} running, {} queued", self.tasks, self.queued)?;
        writeln!(f, "frame   {:.3} ms", milliseconds(self.frame))?;
        let agents: usize = self.motions.iter().sum();
        write!(f, "agents  {}", thousands(agents))?;
        if self.in_view > MAX_AGENTS {
            let (drawn, in_view) = (thousands(MAX_AGENTS), thousands(self.in_view));
            write!(f, ", {drawn} of {in_view} in view drawn")?;
        }
        writeln!(f)?;
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

/// A number with a comma before every three digits.
fn thousands(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1000), number % 1000),
    }
}

fn motion_index(locomotion: Locomotion) -> Option<usize> {
    Some(match locomotion {
        Locomotion::Idle => 0,
        Locomotion::Moving => 1,
        Locomotion::Straight => 2,
        Locomotion::Waiting => 3,
        Locomotion::Arrived => 4,
        Locomotion::Stuck => 5,
        Locomotion::Paused => 6,
        _ => return None,
    })
}

fn search_index(status: PathStatus) -> Option<usize> {
    Some(match status {
        PathStatus::Idle => 0,
        PathStatus::Queued => 1,
        PathStatus::Searching => 2,
        PathStatus::Found => 3,
        PathStatus::Partial(_) => 4,
        PathStatus::Failed(_) => 5,
        PathStatus::TargetLost => 6,
        _ => return None,
    })
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_what_occurs_and_nothing_else() {
        let numbers = Numbers {
            grids: vec![("level".to_owned(), 240, 144, 3)],
            broken: vec!["attic: no room".to_owned()],
            bake: Duration::from_micros(4210),
            paths: 87,
            partial: 4,
            failed: 1,
            per_second: 12.25,
            tasks: 2,
            queued: 5,
            frame: Duration::from_micros(118),
            in_view: MAX_AGENTS,
            motions: [0, 9, 3, 0, 0, 0, 0],
            searches: [0, 0, 1, 11, 0, 0, 0],
        };
        let expected = "\
grid    level: 240 x 144 = 34560 cells, bake 3
grid    attic: no room
bake    4.21 ms
paths   12.2 /s   87 found, 4 partial, 1 failed
tasks   2 running, 5 queued
frame   0.118 ms
agents  12
 walk   9 moving, 3 straight
 search 1 searching, 11 found";
        assert_eq!(numbers.to_string(), expected);
    }

    #[test]
    fn who_is_in_view_and_not_drawn_is_told() {
        let numbers = Numbers {
            in_view: 8_231,
            motions: [0, 1_010_007, 0, 0, 0, 0, 0],
            ..Numbers::default()
        };
        let expected = "agents  1,010,007, 1,000 of 8,231 in view drawn\n";
        assert!(numbers.to_string().contains(expected), "{numbers}");
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
            let stats = PursuitStats {
                paths_found: 5 * step,
                ..PursuitStats::default()
            };
            rates.measure(Duration::from_millis(250 * step), &stats);
        }
        assert!(
            (rates.per_second - 20.0).abs() < 0.01,
            "{}",
            rates.per_second
        );
    }
}
