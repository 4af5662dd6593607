//! Box pushing: a worker pushes boxes onto marks, in as few pushes as possible, by the same A\* that finds ways on maps.
//!
//! `cargo run --release -p pursuit --example box_pushing` solves a small level, and prints it after each push.
//!
//! Searches want dense node numbers, and pushes cannot be taken back. So the node of a state is the rank of its set of
//! boxes among all sets of floor squares (Lehmer, 1964: the combinatorial number system), times the number of squares, plus the first
//! of those that the worker can walk to. And the space tells predecessors apart from neighbors: they are pulls.
//! Of n squares and k boxes that is C(n, k) · n nodes, 8 bytes each while a search runs: this is for small levels.

#![allow(clippy::print_stdout, reason = "an example says what it finds")]

use pursuit::search::{Guarantee, SearchSpace, SpacePath, astar};
use pursuit::{Outcome, SearchLimits, SearchScratch};

/// `#` wall, `$` box, `.` mark, `*` box on a mark, `@` worker, `+` worker on a mark.
pub(crate) const LEVEL: &str = "
#########
#   #   #
# $ . $ #
#@  #.  #
## $#. ##
 #     #
 #######";

/// The squares to the four sides of a square.
type Sides = [Option<u8>; 4];

/// What never changes in a level.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// Of each square of the floor, by column and row.
    floor: Vec<(usize, usize)>,
    sides: Vec<Sides>,
    /// Squares with a mark, in order.
    marks: Vec<u8>,
    /// From each square, the fewest pushes of a box alone to the nearest mark.
    to_mark: Vec<Option<u32>>,
    /// C(n, k).
    choose: Vec<Vec<u64>>,
    boxes: usize,
    start: State,
    size: (usize, usize),
}

/// Where the boxes are, in order, and the first square that the worker can walk to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    boxes: [u8; MAX_BOXES],
    worker: u8,
}

const MAX_BOXES: usize = 6;
/// Where no box is.
const NONE: u8 = u8::MAX;

