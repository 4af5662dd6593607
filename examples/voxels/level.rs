//! A level of cubes, what they are made of, and the two ends of the search.

use std::fs;
use std::path::Path;

use bevy::prelude::Resource;
use pursuit_lab::voxels::{Voxel, VoxelBox, VoxelError, VoxelGrid, parse_voxels, write_voxels};

/// What a cube is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stuff {
    /// Earth, with grass where nothing lies on it.
    Soil,
    Rock,
    Brick,
    Timber,
    Leaf,
}

/// A level.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Level {
    /// What to call it.
    pub(crate) name: String,
    /// Which cubes are solid.
    pub(crate) grid: VoxelGrid,
    /// Where the searches begin.
    pub(crate) start: Voxel,
    /// Where they are to end.
    pub(crate) goal: Voxel,
    /// By node. What stands for a free cube means nothing.
    stuff: Vec<Stuff>,
}

impl Level {
    /// A level of free cubes, by its columns, rows and layers.
    ///
    /// # Errors
    ///
    /// Those of [`VoxelGrid::open`].
    pub(crate) fn open(name: &str, size: [u32; 3], ends: [Voxel; 2]) -> Result<Self, VoxelError> {
        let [columns, rows, layers] = size;
        let grid = VoxelGrid::open(columns, rows, layers)?;
        Ok(Self {
            name: name.to_owned(),
            stuff: vec![Stuff::Rock; grid.node_count() as usize],
            grid,
            start: ends[0],
            goal: ends[1],
        })
    }

    /// Fills a box with something, or with air.
    pub(crate) fn fill(&mut self, area: VoxelBox, stuff: Option<Stuff>) {
        self.grid.fill(&area, stuff.is_some());
        let Some(stuff) = stuff else {
            return;
        };
        for voxel in area.intersect(&self.grid.bounds()).voxels() {
            if let Some(slot) = self.slot(voxel).and_then(|slot| self.stuff.get_mut(slot)) {
                *slot = stuff;
            }
        }
    }

    /// What a solid cube is made of. Outside of the grid there is rock.
    pub(crate) fn stuff(&self, voxel: Voxel) -> Stuff {
        let stuff = self.slot(voxel).and_then(|slot| self.stuff.get(slot));
        stuff.copied().unwrap_or(Stuff::Rock)
    }

    /// Reads layers of text from a file.
    ///
    /// # Errors
    ///
    /// What is wrong with the file or the text, in words.
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        let told = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
        let text = fs::read_to_string(path).map_err(|error| told(&error))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::parse(&name, &text).map_err(|reason| told(&reason))
    }

    /// Reads layers of text with an `S` and a `G`.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, in words.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let map = parse_voxels(text).map_err(|error| error.to_string())?;
        let end = |mark| map.find(mark).ok_or(format!("the map has no {mark}"));
        let ends = [end('S')?, end('G')?];
        Self::of_grid(name, &map.grid, ends).map_err(|error| error.to_string())
    }

    /// A level of earth and rock.
    ///
    /// # Errors
    ///
    /// Those of [`VoxelGrid::open`].
    pub(crate) fn of_grid(
        name: &str,
        grid: &VoxelGrid,
        ends: [Voxel; 2],
    ) -> Result<Self, VoxelError> {
        let mut level = Self::open(name, grid.size(), ends)?;
        for voxel in grid.bounds().voxels() {
            if grid.is_solid(voxel) {
                let above = voxel.offset(0, 0, 1);
                let is_covered = grid.node(above).is_some() && grid.is_solid(above);
                let stuff = if is_covered { Stuff::Rock } else { Stuff::Soil };
                level.fill(VoxelBox::new(voxel, voxel.offset(1, 1, 1)), Some(stuff));
            }
        }
        Ok(level)
    }

    /// Its layers as text, which [`parse`](Self::parse) reads. What cubes are made of is not told, nor ends that are in one
    /// cube or in solid ones.
    pub(crate) fn text(&self) -> String {
        let mut text = write_voxels(&self.grid).into_bytes();
        let [columns, rows, _] = self.grid.size().map(|side| side as usize);
        let is_told = self.start != self.goal;
        for (end, mark) in [(self.start, b'S'), (self.goal, b'G')] {
            let [x, y, z] = [end.x, end.y, end.z].map(|at| at as usize);
            // A row ends with a line's end, and a layer with an empty line.
            let at = z * ((columns + 1) * rows + 1) + y * (columns + 1) + x;
            if let Some(slot) = text.get_mut(at).filter(|slot| is_told && **slot == b'.') {
                *slot = mark;
            }
        }
        String::from_utf8(text).expect("invariant: marks are ASCII")
    }

    fn slot(&self, voxel: Voxel) -> Option<usize> {
        self.grid.node(voxel).map(|node| node as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_needs_both_ends() {
        assert_eq!(
            Level::parse("a", "S.#").expect_err("no goal"),
            "the map has no G"
        );
        let level = Level::parse("a", "S#\n#G\n\n..\n#.").expect("a level");
        assert_eq!(
            (level.start, level.goal),
            (Voxel::default(), Voxel::new(1, 1, 0))
        );
        assert_eq!(level.stuff(Voxel::new(1, 0, 0)), Stuff::Soil);
        assert_eq!(
            level.stuff(Voxel::new(0, 1, 0)),
            Stuff::Rock,
            "it is covered"
        );
    }

    #[test]
    fn the_text_of_a_level_is_read_as_the_same_level() {
        for text in ["S#\n#G\n\n..\n#.\n", "..#\n\n.G#\n\n#.S\n"] {
            let level = Level::parse("a", text).expect("a level");
            assert_eq!(level.text(), text);
        }
    }
}
