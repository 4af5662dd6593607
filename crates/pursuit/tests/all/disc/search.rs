//! A\* over the lines and arcs of a level (Hart, Nilsson, Raphael, 1968).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use pursuit::glam::DVec2;

use super::graph::Graph;

/// Difference up to which two lengths are treated as equal, in cells.
const ROUNDING: f64 = 1e-9;
/// Angle between two points of an arc in a [`ShortestPath`], in radians.
const ARC_STEP: f64 = 0.1;

/// A shortest path. Lengths are in cells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShortestPath {
    pub(crate) length: f64,
    /// The points of the path. Points of arcs are a tenth of a radian apart.
    pub(crate) points: Vec<DVec2>,
}

/// The point where a line meets the arc of a corner, and the path to this point.
#[derive(Clone, Copy)]
struct Arrival {
    corner: u32,
    /// Angle from the beginning of the arc.
    angle: f64,
    length: f64,
    /// Angle at which the previous line left the arc of the previous corner.
    left_at: f64,
    before: Option<usize>,
}

/// An arrival or the goal, as an entry of the open list. The entry with the lowest estimate comes first.
struct Open {
    estimate: f64,
    /// `None` for the goal.
    arrival: Option<usize>,
    /// For the goal: the last arrival, and the angle at which the path left its arc.
    last: (usize, f64),
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.estimate.total_cmp(&self.estimate)
    }
}

pub(super) fn route(graph: &mut Graph, from: DVec2, to: DVec2) -> Option<ShortestPath> {
    if graph.is_straight(from, to) {
        let length = from.distance(to);
        return Some(ShortestPath {
            length,
            points: vec![from, to],
        });
    }
    let count = graph.corners.len() as u32;
    let mut search = DiscSearch {
        graph,
        from,
        to,
        arrivals: Vec::new(),
        open: BinaryHeap::new(),
        closed: vec![Vec::new(); count as usize],
    };
    for corner in 0..count {
        if let Some((length, angle)) = search.graph.enter(from, corner) {
            search.push(Arrival {
                corner,
                angle,
                length,
                left_at: 0.0,
                before: None,
            });
        }
    }
    search.run()
}

struct DiscSearch<'s, 'a> {
    graph: &'s mut Graph<'a>,
    from: DVec2,
    to: DVec2,
    arrivals: Vec<Arrival>,
    open: BinaryHeap<Open>,
    /// For each corner, the angle and the path length of each arrival from which the edges of the corner were followed.
    closed: Vec<Vec<(f64, f64)>>,
}

impl DiscSearch<'_, '_> {
    fn run(mut self) -> Option<ShortestPath> {
        while let Some(next) = self.open.pop() {
            let Some(index) = next.arrival else {
                let (last, left_at) = next.last;
                return Some(ShortestPath {
                    length: next.estimate,
                    points: self.points(last, left_at),
                });
            };
            let here = self.arrivals[index];
            if self.is_known(&here) {
                continue;
            }
            self.closed[here.corner as usize].push((here.angle, here.length));
            self.expand(index, here);
        }
        None
    }

    fn expand(&mut self, index: usize, here: Arrival) {
        let radius = self.graph.radius;
        // An arc is walked only forward.
        let arc = |leaves: f64| {
            let angle = leaves - here.angle;
            (angle >= -ROUNDING).then_some(radius * angle.max(0.0))
        };
        if let Some((line, leaves)) = self.graph.leave(here.corner, self.to)
            && let Some(arc) = arc(leaves)
        {
            self.open.push(Open {
                estimate: here.length + arc + line,
                arrival: None,
                last: (index, leaves),
            });
        }
        let edges = self.graph.edges(here.corner).iter();
        let edges = edges.filter_map(|edge| Some((*edge, arc(edge.leaves)?)));
        let next: Vec<Arrival> = edges
            .map(|(edge, arc)| Arrival {
                corner: edge.to,
                angle: edge.meets,
                length: here.length + arc + edge.length,
                left_at: edge.leaves,
                before: Some(index),
            })
            .collect();
        next.into_iter().for_each(|arrival| self.push(arrival));
    }

    fn push(&mut self, arrival: Arrival) {
        if self.is_known(&arrival) {
            return;
        }
        let point = self.graph.corners[arrival.corner as usize].point(arrival.angle);
        self.open.push(Open {
            estimate: arrival.length + point.distance(self.to),
            arrival: Some(self.arrivals.len()),
            last: (0, 0.0),
        });
        self.arrivals.push(arrival);
    }

    /// Whether an earlier arrival can continue along the arc to the same point by a path that is not longer.
    fn is_known(&self, arrival: &Arrival) -> bool {
        let radius = self.graph.radius;
        let closed = &self.closed[arrival.corner as usize];
        closed.iter().any(|&(angle, length)| {
            let arc = radius * (arrival.angle - angle);
            arc >= -ROUNDING && length + arc <= arrival.length + ROUNDING
        })
    }

    fn points(&self, last: usize, left_at: f64) -> Vec<DVec2> {
        let mut points = vec![self.to];
        let (mut index, mut leaves) = (Some(last), left_at);
        while let Some(arrival) = index.map(|index| self.arrivals[index]) {
            let corner = &self.graph.corners[arrival.corner as usize];
            let turn = (leaves - arrival.angle).max(0.0);
            let steps = (turn / ARC_STEP).ceil().max(1.0);
            for step in 0..=steps as u32 {
                let share = f64::from(step) / steps;
                points.push(corner.point(leaves - turn * share));
            }
            (index, leaves) = (arrival.before, arrival.left_at);
        }
        points.push(self.from);
        points.reverse();
        points
    }
}