impl Level {
    /// Reads a level; `None` if it has no worker, a box that is walled off, more boxes than marks, or too many
    /// of anything.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let squares = inside(text);
        if squares.len() >= usize::from(NONE) {
            return None;
        }
        let floor: Vec<(usize, usize)> = squares.iter().map(|&(x, y, _)| (x, y)).collect();
        let all = |kinds: &str| -> Vec<u8> {
            let found = (0..)
                .zip(&squares)
                .filter(|(_, square)| kinds.contains(square.2));
            found.map(|(id, _)| id).collect()
        };
        let (boxes, marks, worker) = (all("$*"), all(".*+"), *all("@+").first()?);
        let is_whole = text.matches('$').count() == all("$").len();
        if !is_whole || boxes.len() > MAX_BOXES.min(marks.len()) {
            return None;
        }
        let side =
            |x: usize, y: usize| floor.iter().position(|&at| at == (x, y)).map(|id| id as u8);
        let sides: Vec<Sides> = floor
            .iter()
            .map(|&(x, y)| {
                let (left, up) = (x.wrapping_sub(1), y.wrapping_sub(1));
                [side(x + 1, y), side(left, y), side(x, y + 1), side(x, up)]
            })
            .collect();
        let end = |of: fn(&(usize, usize)) -> usize| floor.iter().map(of).max().unwrap_or(0) + 2;
        let mut level = Self {
            to_mark: pushes_to_marks(&sides, &marks),
            choose: choose(floor.len(), boxes.len()),
            boxes: boxes.len(),
            start: State {
                boxes: [NONE; MAX_BOXES],
                worker,
            },
            size: (end(|at| at.0), end(|at| at.1)),
            floor,
            sides,
            marks,
        };
        level.start.boxes[..boxes.len()].copy_from_slice(&boxes);
        level.start = level.normalized(level.start);
        let states = level.choose[level.floor.len()][level.boxes] * level.floor.len() as u64;
        u32::try_from(states).is_ok().then_some(level)
    }

    /// The fewest pushes that bring all boxes onto marks.
    pub(crate) fn solve(&self) -> Option<SpacePath> {
        let (limits, mut scratch) = (SearchLimits::default(), SearchScratch::new());
        let path = astar(self, self.start_node(), &limits, &mut scratch).ok()??;
        (path.outcome == Outcome::Complete).then_some(path)
    }

    /// The node of the level as it was read.
    pub(crate) fn start_node(&self) -> u32 {
        self.node(&self.start)
    }

    fn has_box(&self, state: &State, square: u8) -> bool {
        state.boxes[..self.boxes].contains(&square)
    }

    /// The squares to which the worker can walk.
    fn walk(&self, state: &State) -> Vec<bool> {
        let mut seen = vec![false; self.floor.len()];
        let mut open = vec![state.worker];
        seen[usize::from(state.worker)] = true;
        while let Some(at) = open.pop() {
            for next in self.sides[usize::from(at)].into_iter().flatten() {
                if !seen[usize::from(next)] && !self.has_box(state, next) {
                    seen[usize::from(next)] = true;
                    open.push(next);
                }
            }
        }
        seen
    }

    /// The same state, by its name: boxes in order, the worker on the first square within reach.
    fn normalized(&self, mut state: State) -> State {
        state.boxes[..self.boxes].sort_unstable();
        let first = self.walk(&state).iter().position(|&seen| seen);
        state.worker = first.map_or(state.worker, |first| first as u8);
        state
    }

    fn node(&self, state: &State) -> u32 {
        let boxes = state.boxes[..self.boxes].iter().enumerate();
        let rank: u64 = boxes
            .map(|(i, &square)| self.choose[usize::from(square)][i + 1])
            .sum();
        (rank * self.floor.len() as u64) as u32 + u32::from(state.worker)
    }

    /// Calls `visit` for each state that comes about when a box is moved: by a push, or, `backwards`, by a pull.
    fn for_each_move(&self, state: &State, backwards: bool, mut visit: impl FnMut(State)) {
        let reach = self.walk(state);
        let is_free = |square: u8| !self.has_box(state, square);
        for (i, &at) in state.boxes[..self.boxes].iter().enumerate() {
            for direction in 0..4 {
                // A push: the worker behind the box, the box one ahead. A pull: both step back.
                let side =
                    |square: u8, direction: usize| self.sides[usize::from(square)][direction];
                let behind = side(at, direction ^ 1);
                let (stand, to, worker) = if backwards {
                    (
                        behind,
                        behind,
                        behind.and_then(|square| side(square, direction ^ 1)),
                    )
                } else {
                    (behind, side(at, direction), Some(at))
                };
                let (Some(stand), Some(to), Some(worker)) = (stand, to, worker) else {
                    continue;
                };
                let is_clear = is_free(to) && (worker == at || is_free(worker));
                if reach[usize::from(stand)] && is_clear {
                    let mut next = *state;
                    next.boxes[i] = to;
                    next.worker = worker;
                    visit(self.normalized(next));
                }
            }
        }
    }
}

impl SearchSpace for Level {
    type Place = State;

    fn node_count(&self) -> u32 {
        (self.choose[self.floor.len()][self.boxes] * self.floor.len() as u64) as u32
    }

    fn place(&self, node: u32) -> State {
        let count = self.floor.len() as u32;
        let mut rank = u64::from(node / count);
        let mut boxes = [NONE; MAX_BOXES];
        for i in (0..self.boxes).rev() {
            let square = (0..self.floor.len())
                .rev()
                .find(|&n| self.choose[n][i + 1] <= rank);
            let square = square.unwrap_or(0);
            rank -= self.choose[square][i + 1];
            boxes[i] = square as u8;
        }
        State {
            boxes,
            worker: (node % count) as u8,
        }
    }

    fn is_goal(&self, node: u32) -> bool {
        let boxes = self.place(node).boxes;
        boxes[..self.boxes]
            .iter()
            .all(|square| self.marks.contains(square))
    }

