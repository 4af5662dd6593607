//! The cache of all fields: adds entries for goals, and drops unused ones.

use std::cmp::Reverse;
use std::mem;
use std::num::NonZeroU32;
use std::sync::Arc;

use bevy::ecs::entity::{EntityMapper, MapEntities};
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use pursuit::{Cell, FlowField};

use super::flow::Flow;
use super::key::FieldKey;
use super::shared::{Counters, Share, Toward};
use crate::grid::NavSnapshot;
use crate::visitor::map_keys;

/// Maximum memory of all fields, in bytes.
const MAX_FIELD_BYTES: usize = 128 << 20;
/// Time since its last use after which an entry without a flow is dropped, in seconds.
const MAX_UNUSED_SECONDS: f32 = 5.0;
/// Number of ticks after which unused entries are looked for again.
const TIDY_INTERVAL_TICKS: u32 = 64;
/// Maximum number of flows at a time.
const MAX_FLOWS: usize = 16;
/// Memory that the old and the new fields of a flow take together while the new ones are built, in bytes per cell.
pub(super) const FLOW_BYTES_PER_CELL: usize = 25;
/// Minimum number of recent goals of lone requests that are remembered. With a greater value, more memory is used. With
/// a smaller one, agents that go to one goal one by one start to share a field later if other agents go elsewhere
/// meanwhile.
const REMEMBERED_GOALS: usize = 1024;

/// The fields that agents share, for planning and for walking.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
pub(crate) struct FieldCache {
    entries: HashMap<FieldKey, Entry>,
    /// The number and the key of each flow, in the order in which flows may build their fields.
    flows: Vec<(NonZeroU32, FieldKey)>,
    /// The number of the latest flow.
    latest_flow: Option<NonZeroU32>,
    /// The latest tick in which Pursuit's follow stage ran. A system of the game in its place does not count.
    pub(crate) followed_at: u64,
    lone: LoneGoals,
    /// Total number of fields built up to the latest call of [`tidy`](Self::tidy).
    built: u64,
}

/// What agents with the same key share.
#[derive(Default)]
pub(crate) struct Entry {
    /// What requests share in the present tick.
    pub(crate) share: Share,
    /// The latest tick in which an agent used the entry.
    used: u32,
    /// Position of the target in the latest tick with a search, in grid coordinates.
    goal: Vec2,
    /// The tick in which `goal` last changed.
    moved: u32,
    /// The flow along which agents walk. `None` if no agents walk along this field.
    pub(super) flow: Option<Flow>,
}

/// The goals of recent lone requests: at least the latest [`REMEMBERED_GOALS`].
#[derive(Clone, Default)]
struct LoneGoals {
    recent: HashSet<FieldKey>,
    /// Goals that are older than all in `recent`.
    older: HashSet<FieldKey>,
}

impl LoneGoals {
    /// Adds a goal. Returns whether the goal was already remembered.
    fn add(&mut self, key: FieldKey) -> bool {
        let is_known = !self.recent.insert(key) || self.older.contains(&key);
        if self.recent.len() >= REMEMBERED_GOALS {
            self.older = mem::take(&mut self.recent);
        }
        is_known
    }
}

impl FieldCache {
    /// The entry of a key, for a request in this tick.
    pub(crate) fn entry(&mut self, key: FieldKey, tick: u32) -> &mut Entry {
        let entry = self.entries.entry(key).or_default();
        entry.note_use(tick);
        entry
    }

    /// Whether a request gets an entry. A request gets one if it is not alone, if the key has an entry, or if a recent
    /// lone request had the same key.
    pub(crate) fn is_worth_sharing(&mut self, key: FieldKey, is_alone: bool) -> bool {
        !is_alone || self.entries.contains_key(&key) || self.lone.add(key)
    }

