//! Finds the entities whose intents have to be decided, and keeps the intents of all others.
//!
//! A kept intent is only a cached value: deciding it again would give the same intent. [`DecideInEachTick`] switches
//! the cache off.

use std::ops::Range;

use bevy::ecs::change_detection::Tick;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::{SystemChangeTick, SystemParam};

use super::targets::LookedAt;
use super::{Chase, Flee, PathRequest};
use crate::agent::{
    BodyState, Decided, GridPlane, Intent, NavAgent, NavDrive, NavPaused, OffField, Present,
    TickPosition, Wants, has_join_turn,
};
use crate::chunks::{Column, Cut, Pool, Rows};
use crate::grid::{Grids, OnGrid};

/// Makes Pursuit decide again in every tick what each agent wants, even if nothing has changed for the agent. The
/// resource is for tests, and does not change how agents behave.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct DecideInEachTick;

/// Planning gets a list of entities if the list contains fewer than one in this many of all entities. Otherwise
/// planning looks at all entities, because looking up many of them one by one takes longer.
const LISTED_SHARE: usize = 4;
/// Number of consecutive rows whose changes are compared together, column by column.
const BLOCK_ROWS: usize = 256;

/// The components that an intent is decided from.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(super) struct DecidedFrom {
    entity: Entity,
    /// `None` for an entity that is not an agent.
    decided: Option<&'static Decided>,
    position: &'static TickPosition,
    agent: Option<Ref<'static, NavAgent>>,
    body: Option<Ref<'static, BodyState>>,
    request: Option<Ref<'static, PathRequest>>,
    chase: Option<Ref<'static, Chase>>,
    flees: Has<Flee>,
    drive: Option<Ref<'static, NavDrive>>,
    on_grid: Option<Ref<'static, OnGrid>>,
    is_paused: Has<NavPaused>,
    is_marked: Has<OffField>,
    intent: &'static mut Intent,
}

/// Finds the entities whose intents have to be decided.
#[derive(SystemParam)]
pub(super) struct DecisionCache<'w, 's> {
    off: Option<Res<'w, DecideInEachTick>>,
    ticks: SystemChangeTick,
    grids: Local<'s, SeenGrids>,
}

/// The grids of the latest tick.
#[derive(Default)]
pub(super) struct SeenGrids {
    all: Vec<(Entity, GridPlane)>,
    /// Whether the choice of a grid depends on positions.
    is_choice: bool,
    /// When the grids or `is_choice` last changed.
    changed: Option<Tick>,
}

impl SeenGrids {
    fn look(&mut self, grids: &Grids, now: Tick) {
        let all = grids.iter().map(|grid| (grid.entity, *grid.plane()));
        let is_same = all.clone().eq(self.all.iter().copied());
        let was_choice = self.is_choice;
        self.is_choice = grids.len() > 1 || !grids.iter().all(|grid| grid.is_open_to_all());
        if !is_same || self.is_choice != was_choice {
            self.all = all.collect();
            self.changed = Some(now);
        }
    }
}

/// Entities in the order of tables and rows.
#[derive(Default)]
pub(super) struct Found {
    /// The entities whose intents have to be decided.
    pub(super) outdated: Vec<Entity>,
    /// The outdated entities and the entities that no field leads. Entities with the marker [`OffField`] may be
    /// missing, because planning looks at them in any case. `None` if planning has to look at all entities.
    pub(super) off_fields: Option<Vec<Entity>>,
    /// The entities that look for a flow in this tick. Entities with the marker may be missing.
    pub(super) joiners: Vec<Entity>,
}

/// The entities whose intents have to be decided in a tick.
pub(super) enum Outdated {
    All,
    These(Found),
}

impl DecisionCache<'_, '_> {
    pub(super) fn now(&self) -> Tick {
        self.ticks.this_run()
    }

