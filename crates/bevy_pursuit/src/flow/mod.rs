//! Flows: hundreds of agents that chase the same target from far away share a flow field, and no paths are planned for
//! them.
//!
//! A [`Flow`](flows::Flow) is a field that tasks keep up to date. An agent far from its target joins the flow and
//! becomes a follower. Small loops over the ECS tables of followers move it. It leaves the flow near the target, or as
//! soon as it wants something else.

mod flows;
mod join;
mod leave;
mod others;
mod step;
mod walk;

use bevy::app::{App, Last};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::ecs::schedule::common_conditions::any_with_component;

pub(crate) use self::flows::Flows;
use self::flows::{any_flow, begin_fields, keep_flows};
use self::join::{is_crowded, join_flows};
use self::leave::leave_flows;
use self::walk::walk_followers;
use crate::agent::FlowFollower;
use crate::schedule::{FlowSteps, FrameOver, MainSystems};

/// Adds the systems of flows to the app.
pub(crate) fn add_flows(app: &mut App, schedule: InternedScheduleLabel) {
    app.init_resource::<Flows>()
        .add_main_systems(
            schedule,
            (
                leave_flows
                    .run_if(any_with_component::<FlowFollower>)
                    .in_set(FlowSteps::Leave),
                (keep_flows.run_if(any_flow), join_flows.run_if(is_crowded))
                    .chain()
                    .in_set(FlowSteps::Join),
                walk_followers
                    .run_if(any_with_component::<FlowFollower>)
                    .in_set(FlowSteps::Walk),
            ),
        )
        .add_main_systems(
            Last,
            begin_fields.run_if(any_flow).in_set(FrameOver::Searches),
        );
}
