//! Flows: hundreds of agents that chase the same target from far away share a flow field, and no paths are planned for
//! them.
//!
//! A [`Flow`](crate::fields::Flow) is a field that tasks keep up to date. An agent far from its target joins the flow and
//! becomes a follower. Small loops over the ECS tables of followers move it. It leaves the flow near the target, or as
//! soon as it wants something else.

mod join;
mod leave;
mod step;
mod walk;

use bevy::app::{App, Last};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::ecs::schedule::common_conditions::any_with_component;

use self::join::{is_crowded, join_flows};
use self::leave::leave_flows;
use self::walk::walk_followers;
use crate::agent::FlowFollower;
use crate::fields::{FieldCache, any_flow, begin_fields, keep_flows};
use crate::schedule::{FlowSteps, FrameOver, on_main};

/// Adds the systems of flows to the app.
pub(crate) fn add_flows(app: &mut App, schedule: InternedScheduleLabel) {
    app.init_resource::<FieldCache>()
        .add_systems(
            schedule,
            (
                on_main(leave_flows)
                    .run_if(any_with_component::<FlowFollower>)
                    .in_set(FlowSteps::Leave),
                (
                    on_main(keep_flows).run_if(any_flow),
                    on_main(join_flows).run_if(is_crowded),
                )
                    .chain()
                    .in_set(FlowSteps::Join),
                on_main(walk_followers)
                    .run_if(any_with_component::<FlowFollower>)
                    .in_set(FlowSteps::Walk),
            ),
        )
        .add_systems(
            Last,
            on_main(begin_fields)
                .run_if(any_flow)
                .in_set(FrameOver::Searches),
        );
}