    /// Finds the entities whose intents have to be decided. Brings the goals of kept intents up to date, except the
    /// goals of agents on fields.
    pub(super) fn outdated(
        &mut self,
        entities: &mut Query<DecidedFrom>,
        (grids, targets): (&Grids, &EntityHashMap<LookedAt>),
        tick: u32,
    ) -> Outdated {
        let now = self.now();
        self.grids.look(grids, now);
        if self.off.is_some() || self.grids.is_choice {
            return Outdated::All;
        }
        let newest_change = targets.values().map(|known| age(known.changed, now)).min();
        let check = Check {
            grid: self.grids.all.first().copied(),
            grids: self.grids.changed.map_or(u32::MAX, |tick| age(tick, now)),
            all_targets: newest_change.unwrap_or(u32::MAX),
            targets,
            now,
            tick,
        };
        let pool = Pool::default();
        let count = entities.iter().len();
        let size = pool.light_part_size(count);
        let Ok(tables) = entities.contiguous_iter_mut() else {
            return Outdated::All;
        };
        let mut tables: Vec<(Table, Column<Intent>)> = tables.map(Table::new).collect();
        let parts = tables.iter_mut().flat_map(|(table, intents)| {
            let parts = intents.rows().parts(table.entities.len(), size);
            let firsts = (0..).step_by(size);
            parts.into_iter().zip(firsts).map(|part| (&*table, part))
        });
        let found = pool.map(parts.collect(), |(table, part)| check.look(table, part));
        let mut all = Found {
            off_fields: Some(Vec::new()),
            ..Found::default()
        };
        for found in found {
            all.outdated.extend(found.outdated);
            all.joiners.extend(found.joiners);
            if let Some((all, found)) = all.off_fields.as_mut().zip(found.off_fields) {
                all.extend(found);
            }
        }
        all.off_fields
            .take_if(|off_fields| off_fields.len() >= count / LISTED_SHARE);
        Outdated::These(all)
    }
}

/// Number of Bevy's change ticks since `tick`.
fn age(tick: Tick, now: Tick) -> u32 {
    now.get().wrapping_sub(tick.get())
}

/// The columns of one ECS table that are only read.
struct Table<'w> {
    entities: &'w [Entity],
    /// `None` if the intents of these entities have to be decided in every tick.
    decided: Option<&'w [Decided]>,
    present: Present,
    /// Whether the entities have the marker [`OffField`], so that planning looks at all of them.
    is_marked: bool,
    positions: &'w [TickPosition],
    /// When the components that an intent depends on were last changed.
    changes: Vec<&'w [Tick]>,
}

impl<'w> Table<'w> {
    fn new(table: DecidedFromContiguousItem<'w, '_>) -> (Self, Column<'w, Intent>) {
        let present = Present {
            request: table.request.is_some(),
            chase: table.chase.is_some(),
            drive: table.drive.is_some(),
            on_grid: table.on_grid.is_some(),
            pause: table.is_paused,
        };
        let is_agent = table.agent.is_some();
        let changes = [
            table.agent.map(|all| all.changed_ticks_slice()),
            table.body.map(|all| all.changed_ticks_slice()),
            table.request.map(|all| all.changed_ticks_slice()),
            table.chase.map(|all| all.changed_ticks_slice()),
            table.drive.map(|all| all.changed_ticks_slice()),
            table.on_grid.map(|all| all.changed_ticks_slice()),
        ];
        let columns = Self {
            entities: table.entity,
            // The intent of an agent with a `Flee` also depends on positions.
            decided: table.decided.filter(|_| is_agent && !table.flees),
            present,
            is_marked: table.is_marked,
            positions: table.position,
            changes: changes.into_iter().flatten().collect(),
        };
        (columns, Column::new(table.intent))
    }
}

