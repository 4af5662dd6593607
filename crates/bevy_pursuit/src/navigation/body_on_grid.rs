//! The body and the grid that a question to `Navigation` is about.

use crate::agent::{NavAgent, NavBody};
use crate::grid::OnGrid;

/// The body that a question is about, and the grid to look at.
///
/// A radius in world units, a [`NavAgent`] and a [`NavBody`] convert to this type. To name the grid, pass a pair of one
/// of these and an [`OnGrid`] or `Option<OnGrid>`: `distance(from, to, (agent, OnGrid(grid)))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOnGrid {
    /// The body that the question is about.
    pub body: NavBody,
    /// The grid to look at. `None`: the grid is chosen as for an agent.
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
