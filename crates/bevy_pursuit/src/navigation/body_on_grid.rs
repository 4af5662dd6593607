//! The body and the grid of a question.

use crate::agent::{NavAgent, NavBody};
use crate::grid::OnGrid;

/// The body that a question is asked for, and the grid to ask. Without a grid, the question goes to the grid that
/// an agent would plan on.
///
/// Converts from a radius, an agent or a [`NavBody`], and from a pair of one of these and an [`OnGrid`] or
/// `Option<OnGrid>`: `distance(from, to, (agent, OnGrid(grid)))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOnGrid {
    /// The body that would walk or stand there.
    pub body: NavBody,
    /// The grid to ask.
    pub grid: Option<OnGrid>,
}

impl From<NavBody> for BodyOnGrid {
    fn from(body: NavBody) -> Self {
        Self { body, grid: None }
    }
}

impl From<f32> for BodyOnGrid {
    fn from(radius: f32) -> Self {
        NavBody::from(radius).into()
    }
}

impl From<&NavAgent> for BodyOnGrid {
    fn from(agent: &NavAgent) -> Self {
        NavBody::from(agent).into()
    }
}

impl From<NavAgent> for BodyOnGrid {
    fn from(agent: NavAgent) -> Self {
        NavBody::from(agent).into()
    }
}

impl<B: Into<NavBody>, G: Into<Option<OnGrid>>> From<(B, G)> for BodyOnGrid {
    fn from((body, grid): (B, G)) -> Self {
        Self {
            body: body.into(),
            grid: grid.into(),
        }
    }
}
