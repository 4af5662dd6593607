//! A level of cubes, their materials, and the searches among them.

use bevy::prelude::*;
use pursuit::{Heuristic, SearchScratch, SearchSpace};
use pursuit_lab::recording::{RecordedSearch, RecordedVoxels, Recording, voxel_recorder};
use pursuit_lab::replay::StepUnit;
use pursuit_lab::voxels::{Movement, Voxel, VoxelGrid, VoxelOptions, VoxelSpace, parse_voxels};

use super::super::cli::Options;
use super::super::problem::{Found, Problem, Question, Recorder};
use super::super::settings::{MOVES, Method, Rule, Settings};
use super::{marks, orbit, terrain};

/// The built-in level.
const HILL: &str = include_str!("../../../assets/levels/lab-hill.txt");

/// The letters of solid cubes: soil, rock, brick, timber and leaf. `#` is soil if no cube lies on it, and otherwise
/// rock.
const LETTERS: &str = "srbtl";

/// A level.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Level {
    name: String,
    /// The grid of solid and free cubes.
    pub(crate) grid: VoxelGrid,
    pub(crate) start: Voxel,
    pub(crate) goal: Voxel,
    /// The material of each cube, by node: one of [`LETTERS`]. The letter of a free cube means nothing.
    material: Vec<char>,
}

impl Level {
    /// The material of a solid cube. Outside of the grid there is rock.
    pub(crate) fn material(&self, voxel: Voxel) -> char {
        let node = self.grid.node(voxel);
        node.map_or('r', |node| self.material[node as usize])
    }

    /// The layout of the cubes in the picture of a recording. The layout is the same for every movement.
    pub(crate) fn layers(&self) -> RecordedVoxels {
        RecordedVoxels::of(&self.grid, Movement::Fly)
    }

    /// The path of a recording.
    pub(crate) fn path(&self, recording: &Recording) -> Vec<Voxel> {
        let (layers, end) = (self.layers(), recording.end());
        let cells = end.into_iter().flat_map(|end| &end.path);
        cells.map(|&cell| layers.voxel(cell)).collect()
    }

    /// Whether two levels have the same cubes. Their starts and goals may differ.
    pub(crate) fn has_same_cubes(&self, other: &Self) -> bool {
        self.grid == other.grid && self.material == other.material
    }

    fn sign(&self, voxel: Voxel) -> char {
        match voxel {
            _ if self.grid.is_solid(voxel) => self.material(voxel),
            _ if voxel == self.start => 'S',
            _ if voxel == self.goal => 'G',
            _ => '.',
        }
    }
}

impl Problem for Level {
    type Place = Voxel;
    type Question = VoxelQuestion;