/// The state of the world that intents are checked against. Changes are given by their age in change ticks.
struct Check<'a> {
    /// The only grid, and its plane.
    grid: Option<(Entity, GridPlane)>,
    /// Age of the latest change of the grids.
    grids: u32,
    /// Age of the latest change of any target, not counting movements.
    all_targets: u32,
    targets: &'a EntityHashMap<LookedAt>,
    now: Tick,
    tick: u32,
}

impl Check<'_> {
    /// Sorts the entities of the rows from `first` on into the lists of [`Found`], and brings the goals of kept intents
    /// up to date. The goal of an agent on a field may be out of date, because the field leads to the target's present
    /// position. The goal is brought up to date when the agent leaves the field.
    fn look(&self, table: &Table, (mut intents, first): (Rows<Intent>, usize)) -> Found {
        let end = first + intents.len();
        let Some(decided) = table.decided else {
            let all = || table.entities[first..end].to_vec();
            return Found {
                outdated: all(),
                joiners: all(),
                off_fields: Some(all()),
            };
        };
        let (mut found, mut off_fields, mut last) = (Found::default(), Vec::new(), None);
        for block in (first..end).step_by(BLOCK_ROWS) {
            let rows = block..end.min(block + BLOCK_ROWS);
            let changes = self.latest_changes(table, &intents, (first, rows.clone()));
            for (row, changed) in rows.zip(changes) {
                let (entity, decided) = (table.entities[row], &decided[row]);
                let position = table.positions[row].0;
                let is_valid = |since: &u32| *since <= changed && position.is_finite();
                let since = decided.age(table.present, self.now).filter(is_valid);
                let is_kept = since.is_some_and(|since| {
                    // The intent of an agent on a field is read only if a target has changed since the decision.
                    let may_skip = decided.has_field && since <= self.all_targets;
                    let intent = intents.unmarked(row - first);
                    may_skip || self.follow(intent, (since, decided.has_field), &mut last)
                });
                if !is_kept {
                    found.outdated.push(entity);
                }
                if table.is_marked || is_kept && decided.has_field {
                    continue;
                }
                off_fields.push(entity);
                if has_join_turn(position.truncate(), self.tick) {
                    found.joiners.push(entity);
                }
            }
        }
        found.off_fields = Some(off_fields);
        found
    }

    /// For each row of a block, the age of the latest change that its intent depends on, not counting its target.
    fn latest_changes(
        &self,
        table: &Table,
        intents: &Rows<Intent>,
        (first, rows): (usize, Range<usize>),
    ) -> [u32; BLOCK_ROWS] {
        let mut latest = [self.grids; BLOCK_ROWS];
        let own = &intents.all_changed()[rows.start - first..rows.end - first];
        let others = table.changes.iter().map(|ticks| &ticks[rows.clone()]);
        for ticks in others.chain([own]) {
            for (latest, tick) in latest.iter_mut().zip(ticks) {
                *latest = (*latest).min(age(*tick, self.now));
            }
        }
        latest
    }

    /// Brings the goal of a chase up to date, unless a field leads the agent. Returns `false` if the target is gone, or
    /// has changed other than by moving.
    fn follow<'s>(
        &'s self,
        intent: &mut Intent,
        (since, has_field): (u32, bool),
        last: &mut Option<(Entity, &'s LookedAt)>,
    ) -> bool {
        let order = &mut intent.order;
        let Some(target) = order.target else {
            return true;
        };
        // Agents beside each other in a table often chase the same target.
        if last.is_none_or(|(known, _)| known != target) {
            *last = self.targets.get(&target).map(|known| (target, known));
        }
        let Some((_, known)) = last else {
            return false;
        };
        if let (Wants::Follow, Some(position), false) =
            (order.want, known.sighted.position, has_field)
        {
            let grid = self.grid.filter(|(grid, _)| order.grid == Some(*grid));
            let plane = grid.map_or(GridPlane::XY, |(_, plane)| plane);
            order.goal = plane.to_grid(position);
        }
        since <= age(known.changed, self.now)
    }
}
