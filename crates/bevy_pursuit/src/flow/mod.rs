//! Flows: hundreds of agents that chase the same target from far away share a flow field, and no paths are planned for
//! them.
//!
//! A [`Flow`](flows::Flow) is a field that tasks keep up to date. An agent far from its target joins the flow, which
//! leads it until it is near the target, or wants something else.

mod flows;
mod others;

use bevy::app::{App, Last};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;

pub(crate) use self::flows::{Flow, FlowKey, Flows, LEAVE_CELLS, LEAVE_CELLS_PUSHED};
use self::flows::{any_flow, begin_fields, keep_flows};
use crate::schedule::{FlowSteps, FrameOver, on_main};

/// Adds the systems of flows to the app.
pub(crate) fn add_flows(app: &mut App, schedule: InternedScheduleLabel) {
    app.init_resource::<Flows>()
        .add_systems(
            schedule,
            on_main(keep_flows).run_if(any_flow).in_set(FlowSteps::Keep),
        )
        .add_systems(
            Last,
            on_main(begin_fields)
                .run_if(any_flow)
                .in_set(FrameOver::Searches),
        );
}
