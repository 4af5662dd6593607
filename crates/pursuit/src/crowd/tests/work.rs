//! Tests that count work. They fail if a change makes a tick slower on every machine.

use allocation_counter::measure;

use super::rest::standing;
use super::*;
use crate::crowd::body::MemberPlan;
use crate::crowd::buckets::Buckets;
use crate::crowd::levels::Survey;
use crate::crowd::neighbors::{Lists, NOWHERE, PADDING_DISCS, disc_of};

/// The mean length of the neighbor lists.
fn mean_neighbors(members: &[Member]) -> f32 {
    let (mut survey, mut buckets) = (Survey::default(), Buckets::default());
    let mut members: Vec<Member> = members.to_vec();
    members.iter_mut().for_each(|member| survey.take(member));
    buckets.sort(&members, (&mut survey, DT), members.len(), &SingleThread);
    let parts = buckets.ends.clone().into_iter();
    buckets.arrange(&SingleThread, parts, |_, _| ());
    let sorted = buckets.order.iter().map(|i| &members[*i as usize]);
    let (bodies, mut discs): (Vec<_>, Vec<_>) =
        sorted.map(|it| (body_of(it), disc_of(it, DT))).unzip();
    discs.extend([NOWHERE; PADDING_DISCS]);
    let (mut lists, awake) = (Lists::default(), vec![MemberPlan::default(); bodies.len()]);
    lists.find((0, &awake), &bodies, &discs, &buckets);
    let sum: usize = (0..bodies.len()).map(|own| lists.of(own).len()).sum();
    sum as f32 / bodies.len() as f32
}

/// Members of a packed crowd that all walk the same way.
fn marching(count: usize) -> Vec<Member> {
    let mut members = standing(count);
    for member in &mut members {
        (member.heading, member.remaining) = (Vec2::X, 1000.0);
        member.velocity = Vec2::X * member.pace;
    }
    members
}

#[test]
fn neighbor_lists_of_a_packed_crowd_hold_fewer_than_seven_on_average() {
    let marching = mean_neighbors(&marching(2000));
    let mut members = standing(2000);
    members
        .iter_mut()
        .for_each(|it| it.memory.is_settled = true);
    let standing = mean_neighbors(&members);
    assert!(marching < 7.0, "{marching} neighbors while marching");
    assert!(standing < 7.0, "{standing} neighbors while standing");
}

#[test]
fn a_steady_tick_allocates_no_list_of_members_and_a_member_takes_few_bytes() {
    let members = marching(4096);
    let mut crowd = Crowd::default();
    let grown = measure(|| {
        for _ in 0..3 {
            crowd.set_members(&members);
            crowd.step(&Nowhere, DT, &SingleThread);
        }
    });
    let steady = measure(|| {
        crowd.set_members(&members);
        crowd.step(&Nowhere, DT, &SingleThread);
    });
    // Each loop over all members allocates one list of parts, however many members there are.
    let lists = steady.count_total;
    assert!(lists < 10, "{lists} allocations in one tick");
    let bytes = grown.bytes_current as usize / members.len();
    assert!(bytes < 400, "{bytes} bytes for each member");
}
