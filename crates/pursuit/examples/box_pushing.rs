//! Sokoban: a worker pushes boxes onto marks, in as few steps as possible. The A\* that finds paths on maps
//! also finds the steps; all it needs is a [`SearchSpace`].
//!
//! `cargo run --release -p pursuit --example box_pushing`
//!
//! Searches need dense node numbers: the squares of the worker and of the boxes are the digits of a number.
//! Pushes cannot be undone, so the space distinguishes the states before a state from the states after it.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use pursuit::{Guarantee, SearchLimits, SearchScratch, SearchSpace, astar};

/// `#` is a wall, `P` the worker, `B` a box, `x` a mark. The number of a square is its index in this text.
const LEVEL: &[u8] = b"\
#########
#   #   #
# B x B #
#P  #x  #
## B#x ##
 #     #
 #######
";
const WIDTH: usize = 10;
const SIDES: [isize; 4] = [1, -1, WIDTH as isize, -(WIDTH as isize)];

/// The squares of the worker and of three boxes.
type State = [usize; 4];

struct Warehouse;

impl SearchSpace for Warehouse {
    type Place = State;

    fn node_count(&self) -> u32 {
        LEVEL.len().pow(4) as u32
    }

    fn place(&self, node: u32) -> State {
        [3, 2, 1, 0].map(|digit| node as usize / LEVEL.len().pow(digit) % LEVEL.len())
    }

    fn is_goal(&self, node: u32) -> bool {
        self.heuristic(self.place(node)) == 0
    }

    /// Sum of the distances of the boxes from their nearest marks. A step moves at most one box, by one
    /// square.
    fn heuristic(&self, [_, boxes @ ..]: State) -> u64 {
        let (x, y) = (|at: usize| at % WIDTH, |at: usize| at / WIDTH);
        let apart = |a, b| x(a).abs_diff(x(b)) + y(a).abs_diff(y(b));
        let away = |at| squares(b'x').map(move |mark| apart(at, mark)).min();
        boxes.into_iter().filter_map(away).sum::<usize>() as u64
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn for_each_neighbor(&self, _: u32, state: State, mut visit: impl FnMut(u32, State, u32)) {
        for side in SIDES {
            let [to, beyond] = [1, 2].map(|n| state[0].wrapping_add_signed(n * side));
            if is_free(to, &state) || state.contains(&to) && is_free(beyond, &state) {
                let mut next = state.map(|at| if at == to { beyond } else { at });
                next[0] = to;
                visit(node(&next), next, 1);
            }
        }
    }

    fn for_each_predecessor(&self, _: u32, state: State, mut visit: impl FnMut(u32, State, u32)) {
        for side in SIDES {
            let [from, ahead] = [-1, 1].map(|n| state[0].wrapping_add_signed(n * side));
            // The worker walked, or pushed a box that is ahead now.
            for pushed in [from, ahead].into_iter().filter(|_| is_free(from, &state)) {
                let mut before = state.map(|at| if at == pushed { state[0] } else { at });
                before[0] = from;
                visit(node(&before), before, 1);
            }
        }
    }
}

fn node(squares: &[usize]) -> u32 {
    squares.iter().fold(0, |node, at| node * LEVEL.len() + at) as u32
}

fn squares(sign: u8) -> impl Iterator<Item = usize> {
    (0..LEVEL.len()).filter(move |&square| LEVEL[square] == sign)
}

fn is_free(square: usize, state: &State) -> bool {
    LEVEL[square] != b'#' && !state.contains(&square)
}

fn main() {
    let start: Vec<usize> = squares(b'P').chain(squares(b'B')).collect();
    let (limits, scratch) = (SearchLimits::default(), &mut SearchScratch::new());
    let path = astar(&Warehouse, node(&start), &limits, scratch);
    let Ok(Some(path)) = path else { return };
    let mut states: Vec<_> = path.nodes.iter().map(|at| Warehouse.place(*at)).collect();
    states.dedup_by_key(|state| [state[1], state[2], state[3]]);
    for state in &states {
        let sign = |(square, sign)| match state.iter().position(|at| *at == square) {
            Some(digit) => char::from(b"PBBB"[digit]),
            None => char::from(if b"PB".contains(sign) { b' ' } else { *sign }),
        };
        println!("{}", LEVEL.iter().enumerate().map(sign).collect::<String>());
    }
    let (steps, pushes, expanded) = (path.cost, states.len() - 1, path.stats.expanded);
    println!("{steps} steps, {pushes} of them pushes; {expanded} states expanded");
}