    /// Drops entries without a flow that were not used for [`MAX_UNUSED_SECONDS`]. If the fields take too much memory,
    /// also drops the entries that were used longest ago. Runs every [`TIDY_INTERVAL_TICKS`] ticks of length `dt`, and
    /// when `built`, the total number of fields built, has changed.
    pub(crate) fn tidy(&mut self, (tick, dt): (u32, f32), built: u64) {
        if !tick.is_multiple_of(TIDY_INTERVAL_TICKS) && self.built == built {
            return;
        }
        self.built = built;
        let max_age = (MAX_UNUSED_SECONDS / dt).round() as u32;
        let is_used = |entry: &Entry| tick.wrapping_sub(entry.used) < max_age;
        self.entries
            .retain(|_, entry| entry.flow.is_some() || is_used(entry));
        self.keep(MAX_FIELD_BYTES, tick);
    }

    /// Drops entries one by one until the fields take at most `max_bytes`. Entries without flows are dropped first. Of
    /// several such entries or several flows, the one that was used longest ago is dropped first. Of flows that were
    /// last used in the same tick, the flow with the fewest followers is dropped first.
    fn keep(&mut self, max_bytes: usize, tick: u32) {
        let mut bytes: usize = self.entries.values().map(Entry::bytes).sum();
        while bytes > max_bytes {
            let with_fields = self.entries.iter().filter(|(_, entry)| entry.bytes() > 0);
            let ranks = with_fields.map(|(key, entry)| (entry.rank(tick), *key));
            let least = ranks.min().and_then(|(_, key)| self.entries.remove(&key));
            bytes -= least.map_or(bytes, |entry| entry.bytes());
        }
        let entries = &self.entries;
        self.flows.retain(|(_, key)| entries.contains_key(key));
    }

    /// All flows. Their order changes only when flows begin, end or are kept up to date.
    pub(crate) fn flows(&self) -> impl Iterator<Item = &Flow> {
        self.flows.iter().filter_map(|(_, key)| self.find(key))
    }

    pub(crate) fn get(&self, number: NonZeroU32) -> Option<&Flow> {
        let (_, key) = self.flows.iter().find(|flow| flow.0 == number)?;
        self.find(key)
    }

    pub(crate) fn find(&self, key: &FieldKey) -> Option<&Flow> {
        self.entries.get(key)?.flow.as_ref()
    }

    /// Begins a flow without a field on a grid with this number of cells. Does nothing if there are too many flows, or
    /// if their fields would take too much memory.
    pub(crate) fn begin(&mut self, key: FieldKey, cells: usize) {
        let all_cells = cells + self.flows().map(|flow| flow.cells).sum::<usize>();
        if self.flows.len() >= MAX_FLOWS || all_cells * FLOW_BYTES_PER_CELL > MAX_FIELD_BYTES {
            return;
        }
        let next = self.latest_flow.and_then(|latest| latest.checked_add(1));
        let flow = Flow::new(next.unwrap_or(NonZeroU32::MIN), key, cells);
        self.latest_flow = Some(flow.number);
        self.flows.push((flow.number, key));
        self.entries.entry(key).or_default().flow = Some(flow);
    }

    /// Rotates the order of flows so that the flow after this one is the first that may build its field.
    pub(super) fn begin_after(&mut self, number: Option<NonZeroU32>) {
        let last = self.flows.iter().position(|flow| Some(flow.0) == number);
        self.flows.rotate_left(last.map_or(0, |last| last + 1));
    }

    /// Calls `change` with each entry that has a flow, in the order of [`flows`](Self::flows). `change` may end the
    /// flow.
    pub(super) fn each_with_flow(&mut self, mut change: impl FnMut(&mut Entry)) {
        let entries = &mut self.entries;
        self.flows.retain(|(_, key)| {
            let entry = entries.get_mut(key);
            entry.is_some_and(|entry| {
                change(entry);
                entry.flow.is_some()
            })
        });
    }

