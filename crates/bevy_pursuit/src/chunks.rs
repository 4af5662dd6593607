//! Loops over many agents: over whole table columns, and in chunks on the threads of the compute pool.

use bevy::ecs::change_detection::{ContiguousComponentTicksMut, Tick};
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy::tasks::{ComputeTaskPool, TaskPool};
use pursuit::crowd::Workers;

/// Minimum number of items for which a short or long loop is split, if the pool has at least two threads.
const MIN_ITEMS: usize = 512;
/// Minimum number of items for which short loops are split, such as the loops over a crowd, if the pool has a single
/// thread. Each of these loops has to wait until that thread wakes up, and until a core that searches are using is
/// free. A crowd of 10,000 agents took 3.2 ms on one thread and 3.8 ms on two; 20,000 agents took 4.0 ms on two.
pub(crate) const MIN_ITEMS_SHORT_LOOP: usize = 16_384;
/// Minimum number of items for which a single long loop is split, such as the loop over agents on paths, if the pool
/// has a single thread. 10,000 agents took 1.10 ms on one thread and 0.70 ms on two; 3,000 took 0.32 ms and 0.24 ms;
/// 1,000 took 0.11 ms and 0.12 ms. While searches ran all the time, 10,000 took 1.13 ms and 1.27 ms.
pub(crate) const MIN_ITEMS_LONG_LOOP: usize = 2048;
/// Minimum number of items for which a light loop is split, such as the loop that reads positions. It does not depend
/// on the number of threads. For 20,000 agents, the three light loops of a tick took 0.26 ms on one thread and 0.55 ms
/// on two; for 100,000, 1.0 ms and 0.8 ms.
const MIN_ITEMS_LIGHT_LOOP: usize = 50_000;

/// Whether splitting a loop over `count` items pays off. `min_with_one_worker` is the minimum count if the pool has a
/// single thread, so that the loop would run on that thread and on the calling one.
pub(crate) fn is_worth_it(count: usize, min_with_one_worker: usize) -> bool {
    match ComputeTaskPool::get_or_init(Default::default).thread_num() {
        0 => false,
        1 => count >= min_with_one_worker,
        _ => count >= MIN_ITEMS,
    }
}

/// The threads of the compute pool, and the calling thread.
#[derive(Debug)]
pub(crate) struct Pool(&'static TaskPool);

impl Default for Pool {
    fn default() -> Self {
        Self(ComputeTaskPool::get_or_init(Default::default))
    }
}

impl Pool {
    /// Number of rows in each part of a single long loop over `count` rows.
    pub(crate) fn long_part_size(&self, count: usize) -> usize {
        self.size_of_parts(count, is_worth_it(count, MIN_ITEMS_LONG_LOOP))
    }

    /// Number of rows in each part of a light loop over `count` rows, which takes a few nanoseconds per row.
    pub(crate) fn light_part_size(&self, count: usize) -> usize {
        self.size_of_parts(count, count >= MIN_ITEMS_LIGHT_LOOP)
    }

    fn size_of_parts(&self, count: usize, splits: bool) -> usize {
        let parts = 4 * (self.0.thread_num() + 1);
        match splits {
            true => count.div_ceil(parts).max(MIN_ITEMS / 2),
            false => count.max(1),
        }
    }

    /// Runs `work` on each part, and returns the results in order.
    pub(crate) fn map<T: Send, R: Send + 'static>(
        &self,
        mut parts: Vec<T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Vec<R> {
        if parts.len() < 2 {
            return parts.pop().map(work).into_iter().collect();
        }
        let work = &work;
        self.0.scope(|scope| {
            for part in parts {
                scope.spawn(async move { work(part) });
            }
        })
    }

    /// Runs `work` on `parts`, which hold `count` items in total and at most `size` items each. The parts go to other
    /// threads only if `count` exceeds `size`, because many small tables also give many parts.
    pub(crate) fn share<T: Send>(
        &self,
        (count, size): (usize, usize),
        parts: impl Iterator<Item = T>,
        work: impl Fn(T) + Sync,
    ) {
        if size < count {
            self.run(parts.collect(), work);
        } else {
            parts.for_each(work);
        }
    }
}

impl Workers for Pool {
    fn parts(&self, members: usize) -> usize {
        let threads = self.0.thread_num();
        if !is_worth_it(members, MIN_ITEMS_SHORT_LOOP) {
            return 1;
        }
        (4 * (threads + 1)).min(members / (MIN_ITEMS / 2))
    }

    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync) {
        self.map(parts, work);
    }
}

