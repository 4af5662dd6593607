//! A furnished level, read from text: walls, what the floors are made of, and what stands on them.

use crate::level::{Level, LevelError};
use crate::props::{Prop, PropKind, spawn_prop_colliders};
use crate::walls::spawn_wall_colliders;
use bevy::prelude::*;
use pursuit::Cell;

/// Side of a tile, in world units.
pub const TILE: f32 = 32.0;

/// What a floor is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Floor {
    /// Square flags of stone.
    Slate,
    /// Boards.
    Wood,
    /// A woven pattern, bordered in gold.
    Carpet,
    /// Mown grass.
    Lawn,
}

impl Floor {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Slate, Self::Wood, Self::Carpet, Self::Lawn];

    /// The floor that a character of a level's text stands for.
    pub fn from_mark(mark: char) -> Option<Self> {
        Some(match mark {
            ',' => Self::Wood,
            '_' => Self::Carpet,
            '"' => Self::Lawn,
            _ => return None,
        })
    }
}

/// A level with everything in it.
#[derive(Resource, Clone, Debug)]
pub struct Stage {
    /// Walls and marks.
    pub level: Level,
    /// What stands in it.
    pub props: Vec<Prop>,
    floors: Vec<Floor>,
}

impl Stage {
    /// Reads a level. `#` is wall; other characters are floor, of the kinds of
    /// [`Floor::from_mark`], or things, of the kinds of [`PropKind::from_mark`], on the floor that
    /// most of the tiles around them have. All others are plain slate.
    ///
    /// # Errors
    ///
    /// Where the text is malformed, or nobody has room to walk.
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        Ok(Self::furnish(Level::parse(text, TILE)?))
    }

    /// World positions of the tiles that carry `mark`, from the top down.
    pub fn positions(&self, mark: char) -> Vec<Vec2> {
        self.level.positions(mark)
    }

    /// Spawns the colliders of walls and things, in [`OBSTACLES`](crate::walls::OBSTACLES), as
    /// children of one entity.
    pub fn spawn_colliders(&self, commands: &mut Commands) {
        let level = (
            Name::new("level"),
            Transform::default(),
            Visibility::default(),
        );
        commands.spawn(level).with_children(|parent| {
            spawn_wall_colliders(parent, &self.level);
            spawn_prop_colliders(parent, &self.props);
        });
    }

    /// What the tile's floor is made of.
    pub fn floor(&self, cell: Cell) -> Option<Floor> {
        let index = self.level.layout().index(cell)?;
        self.level.is_floor(cell).then(|| self.floors[index.get()])
    }

    fn furnish(level: Level) -> Self {
        let mut floors = vec![Floor::Slate; level.layout().cell_count()];
        let mut props = Vec::new();
        let mut covered = Vec::new();
        for &(mark, cell) in level.marks() {
            let Some(index) = level.layout().index(cell) else {
                continue;
            };
            match Floor::from_mark(mark) {
                Some(floor) => floors[index.get()] = floor,
                None => covered.push((index.get(), cell)),
            }
            let kind = PropKind::from_mark(mark);
            props.extend(kind.map(|kind| Prop::on_tile(kind, level.tile_rect(cell))));
        }
        // A letter hides the floor that it stands on: take that of most of the tiles around it.
        let seen = floors.clone();
        for (index, cell) in covered {
            let around = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dy)| cell.offset(dx, dy));
            let known = around.iter().filter(|near| level.is_floor(**near));
            let kinds: Vec<_> = known
                .filter_map(|near| Some(seen[level.layout().index(*near)?.get()]))
                .collect();
            let most = Floor::ALL
                .into_iter()
                .rev()
                .max_by_key(|floor| kinds.iter().filter(|kind| *kind == floor).count());
            floors[index] = most.unwrap_or(Floor::Slate);
        }
        Self {
            level,
            props,
            floors,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_on_the_floor_around_them() {
        let stage = Stage::parse(",,,\n,p,\n,,,\n").expect("a level");
        assert_eq!(stage.floor(Cell::new(1, 1)), Some(Floor::Wood));
        assert_eq!(stage.floor(Cell::new(3, 1)), None);
    }
}