    /// Notes the number of followers of each flow in this tick, by the index of the flow.
    pub(crate) fn note_followers(&mut self, tick: u64, count: impl Fn(usize) -> u32) {
        self.followed_at = tick;
        let mut counts = (0..).map(count);
        self.each_with_flow(|entry| {
            if let Some((flow, count)) = entry.flow.as_mut().zip(counts.next()) {
                flow.followers = count;
            }
        });
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

impl Entry {
    /// Notes a use in this tick. The first use in a tick makes requests share the latest field.
    pub(super) fn note_use(&mut self, tick: u32) {
        if mem::replace(&mut self.used, tick) != tick {
            self.share.field = self.share.counts.latest();
        }
    }

    /// The field for a chaser at `start` whose target is at `goal`, if the field leads to another cell than the
    /// target's and still serves. `None` if the target did not move in this tick, because an agent that is led beside a
    /// resting target would request paths again and again.
    pub(crate) fn nearby(
        &mut self,
        snapshot: &NavSnapshot,
        (start, goal, goal_cell): (Vec2, Vec2, Option<Cell>),
        tick: u32,
    ) -> Option<&Toward> {
        let field = self.share.field.as_deref()?;
        if self.goal != goal {
            (self.goal, self.moved) = (goal, tick);
        }
        let leads = |cell: Cell| field.leads(snapshot.generation(), cell);
        let serves = self.moved == tick
            && field.goal_cell != goal_cell
            && field.goal_cell.is_some_and(leads)
            && field.serves(snapshot, goal, start.distance(goal))
            && field.is_near_on_foot(snapshot.layout().cell_at(start), goal_cell);
        serves.then_some(field)
    }

    /// Sort key of the order in which entries are dropped, the lowest first: whether the entry has a flow, then its
    /// last use, the oldest first, then the number of followers.
    fn rank(&self, tick: u32) -> impl Ord + use<> {
        let followers = self.flow.as_ref().map(|flow| flow.followers);
        let age = tick.wrapping_sub(self.used);
        (followers.is_some(), Reverse(age), followers)
    }

    /// Memory of all fields of the entry, in bytes. A field that is in use twice counts once.
    fn bytes(&self) -> usize {
        let flow = self.flow.as_ref();
        let walked = flow.and_then(|flow| flow.fields.plain.clone());
        let fields = [self.share.counts.latest(), self.share.field.clone(), walked];
        let mut fields: Vec<Arc<Toward>> = fields.into_iter().flatten().collect();
        fields.sort_unstable_by_key(Arc::as_ptr);
        fields.dedup_by(|one, before| Arc::ptr_eq(one, before));
        let around = flow.and_then(Flow::around).map_or(0, FlowField::bytes);
        around + fields.iter().map(|one| one.field.bytes()).sum::<usize>()
    }
}

impl Clone for Entry {
    fn clone(&self) -> Self {
        Self {
            share: Share {
                counts: Arc::new(Counters::clone(&self.share.counts)),
                field: self.share.field.clone(),
            },
            flow: self.flow.clone(),
            ..*self
        }
    }
}

impl MapEntities for FieldCache {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        map_keys(&mut self.entries, mapper);
        for (key, entry) in &mut self.entries {
            entry.flow.iter_mut().for_each(|flow| flow.key = *key);
        }
        for (_, key) in &mut self.flows {
            key.map_entities(mapper);
        }
        self.lone.recent.map_entities(mapper);
        self.lone.older.map_entities(mapper);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use bevy::ecs::entity::{Entity, SceneEntityMapper};
    use bevy::ecs::world::World;
    use pursuit::{Clearance, DiagonalPolicy, Grid, Layout};

    use super::*;
    use crate::agent::NavBody;
    use crate::fields::flow::Build;
    use crate::fields::{FieldGoal, MAX_FIELD_CELLS};
    use crate::stats::PursuitStats;

    const GRID: Entity = Entity::from_raw_u32(7).expect("a number");

    fn key(x: i32) -> FieldKey {
        let goal = FieldGoal::Cell(Cell::new(x, 0));
        let body = NavBody::from(0.4).key();
        FieldKey {
            grid: GRID,
            body,
            goal,
        }
    }

    fn snapshot(generation: u64) -> Arc<NavSnapshot> {
        let level = Grid::from_fn(20, 20, |_| true).expect("a size");
        let layout = Layout::new(Vec2::ZERO, 1.0, 20, 20).expect("a layout");
        let clearance = Clearance::from_grid(&level, 2.0);
        let policy = DiagonalPolicy::default();
        Arc::new(NavSnapshot::new(layout, clearance, policy, generation))
    }

    /// A cache with one entry for each x. The entry has a field, and was last used in tick x.
    fn cache(xs: impl IntoIterator<Item = u32>) -> FieldCache {
        let snapshot = snapshot(1);
        let layers = snapshot.layers(0.4);
        let never = AtomicBool::new(false);
        let mut cache = FieldCache::default();
        for x in xs {
            let seed = Cell::new(x as i32, 0);
            let to = (snapshot.layout().center(seed), seed);
            let field = Toward::build((&snapshot, &layers), to, &never).expect("a field");
            cache.entry(key(x as i32), x).share.counts.install(field);
        }
        cache
    }

    /// The x of all entries, in ascending order.
    fn cells(cache: &FieldCache) -> Vec<i32> {
        let all = (0..20).filter(|x| cache.entries.contains_key(&key(*x)));
        all.collect()
    }

    #[test]
    fn least_recently_used_entries_are_dropped_first_and_entries_with_flows_last() {
        let mut cache = cache(0..6);
        cache.begin(key(1), 400);
        cache.begin(key(0), 400);
        cache.entry(key(2), 7);
        let each = cache.entries[&key(0)].bytes();
        cache.keep(6 * each, 8);
        assert_eq!(cells(&cache), [0, 1, 2, 3, 4, 5], "all entries fit");
        for (count, rest) in [(5, vec![0, 1, 2, 4, 5]), (3, vec![0, 1, 2]), (1, vec![1])] {
            cache.keep(count * each, 8);
            assert_eq!(cells(&cache), rest);
        }
        let flows: Vec<FieldKey> = cache.flows().map(|flow| flow.key).collect();
        assert_eq!(flows, [key(1)]);
        let is_known = |number| cache.get(NonZeroU32::new(number).unwrap()).is_some();
        assert!(is_known(1) && !is_known(2));
    }

    #[test]
    fn flows_with_the_fewest_followers_are_dropped_first() {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let mut cache = FieldCache::default();
            for x in order {
                cache.entries.extend(self::cache([x]).entries);
                cache.begin(key(x as i32), 400);
                cache.entry(key(x as i32), 8);
            }
            // The flows to the goals 1 and 3 have the same number of followers.
            cache.note_followers(1, |index| [20, 10, 30, 10][order[index] as usize]);
            let each = cache.entries[&key(0)].bytes();
            for rest in [vec![0, 2, 3], vec![0, 2], vec![2]] {
                cache.keep(rest.len() * each, 8);
                assert_eq!(cells(&cache), rest, "flows begun in the order {order:?}");
            }
        }
    }

    #[test]
    fn a_flow_begins_only_if_the_memory_is_enough_for_its_fields() {
        let mut cache = FieldCache::default();
        let cells = MAX_FIELD_BYTES / FLOW_BYTES_PER_CELL / 10;
        for (x, (cells, count)) in [(5 * cells, 1), (4 * cells, 2), (2 * cells, 2), (cells, 3)]
            .into_iter()
            .enumerate()
        {
            cache.begin(key(x as i32), cells);
            assert_eq!(cache.flows().count(), count);
        }
        let mut one = FieldCache::default();
        one.begin(key(0), MAX_FIELD_CELLS);
        assert_eq!(one.flows().count(), 1, "the largest grid gets a flow");
    }

    #[test]
    fn the_flow_after_the_last_builder_may_build_first() {
        let mut cache = FieldCache::default();
        (1..5).for_each(|x| cache.begin(key(x), 400));
        let mut numbers = |after: Option<u32>| {
            cache.begin_after(after.and_then(NonZeroU32::new));
            cache
                .flows()
                .map(|flow| flow.number.get())
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers(None), [1, 2, 3, 4]);
        assert_eq!(numbers(Some(1)), [2, 3, 4, 1]);
        assert_eq!(numbers(Some(3)), [4, 1, 2, 3]);
        assert_eq!(numbers(Some(3)), [4, 1, 2, 3]);
        assert_eq!(
            numbers(Some(9)),
            [4, 1, 2, 3],
            "an unknown flow changes nothing"
        );
    }

    #[test]
    fn an_entry_is_dropped_at_the_same_time_at_every_tick_rate() {
        for hz in [30, 60, 1000] {
            let dt = 1.0 / hz as f32;
            let mut cache = cache([0]);
            cache.tidy((5 * hz - 1, dt), 1);
            assert_eq!(cells(&cache), [0], "{hz} Hz");
            cache.tidy((5 * hz, dt), 2);
            assert!(cells(&cache).is_empty(), "{hz} Hz");
        }
    }

    #[test]
    fn an_entry_with_a_flow_stays_until_the_flow_ends() {
        let mut cache = cache(0..2);
        cache.begin(key(1), 400);
        cache.tidy((1000, 0.1), 1);
        assert_eq!(cells(&cache), [1]);
        cache.each_with_flow(|entry| entry.flow = None);
        assert_eq!((cache.flows().count(), cells(&cache)), (0, vec![1]));
        cache.tidy((1000, 0.1), 2);
        assert!(cells(&cache).is_empty());
    }

    #[test]
    fn a_field_serves_until_its_target_has_moved_too_far_for_the_distance() {
        let cache = cache([3]);
        let field = cache.entries[&key(3)].share.counts.latest();
        let field = field.expect("a field");
        let serves = |moved: f32, distance: f32, generation| {
            let goal = Vec2::new(3.5 + moved, 0.5);
            field.serves(&snapshot(generation), goal, distance)
        };
        for (distance, max_shift) in [(0.0, 1.5), (10.0, 1.5), (100.0, 5.0)] {
            assert!(serves(max_shift - 0.01, distance, 1));
            assert!(!serves(max_shift + 0.01, distance, 1));
            assert!(!serves(0.0, distance, 2), "the grid was baked again");
        }
    }

    #[test]
    fn a_flow_and_searches_share_one_field() {
        let (mut cache, snapshot) = (cache([3]), snapshot(1));
        cache.begin(key(3), 400);
        cache.each_with_flow(|entry| {
            let flow = entry.flow.as_mut().expect("a flow");
            let counts = &entry.share.counts;
            let at = |x: f32| Vec2::new(x, 0.5);
            flow.keep_up(&snapshot, at(4.5), counts);
            assert!(
                flow.building.is_none(),
                "the flow uses the field that a search built"
            );
            assert_eq!(flow.goal(), Some(at(3.5)));
            flow.keep_up(&snapshot, at(5.5), counts);
            let mut building = flow.building.take().expect("a build");
            let built = building.finish(Build::run);
            flow.take_in(built.flatten(), &mut PursuitStats::default());
            flow.keep_up(&snapshot, at(6.5), counts);
            assert!(flow.building.is_none(), "the flow's own field still serves");
            entry.note_use(99);
            let field = entry.share.field.as_ref();
            assert_eq!(field.map(|field| field.goal), Some(at(5.5)));
        });
    }

    #[test]
    fn the_latest_lone_goals_are_remembered() {
        let mut lone = LoneGoals::default();
        let all = 0..3 * REMEMBERED_GOALS as i32;
        assert!(all.clone().all(|x| !lone.add(key(x))));
        assert!(
            all.clone()
                .skip(2 * REMEMBERED_GOALS)
                .all(|x| lone.add(key(x)))
        );
        assert!(lone.recent.len() + lone.older.len() <= 2 * REMEMBERED_GOALS);
        assert!(!lone.add(key(0)), "the oldest goal is forgotten");
    }

    #[test]
    fn all_entities_of_a_cache_are_mapped() {
        let mut cache = cache(0..2);
        cache.begin(key(1), 400);
        cache.lone.add(key(3));
        let mut map = bevy::ecs::entity::EntityHashMap::default();
        SceneEntityMapper::world_scope(&mut map, &mut World::new(), |_, mapper| {
            cache.map_entities(mapper);
        });
        let grid = map[&GRID];
        assert_eq!(map.len(), 1);
        let lone = cache.lone.recent.iter().chain(cache.entries.keys());
        assert!(
            lone.chain(cache.flows().map(|flow| &flow.key))
                .all(|key| key.grid == grid)
        );
        assert_eq!(cache.flows().count(), 1);
    }
}