/// Query data: a component of all entities, including disabled ones.
pub(crate) type AllOf<T> = (Ref<'static, T>, Has<Disabled>);

/// Whether a component of any entity has changed since the system last ran. This is a quick test before a look at each
/// entity.
pub(crate) fn any_changed<T: Component>(all: &Query<AllOf<T>>) -> bool {
    let Ok(columns) = all.contiguous_iter() else {
        return true;
    };
    columns.into_iter().any(|(column, _)| {
        let (last, now) = (column.last_run_tick(), column.this_run_tick());
        let ticks = column.changed_ticks_slice().iter();
        // Visiting all ticks without a branch is faster than stopping at the first changed one.
        ticks.fold(false, |any, tick| any | tick.is_newer_than(last, now))
    })
}

/// The values of a column, to be written without marking them as changed.
pub(crate) fn unmarked<T>(column: ContiguousMut<'_, T>) -> &mut [T] {
    ContiguousMut::bypass_change_detection_split(column).0
}

/// A column of a table, which is written in parts.
pub(crate) struct Column<'w, T> {
    values: &'w mut [T],
    ticks: ContiguousComponentTicksMut<'w>,
}

/// A part of a column. [`set`](Self::set) and [`change`](Self::change) mark a row as changed only if its value changed.
pub(crate) struct Rows<'a, T> {
    values: &'a mut [T],
    changed: &'a mut [Tick],
    now: Tick,
}

impl<'w, T> Column<'w, T> {
    pub(crate) fn new(column: ContiguousMut<'w, T>) -> Self {
        let (values, ticks) = ContiguousMut::bypass_change_detection_split(column);
        Self { values, ticks }
    }

    pub(crate) fn rows(&mut self) -> Rows<'_, T> {
        Rows {
            now: self.ticks.this_run(),
            values: self.values,
            changed: self.ticks.changed_mut(),
        }
    }
}

impl<T> Rows<'_, T> {
    /// A row, to be written without marking it as changed.
    pub(crate) fn unmarked(&mut self, row: usize) -> &mut T {
        &mut self.values[row]
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// When each row was last marked as changed.
    pub(crate) fn all_changed(&self) -> &[Tick] {
        self.changed
    }
}

impl<T: Copy + PartialEq> Rows<'_, T> {
    pub(crate) fn get(&self, row: usize) -> T {
        self.values[row]
    }

    pub(crate) fn set(&mut self, row: usize, value: T) {
        self.change(row, |own| {
            let is_other = *own != value;
            *own = value;
            is_other
        });
    }

    /// Edits a row in place. `work` returns whether the value changed.
    pub(crate) fn change(&mut self, row: usize, work: impl FnOnce(&mut T) -> bool) {
        if work(&mut self.values[row]) {
            self.changed[row] = self.now;
        }
    }
}

/// One or several columns of a table that can be cut between two rows.
pub(crate) trait Cut: Sized {
    /// The rows before `row`, and the remaining rows.
    fn cut(self, row: usize) -> (Self, Self);

    /// Cuts `count` rows into parts of at most `size` rows.
    fn parts(self, count: usize, size: usize) -> Vec<Self> {
        let (mut all, mut rest) = (Vec::new(), self);
        for _ in 1..count.div_ceil(size) {
            let (part, others) = rest.cut(size);
            all.push(part);
            rest = others;
        }
        all.push(rest);
        all
    }
}