    const METHODS: &'static [Method] = Method::ALL.split_at(4).0;
    const RULES: &'static [Rule] = &[Rule::Moves, Rule::WeightG, Rule::WeightH];
    const STEP_UNIT: StepUnit = StepUnit::Expansion;
    const STRAIGHT: u32 = 1;
    const LEVELS: usize = 1;
    const KEYS: &'static [(&'static str, &'static str)] = &[
        ("Shift Ctrl click", "start, goal"),
        ("PageUp PageDown", "cut"),
        ("drag, wheel", "look"),
        ("right drag", "move"),
    ];

    fn built_in(_: usize) -> Self {
        Self::parse("the hill", HILL).expect("invariant: the built-in level is valid")
    }

    fn parse(name: &str, text: &str) -> Result<Self, String> {
        let solid = text.replace(|sign| LETTERS.contains(sign), "#");
        let map = parse_voxels(&solid).map_err(|error| error.to_string())?;
        let marks = parse_voxels(text).map_err(|error| error.to_string())?.marks;
        let end = |mark| map.find(mark).ok_or(format!("the map has no {mark}"));
        let (start, goal, grid) = (end('S')?, end('G')?, &map.grid);
        let kind = |node: u32| {
            let above = grid.voxel(node).offset(0, 0, 1);
            let is_covered = grid.node(above).is_some() && grid.is_solid(above);
            if is_covered { 'r' } else { 's' }
        };
        let mut material: Vec<char> = (0..grid.node_count()).map(kind).collect();
        for (sign, voxel) in marks {
            if let Some(node) = grid.node(voxel).filter(|_| LETTERS.contains(sign)) {
                material[node as usize] = sign;
            }
        }
        let grid = map.grid;
        Ok(Self {
            name: name.to_owned(),
            grid,
            start,
            goal,
            material,
        })
    }

    fn from_recording(recording: &Recording, map: Option<Self>) -> Result<Self, String> {
        let voxels = recording.search().voxels;
        let voxels = voxels.ok_or("a search on a grid, not among cubes")?;
        let mut level = map.ok_or("a search among cubes whose map is not beside it: --map")?;
        if voxels.size() != level.grid.size() {
            let own = level.size();
            return Err(format!("a search of other cubes than the map has: {own}"));
        }
        let ends = [recording.search().start, recording.search().goal];
        level.set_ends(ends.map(|cell| voxels.voxel(cell)));
        if level.ends().iter().any(|end| level.grid.is_solid(*end)) {
            return Err("a search from or to a solid cube of this map".to_owned());
        }
        Ok(level)
    }

    fn text(&self) -> String {
        let [columns, rows, _] = self.grid.size().map(|side| side as usize);
        let voxels = self.grid.bounds().voxels();
        let signs: Vec<char> = voxels.map(|voxel| self.sign(voxel)).collect();
        let row = |signs: &[char]| signs.iter().collect::<String>() + "\n";
        let layer = |signs: &[char]| signs.chunks(columns).map(row).collect::<String>();
        let layers = signs.chunks(columns * rows).map(layer);
        layers.collect::<Vec<_>>().join("\n")
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> String {
        let [columns, rows, layers] = self.grid.size();
        format!("{columns} x {rows} x {layers} cubes")
    }

    fn ends(&self) -> [Voxel; 2] {
        [self.start, self.goal]
    }

    fn set_ends(&mut self, [start, goal]: [Voxel; 2]) {
        (self.start, self.goal) = (start, goal);
    }

    fn places(&self, settings: &Settings) -> Vec<Voxel> {
        let grid = &self.grid;
        // Every step can be taken in both directions.
        let space = VoxelSpace::new(grid, settings.movement, self.goal);
        let (Some(space), Some(first)) = (space, grid.node(self.goal)) else {
            return Vec::new();
        };
        if !space.holds(self.goal) {
            return Vec::new();
        }
        let mut is_known = vec![false; grid.node_count() as usize];
        is_known[first as usize] = true;
        let (mut known, mut next) = (vec![first], 0);
        while let Some(&node) = known.get(next) {
            next += 1;
            space.for_each_neighbor(node, space.place(node), |node, _, _| {
                if !std::mem::replace(&mut is_known[node as usize], true) {
                    known.push(node);
                }
            });
        }
        known.into_iter().map(|node| grid.voxel(node)).collect()
    }

    fn question(&self, method: Method, settings: &Settings) -> Result<VoxelQuestion, String> {
        let mut options = VoxelOptions::default();
        options.movement = settings.movement;
        options.has_estimate = settings.heuristic(method) != Heuristic::Zero;
        options.limits.weights = settings.weights(method);
        Ok(VoxelQuestion {
            grid: self.grid.clone(),
            ends: self.ends(),
            options,
            scratch: SearchScratch::new(),
        })
    }

    fn variants(settings: &Settings) -> Vec<(String, Settings)> {
        let all = MOVES.iter().map(|&(name, movement)| {
            let mut settings = *settings;
            settings.movement = movement;
            (format!("{name} "), settings)
        });
        all.collect()
    }

    fn camera() -> impl Bundle {
        (Camera2d, orbit::projection())
    }

    fn add_view(app: &mut App, _: &Options) {
        orbit::add(app);
        terrain::add(app);
        marks::add(app);
    }
}

/// A search among cubes.
pub(crate) struct VoxelQuestion {
    grid: VoxelGrid,
    ends: [Voxel; 2],
    options: VoxelOptions,
    scratch: SearchScratch,
}

impl Question for VoxelQuestion {
    fn facts(&self) -> Result<RecordedSearch, String> {
        let [start, goal] = self.ends;
        let facts = RecordedSearch::voxels(&self.grid, start, goal, &self.options);
        facts.ok_or_else(|| "too large to be recorded".to_owned())
    }

    fn ask(&mut self, recorder: &mut impl Recorder) -> Result<Found, String> {
        let ([start, goal], grid) = (self.ends, &self.grid);
        let recorder = &mut voxel_recorder(grid, recorder);
        let scratch = &mut self.scratch;
        let found = grid.find_path(start, goal, &self.options, scratch, recorder);
        found.map(Found::Cubes).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_level_is_read_unchanged_and_a_bad_text_is_refused_with_a_reason() {
        assert_eq!(Level::built_in(0).text(), HILL);
        assert!(Level::parse("a", "S#.").is_err_and(|error| error.contains("no G")));
    }
}
