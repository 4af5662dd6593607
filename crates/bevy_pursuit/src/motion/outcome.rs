//! Collects what happened to agents in the follow stage of a tick: events, and changes of tables and flows.

use bevy::ecs::prelude::*;

use crate::agent::OffField;
use crate::events::{AgentStuck, EnteredForbidden, GoalReached, trigger_if_alive};
use crate::intent::request::finish_request;

/// Maximum number of agents per tick that get or lose the marker [`OffField`]. Each takes about a microsecond, because
/// Bevy moves it to another table.
const MAX_MOVES: usize = 512;

/// Agents that no field leads get the marker [`OffField`] while fields lead at least this many agents for each agent
/// without the marker that no field leads.
const LED_SHARE: usize = 4;

/// An event for the observers of an agent, or the end of its request.
pub(super) enum AgentEvent {
    Reached(GoalReached),
    Stuck(AgentStuck),
    Entered(EnteredForbidden),
    /// The agent is at the goal of a request with `once`, and its arrival was reported in an earlier tick.
    Done(Entity),
}

impl AgentEvent {
    pub(super) fn send(self, commands: &mut Commands) {
        match self {
            Self::Reached(event) => {
                trigger_if_alive(commands, event);
                finish_request(commands, event.entity);
            }
            Self::Stuck(event) => trigger_if_alive(commands, event),
            Self::Entered(event) => trigger_if_alive(commands, event),
            Self::Done(entity) => finish_request(commands, entity),
        }
    }
}

/// What happened to the agents in a part of a table.
pub(super) struct Outcome {
    pub(super) events: Vec<(EventOrder, AgentEvent)>,
    /// Number of agents that walk along each flow.
    pub(super) followers: Vec<u32>,
    /// Agents that leave their flow. The goals in their intents are out of date.
    pub(super) left: Vec<Entity>,
    /// Agents that have the marker [`OffField`] but should not (`true`), or should have it but do not (`false`).
    pub(super) misplaced: Vec<(Entity, bool)>,
    /// Number of agents without the marker [`OffField`] that no field leads.
    pub(super) unmarked: usize,
}

impl Outcome {
    pub(super) fn new(flows: usize) -> Self {
        Self {
            events: Vec::new(),
            followers: vec![0; flows],
            left: Vec::new(),
            misplaced: Vec::new(),
            unmarked: 0,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.events.extend(other.events);
        self.left.extend(other.left);
        self.misplaced.extend(other.misplaced);
        self.unmarked += other.unmarked;
        let counts = self.followers.iter_mut().zip(other.followers);
        counts.for_each(|(sum, count)| *sum += count);
    }

    /// Adds and removes the marker [`OffField`] for the first [`MAX_MOVES`] misplaced agents.
    pub(super) fn regroup(&self, commands: &mut Commands) {
        let led: u32 = self.followers.iter().sum();
        let gives_marker = led as usize >= LED_SHARE * self.unmarked;
        let moved = self.misplaced.iter();
        let moved = moved.filter(|(_, is_marked)| *is_marked || gives_marker);
        for (entity, is_marked) in moved.take(MAX_MOVES) {
            let mut entity = commands.entity(*entity);
            match is_marked {
                true => entity.try_remove::<OffField>(),
                false => entity.try_insert(OffField),
            };
        }
    }
}

/// Sort key of events: the serial of the agent, then its [`TickPosition::sort_key`]. The serial of an agent that never
/// wanted a path is 0.
pub(super) type EventOrder = (u32, [u32; 3]);