impl<T> Cut for &[T] {
    fn cut(self, row: usize) -> (Self, Self) {
        self.split_at(row)
    }
}

impl<T> Cut for &mut [T] {
    fn cut(self, row: usize) -> (Self, Self) {
        self.split_at_mut(row)
    }
}

impl<T> Cut for Rows<'_, T> {
    fn cut(self, row: usize) -> (Self, Self) {
        let (values, other_values) = self.values.split_at_mut(row);
        let (changed, other_changed) = self.changed.split_at_mut(row);
        let part = |values, changed| Rows {
            values,
            changed,
            now: self.now,
        };
        (part(values, changed), part(other_values, other_changed))
    }
}

impl<C: Cut> Cut for Option<C> {
    fn cut(self, row: usize) -> (Self, Self) {
        self.map(|columns| columns.cut(row)).unzip()
    }
}

macro_rules! cut_tuples {
    ($(($($column:ident)*))*) => {$(
        impl<$($column: Cut),*> Cut for ($($column,)*) {
            #[expect(non_snake_case, reason = "each column is named like its type")]
            fn cut(self, row: usize) -> (Self, Self) {
                let ($($column,)*) = self;
                $(let $column = $column.cut(row);)*
                (($($column.0,)*), ($($column.1,)*))
            }
        }
    )*};
}

cut_tuples!((A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G));

#[cfg(test)]
mod tests {
    use bevy::tasks::TaskPoolBuilder;

    use super::*;

    #[test]
    fn any_changed_notices_one_changed_value_among_many() {
        let mut world = World::new();
        let all: Vec<Entity> = world.spawn_batch((0..100).map(Number)).collect();
        let look = |all: Query<AllOf<Number>>| any_changed(&all);
        let look = world.register_system(look);
        let look = |world: &mut World| world.run_system(look).unwrap();
        assert!(look(&mut world), "all are new");
        assert!(!look(&mut world));
        world.get_mut::<Number>(all[99]).unwrap().0 = 7;
        assert!(look(&mut world) && !look(&mut world));
        world
            .entity_mut(all[3])
            .insert(Name::new("in a table of its own"));
        assert!(!look(&mut world), "moved, not changed");
    }

    #[derive(Component, Clone, Copy, Debug, PartialEq)]
    struct Number(usize);

    #[test]
    fn a_column_written_in_parts_marks_only_different_values_as_changed() {
        let mut world = World::new();
        world.spawn_batch((0..10).map(Number));
        world.clear_trackers();
        let mut all = world.query::<&mut Number>();
        for table in all.query_mut(&mut world).contiguous_iter_mut().unwrap() {
            let mut column = Column::new(table);
            let parts = column.rows().parts(10, 3);
            assert_eq!(parts.len(), 4);
            for mut part in parts {
                for row in 0..part.values.len() {
                    let Number(number) = part.get(row);
                    part.set(row, Number(number / 7 * 7 + number % 7 % 5));
                }
            }
        }
        let mut changed = world.query_filtered::<&Number, Changed<Number>>();
        let changed: Vec<Number> = changed.iter(&world).copied().collect();
        assert_eq!(changed, [Number(0), Number(1)], "5 and 6");
    }

    #[test]
    fn every_row_is_in_one_part_and_results_keep_their_order() {
        let pool = Pool(Box::leak(Box::new(
            TaskPoolBuilder::new().num_threads(3).build(),
        )));
        for count in [0, 1, MIN_ITEMS - 1, MIN_ITEMS, 10 * MIN_ITEMS + 7] {
            let mut items: Vec<usize> = (0..count).collect();
            let size = pool.part_size(count);
            let parts = items.as_mut_slice().parts(count, size);
            let seen = pool.map(parts, |part: &mut [usize]| {
                part.iter_mut().for_each(|item| *item += 1);
                part.to_vec()
            });
            assert_eq!(seen.concat(), items);
            assert_eq!(items, (1..=count).collect::<Vec<_>>());
        }
    }
}