    /// Each box alone, to the mark that is nearest to it. From a square that leads to none, infinitely far.
    fn heuristic(&self, state: State) -> u64 {
        let boxes = state.boxes[..self.boxes].iter();
        let pushes = boxes.map(|&square| self.to_mark[usize::from(square)].map_or(DEAD, u64::from));
        pushes.sum()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn for_each_neighbor(&self, _: u32, state: State, mut visit: impl FnMut(u32, State, u32)) {
        self.for_each_move(&state, false, |next| {
            // A box that can never reach a mark: whatever follows is no solution.
            if self.heuristic(next) < DEAD {
                visit(self.node(&next), next, 1);
            }
        });
    }

    fn for_each_predecessor(&self, _: u32, state: State, mut visit: impl FnMut(u32, State, u32)) {
        // No push is made to there.
        if self.heuristic(state) >= DEAD {
            return;
        }
        self.for_each_move(&state, true, |next| visit(self.node(&next), next, 1));
    }
}

/// The squares inside of the walls, row by row: those to which the worker could walk if there were no boxes.
fn inside(text: &str) -> Vec<(usize, usize, char)> {
    let rows: Vec<Vec<char>> = text
        .trim_matches('\n')
        .lines()
        .map(|row| row.chars().collect())
        .collect();
    let at = |x: usize, y: usize| rows.get(y)?.get(x).copied().filter(|&c| c != '#');
    let all = (0..rows.len()).flat_map(|y| (0..rows[y].len()).map(move |x| (x, y)));
    let worker = all.filter(|&(x, y)| at(x, y).is_some_and(|c| "@+".contains(c)));
    let mut squares: Vec<(usize, usize)> = worker.collect();
    let mut next = 0;
    // More than the numbers of squares is too many, however many more.
    while squares.len() < usize::from(NONE)
        && let Some(&(x, y)) = squares.get(next)
    {
        let (left, up) = (x.wrapping_sub(1), y.wrapping_sub(1));
        for (x, y) in [(x + 1, y), (left, y), (x, y + 1), (x, up)] {
            if at(x, y).is_some() && !squares.contains(&(x, y)) {
                squares.push((x, y));
            }
        }
        next += 1;
    }
    squares.sort_by_key(|&(x, y)| (y, x));
    let squares = squares.into_iter();
    squares
        .filter_map(|(x, y)| at(x, y).map(|c| (x, y, c)))
        .collect()
}

/// More pushes than any solution has.
const DEAD: u64 = 1 << 40;

/// Breadth-first pulls of one box from all marks.
fn pushes_to_marks(sides: &[Sides], marks: &[u8]) -> Vec<Option<u32>> {
    let mut pushes = vec![None; sides.len()];
    let mut queue: std::collections::VecDeque<u8> = marks.iter().copied().collect();
    marks
        .iter()
        .for_each(|&mark| pushes[usize::from(mark)] = Some(0));
    while let Some(at) = queue.pop_front() {
        for (direction, before) in sides[usize::from(at)].into_iter().enumerate() {
            let Some(before) = before else {
                continue;
            };
            let has_room = sides[usize::from(before)][direction].is_some();
            if has_room && pushes[usize::from(before)].is_none() {
                pushes[usize::from(before)] = pushes[usize::from(at)].map(|count: u32| count + 1);
                queue.push_back(before);
            }
        }
    }
    pushes
}

/// Pascal's triangle.
fn choose(n: usize, k: usize) -> Vec<Vec<u64>> {
    let mut rows = vec![vec![0; k + 1]; n + 1];
    for row in 0..=n {
        rows[row][0] = 1;
        for column in 1..=k.min(row) {
            let above = &rows[row - 1];
            rows[row][column] = u64::saturating_add(above[column - 1], above[column]);
        }
    }
    rows
}

impl Level {
    /// The level in a state.
    pub(crate) fn draw(&self, node: u32) -> String {
        let state = self.place(node);
        let reach = self.walk(&state);
        let square = |x: usize, y: usize| {
            let Some(id) = self.floor.iter().position(|&at| at == (x, y)) else {
                return '#';
            };
            let is_mark = self.marks.contains(&(id as u8));
            match (self.has_box(&state, id as u8), is_mark) {
                (true, true) => '*',
                (true, false) => '$',
                (false, true) => '.',
                (false, false) if reach[id] => ' ',
                (false, false) => '-',
            }
        };
        let row = |y: usize| (0..self.size.0).map(|x| square(x, y)).collect::<String>() + "\n";
        (0..self.size.1).map(row).collect()
    }
}

/// Solves the level.
pub(crate) fn main() {
    let Some(level) = Level::parse(LEVEL) else {
        println!("this is no level");
        return;
    };
    let Some(path) = level.solve() else {
        println!("there is no solution");
        return;
    };
    for (pushes, &node) in path.nodes.iter().enumerate() {
        println!(
            "after {pushes} pushes, where the worker cannot walk to `-`:\n{}",
            level.draw(node)
        );
    }
    let (cost, expanded) = (path.cost, path.stats.expanded);
    println!(
        "{cost} pushes, {expanded} of {} states expanded",
        level.node_count()
    );
}
