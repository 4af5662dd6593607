//! A\* on random directed graphs, checked against Dijkstra's algorithm.

use pursuit::oracle::cases;
use pursuit::{Guarantee, Outcome, PartialReason, SearchLimits, SearchScratch, astar};

use crate::common::graph::Graph;

#[test]
fn astar_finds_a_cheapest_path_or_leads_to_the_nearest_node() {
    let random = &mut fastrand::Rng::with_seed(1);
    let (limits, scratch) = (SearchLimits::default(), &mut SearchScratch::new());
    for _ in 0..cases(6000) {
        let mut graph = Graph::random(random);
        if random.bool() {
            graph.guarantee = Guarantee::None;
            graph.h.iter_mut().for_each(|h| *h = random.u64(0..=*h));
        }
        let start = random.u32(0..graph.count());
        let found = astar(&graph, start, &limits, scratch).unwrap().unwrap();
        let cheapest = graph.distances_from(start);
        assert_eq!(found.nodes[0], start);
        assert_eq!(found.nodes.last().copied(), graph.end(&cheapest));
        assert_eq!(graph.walk_cost(&found.nodes), Some(found.cost));
        let unreachable = Outcome::Partial(PartialReason::Unreachable);
        match cheapest[graph.goal as usize] {
            Some(cost) => assert_eq!((found.cost, found.outcome), (cost, Outcome::Complete)),
            None => assert_eq!(found.outcome, unreachable),
        }
        assert_eq!(astar(&graph, graph.count(), &limits, scratch), Ok(None));
    }
}
